"""An open document: its module, and positions as the client counts them.

pygls has a text document of its own, which splits the whole text at every edit and every position; it is not used.
"""

import logging
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from ptx_lsp.analysis.module import Checks, Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.findings.other_sources import OtherFindings
from ptx_lsp.text.document import Document
from ptx_lsp.text.joined_edits import MANY, Place, Replacement, SentEdit, joined, replacements
from ptx_lsp.text.lines import Encoding, count_line_ends, units
from ptx_lsp.text.moving_ranges import MovingRanges, end_of, replaced_lines
from ptx_lsp.text.ranges import Position, Range

if TYPE_CHECKING:
    from ptx_lsp.embedded.host_text import HostText
    from ptx_lsp.hosts.statement import Host
    from ptx_lsp.isa.versions import Target

SCHEMES = ("file", "untitled")
WireRange = Mapping[str, Mapping[str, int]]

_log = logging.getLogger(__name__)
_numbers = count(1)
_TEXT: Callable[[tuple[Finding, str]], str] = itemgetter(1)


def is_ours(uri: str) -> bool:
    """Whether documents with this URI are checked: files and unsaved documents, but not those of a diff or preview."""
    return uri.partition(":")[0].lower() in SCHEMES


def path_of(uri: str) -> str:
    """The path in a URI, with `/` between its parts and escapes resolved: the user's patterns match it."""
    return unquote(urlsplit(uri).path)


def ends(wire: WireRange) -> tuple[Place, Place]:
    """The two ends of a range of the client, in its units."""
    start, end = wire["start"], wire["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])


class Inline(NamedTuple):
    """A language with inline PTX, and the targets that it is written for (empty: any)."""

    host: "Host"
    targets: "tuple[Target, ...]" = ()


def host_text(text: str | Document, checks: Checks, embedded: Inline) -> "HostText":
    """The analysis of a text in another language."""
    # most conversations are about PTX alone
    from ptx_lsp.embedded.host_text import HostText

    return HostText(text, embedded.host, checks, embedded.targets)


class SentTokens(NamedTuple):
    """The semantic tokens of an answer: its id, and the numbers of the protocol."""

    result_id: str
    numbers: "array[int]"


class WrittenFindings:
    """The texts of the findings that were written last: most findings of a publication were in the one before."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[Finding, str]] = {}  # by the identity of the finding, which is kept alive

    def texts(self, findings: Sequence[Finding], write: Callable[[Finding], str]) -> list[str]:
        """The text of each finding: that of the last call if it had the same object, else what `write` gives."""
        known = map(self._known.get, map(id, findings))
        now = [one or (finding, write(finding)) for one, finding in zip(known, findings, strict=True)]
        self._known = dict(zip(map(id, findings), now, strict=True))
        return list(map(_TEXT, now))

    def keep(self, written: Sequence[Finding], equal: Sequence[Finding]) -> None:
        """Note that the next findings will rather be these objects, which are equal to those that were written last."""
        for before, now in zip(written, equal, strict=True):
            if before is not now and (known := self._known.pop(id(before), None)) is not None:
                self._known[id(now)] = now, known[1]


class OpenDocument:
    """A document that the client has opened; `version` is that of the client's last message about it.

    `visible` is the range of lines (first and last, from 0) of the last request for inlay hints, None before it.
    `edited` is when the document last changed, in seconds of the monotonic clock. `published` holds the findings that
    were published last and the number of findings that were left out, None before the first publication.
    `published_wide` is True if their columns for the client may have differed from those in code points. `pulled` is
    True if the client requests the diagnostics of this document, which are then not published. `number` belongs to no
    other document of this process. `restarts` counts how often a failed analysis was started again. `other_findings`
    are those of sources beside the analysis. `linked` are the places of the label of the last answer about linked
    editing, None if that had no other place. `sent_tokens` are the semantic tokens of the last answer with all of them,
    None before it. `guessed_tokens` is True if tokens were sent before the analysis was complete,
    `outline_steps` are the rest of the search of the outline while the document is analysed for the first time, else
    None. `written` are the published findings as JSON. `noted_length` once a message to the user has said that the
    document is so long that only a part gets tokens.
    """

    __slots__ = (
        "analysis",
        "edited",
        "encoding",
        "guessed_tokens",
        "linked",
        "noted_length",
        "number",
        "other_findings",
        "outline_steps",
        "outline_time",
        "published",
        "published_wide",
        "pulled",
        "restarts",
        "sent_tokens",
        "uri",
        "version",
        "visible",
        "written",
    )

    def __init__(
        self,
        uri: str,
        version: int | None,
        text: str | Document,
        checks: Checks,
        encoding: Encoding,
        embedded: "Inline | None" = None,
    ) -> None:
        self.uri = uri
        self.number = next(_numbers)
        self.restarts = 0
        self.version = version
        self.encoding = encoding
        self.analysis: Module | HostText = (
            Module(text, checks) if embedded is None else host_text(text, checks, embedded)
        )
        self.visible: tuple[int, int] | None = None
        self.edited = 0.0
        self.published: tuple[list[Finding], int] | None = None
        self.published_wide = False
        self.written = WrittenFindings()
        self.pulled = False
        self.other_findings = OtherFindings()
        self.linked: MovingRanges | None = None
        self.sent_tokens: SentTokens | None = None
        self.guessed_tokens = False
        self.noted_length = False
        self.outline_steps: Iterator[None] | None = None
        self.outline_time = 0.0  # seconds that the search of the outline may take now

    @property
    def module(self) -> Module:
        """The module of a document with PTX alone."""
        assert not self.is_host, "a text in another language is not a module"
        return self.analysis  # type: ignore[return-value]

    @property
    def host_text(self) -> "HostText":
        """The analysis of a document in another language."""
        assert self.is_host, "a module is not in another language"
        return self.analysis  # type: ignore[return-value]

    @property
    def is_host(self) -> bool:
        """Whether the document is in another language, with inline PTX."""
        return not isinstance(self.analysis, Module)

    @property
    def text(self) -> Document:
        """The text of the document."""
        return self.analysis.document

    def apply(self, version: int | None, changes: Sequence[Mapping[str, Any]]) -> None:
        """Apply the content changes of `textDocument/didChange`, as JSON, in their order."""
        self.outline_steps = None
        several = self._replacements(changes) if len(changes) >= MANY else None
        if several is not None:
            self._replace(several)
        else:
            for change in changes:
                wire, text = change.get("range"), change["text"]
                self._edit(None if wire is None else self.range(wire), text)
        self.version = version

    def _replacements(self, changes: Sequence[Mapping[str, Any]]) -> list[Replacement] | None:
        """What many changes replace in the present text; None if they must be made one by one."""
        sent = [
            SentEdit(*ends(change["range"]), change["text"]) for change in changes if change.get("range") is not None
        ]
        return replacements(self.text, sent, self.encoding) if len(sent) == len(changes) else None

    def _replace(self, several: Sequence[Replacement]) -> None:
        """Make replacements, which come in the order of the text, with as few edits of the analysis as possible."""
        as_few = list(joined(self.text, several))
        if self._has_moving_places:
            for each in reversed(several):
                lines = count_line_ends(each.text) - (each.range.end_line - each.range.line)
                self._move(each.range, end_of(each.range, each.text, lines))
        for each in reversed(as_few):
            self._edit_analysis(each.range, each.text)

    def _edit(self, range_: Range | None, text: str) -> None:
        if not self._has_moving_places:
            self._edit_analysis(range_, text)
            return
        document = self.text
        if range_ is None:
            replaced, new_text = replaced_lines(document.whole(), text)
        else:
            replaced = Range(*document.clamp(range_.start), *document.clamp(max(range_.start, range_.end)))
            new_text = text
        before = document.line_count
        self._edit_analysis(range_, text)
        self._move(replaced, end_of(replaced, new_text, self.text.line_count - before))

    def _edit_analysis(self, range_: Range | None, text: str) -> None:
        try:
            self.analysis.edit(range_, text)
        except Exception:
            _log.exception("an edit of %s failed in the analysis", self.uri)
            self.restart()  # the text was changed before the failure

    @property
    def _has_moving_places(self) -> bool:
        """Whether there are findings of other sources, or linked places, which every edit moves."""
        return self.other_findings.exist or self.linked is not None

    def _move(self, replaced: Range, end: Position) -> None:
        """Move the findings of other sources and the linked places: the text of a range now ends at `end`.

        An edit of several lines does not type a name, so that no place is linked any more.
        """
        self.other_findings.edit(replaced, end)
        if not replaced.line == replaced.end_line == end.line:
            self.linked = None
        elif self.linked is not None:
            self.linked.edit(replaced, end)

    def search_outline(self, seconds: float) -> None:
        """Take steps of `outline_steps` for these seconds, or a step longer, which later calls do without."""
        self.outline_time += seconds
        while self.outline_steps is not None and self.outline_time > 0:
            begun = perf_counter()
            if next(self.outline_steps, self) is self:
                self.outline_steps = None
            self.outline_time -= perf_counter() - begun

    def restart(self) -> None:
        """Start the analysis again after a failure."""
        self.restarts += 1
        self.recheck(self.analysis.checks)

    def recheck(self, checks: Checks, targets: "tuple[Target, ...] | None" = None) -> None:
        """Start the analysis again with these rules. The published findings stay until the next publication.

        `targets` are those of inline PTX, None for the ones before.
        """
        analysis = self.analysis
        if isinstance(analysis, Module):
            self.analysis = Module(analysis.document, checks)
            return
        targets = analysis.targets if targets is None else targets
        self.analysis = host_text(analysis.document, checks, Inline(analysis.host, targets))

    def position(self, wire: Mapping[str, int]) -> Position:
        """The position in code points for a position of the client, clamped to the document."""
        return self.text.position(wire["line"], wire["character"], self.encoding)

    def range(self, wire: WireRange) -> Range:
        """The range in code points for a range of the client, clamped to the document."""
        return self.text.range(*ends(wire), self.encoding)

    def column(self, line: int, column: int) -> int:
        """The client's column for a column in code points, which must be in the line."""
        document = self.text
        if line >= document.line_count:
            return column
        if not self.may_be_wide(line):
            return column
        return units(document.line(line), column, self.encoding)

    def may_be_wide(self, line: int) -> bool:
        """Whether the client's columns in a line of the document may differ from those in code points."""
        return self.may_have_wide((line,))

    def may_have_wide(self, lines: Iterable[int]) -> bool:
        """Whether the client's columns in any of these lines may differ from those in code points."""
        document = self.text
        return document.wide_chunks > 0 and self.encoding is not Encoding.UTF32 and not document.are_ascii(lines)

    def wire_position(self, position: Position) -> dict[str, int]:
        """A position in code points as JSON for the client."""
        return {"line": position.line, "character": self.column(*position)}

    def wire_range(self, range_: Range) -> dict[str, dict[str, int]]:
        """A range in code points as JSON for the client."""
        return {"start": self.wire_position(range_.start), "end": self.wire_position(range_.end)}
