"""The rows of a `.section` as compilers write them, and their labels, found without a tree.

A section may have megabytes, and an edit changes one row: the text is looked up piece by piece among earlier ones.
"""

from __future__ import annotations

from itertools import filterfalse, pairwise

from ptx_lsp.isa.directive_names import DEBUG_SECTIONS, SECTION, SECTION_DATA_TEXT
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.light_classes import TYPE_CHECKING, Iterator, NamedTuple
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.long_strings import may_end_below
from ptx_lsp.syntax.plain_text import NAME_TEXT

if TYPE_CHECKING:
    from ptx_lsp.syntax.tree import Statement

_PIECE = 4096  # characters, and the rest of the line
_MOST_PIECES = 2048  # that are remembered
_MOST_ROWS = 20_000  # that are remembered
_MOST_BROKEN = 16  # lines of a section that are no rows, between which rows are left out
_CONTEXT = 3  # rows after such a line that the parser reads: then it begins at a row again

_END = r"[ \t]*+(?://[^\r\n]*+)?\r?\n"
_BYTE = r"(?:1[0-9][0-9]|[3-9][0-9]|25[0-5]|2[0-4][0-9]|[12][0-9]|[0-9])"  # the codes of letters first
_HALF = r"(?:[1-9][0-9]{0,3}|0)"
_WORD = r"(?:0[xX][0-9a-fA-F]{1,8}|[1-9][0-9]{0,8}|0)"
_LABEL_NAME = rf"(?!{WARP_SIZE}\b){NAME_TEXT}"
_PLACE = rf"(?:\.debug_[a-z]++|{_LABEL_NAME})(?:[ \t]*+\+[ \t]*+{_WORD})?"
_DIFFERENCE = rf"{_LABEL_NAME}[ \t]*+-[ \t]*+{_LABEL_NAME}"


def _data(type_: str, number: str) -> str:
    # compilers write no blanks around commas: to look for them takes a fifth of the time
    return rf"\.{type_}[ \t]++{number}(?:,{number}|[ \t]*+,[ \t]*+{number}|(?!))*+"


_ROWS = lazy_pattern(
    rf"""(?:[ \t]*+(?:{_data("b8", _BYTE)}|{_data("b(?:32|64)", _WORD)}|{_data("b16", _HALF)}
    |\.b(?:32|64)[ \t]++(?:{_DIFFERENCE}|{_PLACE})|{NAME_TEXT}[ \t]*+:)?{_END}|(?!))*+""",
    re.X | re.A,
)
_HEAD = lazy_pattern(r"[ \t]*+\.section[ \t]++\.debug_\w++[ \t]*+(?:\r?\n[ \t]*+)?\{[ \t]*+(?:\r?\n|(?=\}))", re.A)
_HEAD_ALONE = lazy_pattern(r"[ \t]*+\.section[ \t]++\.debug_\w++[ \t]*+\r?\n(?:[ \t]*+\r?\n|(?!))*+(?![ \t]*+\{)", re.A)
_MINUS = lazy_pattern(r"^[^-/\n]*+-", re.M)  # not in a comment
_LABEL = lazy_pattern(rf"^[ \t]*+({NAME_TEXT})[ \t]*+:", re.M | re.A)

_NAMES = lazy_pattern(rf"(?:{NAME_TEXT}(?:\n|\Z)|(?!))++", re.A)

_COMMENT = r"(?://[^\r\n]*+)?\r?\n"
# a line with a row, a label or the end of a section, then perhaps lines with nothing else than labels, and a row
_BEFORE_ROW = lazy_pattern(
    rf"""[ \t]*+(?=[.\}}\w$%])(?:\}}[ \t]*+)?
    (?:{SECTION_DATA_TEXT}[ \t]++(?:[-\w$]|\{DEBUG_SECTIONS})[-+\w$., \t]*+|{NAME_TEXT}[ \t]*+:[ \t]*+)?{_COMMENT}
    (?:[ \t]*+(?:{NAME_TEXT}[ \t]*+:[ \t]*+)?{_COMMENT}|(?!))*+[ \t]*+{SECTION_DATA_TEXT}[ \t]""",
    re.X | re.A,
)
# the end of a section, perhaps without its brace, and the begin of another one, with more lines than the parser looks
# ahead
_BETWEEN_SECTIONS = lazy_pattern(
    rf"[ \t]*+(?:\}}[ \t]*+(?:{_COMMENT}[ \t]*+|(?!))++|(?!))?+\.section[ \t]++\.debug_\w++(?:[^\n]*+\n){{12}}", re.A
)
_SECTION_LINE = lazy_pattern(r"[ \t]*+\.section[ \t]", 0)
_LABELLED = lazy_pattern(rf"(?:[ \t\r\n\f]++|//[^\n]*+|(?!))*+{SECTION_DATA_TEXT}[ \t]", re.A)
_ANY_LABEL = lazy_pattern(rf"({NAME_TEXT})\s*+:", re.A)
_ROW = lazy_pattern(r"^[ \t]*+([^ \t\r\n/])[^\n]*+\n", re.M)  # a line with more than a comment

_known: Memo[str, tuple[str, ...]] = Memo(_MOST_PIECES)  # the labels of pieces that consist of rows
_rows: Memo[str, None] = Memo(_MOST_ROWS)  # lines that are rows: two of three lines of a section repeat an earlier one


class SectionRows:
    """The rows of one section, as far as its text is known: from the offset `start` to `end`.

    If that is the end of the text, more rows may follow: then `look` continues when the text has grown. `has_brace` is
    false if the section lacks its `{`.
    """

    __slots__ = ("_labels", "_whole", "end", "has_brace", "start")

    def __init__(self, text: str, start: int, has_brace: bool = True) -> None:
        """`start` is the offset of the first row."""
        self.start = start
        self.has_brace = has_brace
        self._labels: list[str] = []  # of the whole pieces, which end at the offset `_whole`
        self._whole = start
        self.look(text)

    def look(self, text: str) -> None:
        """Continue with the rows where the text ended before."""
        at = self._whole
        while (line_end := text.find("\n", at + _PIECE)) >= 0:
            labels = _labels_of(text[at : line_end + 1])
            if labels is None:
                break
            self._labels += labels
            at = line_end + 1
        self._whole = at
        self.end = _rows_end(text, at)

    def has_differences(self, text: str) -> bool:
        """Whether a row has the difference of two labels."""
        return text.find("-", self.start, self.end) >= 0 and _MINUS.search(text, self.start, self.end) is not None

    def labels(self, text: str) -> list[str]:
        """The labels of all rows, in order."""
        return self._labels + _LABEL.findall(text, self._whole, self.end)


def rows_of(text: str, start: int) -> SectionRows | None:
    """The rows of the section at the offset `start`; None if no section begins there as compilers write it."""
    head = _HEAD.match(text, start)
    return SectionRows(text, head.end()) if head is not None else None


def begun_rows(text: str, start: int) -> SectionRows | None:
    """The same, also of a section without its `{`."""
    head = _HEAD_ALONE.match(text, start)
    return SectionRows(text, head.end(), has_brace=False) if head is not None else rows_of(text, start)


def remember_rows(texts: Iterator[str]) -> Iterator[None]:
    """Look at the rows of sections that follow one another, in steps of one text; `texts` are the parts of a text.

    The first part has the begin of the first section. `SectionRows` finds what was looked at in little time.
    """
    text, at = "", -1  # the begin of the rows that are not known yet, or -1 where a section must begin
    left = _MOST_PIECES
    for more in texts:
        text, at = text[max(at, 0) :] + more, min(at, 0)
        while left:
            if at < 0:
                begin = text.find(SECTION)
                head = _HEAD.match(text, text.rfind("\n", 0, begin) + 1) if begin >= 0 else None
                if head is None and len(text) > 2 * _PIECE:
                    return
                if head is None:
                    break
                at = head.end()
            end = text.find("\n", at + _PIECE) + 1
            if not end:
                break
            left -= 1
            if _labels_of(text[at:end]) is not None:
                at = end
                continue
            other = _rows_end(text, at)  # the first line that is no row
            at = text.find("\n", other) + 1
            if "}" in text[other:at]:
                text, at = text[other:], -1
        yield


def rows_end(text: str, start: int, labels: bool) -> int:
    """The offset of the first line at or after `start`, the begin of a line, that is no row, nor blank or a comment.

    Rows with a label count only if `labels` is true.
    """
    end = SectionRows(text, start).end
    label = None if labels else _LABEL.search(text, start, end)
    return end if label is None else label.start()


def labels_row(text: str, end: int) -> bool:
    """Whether a row follows a label that ends at an offset."""
    return _LABELLED.match(text, end) is not None


def before_row(text: str, start: int) -> int | None:
    """The offset to which the line at `start`, and nothing else, must be read if a row in no section is below it.

    The offset is in that row. None if no such row is below. A parser without this limit would read all rows, because no
    row ends with a `;`.
    """
    found = _BEFORE_ROW.match(text, start)
    return None if found is None else found.end()


def end_of_section(text: str, rows: SectionRows) -> int:
    """The offset after the brace that ends a section of rows alone; -1 if something else follows its rows."""
    at = rows.end
    while text.startswith((" ", "\t"), at):
        at += 1
    return at + 1 if text.startswith("}", at) else -1


def all_rows(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of the begin and end of the rows of each section that begins as compilers write it.

    The text must be fine, and have no block comment: what looks like a section in it would be read as one.
    """
    at = text.find(SECTION) if "/*" not in text else -1
    while at >= 0:
        rows = rows_of(text, text.rfind("\n", 0, at) + 1)
        if rows is not None:
            yield rows.start, rows.end
        at = text.find(SECTION, at + 1 if rows is None else rows.end)


class FewRows(NamedTuple):
    """A text with blanks in place of the rows of a section that its parser need not read; the offsets are the same.

    The section ends at `end` or below, and has data at each of the offsets `resumed`. `left_out` are the offsets of the
    begin and end of each run of whole lines that are blank. `limit` is where reading ends, None: nowhere.
    """

    text: str
    end: int
    resumed: tuple[int, ...]
    left_out: tuple[tuple[int, int], ...]
    limit: int | None

    def are_read(self, found: Statement) -> bool:
        """Whether a statement that was read in this text is the one of the whole text, without these rows."""
        from ptx_lsp.syntax.tree import Section  # the rows themselves need no tree

        if not isinstance(found, Section) or found.end < self.end:
            return False
        return set(self.resumed).issubset([data.start for data in found.data])


def rows_below(text: str, parts: list[SectionRows]) -> SectionRows | None:
    """The rows below the line that ends the last of these parts of a section; None if the section may end there.

    It ends at the begin of another one, below a row.
    """
    at = parts[-1].end
    if _SECTION_LINE.match(text, at) is not None and _last_row(text, parts[-1]) < at:
        return None
    line_end = text.find("\n", at)
    if line_end < 0 or "}" in text[at:line_end] or len(parts) > _MOST_BROKEN:
        return None
    return SectionRows(text, line_end + 1)


def with_few_rows(text: str, start: int, parts: list[SectionRows]) -> FewRows | None:
    """The text with few of the rows of the section at the offset `start`; `parts` are those above each other line.

    None if the rows that are left out may have a meaning for what is read. Rows with a label that the section has twice
    stay.
    """
    pieces: list[str] = []
    left_out: list[tuple[int, int]] = []
    at, every = start, parts
    parts = _above_comment(text, parts)
    labels = _rows_with_repeated_labels(text, parts, every[-1].end)
    if labels is None:
        return None
    resumed = [label for _, label, _ in labels]
    for part in parts:
        begin, end = part.start, _last_row(text, part)
        if part is not parts[0] or not part.has_brace:
            context = [found for _, found in zip(range(_CONTEXT), _ROW.finditer(text, begin, end), strict=False)]
            begin = context[-1].end() if len(context) == _CONTEXT else end
            resumed += [found.start(1) for found in context[_CONTEXT - 1 :]]
        for first, last in _between(begin, end, labels):
            pieces += [text[at:first], " " * (last - first - 1), "\n"]
            left_out.append((first, last))
            at = last
    pieces.append(text[at : parts[-1].end])
    read = "".join(pieces[::3])
    if len(pieces) == 1 or len(parts) > _MOST_BROKEN or "/*" in read:
        return None
    few = text[:start] + "".join(pieces) + text[parts[-1].end :]
    if '"' in read and not _has_same_strings(text, few, start, parts[-1].end, read):
        return None
    # neither a comment nor a blank line is a part of the section that it ends
    end = _last_row(text, parts[-1]) if parts is every else left_out[-1][1]
    below = parts[-1].end
    limit = before_row(text, below) or _below_section(text, below) if parts is every else None
    return FewRows(few, end, tuple(resumed), tuple(left_out), limit)


def _last_row(text: str, part: SectionRows) -> int:
    """The offset of the line of the last row of a part; that of its end if it has none."""
    end = part.end
    while end > part.start:
        begin = text.rfind("\n", part.start, end - 1) + 1 or part.start
        if _ROW.match(text, begin, end) is not None:
            return begin
        end = begin
    return part.end


def _below_section(text: str, start: int) -> int | None:
    """The offset to which the text below a section must be read: the line at `start` ends it, and another one follows.

    None if something else is there. A parser without this limit would read all rows of the other section.
    """
    found = _BETWEEN_SECTIONS.match(text, start)
    return None if found is None else found.end()


def _has_same_strings(text: str, few: str, start: int, end: int, read: str) -> bool:
    """Whether the strings of the section from `start` to `end` are the same in the text with `few` rows.

    `read` are the lines that both have. A `"` without another one on its line may begin a string over several lines:
    only one line may have such a `"`, and none of those below it any, as far as is looked.
    """
    if text.count('"', start, end) > read.count('"'):
        return False  # a comment in a row has one
    alone: list[int] = []
    at = text.find('"', start, end)
    while at >= 0:
        line_end = text.find("\n", at)
        if text.count('"', at, line_end) % 2:
            alone.append(line_end)
        at = text.find('"', line_end, end)
    return not alone or (len(alone) == 1 and not any(may_end_below(each, alone[0]) for each in (text, few)))


def _above_comment(text: str, parts: list[SectionRows]) -> list[SectionRows]:
    """The parts up to the first that a line with the begin of a block comment ends: what is below may be in it."""
    for number, part in enumerate(parts[:-1], 1):
        if text.find("/*", part.end, text.find("\n", part.end) + 1) >= 0:
            return parts[:number]
    return parts


def _rows_with_repeated_labels(text: str, parts: list[SectionRows], end: int) -> list[tuple[int, int, int]] | None:
    """The rows with a label that the section has twice, in rows or in other lines up to the one at `end`.

    Each is the offsets of its begin, of its label and of its end, in order. None if they are too many, or not
    written as compilers write them.
    """
    labels = [label for part in parts for label in part.labels(text)]
    if not labels:
        return []
    others = [text[above.end : below.start] for above, below in pairwise(parts)]
    others.append(text[parts[-1].end : text.find("\n", end) + 1])
    counts: dict[str, int] = {}
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    repeated = {label for label, count in counts.items() if count > 1}
    repeated.update(counts.keys() & set(_ANY_LABEL.findall("".join(others))))
    if sum(counts[label] for label in repeated) > _MOST_BROKEN:
        return None
    found = [row for part in parts for label in repeated for row in _rows_with(label, text, part)]
    return sorted(found) if len(found) == sum(counts[label] for label in repeated) else None


def _rows_with(label: str, text: str, part: SectionRows) -> Iterator[tuple[int, int, int]]:
    at = text.find(f"{label}:", part.start, part.end)
    while at >= 0:
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at, part.end) + 1
        if end and not text[begin:at].strip(" \t"):
            yield begin, at, end
        at = text.find(f"{label}:", at + 1, part.end)


def _between(begin: int, end: int, rows: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """The begins and ends of what is between these rows, from one offset to another."""
    for first, _, last in rows:
        if begin <= first < end:
            if begin < first:
                yield begin, first
            begin = last
    if begin < end:
        yield begin, end


def _labels_of(piece: str) -> tuple[str, ...] | None:
    """The labels of a piece of whole lines; None unless it consists of rows."""
    labels = _known.get(piece)
    if labels is None:
        if not _are_rows(piece):
            return None
        _known[piece] = labels = _labels_in(piece)
    return labels


def _labels_in(piece: str) -> tuple[str, ...]:
    """The labels of whole lines that are rows."""
    if ":" not in piece:
        return ()  # as in most pieces
    # as compilers write them; the pattern for all labels looks at each line, which takes five times as long
    begins = [before[before.rfind("\n") + 1 :] for before in piece.split(":")[:-1]]
    return tuple(begins if _NAMES.fullmatch("\n".join(begins)) else _LABEL.findall(piece))


def _are_rows(piece: str) -> bool:
    new = list(filterfalse(_rows.__contains__, set(piece.split("\n"))))
    text = "".join([line + "\n" for line in new])
    if _rows_end(text, 0) < len(text):
        return False
    _rows.add_all(dict.fromkeys(new))
    return True


def _rows_end(text: str, start: int) -> int:
    rows = _ROWS.match(text, start)
    return rows.end() if rows is not None else start
