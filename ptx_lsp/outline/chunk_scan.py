"""Finds braces, labels, functions, variables and comments in one chunk of a document, without an analysis.

A chunk is scanned with the mode in which the text above it ends, and gives its marks and the mode in which it ends
itself. Both depend on nothing else, so the marks of a chunk that no edit has touched can be used again.
"""

import re
from typing import NamedTuple

from ptx_lsp.isa.directive_names import SOURCE_END, SOURCE_SECTION
from ptx_lsp.isa.directives import line_directives
from ptx_lsp.outline.declared_names import Unfinished, read_declaration, read_function
from ptx_lsp.outline.mark_patterns import (
    BEGIN_OF_BLOCK,
    BEGIN_OF_SECTION,
    BRACE_OR_SEMICOLON,
    DIRECTIVE,
    END_OF_SOURCE_LINE,
    FILE,
    LABEL_BEFORE,
    LIST,
    LONE_RETURN,
    MARK,
    SECTION,
    SEMICOLON,
    SKIPPED,
)
from ptx_lsp.outline.marks import ASSEMBLY_COMMENT, Found, Mark, MarkKind, located_marks


class Mode(NamedTuple):
    """What the text above a chunk leaves open.

    `boundary`: true if a statement can begin here. `carried` is the unfinished text above that must be scanned again
    together with the chunk: whole lines. `skipped_to` is what ends a long comment, a long
    declaration or a text of another language, else empty.
    """

    boundary: bool = True
    carried: str = ""
    skipped_to: str = ""


class Scan(NamedTuple):
    """The marks of a chunk in the order of the text, and the mode in which the chunk ends.

    `begin` and `last` are the arguments of `scan_chunk`. `ends` are the indices of the marks that end all constructs
    above them: functions and sections. `has_assembly` is true if inline assembly begins or ends in the chunk.
    """

    marks: tuple[Mark, ...]
    mode: Mode
    begin: Mode
    last: bool
    ends: tuple[int, ...]
    has_assembly: bool


LONGEST_CARRIED = 20_000
"""Characters of an unfinished header or declaration that are scanned again with the next chunk."""

ENDS_ALL = frozenset((MarkKind.FUNCTION, MarkKind.SECTION))
"""The marks that end every construct above them."""

_BLANKS = frozenset(" \t\r\n\f")
_BOUNDARIES = frozenset(";{}:")


def scan_chunk(chunk: str, mode: Mode, last: bool) -> Scan:
    """The marks of a chunk whose text above ends in `mode`. `last`: true if no chunk follows."""
    return _ChunkScan(chunk, mode, last).run()


class _ChunkScan:
    """The scan of one chunk. Offsets are those in `text`, which begins with a line end and the carried text."""

    def __init__(self, chunk: str, mode: Mode, last: bool) -> None:
        self.mode = mode
        self.last = last
        if "\r" in chunk:
            chunk = LONE_RETURN.sub("\n", chunk)  # the patterns know one character that ends a line
        self.text = "\n" + mode.carried + chunk
        self.fresh = 1 + len(mode.carried)  # where the chunk begins
        self.starts: list[int] = []
        self.found: list[Found] = []
        self.unmarked: list[tuple[int, int]] = []  # declarations that declare no variable
        self.begin = 0  # the end of the construct that began in a chunk above
        self.at = 0  # where the scan continues
        self.list_ends: dict[int, int] | None = None  # found when a list has lists in it
        self.comments: dict[int, int] = {}  # by the end of each comment, its beginning
        # by the end of each block comment, because thousands may follow each other
        self.boundaries: dict[int, bool] = {}
        self.end_mode: Mode | None = None  # set if the chunk ends within something

    def run(self) -> Scan:
        at = self._skip_to_end_of_construct()
        if at is not None:
            self.at = self._directive_after(at) if at and self._is_boundary(at) else at
        if at is not None and self.end_mode is None:  # what follows the construct may be unfinished
            self._scan()
        if self.end_mode is None:
            self.end_mode = Mode(self._is_boundary(len(self.text)))
        marks = tuple(located_marks(self.text, self.fresh, self.found))
        kinds = [mark.kind for mark in marks]
        ends = tuple([index for index, kind in enumerate(kinds) if kind in ENDS_ALL])
        has_assembly = MarkKind.BEGIN_ASSEMBLY in kinds or MarkKind.END_ASSEMBLY in kinds
        return Scan(marks, self.end_mode, self.mode, self.last, ends, has_assembly)

    def _skip_to_end_of_construct(self) -> int | None:
        """Where the scan begins; None if the whole chunk belongs to what began above."""
        closing = self.mode.skipped_to
        if not closing:
            return 0
        if closing == "*/":
            found = self.text.find(closing)
            end = found + 2 if found >= 0 else -1
        elif closing == SOURCE_END:
            ended = END_OF_SOURCE_LINE.search(self.text)
            end = ended.end() if ended is not None else -1
        else:
            skipped = SKIPPED.match(self.text)
            end = skipped.end() + 1 if skipped is not None and skipped.end() < len(self.text) else -1
        if end < 0:
            self.end_mode = self.mode
            return None
        if closing != SOURCE_END:
            kind = MarkKind.END_COMMENT if closing == "*/" else MarkKind.REST_OF_VARIABLES
            self.found.append((kind, end, end, None))
        if closing == "*/":
            self.comments[end] = 0
        self.begin = end
        return end

    def _scan(self) -> None:
        """Scan from `at` to the end of the text."""
        directives = [found.start(1) for found in SEMICOLON.finditer(self.text)]  # those after a `;` on its line
        while not self._scan_matches(directives):
            pass
        self._read_directives(directives, len(self.text))

    def _scan_matches(self, directives: list[int]) -> bool:
        """Take what the pattern finds from `at` on; False if `at` is then within or after a later match."""
        text, found = self.text, self.found
        for match in MARK.finditer(text, self.at):
            if directives and directives[0] < match.start():
                self._read_directives(directives, match.start())
                if self.end_mode is not None:
                    return True
                if match.start() < self.at:
                    return False
            kind, self.at = match.lastgroup, match.end()
            if kind == "label" and text.startswith("\n", self.at):
                found.append((MarkKind.LABEL, match.start(kind), self.at, match[kind]))
            elif kind == "brace" and text.startswith("}\n", self.at - 1):
                found.append((MarkKind.CLOSE, self.at - 1, self.at, None))
            elif kind is not None:
                self.at = self._take(kind, match)
                if self.end_mode is not None:
                    return True
                if self.at != match.end():
                    return False
        return True

    def _read_directives(self, directives: list[int], end: int) -> None:
        """Read the directives between `at` and `end`; those before `end` are removed from the list."""
        while directives and directives[0] < end and self.end_mode is None:
            following = directives.pop(0)
            if following >= self.at:
                self.at = self._directive(following)

    def _take(self, kind: str, match: re.Match[str]) -> int:
        """Take what the pattern found; return the offset where the scan continues."""
        start, end = match.span(kind)
        if kind == "label":
            self.found.append((MarkKind.LABEL, start, match.end(), match["label"]))
            return self._directive_after(match.end())
        if kind in ("begin", "end"):
            self.comments[end] = start
            kind_of_mark = MarkKind.BEGIN_ASSEMBLY if kind == "begin" else MarkKind.END_ASSEMBLY
            self.found.append((kind_of_mark, start, end, None))
            return end
        if kind == "directive":
            return self._directive(start)
        if kind == "source":
            if end == len(self.text):
                self.end_mode = Mode(False, skipped_to=SOURCE_END)
            return end
        if kind == "brace":
            return self._brace(start - 1)
        if kind == "colon":
            return self._colon(start - 1)
        if kind == "list":
            return self._list(start - 1, end)
        if kind == "endless":
            self.found.append((MarkKind.BEGIN_COMMENT, start - 1, start + 1, None))
            self.end_mode = Mode(self._is_boundary(start - 1), skipped_to="*/")
            return end
        self._comment(kind, start - (kind in ("comment", "block")), end)
        if kind != "block":
            return end
        self.boundaries[end] = self._is_boundary(end)
        return self._directive_after(end) if self.boundaries[end] else end

    def _list(self, start: int, end: int) -> int:
        if self._is_boundary(start):  # a broken statement alone between braces
            self.found.append((MarkKind.OPEN, start, start + 1, None))
            return start + 1
        self._add_list(start, end)
        return end

    def _add_list(self, start: int, end: int) -> None:
        """Add the mark of a list from `start` to `end` if it has several lines."""
        if "\n" in self.text[start:end]:
            self.found.append((MarkKind.LIST, start, end, None))

    def _comment(self, kind: str, start: int, end: int) -> None:
        self.comments[end] = start
        if kind == "block":
            self.found.append((MarkKind.BLOCK_COMMENT, start, end, None))
        elif kind in ("location", "locations"):
            del self.comments[end]
            self.found.append((MarkKind.LOCATIONS, start, end, None))
        elif kind == "comments" and "inline" not in self.text[start:end]:
            self.found.append((MarkKind.COMMENTS, start, end, None))
        elif kind == "comments":
            self._assembly_comments(start, end)

    def _assembly_comments(self, start: int, end: int) -> None:
        """Take lines of comments, some of which begin or end inline assembly."""
        at = start
        run: tuple[int, int] | None = None  # the lines of other comments above the present one
        for line in self.text[start:end].split("\n"):
            begin, at = at + len(line) - len(line.lstrip(" \t")), at + len(line)
            found = ASSEMBLY_COMMENT.match(self.text, begin, at)
            if found is None:
                run = (begin if run is None else run[0], at)
            else:
                self._comment_run(run)
                kind = MarkKind.BEGIN_ASSEMBLY if found[1] == "begin" else MarkKind.END_ASSEMBLY
                self.found.append((kind, begin, at, None))
                run = None
            at += 1
        self._comment_run(run)

    def _comment_run(self, run: tuple[int, int] | None) -> None:
        if run is not None:
            self.found.append((MarkKind.COMMENTS, *run, None))

    def _brace(self, start: int) -> int:
        if self.text[start] == "}":
            self.found.append((MarkKind.CLOSE, start, start + 1, None))
            return self._directive_after(start + 1)
        if not self._is_boundary(start):
            listed = LIST.match(self.text, start)
            if not self.last and (listed is None or listed[1] == "/"):
                # the list or a comment in it may end in the next chunk
                self._carry(start)
                return len(self.text)
            if listed is not None and listed[1] == "}":
                self._add_list(start, listed.end())
                return listed.end()
            if not self._is_first_on_line(start):
                return self._skip_nested_list(start)
        self.found.append((MarkKind.OPEN, start, start + 1, None))
        return self._directive_after(start + 1)

    def _skip_nested_list(self, start: int) -> int:
        """Skip a list with lists in it, up to its `}`; of a broken one, the first `{`."""
        if self.list_ends is None:
            self.list_ends = _list_ends(self.text)
        end = self.list_ends.get(start)
        if end:
            self._add_list(start, end)
            return end
        if end == 0 and not self.last:  # the list may end in the next chunk
            self._carry(start)
            return len(self.text)
        return start + 1

    def _colon(self, start: int) -> int:
        text, at = self.text, start - 1
        while at >= 0 and text[at] in " \t":
            at -= 1
        while at >= 0 and (text[at].isalnum() or text[at] in "_$%"):
            at -= 1
        found = LABEL_BEFORE.fullmatch(text, at + 1, start)
        if found is None or not (self._is_boundary(at + 1) or self._is_first_on_line(at + 1)):
            return start + 1
        self.found.append((MarkKind.LABEL, at + 1, start + 1, found[0].rstrip()))
        return self._directive_after(start + 1)

    def _directive_after(self, at: int) -> int:
        """Read the directive after a brace or label, if there is one; return the offset where the scan continues."""
        found = DIRECTIVE.match(self.text, at)
        return at if found is None else self._directive(found.start(1))

    def _directive(self, start: int) -> int:
        if self.text.startswith(".file", start):
            path = FILE.match(self.text, start)
            if path is not None:
                self.found.append((MarkKind.FILE, path.start(1), path.end(1), path[1]))
            return start + len(".file") if path is None else path.end()
        if self.text.startswith((".section", SOURCE_SECTION), start):
            return self._section(start)
        if block := BEGIN_OF_BLOCK.match(self.text, start):
            self.found.append((MarkKind.OPEN, block.end() - 1, block.end(), None))
            return block.end()
        try:
            function = read_function(self.text, start, self.last)
            if function is not None:
                self.found.append((MarkKind.FUNCTION, start, function.end, function))
                return self._directive_after(function.end)
            declared = read_declaration(self.text, start, self.last)
        except Unfinished as unfinished:
            self._carry(start, unfinished)
            return len(self.text)
        if declared.variables:
            self.found.append((MarkKind.VARIABLES, start, declared.end, declared))
        else:
            self.unmarked.append((start, declared.end))
        return max(declared.end - 1, start + 1)  # the `;` again, for the directive after it

    def _section(self, start: int) -> int:
        found = SECTION.match(self.text, start)
        if found is None:
            if not self.last and BEGIN_OF_SECTION.match(self.text, start) is not None:
                self._carry(start)
            return start + len(".section")
        self.found.append((MarkKind.SECTION, start, found.end(), found[1] or found[2]))
        return found.end()

    def _carry(self, start: int, unfinished: Unfinished | None = None) -> None:
        """End the scan before the line with an unfinished construct: it is scanned again with the next chunk."""
        line = self._begin_of_carried(start)
        if len(self.text) - line <= LONGEST_CARRIED:
            self.found = [each for each in self.found if each[1] < line]
            if line < self.begin:
                self.end_mode = Mode(self.mode.boundary, self.text[line:], self.mode.skipped_to)
            else:
                self.end_mode = Mode(self._is_boundary(line), self.text[line:])
        elif unfinished is not None:
            if unfinished.declared is not None and unfinished.declared.variables:
                self.found.append((MarkKind.VARIABLES, start, len(self.text), unfinished.declared))
            self.end_mode = Mode(False, skipped_to=";")
        else:
            self.end_mode = Mode(False)

    def _begin_of_carried(self, start: int) -> int:
        """The beginning of the last line, up to that of `start`, on which nothing continues from above."""
        line = self.text.rfind("\n", 0, start) + 1
        comments = [(begin, end) for end, begin in self.comments.items()]
        marked = [(begin, end) for _, begin, end, _ in self.found]
        for begin, end in sorted(comments + marked + self.unmarked, reverse=True):
            if begin < line < end:
                line = max(1, self.text.rfind("\n", 0, begin) + 1)
        return line

    def _is_first_on_line(self, at: int) -> bool:
        at -= 1
        while self.text[at] in " \t":
            at -= 1
        return self.text[at] in "\r\n"

    def _is_boundary(self, at: int) -> bool:
        """Whether a statement can begin at an offset: before it is the end of one, apart from comments."""
        text, comments = self.text, self.comments
        while at > 0:
            if at in self.boundaries:
                return self.boundaries[at]
            if at in comments:
                at = comments[at]
            elif text[at - 1] in _BLANKS:
                at -= 1
            elif text[at - 1] in _BOUNDARIES:
                return True
            else:
                line = text[text.rfind("\n", 0, at) + 1 : at].lstrip()
                return line.startswith(line_directives())
        return self.mode.boundary


def _list_ends(text: str) -> dict[int, int]:
    """By the offset of each `{`, the offset after its `}`: 0 if the text ends before it. A list has no `;`."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for brace in BRACE_OR_SEMICOLON.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif brace[0] == ";":
            opened.clear()
        elif opened:
            ends[opened.pop()] = brace.end()
    return ends | dict.fromkeys(opened, 0)
