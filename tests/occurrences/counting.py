"""A plain count of the occurrences of every register and label, made without the analysis, and the comparison with it.

    python -m tests.occurrences.counting PATH... [--each N]

compares every N-th name of the modules in some files and folders.
"""

import argparse
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed

SKIPPED = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"[^\"\n]*\"|^[ \t]*\.(?:loc|pragma)\b[^;\n]*;?", re.S | re.M)
BRACE = re.compile(r"[{}]")
HEAD = re.compile(r"\.(?:entry|func)\b[^;{}]*\Z")
NAME = re.compile(r"(?<![\w$%.])[%$_A-Za-z][\w$]*", re.A)
REGISTERS = re.compile(r"\.reg\b([^;]*);", re.A)
DECLARED = re.compile(r"(?<![\w$%.])([%$_A-Za-z][\w$]*)\s*(?:<\s*([0-9]+)\s*>)?", re.A)
LABEL = re.compile(
    r"(?:^|[;{}:])\s*([%$_A-Za-z][\w$]*)\s*:(?!:)(?!\s*\.(?:callprototype|branchtargets|calltargets))", re.A
)
OPCODE = re.compile(r"([;{}:])\s*(?:@\s*!?\s*[%$\w]+\s+)?\Z", re.A)
ROW = re.compile(r"\s*\.b(?:32|64)\s[^;\n]*\Z")


class Declared(NamedTuple):
    """A register, a family with its size, or a label: the place of its name, and the span in which it is visible."""

    name: str
    at: int
    start: int
    end: int
    size: int | None = None
    is_label: bool = False


def blanked(text: str) -> str:
    """The text with blanks in place of comments, strings, `.loc` and `.pragma`."""
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def spans(text: str) -> list[tuple[int, int]]:
    """The scopes of the functions, from each `{` to its `}`: the outer ones before the inner ones."""
    found: list[list[int]] = []
    opened: list[int | None] = []  # the place in `found`, None for the brace of a vector or an initial value
    for brace in BRACE.finditer(text):
        if brace[0] == "{":
            before = text[: brace.start()].rstrip()[-1:]
            head = HEAD.search(
                text, max(text.rfind(";", 0, brace.start()), text.rfind("}", 0, brace.start())) + 1, brace.start()
            )
            inside = any(number is not None for number in opened)
            if head or (inside and before in ";{}:"):
                opened.append(len(found))
                found.append([brace.start(), len(text)])
            else:
                opened.append(None)
        elif opened and (number := opened.pop()) is not None:
            found[number][1] = brace.start()
    return [(start, end) for start, end in found]


def declarations(text: str, scopes: list[tuple[int, int]]) -> Iterator[Declared]:
    """Every register and label of the functions."""
    for statement in REGISTERS.finditer(text):
        around = _innermost(scopes, statement.start())
        for match in DECLARED.finditer(text, statement.start(1), statement.end(1)):
            if around is not None:
                yield Declared(match[1], match.start(), statement.end(), around[1], int(match[2]) if match[2] else None)
    at = 0
    while label := LABEL.search(text, at):
        around = _innermost(scopes, label.start(1))
        if around is not None:
            yield Declared(label[1], label.start(1), *around, is_label=True)
        at = label.end() - 1


def _innermost(scopes: list[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    return max((scope for scope in scopes if scope[0] < offset < scope[1]), default=None)


def plain_count(text: str) -> dict[tuple[int, str], set[int]]:
    """The offsets of all occurrences of each register and label, by the place of its declaration and its name.

    The stem in the declaration of a family counts as the declaration of each member.
    """
    text = blanked(text)
    scopes = spans(text)
    by_name: dict[str, list[Declared]] = {}
    for declared in declarations(text, scopes):
        by_name.setdefault(declared.name, []).append(declared)
    openings = {start for start, _ in scopes}
    declared_at = {declared.at for all_of_name in by_name.values() for declared in all_of_name}
    found: dict[tuple[int, str], set[int]] = {}
    for match in NAME.finditer(text):
        name, offset = match[0], match.start()
        before = OPCODE.search(text, max(0, offset - 80), offset)
        if offset in declared_at or (before is not None and (before[1] != "{" or before.start() in openings)):
            continue
        stem = name.rstrip("0123456789")
        visible = [d for d in by_name.get(name, ()) if d.size is None and d.start <= offset < d.end]
        if stem != name:
            number = int(name[len(stem) :])
            visible += [d for d in by_name.get(stem, ()) if d.size and number < d.size and d.start <= offset < d.end]
        if not visible and ROW.match(text, text.rfind("\n", 0, offset) + 1, offset):
            visible = [d for d in by_name.get(name, ()) if d.is_label][:1]  # debug data names labels of functions
        if visible:
            best = max(
                visible, key=lambda d: max(scope[0] for scope in scopes if scope[1] >= d.end and scope[0] < d.at)
            )
            found.setdefault((best.at, name), {best.at}).add(offset)
    for name, all_of_name in by_name.items():
        for declared in all_of_name:
            if declared.size is None:
                found.setdefault((declared.at, name), {declared.at})
    return found


def differences(text: str, each: int = 1) -> tuple[int, list[str]]:
    """Compare every `each`-th name of a module. Returns how many were compared, and what differs."""
    module = analysed(text)
    starts = line_starts(text)
    wrong = []
    counted = sorted(plain_count(text).items())[::each]
    for number, ((_, name), expected) in enumerate(counted):
        use = max(expected)
        line = bisect_right(starts, use) - 1
        found = target_at(module, Position(line, use - starts[line]))
        places = set()
        if found is not None:
            for some in occurrences(module, found.target, roles=number % 2 == 0):
                places |= {starts[each.range.line] + each.range.column for each in some}
        if places != expected:
            wrong.append(f"{name} at line {line + 1}: missing {sorted(expected - places)[:4]}, "
                         f"too many {sorted(places - expected)[:4]}")  # fmt: skip
    return len(counted), wrong


def main() -> int:
    """Compare the modules in the files and folders of the command line; 1 if there is a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--largest", type=int, default=1 << 40, help="skip files with more bytes")
    chosen = parser.parse_args()
    total = failed = 0
    for root in chosen.paths:
        for path in sorted(root.rglob("*.ptx")) if root.is_dir() else [root]:
            if path.stat().st_size > chosen.largest:
                continue
            begun = perf_counter()
            compared, wrong = differences(path.read_text("utf-8", "replace"), chosen.each)
            total, failed = total + compared, failed + len(wrong)
            print(
                f"{path}: {compared} names, {len(wrong)} differ, {perf_counter() - begun:.1f} s", *wrong[:5], sep="\n  "
            )
    print(f"{total} names, {failed} differ")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
