"""The effect that a recogniser gives for a text, and that of the parser."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ptx_lsp.quick.effect import Effect
from ptx_lsp.quick.known import View
from ptx_lsp.reading import reader as reading
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader, apply_effect, apply_module_effect
from ptx_lsp.reading.copied_blocks import copy_to_read
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import NOTHING_BELOW, State
from ptx_lsp.semantics.surroundings import UNDECLARED_PROFILE
from ptx_lsp.semantics.symbols import Scope

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n.func f(.param .b32 p)\n{\n\tret;\n}\n"


Recogniser = Callable[[str, View, BlockReader], Effect | None]


def opened(head: str, text: str) -> BlockReader:
    """A reader at the beginning of a block with this text, after a block with that head."""
    block = Block(1, text.count("\n"))
    block.index, block.line, block.entry = 1, head.count("\n"), state_after(head)
    return BlockReader(copy_to_read(block), text)


@cache
def state_after(head: str) -> State:
    """The state after a text that is right; a reader needs a copy, as it declares names in the scopes."""
    first = Block(1, head.count("\n"))
    first.entry = State((Scope(),), None, None, False, False, (), UNDECLARED_PROFILE)
    before = BlockReader(first, head)
    read(before, NOTHING_BELOW)
    assert before.reports == []
    assert before.exit is not None
    return before.exit


def parsed(head: str, text: str) -> BlockReader:
    """A reader that has read a block with this text, and parsed every statement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "RECOGNISERS", False)
        reader = opened(head, text)
        read(reader, NOTHING_BELOW)
    return reader


def symbols(reader: BlockReader) -> list[object]:
    """The symbols that the block declares, with their places."""
    return [(d.symbol, d.symbol.mark.range, d.scope.opening and d.scope.opening.range) for d in reader.declared]


def effect_of(reader: BlockReader) -> dict[str, Any]:
    """Everything that has changed because the block was read."""
    seen: dict[str, Any] = {"declared": symbols(reader), "depth": len(reader.scopes), "header": reader.header}
    seen["state"] = (reader.buried, reader.stray_reported, reader.profile, reader.body and reader.body.symbol)
    for number, part in enumerate(reader.parts):
        if part.registers is None:  # no reader has read the block to its end
            part.seal()
        # names that are not registers have no effect
        seen[f"read {number}"] = {name for name in part.read.split() if name[0] == "%"}
        seen[f"written {number}"] = {name for name in part.written.split() if name[0] == "%"}
        seen[f"labels {number}"] = [(label.name, label.mark.range) for label in part.labels]
        for what in ("label_uses", "loads", "results"):
            uses = [(use.name, use.mark.range) for use in getattr(part, what)]
            # the name alone shows in which variable a call returns its result
            seen[f"{what} {number}"] = [name for name, _ in uses] if what == "results" else uses
        uses_of_names = [unknown.uses for unknown in part.undeclared.values()]
        seen[f"undeclared {number}"] = [[(use.name, use.mark.range) for use in uses] for uses in uses_of_names]
        seen[f"end {number}"] = (part.ends, part.closing and part.closing.range)
    return seen


def at_offset(recognise: Callable[[str, int, View], Effect | None]) -> Recogniser:
    """A recogniser that is called at the beginning of the text."""
    return lambda text, view, _: recognise(text, 0, view)


def reports_of(reader: BlockReader) -> list[tuple[Any, ...]]:
    """The reports of a block, without what does not depend on its text."""
    return [(r.code, r.mark.range, r.message) for r in reader.reports]


@cache
def of_parser(head: str, text: str) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
    """The reports and the effect of a text if every statement is parsed; several recognisers are compared with them."""
    reader = parsed(head, text)
    return reports_of(reader), effect_of(reader)


def compare(name: str, head: str, material: list[str], recognise: Recogniser) -> int:
    """Compare a recogniser with the parser on texts, and on the rests of each; return the number of its effects."""
    given = 0
    for text in material:
        reader = opened(head, text)
        effect = recognise(text, reader.view, reader)
        if effect is None:
            continue
        given += 1
        (apply_effect if reader.part is not None else apply_module_effect)(reader, effect)
        reports = reports_of(reader)
        wanted, wanted_effect = of_parser(head, text[: effect.end])
        # a duplicate label is found when the effect is applied
        assert reports == wanted, (name, text)
        assert {code for code, *_ in reports} <= {"duplicate-label"}, (name, text)
        assert effect_of(reader) == wanted_effect, (name, text)
    return given
