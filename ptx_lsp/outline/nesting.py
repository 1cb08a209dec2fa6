"""Nests the marks of all chunks of a document into its constructs."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from ptx_lsp.outline.chunk_scan import Scan
from ptx_lsp.outline.marks import Declared, Header, Mark, MarkKind
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range


class Kind(Enum):
    """What a construct is."""

    __hash__ = object.__hash__

    ENTRY = "kernel"
    FUNCTION = "function"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    LABEL = "label"
    SCOPE = "scope"
    SECTION = "section"


class Construct:
    """A construct with its whole range, from `line` and `column` to `end_line` and `end_column`.

    `name_line` and `name_column` are those of its name. `opening` is the column after its `{`, which is on `open_line`,
    -1 if it has none. `closed` is true if its end is in the text: the body of a function without a `}` ends before the
    next function.
    """

    __slots__ = (
        *("children", "closed", "column", "detail", "end_column", "end_line", "kind", "line", "name", "name_column"),
        *("name_line", "open_line", "opening"),
    )

    def __init__(self, kind: Kind, name: str, line: int, column: int, end_line: int, end_column: int) -> None:
        self.kind = kind
        self.name = name
        self.line = self.name_line = self.open_line = line
        self.column = self.name_column = column
        self.end_line = end_line
        self.end_column = end_column
        self.detail = ""
        self.opening = -1
        self.closed = True
        self.children: Sequence[Construct] = ()

    @property
    def range(self) -> Range:
        """The whole range."""
        return Range(self.line, self.column, self.end_line, self.end_column)

    @property
    def name_range(self) -> Range:
        """The range of the name."""
        line, column = self.name_line, self.name_column
        return Range(line, column, line, column + len(self.name))

    def end_at(self, end: Position) -> None:
        """Move the end to a position, if that is after the present end."""
        if end > (self.end_line, self.end_column):
            self.end_line, self.end_column = end


class Path(NamedTuple):
    """The path in a `.file`, as written between its quotes."""

    range: Range
    text: str


class Constructs(NamedTuple):
    """What a document holds. All lists are in the order of the text, and all ranges are in the document.

    `outline` has the functions and the variables of the module; the children of a function are its parameters,
    variables and labels. `braced` are the bodies, scopes and sections. `headers` are those of functions, up to the last
    character before the body. `lists` are braces around data and operands over several lines, or long declarations.
    `assembly` reaches from `// begin inline asm` to `// end inline asm`.
    """

    outline: list[Construct]
    braced: list[Construct]
    headers: list[Range]
    lists: list[Range]
    comments: list[Range]
    assembly: list[Range]
    locations: list[Range]
    paths: list[Path]


class Nesting:
    """Takes the scans of all chunks in their order; `finish` gives the constructs."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found = Constructs([], [], [], [], [], [], [], [])
        self.open: list[Construct] = []
        self.children: list[Construct] = self.found.outline  # where labels and variables belong
        self.label: Construct | None = None  # the last label, if its block continues
        self.label_depth = 0  # the number of open constructs at the last label
        self.assembly: Position | None = None
        self.comment: Position | None = None  # where a comment begins that its chunk does not end
        self.declared: list[Construct] = []  # the variables of the last declaration

    def take(self, index: int, scan: Scan) -> None:
        """Take the scan of the chunk at `index`."""
        if scan.marks:
            self.take_marks(scan.marks, self.document.chunk_line(index))

    def take_marks(self, marks: Sequence[Mark], first: int) -> None:
        """Take the marks of a chunk that begins on line `first`."""
        for mark in marks:
            _TAKERS[mark.kind](self, mark, first)

    def finish(self) -> Constructs:
        """The constructs, after all scans."""
        end = self.document.end()
        self._close_all(end)
        if self.comment is not None:
            self.found.comments.append(Range(*self.comment, *end))
        self.end_runs()
        return self.found

    def end_above(self, mark: Mark, first: int) -> None:
        """End everything above the head of a function or section."""
        self._close_all(self._above(mark, first))
        self.end_runs()

    def end_runs(self) -> None:
        """Drop what is no run of lines."""
        self.found.locations[:] = [run for run in self.found.locations if run.end_line > run.line]

    def leave_all(self) -> None:
        """Forget the functions, scopes and variables so far: what was above the first scan is not known."""
        self.open.clear()
        self.label = None
        self.children = self.found.outline
        for constructs in (self.found.outline, self.found.braced, self.found.headers):
            constructs.clear()

    # --- functions and scopes ---------------------------------------------------------------------------------------

    def _take_function(self, mark: Mark, first: int) -> None:
        header = mark.item
        assert isinstance(header, Header)
        self._close_all(self._above(mark, first))
        kind = Kind.ENTRY if header.kind == ".entry" else Kind.FUNCTION
        function = Construct(kind, header.kind, *_range(mark, first))
        if header.name is not None:
            function.name = header.name.name
            function.name_line, function.name_column = header.name.line + first, header.name.column
        function.detail = header.detail
        children = [_named(Kind.PARAMETER, each, first) for each in header.parameters]
        function.children = children
        self.found.outline.append(function)
        self.found.headers.append(Range(function.line, function.column, header.end_line + first, header.end_column))
        if header.body:
            self.children = children
            self._push(function)

    def _take_section(self, mark: Mark, first: int) -> None:
        self._close_all(self._above(mark, first))
        self._push(Construct(Kind.SECTION, str(mark.item), *_range(mark, first)))

    def _take_open(self, mark: Mark, first: int) -> None:
        line = mark.line + first
        self._push(Construct(Kind.SCOPE, "{", line, mark.column, mark.end_line + first, mark.end_column))

    def _push(self, construct: Construct) -> None:
        """Open a construct: the last character of its present range is its `{`."""
        construct.open_line, construct.opening = construct.end_line, construct.end_column
        construct.closed = False
        self.open.append(construct)
        self.found.braced.append(construct)

    def _take_close(self, mark: Mark, first: int) -> None:
        if not self.open:
            return
        if self.label is not None and self.label_depth == len(self.open):
            self._end_label(mark, first)
        closed = self.open.pop()
        closed.end_line, closed.end_column, closed.closed = mark.end_line + first, mark.end_column, True
        if not self.open:
            self.children = self.found.outline

    def _close_all(self, end: Position) -> None:
        if self.open:
            if self.label is not None:
                self.label.end_at(end)
                self.label = None
            for construct in self.open:
                construct.end_at(end)
            self.open.clear()
            self.children = self.found.outline

    def _above(self, mark: Mark, first: int) -> Position:
        """The end of the line above a mark; on the first line of the text, the mark."""
        line, column = mark.line + first, mark.column
        return Position(line - 1, len(self.document.line(line - 1))) if self.open and line else Position(line, column)

    # --- labels and variables ---------------------------------------------------------------------------------------

    def _take_label(self, mark: Mark, first: int) -> None:
        opened = self.open
        if opened and opened[0].kind is Kind.SECTION:
            return
        if self.label is not None:
            self._end_label(mark, first)
        name: str = mark.item  # type: ignore[assignment]  # it is a text
        label = Construct(Kind.LABEL, name, mark.line + first, mark.column, mark.end_line + first, mark.end_column)
        self.children.append(label)
        if opened:
            self.label, self.label_depth = label, len(opened)

    def _end_label(self, mark: Mark, first: int) -> None:
        """End the block of the last label before a mark: at the end of the line above, unless it is on the same."""
        label = self.label
        assert label is not None
        line = mark.line + first
        if line > label.end_line:
            above = mark.above
            label.end_line, label.end_column = line - 1, len(self.document.line(line - 1)) if above < 0 else above
        else:
            label.end_column = max(label.end_column, mark.column)
        self.label = None

    def _take_variables(self, mark: Mark, first: int) -> None:
        assert isinstance(mark.item, tuple)
        self.declared = [_named(Kind.VARIABLE, each, first) for each in mark.item]
        self.children += self.declared
        if mark.end_line > mark.line:
            self.found.lists.append(_range(mark, first))

    def _take_rest_of_variables(self, mark: Mark, first: int) -> None:
        """End the declaration that began in a chunk above."""
        if self.declared:
            begin, last = self.declared[0], self.declared[-1]
            last.end_line, last.end_column = mark.end_line + first, mark.end_column
            if self.found.lists and self.found.lists[-1].start == (begin.line, begin.column):
                self.found.lists.pop()
            self.found.lists.append(Range(begin.line, begin.column, last.end_line, last.end_column))
            self.declared = []

    def _take_list(self, mark: Mark, first: int) -> None:
        self.found.lists.append(_range(mark, first))

    # --- comments and lines -----------------------------------------------------------------------------------------

    def _take_comments(self, mark: Mark, first: int) -> None:
        _join(self.found.comments, _range(mark, first))

    def _take_block_comment(self, mark: Mark, first: int) -> None:
        self.found.comments.append(_range(mark, first))

    def _take_begin_of_comment(self, mark: Mark, first: int) -> None:
        self.comment = Position(mark.line + first, mark.column)

    def _take_end_of_comment(self, mark: Mark, first: int) -> None:
        if self.comment is not None:
            self.found.comments.append(Range(*self.comment, mark.end_line + first, mark.end_column))
            self.comment = None

    def _take_locations(self, mark: Mark, first: int) -> None:
        _join(self.found.locations, _range(mark, first))

    def _take_file(self, mark: Mark, first: int) -> None:
        self.found.paths.append(Path(_range(mark, first), str(mark.item)))

    def _take_begin_of_assembly(self, mark: Mark, first: int) -> None:
        self.assembly = Position(mark.line + first, mark.column)

    def _take_end_of_assembly(self, mark: Mark, first: int) -> None:
        if self.assembly is not None:
            self.found.assembly.append(Range(*self.assembly, mark.end_line + first, mark.end_column))
            self.assembly = None


# A table of the class: one of bound methods would refer to its own nesting, which only a search for garbage would free.
_TAKERS: dict[MarkKind, Callable[[Nesting, Mark, int], None]] = {
    MarkKind.OPEN: Nesting._take_open,
    MarkKind.CLOSE: Nesting._take_close,
    MarkKind.LABEL: Nesting._take_label,
    MarkKind.FUNCTION: Nesting._take_function,
    MarkKind.VARIABLES: Nesting._take_variables,
    MarkKind.REST_OF_VARIABLES: Nesting._take_rest_of_variables,
    MarkKind.SECTION: Nesting._take_section,
    MarkKind.LIST: Nesting._take_list,
    MarkKind.COMMENTS: Nesting._take_comments,
    MarkKind.BLOCK_COMMENT: Nesting._take_block_comment,
    MarkKind.BEGIN_COMMENT: Nesting._take_begin_of_comment,
    MarkKind.END_COMMENT: Nesting._take_end_of_comment,
    MarkKind.LOCATIONS: Nesting._take_locations,
    MarkKind.BEGIN_ASSEMBLY: Nesting._take_begin_of_assembly,
    MarkKind.END_ASSEMBLY: Nesting._take_end_of_assembly,
    MarkKind.FILE: Nesting._take_file,
}


def _range(mark: Mark, first: int) -> Range:
    return Range(mark.line + first, mark.column, mark.end_line + first, mark.end_column)


def _named(kind: Kind, declared: Declared, first: int) -> Construct:
    line, column, end_line, end_column = declared.whole
    named = Construct(kind, declared.name, line + first, column, end_line + first, end_column)
    named.name_line, named.name_column = declared.line + first, declared.column
    named.detail = declared.detail
    return named


def _join(ranges: list[Range], range_: Range) -> None:
    """Add a run of lines; if it follows the last one directly, both are one run in two chunks."""
    if ranges and ranges[-1].end_line + 1 == range_.line:
        ranges[-1] = Range(*ranges[-1].start, *range_.end)
    else:
        ranges.append(range_)
