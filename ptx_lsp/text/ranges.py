"""Positions and ranges inside a text, and the effect of an edit: lines and columns from 0, columns in code points."""

from ptx_lsp.light_classes import NamedTuple


class Position(NamedTuple):
    """A place between two characters. `line` and `column` count from 0; a column counts code points."""

    line: int
    column: int


class Range(NamedTuple):
    """A half-open stretch of text, from (`line`, `column`) up to but without (`end_line`, `end_column`)."""

    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> Position:
        """Where the range begins."""
        return Position(self.line, self.column)

    @property
    def end(self) -> Position:
        """Where the range ends, exclusive."""
        return Position(self.end_line, self.end_column)

    def contains(self, position: Position) -> bool:
        """Whether `position` is in the range; its two ends count as inside, as an editor's cursor sees them."""
        return self.start <= position <= self.end

    def touches(self, other: "Range") -> bool:
        """Whether a position is in both ranges, or at their ends."""
        return self.start <= other.end and other.start <= self.end

    def shifted(self, lines: int) -> "Range":
        """The same range, `lines` lines further down."""
        return Range(self.line + lines, self.column, self.end_line + lines, self.end_column)


class EditEffect(NamedTuple):
    """The effect of an edit: `added` new chunks replace the chunks `first` to `first + removed` (exclusive).

    `range` is the replaced range in the positions before the edit, clamped to the text. `lines` is the number of
    lines by which the text after it moved down (negative: up).
    """

    first: int
    removed: int
    added: int
    range: Range
    lines: int
