"""The directives: where each is allowed, how it ends, its arguments, and the first version that has it."""

from ptx_lsp.isa.clauses import read_needs
from ptx_lsp.isa.forms import Needs
from ptx_lsp.isa.manual import page_url
from ptx_lsp.light_classes import Enum, NamedTuple, cache
from ptx_lsp.package_data import read_rows


class DirectivePlace(Enum):
    """A place in which a directive is allowed."""

    MODULE = "m"  # outside functions
    HEADER = "h"  # between the head of a function and its body
    BODY = "b"  # among the statements of a function
    DECLARATION = "d"  # in a declaration, before the name


class End(Enum):
    """How a directive ends."""

    SEMICOLON = ";"
    LINE = "line"  # with its last argument: no semicolon
    BLOCK = "{}"
    NONE = "-"  # it is part of a larger construct


class DirectiveRow(NamedTuple):
    """One directive, `.maxntid`.

    `arguments` are written as in the manual, with our words; `anchor` is NVIDIA's documentation anchor. `functions`:
    the kinds of functions that take the directive in their header: `entry`, `func`, or both.
    """

    name: str
    places: frozenset[DirectivePlace]
    end: End
    arguments: str
    functions: tuple[str, ...]
    meaning: str
    anchor: str
    needs: Needs

    @property
    def url(self) -> str:
        """NVIDIA's page about it."""
        return page_url(self.anchor)


def directive(word: str) -> DirectiveRow | None:
    """The directive with that name, its dot included; None if no directive has that name."""
    row = _rows().get(word)
    return None if row is None else _read(row)


@cache
def directives() -> dict[str, DirectiveRow]:
    """Every directive by its name, in the order of the manual's chapters."""
    return {name: _read(row) for name, row in _rows().items()}


@cache
def line_directives() -> tuple[str, ...]:
    """The directives that end with their line: no semicolon follows."""
    return tuple(row.name for row in directives().values() if row.end is End.LINE)


@cache
def _read(row: str) -> DirectiveRow:
    head, functions, needs, anchor, meaning = (part.strip() for part in row.split("|"))
    name, places, end, *arguments = head.split(None, 3)
    return DirectiveRow(
        name,
        frozenset(map(DirectivePlace, places)),
        End(end),
        arguments[0] if arguments else "",
        tuple(functions.split()),
        meaning,
        anchor,
        read_needs(needs),
    )


@cache
def _rows() -> dict[str, str]:
    """The text of each row by the name of its directive: a short module has few of them."""
    return {line.split(None, 1)[0]: line for line in read_rows("isa", "rows", "directives.isa")}
