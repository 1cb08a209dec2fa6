"""The names that authors give to operands, `%[stride]` and `{stride}`: where they are written, and other names."""

from collections.abc import Iterator

from ptx_lsp.embedded.inside import Inside
from ptx_lsp.embedded.operand_uses import OperandHere
from ptx_lsp.features.rename import RenameRefused
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.hosts.source_map import Span, source_of
from ptx_lsp.hosts.statement import Dialect
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Range

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD_OF_RUST = lazy_pattern(
    "_|Self|abstract|as|async|await|become|box|break|const|continue|crate|do|dyn|else|enum|extern|false|final|fn|for|gen"
    "|if|impl|in|let|loop|macro|match|mod|move|mut|override|priv|pub|ref|return|self|static|struct|super|trait|true|try"
    "|type|typeof|unsafe|unsized|use|virtual|where|while|yield"
)
"""The words that are no names in Rust. Source: Rust's reference, "Keywords"."""


def operand_name(here: Inside, found: OperandHere) -> tuple[Range, str]:
    """The range of the name in the place that names an operand, and the name. Raises RenameRefused if it has none."""
    for span in _places(here, found):
        range_ = here.lines.range(*span)
        if found.range.contains(range_.start) and found.range.contains(range_.end):
            return range_, here.source(*span)
    raise RenameRefused(f"`{_written(here, found)}` names an operand by its number, which is not a name to change")


def operand_name_edits(here: Inside, found: OperandHere, new_name: str) -> list[Edit]:
    """The edits of the host that give an operand another name. Raises RenameRefused."""
    _, name = operand_name(here, found)
    if new_name == name:
        return []
    statement = here.embedded.statement
    if not _NAME.fullmatch(new_name) or (statement.dialect is Dialect.BRACES and _WORD_OF_RUST.fullmatch(new_name)):
        raise RenameRefused(f"`{new_name}` is not a name that an operand can have")
    if any(operand.name == new_name for operand in statement.operands):
        raise RenameRefused(f"`{new_name}` is the name of another operand")
    return [Edit(here.lines.range(*span), new_name) for span in _places(here, found)]


def _written(here: Inside, found: OperandHere) -> str:
    return here.source(here.lines.offset(found.range.start), here.lines.offset(found.range.end))


def _places(here: Inside, found: OperandHere) -> Iterator[Span]:
    """Where the name of an operand is written. Raises RenameRefused if a place has another text."""
    operand = found.operand
    if operand is None:
        raise RenameRefused(f"the statement has no operand `{_written(here, found)}`")
    name, own = operand.name, operand.name_at
    if not name or own is None:
        return
    template = here.embedded.statement.template
    places = [own]
    for reference in found.references:
        if reference.written[:1] == "{" or reference.written[:2] == "%[":
            start = source_of(here.embedded.body.runs, reference.start).start + reference.written.index(name)
            places.append(template.source_range(start, start + len(name)) or own)
    for span in places:
        if here.source(*span) != name:
            raise RenameRefused(f"a place where `{name}` is written has escapes, or is in two literals")
        yield span
