"""The content that a feature shows to a user, independent of Markdown."""

from dataclasses import dataclass

from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Code:
    """Source text in a block."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; names are in backquotes, the most important text is in `**`."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short paragraphs."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page with more information."""

    title: str
    url: str


Part = Code | Prose | Items | Link


@dataclass(frozen=True, slots=True)
class Description:
    """Parts in the order of display, about the text in `range`."""

    range: Range
    parts: tuple[Part, ...]
