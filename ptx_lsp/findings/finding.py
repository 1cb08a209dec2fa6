"""A finding: one report about one place in the text."""

from ptx_lsp.light_classes import Enum, IntEnum, Mapping, MappingProxyType, NamedTuple
from ptx_lsp.text.ranges import Range

NOTHING: Mapping[str, str] = MappingProxyType({})


class Severity(IntEnum):
    """How much a finding matters; the numbers are those of the Language Server Protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


class Tag(Enum):
    """How an editor may draw the range of a finding: faded, or struck through."""

    UNNECESSARY = 1
    DEPRECATED = 2


class Related(NamedTuple):
    """A second place that explains a finding, such as the declaration of a register."""

    range: Range
    message: str


class Finding(NamedTuple):
    """One diagnostic.

    `code` names a page in `rules/` and is kebab-case; `severity` is that page's default unless the check
    sets another. `message` is one sentence in lower case with names in backquotes. `data` holds what the fix of this
    code needs to know (names and spellings, never positions: they are in `range`). `source` is empty for the findings
    of the analysis; those of other sources have their own codes, which may be empty, and no pages.
    """

    code: str
    range: Range
    message: str
    severity: Severity = Severity.ERROR
    related: tuple[Related, ...] = ()
    tags: tuple[Tag, ...] = ()
    data: Mapping[str, str] = NOTHING
    source: str = ""

    def __hash__(self) -> int:
        return hash((*self[:6], self.source))  # mappings have no hash

    def shifted(self, lines: int) -> "Finding":
        """The same finding, `lines` lines further down."""
        if not lines:
            return self
        related = tuple(Related(r.range.shifted(lines), r.message) for r in self.related)
        return self._replace(range=self.range.shifted(lines), related=related)
