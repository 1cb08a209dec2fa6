"""What a feature has to say to a person, before anybody thinks of Markdown."""

from dataclasses import dataclass

from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Code:
    """Source text in a block of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; names stand in backquotes, `**` around what matters most."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short paragraphs."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A page to read on."""

    title: str
    url: str


Part = Code | Prose | Items | Link


@dataclass(frozen=True, slots=True)
class Description:
    """Parts in the order in which they are shown, about the text in `range`."""

    range: Range
    parts: tuple[Part, ...]
