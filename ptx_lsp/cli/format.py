"""`ptx-lsp format`: formats files in place, or shows what would change."""

import sys
from collections.abc import Iterator

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.cli.printable import counted, printable
from ptx_lsp.cli.sources import (
    STANDARD_INPUT,
    find_files,
    read_source,
    reason,
    shown_path,
    write_source,
)
from ptx_lsp.cli.unified_diff import diff_lines, ended
from ptx_lsp.features.formatting import apply_edits, format_document
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.syntax.not_ptx import recognise
from ptx_lsp.text.document import Document

_CONTEXT = 3


class _Result(NamedTuple):
    """What became of a file: `trouble` says why it could not be formatted, empty if it could."""

    changed: bool = False
    trouble: str = ""


def run(arguments: list[str]) -> int:
    """Format the files that `arguments` name; the exit code, as the help says. Raises UsageError for a wrong call."""
    options = read_options(arguments, COMMANDS["format"].options)
    if not options.rest:
        raise UsageError("which files, folders or `-` for standard input?")
    files, troubles = find_files(options.rest)
    for path, why in troubles:
        _complain(path, why)
    results = [_format(path, "--check" in options.flags, "--diff" in options.flags) for path in files]
    for path, result in zip(files, results, strict=True):
        if result.trouble:
            _complain(path, result.trouble)
    only_look = bool(options.flags)
    if files != [STANDARD_INPUT]:
        _summarize(results, only_look)
    if troubles or any(result.trouble for result in results):
        return 2
    return 1 if only_look and any(result.changed for result in results) else 0


def _complain(path: str, why: str) -> None:
    shown = shown_path(path)
    print(f"ptx-lsp: cannot format `{printable(shown)}`: {printable(why)}", file=sys.stderr)


def _format(path: str, check: bool, diff: bool) -> _Result:
    try:
        text = read_source(path)
        if recognise(text) is not None:
            return _Result(trouble="it is not PTX")
        formatted = apply_edits(text, format_document(Document(text)))
        changed = formatted != text
        shown = printable(shown_path(path))
        if diff:
            sys.stdout.writelines(_diff(text, formatted, shown))
        elif check and changed:
            print(f"would be formatted: {shown}")
        elif not check and (changed or path == STANDARD_INPUT):
            write_source(path, formatted)
    except BrokenPipeError:  # the reader of the output has closed it
        raise
    except OSError as error:
        return _Result(trouble=reason(error))
    except MemoryError:
        return _Result(trouble="it does not fit into memory")
    return _Result(changed)


def _summarize(results: list[_Result], only_look: bool) -> None:
    """Print how many files changed and how many did not, to standard error."""
    done = [result for result in results if not result.trouble]
    changed = sum(result.changed for result in done)
    parts = []
    if changed:
        parts.append(f"{counted(changed, 'file')} {'would be ' if only_look else ''}formatted")
    if len(done) > changed:
        parts.append(f"{counted(len(done) - changed, 'file')} {'already formatted' if only_look else 'left unchanged'}")
    if parts:
        print(", ".join(parts), file=sys.stderr)


def _diff(old: str, new: str, path: str) -> Iterator[str]:
    """A unified diff of two texts with the same number of lines; its time is proportional to their length."""
    before, after = diff_lines(old), diff_lines(new)
    changed = [number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    if changed:
        yield f"--- {path}\n+++ {path}\n"
    while changed:
        end = 1
        while end < len(changed) and changed[end] - changed[end - 1] <= 2 * _CONTEXT:
            end += 1
        hunk, changed = changed[:end], changed[end:]
        first, last = max(0, hunk[0] - _CONTEXT), min(len(before), hunk[-1] + _CONTEXT + 1)
        yield f"@@ -{first + 1},{last - first} +{first + 1},{last - first} @@\n"
        yield from _hunk(before, after, first, last)


def _hunk(before: list[str], after: list[str], first: int, last: int) -> Iterator[str]:
    number = first
    while number < last:
        if before[number] == after[number]:
            yield ended(f" {before[number]}")
            number += 1
            continue
        end = number
        while end < last and before[end] != after[end]:
            end += 1
        yield from (ended(f"-{line}") for line in before[number:end])
        yield from (ended(f"+{line}") for line in after[number:end])
        number = end
