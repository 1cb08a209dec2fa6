"""What an edit surely changes below it, before the blocks there are read again: names, and the end of a function."""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.analysis.foreseen.certain_reports import UNDECLARED, declares_for_certain, ends_as_known
from ptx_lsp.analysis.function_reports import parts_of
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Iterator, Mapping
from ptx_lsp.reading.block import Block, FunctionPart, Results
from ptx_lsp.reading.braces import (
    UNCLOSED_BRACE,
    brace_too_few,
    is_closed_again,
    is_whole,
    scopes_more,
)
from ptx_lsp.reading.known_places import EditedText, is_plain
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import DIGITS, Holder, Scope, Symbol
from ptx_lsp.syntax.plain_text import without_comments
from ptx_lsp.text.lines import has_lone_return

if TYPE_CHECKING:
    from ptx_lsp.analysis.function_checks import FunctionChecks

_MOST_BELOW = 64  # blocks below, in which the first use of a name is looked for
_MOST_NAMES = 8  # of a declaration, whose first uses are looked for


def foreseen(
    block: Block,
    before: Results,
    is_edited: bool,
    functions: FunctionChecks,
    of_module: list[Report],
    block_map: BlockMap,
) -> list[Report] | None:
    """Reports that are known after a block was read, which had these results `before`; None if nothing is new.

    A block that `is_edited` may open or close a scope more than before. The report of a brace that is closed now is
    taken out of those of its function and `of_module`.
    """
    more = scopes_more(before.exit, block.exit) if is_edited else 0
    body = block.exit.body if more and block.exit is not None else None
    if body is not None and more == 1 and is_whole(body) and body.closing is not None:
        end = body.closing.holder
        is_below = end is not block and block_map.holds(end)  # otherwise its end has been read
        document, mark = block_map.document, block_map.mark
        return (is_below and brace_too_few(body.opening, body.closing, document, mark)) or None
    if body is not None and more == -1:
        parts = parts_of(body, block_map)  # none if its first block was read without it
        if parts and parts[-1].block is not block and is_closed_again(parts[-1], block_map.document):
            body.names = [one for one in body.names if one.code != UNCLOSED_BRACE]
            of_module[:] = [one for one in of_module if one.code != UNCLOSED_BRACE]
            return []
    if block.declared == before.declared:
        return None
    if functions.has_fewer_reports():  # of a name that is declared now
        return []
    return (not functions.uncertain_scopes and _undeclared_below(block, before, block_map)) or None


def _undeclared_below(block: Block, before: Results, block_map: BlockMap) -> list[Report]:
    """The report of the first use, below a block, of what it declared `before` it was read, in its last function.

    None if the block is a piece of a divided one, or if it is uncertain what the function declares.
    """
    part = block.parts[-1] if block.parts else None
    if part is None or before.exit is None or not (is_plain(block) and ends_as_known(part.body)):
        return []
    is_open = block.exit is not None and block.exit.body is part.body
    if not is_open or not declares_for_certain(part.body, all_parts(part.body, (), block_map)):
        return []
    scope = part.body.scope
    old, new = ([one.symbol for one in names if one.scope is scope] for names in (before.declared, block.declared))
    return first_use_below(block, part.body, removed_symbols(part.body, old, [one.name for one in new]), block_map)


def removed_symbols(body: Body, old: Iterable[Symbol], names: Iterable[str]) -> dict[str, Symbol]:
    """The `old` symbols of a function that are not among these names, by their names without digits.

    Not those that are known to be missing. Empty if there are too many, or if something else may have such a name.
    """
    scope, around = body.scope, body.scope.parent
    kept = {name.rstrip(DIGITS) for name in names}
    kept.update(str(one.data.get("name", "")).rstrip(DIGITS) for one in body.names if one.code in UNDECLARED)
    gone = {_stem(symbol): symbol for symbol in old if _stem(symbol) not in kept}
    for stem, symbol in gone.items():
        same = (*scope.families.get(stem, ()), *scope.members.get(symbol.name, ()))
        is_around = around is not None and around.own(symbol.name) is not None
        if is_around or scope.label(symbol.name) or any(one is not symbol for one in same):
            return {}
    return gone if len(gone) <= _MOST_NAMES else {}


def first_use_below(block: Block, body: Body, gone: Mapping[str, Symbol], block_map: BlockMap) -> list[Report]:
    """The report of the first use of one of these names of a function below a block."""
    from ptx_lsp.reading.undeclared import first_mention, reported_use

    first = block_map.place(block) + 1
    for each in block_map.blocks[first : first + _MOST_BELOW] if gone else ():
        entry = each.entry
        if entry is None or entry.body is not body or each.exit is None or each.stale or each.suspicions:
            break
        text = block_map.text(each)
        text = without_comments(text) if "/*" in text else text
        if entry.comment is not None or has_lone_return(text):
            break
        use = first_mention(text, 0, gone.values())
        if use is not None:
            return reported_use(EditedText(each, text), use, body, gone, block_map.at_line)
    return []


def _stem(symbol: Symbol) -> str:
    return symbol.name.rstrip(DIGITS)


def declared_in(scope: Scope, holder: Holder, line: int) -> Iterator[Symbol]:
    """The registers and variables of a scope that are declared in a line of a block."""
    for table in (scope.families, scope.members):
        for symbols in table.values():
            for symbol in symbols:
                if symbol.mark.holder is holder and symbol.mark.range[0] == line:
                    yield symbol


def all_parts(body: Body, pieces: tuple[Block, ...], block_map: BlockMap) -> Iterator[FunctionPart]:
    """The parts of a function in the blocks above `pieces`, in the divided block, and in the blocks below it."""
    for block in block_map.blocks[block_map.place(body.opening.holder) :]:
        if block.exit is None and block in pieces:
            continue
        yield from (part for part in block.parts if part.body is body)
        if block.exit is None or (block.exit.body is not body and block.exit.closed is not body):
            break
