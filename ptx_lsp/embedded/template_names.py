"""The names that a template declares: other names for them, written as the literals need it."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.embedded.decoding import UNIQUE
from ptx_lsp.embedded.holes import braces_match, outside_braces
from ptx_lsp.embedded.host_findings import uses_of_others
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import Inside
from ptx_lsp.embedded.operand_types import compiler_stems
from ptx_lsp.features import rename as ptx
from ptx_lsp.features.rename import RenameRefused
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.hosts.source_map import source_of
from ptx_lsp.hosts.statement import Dialect
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import DIGITS, SymbolKind
from ptx_lsp.text.ranges import Position, Range

_LIKE_OPERAND = lazy_pattern(r"%\d")
_LIKE_OPERAND_OF_LLVM = lazy_pattern(r"[%$]\d")
_SHARED = (SymbolKind.REGISTER, SymbolKind.VARIABLE)


class Renaming(NamedTuple):
    """Edits of the host, and the PTX that the template has after them."""

    edits: list[Edit]
    text: str


class _Number(NamedTuple):
    """A number in a name that the compiler makes up: its place in the name, and how it is written (`%=`)."""

    at: int
    written: str

    def spelled(self, name: str) -> str:
        """A name of the PTX as its author writes it."""
        return name[: self.at] + self.written + name[self.at + len(UNIQUE) :]


def template_name(here: Inside, at: Position) -> tuple[Range, str]:
    """The range in the host of the name at a position of the PTX, and the name. Raises RenameRefused."""
    in_body, name = ptx.prepare_rename(here.module, at)
    range_ = here.range(in_body)
    if range_ is None:
        raise RenameRefused(f"no text of this file gives `{name}`")
    if not braces_match(here.embedded.body.text):
        raise RenameRefused(f"the braces of the template do not match: other statements may name `{name}` too")
    number = _number_in(here, in_body)
    return range_, number.spelled(name) if number is not None else name


def template_renaming(analysis: HostText, here: Inside, at: Position, new_name: str) -> Renaming:
    """The edits that give the name at a position of the PTX another name. Raises RenameRefused.

    The new name is as PTX has it, or with the escapes of the template: `%p` or `%%p`.
    """
    _, old_name = template_name(here, at)
    number = _number_in(here, ptx.prepare_rename(here.module, at)[0])
    sign = "$" if here.embedded.statement.dialect is Dialect.DOLLAR else "%"
    in_body = new_name = new_name.replace(sign * 2, sign)
    if number is not None:
        if new_name.count(number.written) != 1:
            raise RenameRefused(
                f"`{old_name}` has a number that the compiler makes up: the new name must have `{number.written}` too"
            )
        in_body = new_name.replace(number.written, UNIQUE)
    _refuse_capture(analysis, here, at, in_body)
    edits = [edit for some in ptx.rename(here.module, at, in_body) for edit in some]
    written = [each for edit in edits for each in _in_host(here, edit, number, new_name)]
    return Renaming(written, apply_edits(here.embedded.body.text, edits))


def _refuse_capture(analysis: HostText, here: Inside, at: Position, new_name: str) -> None:
    """Raises RenameRefused if a new name would mean an operand, or something of the compiler or another statement."""
    statement = here.embedded.statement
    of_llvm = statement.dialect in (Dialect.DOLLAR, Dialect.ROLES)
    if (_LIKE_OPERAND_OF_LLVM if of_llvm else _LIKE_OPERAND).search(new_name):
        raise RenameRefused(f"`{new_name}` is written like an operand of the statement")
    if new_name.rstrip(DIGITS) in compiler_stems(statement):
        raise RenameRefused(f"`{new_name}` may be the name that the compiler gives to an operand")
    found = target_at(here.module, at)
    if found is None or found.target.symbol.kind not in _SHARED:
        return
    declared = here.body.offset(found.target.declared.start)
    if not outside_braces(here.embedded.body.text)[declared].strip():
        return
    others = [each.embedded for each in analysis.known() if each is not here.located.known and each.embedded]
    for name in (found.target.name, new_name):
        if any(uses_of_others(each, name) for each in others):
            raise RenameRefused(f"`{found.target.name}` is outside of braces, and another statement names `{name}`")


def _number_in(here: Inside, range_: Range) -> _Number | None:
    """The number that the compiler makes up in a range of the PTX; None without one."""
    body, template = here.embedded.body, here.embedded.statement.template.text
    start, end = here.body.offset(range_.start), here.body.offset(range_.end)
    for first, last in body.numbered(template):
        if start <= first and last <= end:
            there = source_of(body.runs, first)
            return _Number(first - start, template[there.start : there.end])
    return None


def _in_host(here: Inside, edit: Edit, number: _Number | None, new_name: str) -> Iterator[Edit]:
    """An edit of the PTX in the host. A number that the compiler makes up stays as it is written."""
    start, end = here.body.offset(edit.range.start), here.body.offset(edit.range.end)
    if any(each.start < end and start < each.end for each in here.embedded.body.references):
        raise RenameRefused("a part of this name is the text of an operand")
    if start < end and _number_in(here, edit.range) != number:
        raise RenameRefused("some places of this name have a number that the compiler makes up, and others have none")
    for part in (edit,) if number is None else _around(edit, number, new_name):
        written = here.replaced(part)
        if not written:
            raise RenameRefused(f"a literal of the template cannot hold `{new_name}`")
        yield from written


def _around(edit: Edit, number: _Number, new_name: str) -> Iterator[Edit]:
    """The parts of an edit before and after the number, with what a new name has there."""
    (line, column, _, end), at = edit.range, edit.range.column + number.at
    before, after = new_name.split(number.written)
    for range_, text in ((Range(line, column, line, at), before), (Range(line, at + len(UNIQUE), line, end), after)):
        if text or range_.start < range_.end:
            yield Edit(range_, text)
