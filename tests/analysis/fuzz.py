"""Random damage to real files: nothing raises, nothing hangs, and every range is inside the text.

    python -m tests.analysis.fuzz --minutes 30 [--seed 1] [FILE ...]

damages bytes, words and lines, makes every request to the module, and prints each text that fails, shortened as long
as it still fails.
"""

import argparse
import random
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.evaluate import evaluate_range
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import explain, inlay_hints
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed

EXAMPLES = Path(__file__).parents[2] / "examples"
SECONDS = 20.0  # of CPU for a text of SIZE characters, so that nothing hangs; it takes half of one
SIZE = 20_000
FIXED = 12  # findings of one text whose fixes are requested
ASKED = 15  # places of one text about which requests are made
_WORDS = r"""
.version .target .address_size .entry .func .visible .extern .reg .global .shared .const .local .param .align .v2 .v4
.b8 .b32 .u64 .s32 .f32 .f64 .pred .f16x2 .loc .file .section .pragma .branchtargets .callprototype .calltargets .alias
.maxntid .attribute .unified .sync .aligned .sat .ftz .rn .x .y
add mul mad ld st mov cvt setp call bra ret brx bar.sync wgmma.mma_async mma.sync tex.1d atom.add
{ } ( ) [ ] < > ; : , . | ! ~ + - * / % & ^ ? = == << >> && || @ @! // /* */ # _ \ " ' `
0 1 -1 08 0x 0xffffffffffffffff 18446744073709551615 1.5 1e400 0f3F800000 0d7FF8000000000000 0f 1U
%r1 %rd1 %f1 %p1 %tid.x %tid WARP_SZ $L1 L1: %r<9> generic( inlined_at function_name @@DWARF
"""
WORDS = (
    *_WORDS.split(),
    *("\n", "\r", "\r\n", "\t", "\f", "\v", "\0", "\x1a", "\ufeff", "\u2028", "\x85", "\u00e9", "\U0001f600", "\udcff"),
    *(
        "(" * 40,
        "{" * 40,
        "[" * 40,
        "-" * 40,
        "~!" * 20,
        "1+" * 40,
        "/*" * 20,
        "1?2:" * 20,
        ".x" * 40,
        "\n" * 40,
        "7" * 5000,
    ),
    *("7" * 5000, "// ptx-lsp: ignore[undeclared]", "// ptx-lsp: ignore", '# 1 "a.cu"\n', "<?xml?>"),
)


def damaged_bytes(source: str, chance: random.Random) -> str:
    """A text with a few bytes replaced, removed or doubled, as faulty transports and editors do."""
    data = bytearray(source.encode("utf-8", "surrogateescape"))
    for _ in range(chance.randint(1, 8)):
        at = chance.randint(0, len(data))
        length = chance.choice((1, 1, 1, 2, 5, 40, 400))
        kind = chance.randrange(5)
        if kind == 0:
            data[at : at + length] = chance.randbytes(length)
        elif kind == 1:
            del data[at : at + length]
        elif kind == 2:
            data[at:at] = data[at : at + length]
        elif kind == 3 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        else:
            data = data[:at] if chance.random() < 0.3 else data[:at] + data[chance.randint(0, len(data)) :]
    return data.decode("utf-8", "surrogateescape")


def damaged_words(source: str, chance: random.Random) -> str:
    """A text with a few words of the language inserted or in place of other words."""
    for _ in range(chance.randint(1, 12)):
        at = chance.randint(0, len(source))
        gone = chance.choice((0, 0, 1, 3, 12))
        word = chance.choice(WORDS)
        blank = chance.choice(("", " "))
        source = source[:at] + blank + word + blank + source[at + gone :]
    return source


def damaged_lines(source: str, chance: random.Random) -> str:
    """A text with a few lines removed, doubled, swapped or joined."""
    lines = source.splitlines(keepends=True) or [""]
    for _ in range(chance.randint(1, 8)):
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(4)
        if kind == 0:
            lines[one], lines[other] = lines[other], lines[one]
        elif kind == 1:
            lines[one:one] = lines[other : other + chance.randint(1, 30)]
        elif kind == 2 and len(lines) > 1:
            del lines[one : one + chance.choice((1, 1, 10))]
            lines = lines or [""]
        else:
            lines[one] = lines[one].rstrip("\r\n")
    return "".join(lines)


def word_soup(source: str, chance: random.Random) -> str:
    """A text of words of the language in random order."""
    head = source[: chance.choice((0, 60, 400))]
    return head + "".join(chance.choice(WORDS) + chance.choice(("", " ", "\n")) for _ in range(chance.randint(1, 300)))


DAMAGE: tuple[Callable[[str, random.Random], str], ...] = (damaged_bytes, damaged_words, damaged_lines, word_soup)


def trouble(text: str, chance: random.Random) -> str | None:
    """The first failure when every request is made about a text, or None."""
    started = time.process_time()
    try:
        module = analysed(text)
        problem = bad_findings(module) or _bad_answers(module, chance)
    except Exception:
        return traceback.format_exc()
    took = time.process_time() - started
    if problem is None and took > SECONDS * max(1.0, len(text) / SIZE):
        return f"it took {took:.1f} s"
    return problem


def bad_findings(module: Module) -> str | None:
    """A mistake in the form of a module's findings, or None."""
    document = module.document
    for finding in module.findings():
        for place in (finding.range, *(related.range for related in finding.related)):
            if not inside(place, document):
                return f"{finding.code}: {place} is outside of the text"
        if not finding.message or len(finding.message.splitlines()) != 1:
            return f"{finding.code}: {finding.message!r} is not one line"
    return None


def inside(place: Range, document: Document) -> bool:
    """Whether a range begins and ends in the text, and in this order."""
    ends = (place.start, place.end)
    return place.start <= place.end and all(
        0 <= end.line < document.line_count and 0 <= end.column <= len(document.line(end.line)) for end in ends
    )


def _bad_answers(module: Module, chance: random.Random) -> str | None:
    document = module.document
    for _ in range(ASKED):
        line = chance.randrange(document.line_count)
        position = Position(line, chance.randint(0, len(document.line(line))))
        shown = hover(module, position)
        if shown is not None and not inside(shown.range, document):
            return f"hover at {position}: {shown.range} is outside of the text"
        evaluate_range(module, Range(line, 0, *position))
    hints = inlay_hints(module, Range(0, 0, *document.end()))
    for hint in hints:
        if not inside(Range(*hint.position, *hint.position), document):
            return f"the hint {hint.label!r} at {hint.position} is outside of the text"
    if hints:
        explain(module, chance.choice(hints).about)
    found = module.findings()
    return _bad_fixes(chance.sample(found, min(FIXED, len(found))), module)


def _bad_fixes(found: list[Finding], module: Module) -> str | None:
    for finding in found:
        for fix in fixes(finding, module):
            for edit in fix.edits:
                if not inside(edit.range, module.document):
                    return f"a fix of {finding.code}: {edit.range} is outside of the text"
    return None


def excerpt(source: str, chance: random.Random) -> str:
    """A text that is short enough for many requests: its beginning, and some further lines in a row."""
    lines = source.splitlines(keepends=True)
    if len(source) <= SIZE or not lines:
        return source
    first = chance.randrange(len(lines))
    return "".join(lines[: chance.choice((0, 12, 60))] + lines[first : first + chance.choice((40, 150, 400))])[:SIZE]


def shrunk(text: str, seed: int, deadline: float) -> str:
    """A shorter text that fails too: lines are removed as long as the rest fails."""
    lines = text.splitlines(keepends=True)
    step = len(lines) // 2
    while step and time.monotonic() < deadline:
        at = 0
        while at < len(lines):
            fewer = lines[:at] + lines[at + step :]
            if trouble("".join(fewer), random.Random(seed)) is None:
                at += step
            else:
                lines = fewer
        step //= 2
    return "".join(lines)


def damaged(sources: list[str], seed: int) -> Iterator[tuple[str, int]]:
    """An endless series of damaged texts, each with a seed for its requests."""
    chance = random.Random(seed)
    while True:
        text = excerpt(chance.choice(sources), chance)
        for _ in range(chance.randint(1, 2)):
            text = chance.choice(DAMAGE)(text, chance)
        yield text, chance.randrange(10**9)


def read_sources(files: Iterable[Path]) -> list[str]:
    """The texts of files, whatever bytes they hold."""
    return [path.read_bytes().decode("utf-8", "surrogateescape") for path in files]


def run(files: Iterable[Path], seconds: float, seed: int) -> tuple[int, list[tuple[str, str]]]:
    """Damage files for some seconds; return the number of texts, and those that fail, each with its failure."""
    end, tried, found = time.monotonic() + seconds, 0, []
    for text, asked in damaged(read_sources(files), seed):
        if time.monotonic() > end:
            break
        tried += 1
        problem = trouble(text, random.Random(asked))
        if problem is not None:
            found.append((shrunk(text, asked, time.monotonic() + 20), problem))
    return tried, found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    tried, found = run(options.files or sorted(EXAMPLES.rglob("*.ptx")), options.minutes * 60, options.seed)
    for text, problem in found:
        print(repr(text), problem, sep="\n")
    print(f"{tried} texts, {len(found)} with trouble")


if __name__ == "__main__":
    main()
