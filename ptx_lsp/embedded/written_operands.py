"""The operands of a statement as candidates of completion, as its language writes them."""

from ptx_lsp.candidates.completion_items import Completions, Item, ItemKind
from ptx_lsp.embedded.decoding import spelling
from ptx_lsp.embedded.inside import Inside
from ptx_lsp.embedded.naming import shown_operand
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Dialect, Operand
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Position, Range

_OPEN = {
    Dialect.PERCENT: lazy_pattern(r"%\[\w*\Z"),
    Dialect.DOLLAR: lazy_pattern(r"\$\{\d*\Z"),
    Dialect.BRACES: lazy_pattern(r"(?<!\{)(?:\{\{)*(?P<open>\{\w*)\Z"),
    Dialect.ROLES: lazy_pattern(r"\{\$?\w*\Z"),
}
"""The beginning of a reference whose bracket is open, by dialect."""
_NUMBERED = lazy_pattern(r"%(\d+)(?![\w$])")
_CLOSING = {Dialect.PERCENT: "]"}
_LONGEST = 80  # code points before the cursor that are looked at


def written_operand(here: Inside, operand: Operand) -> str:
    """An operand as the template of its statement names it: `%0`, `%[stride]`, `{stride}`, `{$r0}`."""
    dialect, name = here.embedded.statement.dialect, operand.name
    if dialect is Dialect.BRACES:
        return f"{{{name or operand.number}}}"
    if dialect is Dialect.ROLES and name:
        return f"{{${name}}}"
    return f"%[{name}]" if dialect is Dialect.PERCENT and name else spelling(dialect, operand.number)


def with_names(here: Inside, text: str) -> str:
    """A text of the template with `%[stride]` for the number of each operand that has a name, in GCC's dialect."""
    if here.embedded.statement.dialect is not Dialect.PERCENT:
        return text
    written = {str(each.number): written_operand(here, each) for each in here.embedded.statement.operands}
    return _NUMBERED.sub(lambda found: written.get(found[1], found[0]), text)


def open_reference(here: Inside, position: Position) -> Completions | None:
    """The operands at a position of the host after the open bracket of a reference; None at other places."""
    statement = here.embedded.statement
    offset = here.lines.offset(position)
    found = _OPEN[statement.dialect].search(here.source(max(0, offset - _LONGEST), offset))
    if found is None or here.position(position, after=True) is None:
        return None
    if statement.dialect is not Dialect.BRACES and here.written("{", Span(offset, offset)) != "{":
        return None  # a brace is written twice in an f-string
    begun = found.group(found.lastgroup or 0)
    closing = _CLOSING.get(statement.dialect, "}")
    end = Position(position.line, position.column + (here.source(offset, offset + 1) == closing))
    items: list[Item] = []
    for operand in statement.operands:
        text = written_operand(here, operand)
        if statement.dialect is Dialect.DOLLAR:
            text = f"${{{operand.number}}}"
        if text.startswith(begun[:2]):
            items.append(Item(text, ItemKind.REGISTER, shown_operand(here.embedded, operand, here.source)))
    range_ = Range(position.line, position.column - len(begun), *end)
    return Completions(range_, tuple(items), False) if items else None
