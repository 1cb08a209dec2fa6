"""An open document: its module, and positions as the client counts them.

pygls has a text document of its own, which splits the whole text at every edit and every position; it is not used.
"""

import logging
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any
from urllib.parse import unquote, urlsplit

from ptx_lsp.analysis.checks import Checks
from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.text.document import Document
from ptx_lsp.text.encodings import Encoding, code_points, units
from ptx_lsp.text.ranges import Position, Range

SCHEMES = ("file", "untitled")
WireRange = Mapping[str, Mapping[str, int]]

_log = logging.getLogger(__name__)
_numbers = count(1)


def is_ours(uri: str) -> bool:
    """Whether documents under this URI are checked: files and what is not saved yet, not a diff's or a preview's."""
    return uri.partition(":")[0].lower() in SCHEMES


def path_of(uri: str) -> str:
    """The path in a URI, with `/` between its parts and escapes resolved: what the user's patterns are about."""
    return unquote(urlsplit(uri).path)


class OpenDocument:
    """A document that the client has opened, at the version that it last told.

    `visible` is the stretch of lines that the client last asked about, `edited` when it last changed (seconds of the
    monotonic clock), `published` what the client was last told, with the number of findings that it
    was not, None where it was not told anything. `number` is its own: no other document of this process has had it.
    `restarts` counts how often its analysis was begun anew because it had failed.
    """

    __slots__ = (
        "edited",
        "encoding",
        "module",
        "number",
        "published",
        "pulled",
        "restarts",
        "uri",
        "version",
        "visible",
    )

    def __init__(self, uri: str, version: int | None, text: str | Document, checks: Checks, encoding: Encoding) -> None:
        self.uri = uri
        self.number = next(_numbers)
        self.restarts = 0
        self.version = version
        self.encoding = encoding
        self.module = Module(text, checks)
        self.visible: tuple[int, int] | None = None
        self.edited = 0.0
        self.published: tuple[list[Finding], int] | None = None
        self.pulled = False

    def apply(self, version: int | None, changes: Iterable[Mapping[str, Any]]) -> None:
        """Take the content changes of `textDocument/didChange`, as JSON, one after the other."""
        for change in changes:
            wire, text = change.get("range"), change["text"]
            if not isinstance(text, str):
                raise TypeError("the text of a content change is a string")
            self._edit(None if wire is None else self.range(wire), text)
        self.version = version

    def _edit(self, range_: Range | None, text: str) -> None:
        try:
            self.module.edit(range_, text)
        except Exception:
            _log.exception("an edit of %s failed in the analysis", self.uri)
            self.restart()  # the text itself was changed before anything else

    def restart(self) -> None:
        """Forget what was analysed: something in it failed."""
        self.restarts += 1
        self.recheck(self.module.checks)

    def recheck(self, checks: Checks) -> None:
        """Begin the analysis anew by other rules; what was published stays until there is something newer."""
        self.module = Module(self.module.document, checks)

    def position(self, wire: Mapping[str, int]) -> Position:
        """A position of the client's as one of ours, clamped to the document."""
        line, column = wire["line"], wire["character"]
        document = self.module.document
        if line >= document.line_count:
            return document.end()
        if line < 0:
            return Position(0, 0)
        return Position(line, code_points(document.line(line), column, self.encoding))

    def range(self, wire: WireRange) -> Range:
        """A range of the client's as one of ours, clamped to the document."""
        return Range(*self.position(wire["start"]), *self.position(wire["end"]))

    def column(self, line: int, column: int) -> int:
        """A column of ours, which is one of the line, as the client counts it."""
        document = self.module.document
        if self.encoding is Encoding.UTF32 or line >= document.line_count:
            return column
        if document.chunk(document.chunk_at(line)).isascii():  # Python knows that without looking
            return column
        return units(document.line(line), column, self.encoding)

    def wire_position(self, position: Position) -> dict[str, int]:
        """A position of ours as JSON for the client."""
        return {"line": position.line, "character": self.column(*position)}

    def wire_range(self, range_: Range) -> dict[str, dict[str, int]]:
        """A range of ours as JSON for the client."""
        return {"start": self.wire_position(range_.start), "end": self.wire_position(range_.end)}
