"""Random sequences of edits: the texts that they begin with, the edits, and the requests between them."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

from ptx_lsp.text.ranges import Range

SNIPPETS = (
    *("{", "}", "}\n", "/*", "*/", "//", ";", ",", "\n", "\n\n", "\r", '"', "<", "[", "]", "(", ")", " ", "x", "9"),
    *("add.s32 %r1, %r2, %r3;", "mov.u32 %r1, %q3;", "mov.u64 %rd1, gg;", "@%p1 ", "%r", "%r1", "$L1:", "bra $L1;"),
    *(".reg .b32 %q<4>;", ".reg .pred %p<2>;", ".reg .f64 %r25;\n", ".global .b32 gg;", ".func bar(.param .b32 x);"),
    *(".entry foo() {", ".version 8.0", ".target sm_80", ".section .debug_x {", ".loc 1 2 3", "é"),
    *("for (int i = 0; i < 9; i++) {", "if (%p1) {", "int i = 0;", "%r1 = %r2 + 1;", "(%p1) bra $L1;", "&gg", "%R1"),
    *("gh", "__global__ void k(float *a) {", ".entry m(.param .b32 a; .param .b32 b) {", "goto $L1;", "for (", "do {"),
    "// ptx-lsp: ignore[undeclared]",
)
MORE_SNIPPETS = (
    *("{\n\t.reg .b32 %t<3>;\n\tmov.b32 %t1, 1;\n$In:\n\tbra $In;\n}\n", "{\n$In:\n", "\tbra $In;\n", "\t}\n", "\t{\n"),
    *("call.uni (%r1), bar, (%r2);", "call bar, (x);", ".func bar(.param .b32 x) { ret; }\n", "call %rd1, (x), pp;"),
    *(
        "pp: .callprototype _ (.param .b32 _);",
        "tt: .branchtargets $L1, $In;",
        "brx.idx %r1, tt;",
        "ld.param.b32 %r1, [x];",
    ),
    *(
        ".target sm_50, texmode_independent\n",
        ".target sm_90, debug\n",
        ".address_size 32\n",
        ".version 6.0\n",
        '.file 1 "a"',
    ),
    *('.pragma "nounroll";', ".maxntid 128, 1, 1", ".reg .b32 %r<4>;\n", ".reg .b32 %r1<3>;\n", ".reg .b64 a, b, c;\n"),
    *(
        "// begin inline asm\n",
        "// end inline asm\n",
        ".shared .align 4 .b8 buf[64];\n",
        ".extern .func bar(.param .b32 x);",
    ),
    *(
        "tex.2d.v4.f32.f32 {a, b, c, %f1}, [gg, {%f1, %f2}];",
        "ret;\n}\n",
        ".visible .entry foo(\n",
        ".param .b32 x\n)\n",
    ),
    *(
        ".noreturn",
        ".const .b32 cc[3] = {1, 2, gg};",
        "mov.b32 %r1, 0f3F800000;",
        "setp.lt.s32 %p1|%p2, %r1, %r2;",
        "\0",
    ),
    *(
        "trap;",
        "@!%p1 bra.uni $L1;",
        ".weak",
        ".alias gh, bar;",
        "/* c */",
        "@%p1 {",
        "%tid.x",
        "mov.b32 %r9, $L1;",
        ": ",
    ),
)


class Sizes(NamedTuple):
    """The sizes of chunks: lines, characters, and lines where there was an edit; the broken statements of a block."""

    lines: int
    characters: int
    edited: int
    broken: int = 3


SIZES = Sizes(128, 4096, 8, 48)  # the sizes of the product
SMALL_SIZES = (Sizes(16, 512, 4), Sizes(4, 256, 2))  # a short text has many blocks then


@contextmanager
def chunk_sizes(sizes: Sizes) -> Iterator[None]:
    """Cut texts into chunks of these sizes."""
    with pytest.MonkeyPatch.context() as patch:
        for place in ("text.document", "analysis.block_map", "analysis.incremental"):
            patch.setattr(f"ptx_lsp.{place}.LINES_PER_CHUNK", sizes.lines)
        for place in ("text.document", "analysis.block_map"):
            patch.setattr(f"ptx_lsp.{place}.CHARACTERS_PER_CHUNK", sizes.characters)
        patch.setattr("ptx_lsp.text.document.LINES_PER_EDITED_CHUNK", sizes.edited)
        patch.setattr("ptx_lsp.reading.places.MOST_BROKEN", sizes.broken)
        yield


@dataclass(frozen=True, slots=True)
class Step:
    """One edit, how much is analysed after it (nothing, one block, or everything), and the requests that follow.

    `asks` holds for each request its name and a line of the text (from 0).
    """

    range: Range
    text: str
    work: str
    asks: tuple[tuple[str, int], ...] = ()


def insert(line: int, column: int, text: str, work: str = "all", *asks: tuple[str, int]) -> Step:
    """An insertion as a step."""
    return Step(Range(line, column, line, column), text, work, asks)


@dataclass(frozen=True, slots=True)
class Edits:
    """A text, the sizes of its chunks, the edits in order, and the lines about which requests are compared then."""

    source: str
    sizes: Sizes
    steps: tuple[Step, ...]
    lines: tuple[int, ...]

    def written(self) -> str:
        """Everything, as it can be kept in a test."""
        return re.sub(r", (steps|sizes|lines)=|(?<=\),) (?=Step)", r"\n    \g<0>", repr(self))


REQUESTS = ("hover", "hints", "all hints", "actions", "needs")


def random_step(
    document_lines: list[str], source: str, chance: random.Random, snippets: Sequence[str] = SNIPPETS
) -> Step:
    """An edit somewhere in a text of these lines."""
    line = chance.randrange(len(document_lines))
    column = chance.randint(0, len(document_lines[line]))
    end_line, end_column = line, column
    if chance.random() < 0.28:
        end_column = min(len(document_lines[line]), column + chance.randint(1, 12))
    elif chance.random() < 0.17:
        end_line = min(len(document_lines) - 1, line + chance.randint(1, chance.choice((2, 10, 400))))
        end_column = chance.randint(0, len(document_lines[end_line]))
    start, end = sorted(((line, column), (end_line, end_column)))
    text = chance.choice(snippets)
    kind = chance.random()
    if kind < 0.15:
        text = ""
    elif kind < 0.3:
        text = chance.choice(source.splitlines(keepends=True))
    elif kind < 0.34:
        text = source[: chance.randint(0, 20_000)]
    asks = [(chance.choice(REQUESTS), chance.randrange(len(document_lines))) for _ in range(chance.choice((0, 1, 2)))]
    return Step(Range(*start, *end), text, chance.choice(("all", "all", "block", "nothing")), tuple(asks))


def taken_back(step: Step, document_lines: list[str], chance: random.Random) -> Step:
    """The edit that takes an edit of a text of these lines back."""
    range_ = step.range
    lines = document_lines[range_.line : range_.end_line + 1]
    removed = "\n".join(lines)[range_.column : len("\n".join(lines)) - len(lines[-1]) + range_.end_column]
    added = re.split("\r\n|\r|\n", step.text)
    end_column = len(added[-1]) + (range_.column if len(added) == 1 else 0)
    end = (range_.line + len(added) - 1, end_column)
    return Step(Range(range_.line, range_.column, *end), removed, chance.choice(("all", "block")))


_FUNCTION = re.compile(r"^(?:\.(?:visible|weak|extern)\s+)?\.(?:entry|func)\b", re.M)
_HEAD_LINES = 30
_WHOLE = 70  # lines: longer texts are cut


def excerpt(source: str, chance: random.Random) -> str:
    """A short module cut from a text: its first lines, and some lines from further below.

    They begin at a function more often than not; they end anywhere.
    """
    lines = source.splitlines(keepends=True)
    if len(lines) <= _WHOLE:
        return source
    first = _FUNCTION.search(source)
    head = min(source.count("\n", 0, first.start()) if first is not None else len(lines), _HEAD_LINES)
    functions = [n for n in range(head, len(lines)) if _FUNCTION.match(lines[n])]
    begin = chance.choice(functions) if functions and chance.random() < 0.6 else chance.randrange(head, len(lines))
    return "".join(lines[:head] + lines[begin : begin + chance.randint(15, _WHOLE)])


_BREAKAGES: tuple[tuple[str, str], ...] = (
    *(
        (";", ""),
        (",", ""),
        (",", " , ("),
        ("%", "[%"),
        (",", ', "'),
        (";", "; */"),
        (";", "; /*"),
        ("{", ""),
        ("}", ""),
    ),
    *(
        ("\t", "\t{ "),
        ("\t", "\t} "),
        (";", ")"),
        (".", " "),
        (" ", "  é "),
        ("\n", "\n#"),
        (";", "; lorem"),
        (";", "\n;"),
    ),
)
_OTHER_LINES = (
    "some words of a text, which are many\n",
    "for (int i = 0; i < 9; i++) { x = i * 2u; }\n",
    "__global__ void k(const float *a,\n                  int n) {\n",
    "  %1 = add nsw i32 %0, 1\n",
    "if x:\n    y = 'it is'\n",
    "lorem\n",
    "1, 2,\n",
    "\tadd.s32 %r1, %r2\n",
    ".reg .b32 %q\n",
    '"a", "b\n',
    ".foo bar\n.b8 1\n",
    "\n",
    "a.b(c)[d] = {e};\n",
)


def broken(text: str, chance: random.Random) -> str:
    """A text of which many lines are broken in one way, from some line to another; some have other lines in them."""
    lines = text.splitlines(keepends=True)
    first, end = sorted((chance.randrange(len(lines) + 1), chance.randrange(len(lines) + 1)))
    part = "".join(lines[first:end])
    if chance.random() < 0.5:
        part = part.replace(*chance.choice(_BREAKAGES))
    else:
        others = chance.sample(_OTHER_LINES, chance.choice((1, 1, 2, 4)))
        part = "".join(chance.choice(others) for _ in range(chance.randint(3, 60)))
    return "".join((*lines[:first], part, *lines[end if chance.random() < 0.5 else first :]))


def shortened(edits: Edits, fails: Callable[[Edits], bool]) -> Edits:
    """A shorter sequence that fails too: without what can be left out of its edits, its requests and its text."""
    while True:
        for shorter in _shorter(edits):
            if fails(shorter):
                edits = shorter
                break
        else:
            return edits


def _shorter(edits: Edits) -> Iterator[Edits]:
    steps = edits.steps
    for number, step in enumerate(steps):
        before, after = steps[:number], steps[number + 1 :]
        if len(steps) > 1:
            yield replace(edits, steps=before + after)
        for ask in range(len(step.asks)):
            yield replace(edits, steps=(*before, replace(step, asks=step.asks[:ask] + step.asks[ask + 1 :]), *after))
        if step.work != "all":
            yield replace(edits, steps=(*before, replace(step, work="all"), *after))
        for text in _shorter_texts(step.text):
            yield replace(edits, steps=(*before, replace(step, text=text), *after))
    yield from (
        (replace(edits, lines=()), *(replace(edits, lines=(line,)) for line in edits.lines)) if edits.lines[1:] else ()
    )
    lines = edits.source.splitlines(keepends=True)
    size = len(lines) // 2
    while size:
        for begin in range(0, len(lines), size):
            end = min(begin + size, len(lines))
            left = "".join(lines[:begin] + lines[end:])
            shifted = tuple(replace(step, range=_shifted(step.range, begin, end)) for step in steps)
            asked = tuple(line - (end - begin) if line >= end else line for line in edits.lines)
            yield replace(edits, source=left, steps=shifted, lines=asked)
        size //= 2


def _shorter_texts(text: str) -> Iterator[str]:
    """A text without some of its lines, or without some of the characters of its only line."""
    pieces = text.splitlines(keepends=True)
    pieces = pieces if len(pieces) > 1 else list(text)
    size = len(pieces) // 2
    while size:
        for begin in range(0, len(pieces), size):
            yield "".join(pieces[:begin] + pieces[begin + size :])
        size //= 2


def _shifted(range_: Range, begin: int, end: int) -> Range:
    by = end - begin if range_.line >= end else 0
    return Range(range_.line - by, range_.column, range_.end_line - by, range_.end_column)
