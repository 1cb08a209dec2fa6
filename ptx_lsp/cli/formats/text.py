"""Findings as a compiler prints them: the position, the message, the source line with the range underlined, the notes.

kernel.ptx:12:23: error: `%f3` is `.f32`, but ... [operand-type]
 12 |     add.s32 %r1, %r2, %f3;
    |                       ^~~
kernel.ptx:7:5: note: `%f3` is declared here
  7 |     .reg .f32 %f<4>;
    |     ^~~~~~~~~~~~~~~~
"""

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.printable import counted, printable
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.light_classes import Callable
from ptx_lsp.text.ranges import Range

TAB = 4
ELLIPSIS = "..."
NOTES_SHOWN = 4
_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_FAINT = "\x1b[2m"
_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "information": "\x1b[1;36m",
    "hint": "\x1b[1;32m",
    "note": "\x1b[1;34m",
}


def render(file: CheckedFile, style: Style) -> str:
    """All findings of a file as text."""
    path, line_of = file.path, file.line_of
    parts: list[str] = []
    for finding in file.findings:
        severity = finding.severity.name.lower()
        parts.append(_entry(path, finding.range, severity, code_of(finding, style), line_of, style))
        for related in finding.related[:NOTES_SHOWN]:
            parts.append(_entry(path, related.range, "note", printable(related.message), line_of, style))
        if len(finding.related) > NOTES_SHOWN:
            parts.append(f"  and {len(finding.related) - NOTES_SHOWN} more places\n")
    return "".join(parts)


def code_of(finding: Finding, style: Style) -> str:
    """The message of a finding and its code in brackets; the findings of other sources may have no code."""
    message = printable(finding.message)
    return f"{message} {_painted(f'[{finding.code}]', _FAINT, style)}" if finding.code else message


def headline(path: str, place: Range, kind: str, message: str, style: Style) -> str:
    """The line with the position, the severity and the message."""
    where = _painted(f"{printable(path)}:{place.line + 1}:{place.column + 1}:", _BOLD, style)
    return f"{where} {_painted(kind + ':', _COLOURS[kind], style)} {message}\n"


def summary(counts: dict[Severity, int], files: int, fixed: int = 0) -> str:
    """The last line: the number of findings of each severity, and the number of files."""
    names = {Severity.INFORMATION: "note"}
    found = [
        counted(counts[severity], names.get(severity, severity.name.lower()))
        for severity in Severity
        if counts.get(severity)
    ]
    where = counted(files, "file")
    done = f"{fixed} fixed, " if fixed else ""
    return f"{done}{', '.join(found)} in {where}\n" if found else f"{done}no findings in {where}\n"


def _entry(path: str, place: Range, kind: str, message: str, line_of: Callable[[int], str], style: Style) -> str:
    head = headline(path, place, kind, message, style)
    return head + _excerpt(place, line_of(place.line).rstrip("\r\n"), kind, style)


def _excerpt(place: Range, line: str, kind: str, style: Style) -> str:
    """The first source line of a range, with the range underlined."""
    end = place.end_column if place.end_line == place.line else len(line)
    source, before, marked = _windowed(line, place.column, max(end, place.column), style.width)
    number = f"{place.line + 1:>5}"
    underline = " " * before + _painted("^" + "~" * (marked - 1), _COLOURS[kind], style)
    return f"{_painted(number + ' |', _FAINT, style)} {source}\n{_painted('      |', _FAINT, style)} {underline}\n"


def _windowed(line: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """The part of `line` to show, the columns before the mark, and the columns of the mark (at least 1).

    A line that is too wide is cut around the range; a range that is too wide is cut at its end. Only the part that is
    shown is measured, so a line of a million characters takes no longer than a short one.
    """
    first, last = 0, min(len(line), width)
    if len(line) > width:
        room = max(width - (end - start), 0)
        first = max(0, min(start - room // 2, len(line) - width)) if end > width else 0
        first = min(first, start)
        last = min(len(line), first + width)
    head = ELLIPSIS if first else ""
    tail = ELLIPSIS if last < len(line) else ""
    before = head + _shown(line[first:start])
    marked = _shown(line[start : min(end, last)])
    after = _shown(line[max(start, min(end, last)) : last])
    return before + marked + after + tail, _columns(before), max(_columns(marked), 1)


def _shown(text: str) -> str:
    return printable(text.replace("\t", " " * TAB))


def _columns(text: str) -> int:
    """The number of terminal columns of a text: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _painted(text: str, colour: str, style: Style) -> str:
    return f"{colour}{text}{_RESET}" if style.colour else text


def summary_of_fixes(fixed: int, files: int) -> str:
    """The last line if the fixes are shown, and no findings."""
    number = f"{fixed} {'fix' if fixed == 1 else 'fixes'}" if fixed else "no fixes"
    return f"{number} in {counted(files, 'file')}\n"
