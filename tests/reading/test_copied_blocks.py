"""Copies of blocks for requests: their scopes are those of the module without what the block itself declares."""

from random import Random

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.copied_blocks import copy_to_read
from ptx_lsp.semantics.symbols import DIGITS, Scope
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.calls import calls_of

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
TEXT = HEAD + "".join(
    f".global .u32 g{n % 150};\n.shared .b8 buf{n}[4];\n"
    f".func f{n}()\n{{\n.reg .b32 %r<9>;\n.reg .b32 %t{n};\nL{n}:\nmov.b32 %r1, %t{n};\nret;\n}}\n"
    for n in range(300)
)


LINES = "".join(f".reg .b32 %one{n};\n.shared .b8 own{n}[4];\nmov.b32 %one{n}, {n};\n" for n in range(400))
LONG = f"{HEAD}.func long()\n{{\n{LINES}{{\n{LINES}}}\nret;\n}}\n"  # a scope with many names, in many blocks


def plain_copy(scope: Scope, block: object) -> tuple[dict[str, list[int]], dict[str, int]]:
    """The single names of a scope that the block does not declare, and how many of each stem end in digits."""
    members = {name: [id(s) for s in symbols if s.mark.holder is not block] for name, symbols in scope.members.items()}
    counts: dict[str, int] = {}
    for name, symbols in members.items():
        stem = name.rstrip(DIGITS)
        if stem != name and symbols:
            counts[stem] = counts.get(stem, 0) + len(symbols)
    return {name: symbols for name, symbols in members.items() if symbols}, counts


def compare_all_blocks(module: Module) -> int:
    """Compare the copies of the scopes at the begin of every block; return the number of blocks."""
    number = 0
    for block in module.block_map.blocks:
        assert block.entry is not None
        copy = copy_to_read(block)
        assert copy.entry is not None
        for scope, copied in zip(block.entry.scopes, copy.entry.scopes, strict=True):
            members, counts = plain_copy(scope, block)
            assert {name: list(map(id, symbols)) for name, symbols in copied.members.items()} == members
            assert {stem: count for stem, count in copied.numbered.items() if count} == counts
        number += 1
    return number


@pytest.mark.parametrize("text", [TEXT, LONG])
def test_a_copy_lacks_what_its_block_declares(text: str) -> None:
    module = analysed(text)
    assert compare_all_blocks(module) > 1
    random = Random(11)
    for _ in range(8):
        line = random.randrange(3, module.document.line_count - 1)
        new = random.choice((".global .u32 g5;\n", ".shared .b8 other[8];\n", "}\n", "{\n", "mov.b32 %r1, 1;\n", ""))
        module.edit(Range(line, 0, line + random.randrange(2), 0), new)
        module.work()
        compare_all_blocks(module)


def test_a_copy_costs_the_same_in_a_function_with_more_names() -> None:
    def cost(names: int) -> int:
        lines = "".join(f".reg .b32 %one{n};\n" for n in range(names)) + "mov.b32 %one1, 1;\n" * 400
        module = Module(f"{HEAD}.func long()\n{{\n{lines}ret;\n}}\n")
        while not module.work(0.0):
            pass  # in short blocks
        return calls_of(lambda: copy_to_read(module.block_map.blocks[-1]))

    assert cost(4_000) < 1.2 * cost(1_000)


def test_a_declaration_in_a_copy_does_not_change_the_module() -> None:
    module = analysed(TEXT)
    block = module.block_map.blocks[-1]
    copy = copy_to_read(block)
    assert copy.entry is not None
    scope = copy.entry.scopes[0]
    (symbol,) = module.declarations("buf3")
    again = symbol.changed(mark=module.declarations("f299")[0].mark)
    scope.declare(again)
    assert len(scope.members["buf3"]) == 2
    assert module.declarations("buf3") == [symbol]
    scope.withdraw(again)
    assert [each is symbol for each in scope.members["buf3"]] == [True]


def test_a_copy_has_the_order_of_a_real_one() -> None:
    """Names that are deleted and declared again are the last, as in a dictionary."""
    module = analysed(TEXT)
    random = Random(3)
    for block in random.sample(module.block_map.blocks, 5):
        copy = copy_to_read(block)
        assert copy.entry is not None
        copied = copy.entry.scopes[0].members
        plain = {name: list(symbols) for name, symbols in copied.items()}
        some = module.declarations("f7")
        for _ in range(300):
            name = random.choice((*random.sample(list(plain), 3), f"new{random.randrange(9)}"))
            match random.randrange(4):
                case 0:
                    assert copied.pop(name, None) == plain.pop(name, None)
                case 1:
                    copied[name] = plain[name] = list(some)
                case 2:
                    assert copied.get(name) == plain.get(name)
                case 3:
                    assert copied.setdefault(name, list(some)) == plain.setdefault(name, list(some))
            assert (name in copied, len(copied), bool(copied)) == (name in plain, len(plain), bool(plain))
        assert list(copied) == list(copied.keys()) == list(plain)
        assert list(copied.items()) == list(plain.items())
        assert list(copied.values()) == list(plain.values())
        assert copied.keys() & {"new1", "f8"} == plain.keys() & {"new1", "f8"}
