"""The waiting times of a user in an editor: opening, typing, pasting, hovering."""

import random
import re
import time
from collections.abc import Iterator

from benchmarks.conversation import Conversation, Place
from benchmarks.material import EXAMPLES, cuda_header, one_function, table, with_mistakes
from benchmarks.plan import Plan
from benchmarks.table import Row, median, milliseconds, ratio, spread

PASTED = 10_000
HAND = 0.005  # seconds between the answer to a hover and the next hover: users are not faster
VALUES = 102_400  # of a table: as many as the precomputed matrix of cuRAND's generator has bytes
FEW = 4  # the number of edits that change the rest of a long file
SMALL = EXAMPLES / "gaussian.ptx"
_REGISTER = re.compile(r"^[ \t]+(?:add|mul|mov|ld)\S*[ \t]+%[a-z_]+()\d*,")
_FAMILY = re.compile(r"^[ \t]+\.reg[ \t]+\.\w+[ \t]+%[a-z_]+()")
_BODY = re.compile(r"^\{()")
_INSTRUCTION = re.compile(r"^()[ \t]+[a-z]\S*[ \t][^;]*;")
_IN_ASM = re.compile(r'"mad\.wide\.u32 %0, half()')
_IN_CPP = re.compile(r"^    value = value \*()")
_VALUE = re.compile(r"^[0-9]+, [0-9]+, ()")
_TARGET = re.compile(r"^\.target[ \t]+sm_()\d")


def cold_start(plan: Plan) -> Iterator[Row]:
    """From the start of the process to the answer to `initialize`."""
    times = []
    for _ in range(max(5, plan.runs)):
        with Conversation() as server:
            times.append(server.start_up)
    yield Row("server, process start to initialize answer", milliseconds(min(times)), "", "", "300 ms", "60 ms")


def opening(plan: Plan) -> Iterator[Row]:
    """The time from opening a document to its diagnostics, and the memory of the server."""
    for lines in sorted({plan.opened, plan.long}):
        text = plan.plain_text(lines)
        count = text.count("\n")
        times = []
        for _ in range(plan.runs if lines <= plan.opened else 1):
            with Conversation() as server:
                base = server.memory()
                times.append(server.open(text))
                peak, now = server.peak_memory(), server.memory()
        theirs = plan.assembler("open.ptx", text, len(times)).wall
        goal = ("1.5 x", "1 x") if lines == plan.opened else ("", "")
        yield Row(f"server, open to diagnostics, {count:,} lines, wall", milliseconds(min(times)),
                  milliseconds(theirs), ratio(min(times), theirs), *goal)  # fmt: skip
        used = f"{(now - base) / count:.0f} B/line ({now >> 20} MB)"
        yield Row("  memory after that, and the maximum", used, f"{(peak - base) / count:.0f} B/line", "",
                  "180 B/line + 60 MB", "80 B/line")  # fmt: skip


def typing(plan: Plan) -> Iterator[Row]:
    """Typing single characters in a short and a long document, at every kind of place."""
    with Conversation() as server:
        text = SMALL.read_text("utf-8")
        server.open(text)
        yield _typed(
            server,
            text,
            f"in a body, {text.count(chr(10))} lines",
            _REGISTER,
            "9999",
            plan.edits,
            "1 / 3 ms",
            "0.4 / 1 ms",
        )
    text = plan.plain_text(plan.long)
    size = f"{text.count(chr(10)):,} lines"
    with Conversation() as server:
        server.open(text)
        yield _typed(server, text, f"in a body, {size}", _REGISTER, "9999", plan.edits, "2 / 8 ms", "0.5 / 3 ms")
        yield _typed(server, text, "in a declaration", _FAMILY, "x", plan.edits // 4, "20 ms p99", "5 ms p99")
        yield _typed(server, text, "of a brace", _BODY, "{", plan.edits // 4, "20 ms p99", "5 ms p99")
        yield _typed(server, text, "of `}`", _INSTRUCTION, "}", plan.edits // 4, "20 ms p99", "5 ms p99")
        yield _typed(server, text, "of `/*`", _INSTRUCTION, "/*", FEW)
        yield _typed(server, text, "of `.target`", _TARGET, "9", FEW, first=True)


def pasting(plan: Plan) -> Iterator[Row]:
    """Pasting ten thousand lines with one mistake in the middle of a long document, and removing them."""
    text = plan.plain_text(plan.long)
    line = _line(text, _INSTRUCTION, False)[0]
    pasted = text.split("\n")[line] + "\n"
    pasted = pasted * PASTED + "\tmov.u32 %nowhere, 0;\n"
    with Conversation() as server:
        server.open(text)
        there = server.edit((line, 0), (line, 0), pasted)
        back = server.edit((line, 0), (line + PASTED + 1, 0), "")
    yield Row(f"server, paste of {PASTED:,} lines / taken back", f"{there * 1000:.1f} / {back * 1000:.1f} ms")


def hovering(plan: Plan) -> Iterator[Row]:
    """Hovering while a long document loads, from the moment at which all of it has been sent."""
    text = plan.plain_text(plan.long)
    lines = text.count("\n")
    chance = random.Random(5)
    times: list[float] = []
    with Conversation() as server:
        server.send_open(text)
        begun = time.perf_counter()
        while not server.up_to_date:
            times.append(server.hover((chance.randrange(lines), 3)))
            time.sleep(HAND)
        loaded = time.perf_counter() - begun
    yield Row(f"server, hover while {lines:,} lines load, p50 / max", f"{median(times)} / {milliseconds(max(times))}",
              f"in {milliseconds(loaded)}", "", "6 / 25 ms", "3 / 10 ms")  # fmt: skip


def long_function(plan: Plan) -> Iterator[Row]:
    """Edits in one function of very many lines."""
    text = one_function(plan.function)
    size = f"one function of {plan.function:,} lines"
    register = re.compile(r"^\tadd\.s32 \t%r()\d")
    family = re.compile(r"^\t\.reg \.b32 \t%r<()\d")
    with Conversation() as server:
        server.open(text)
        goals = ("30 ms p99", "10 ms p99")
        yield _typed(server, text, f"in a body, {size}", register, "9999", plan.edits // 4, *goals)
        yield _typed(server, text, f"in a declaration, {size}", family, "0", FEW, *goals, first=True)
        yield _typed(server, text, f"of a brace, {size}", register, "{", FEW, *goals, at_line_start=True)


def long_table(plan: Plan) -> Iterator[Row]:
    """Edits in the initial values of one variable, of which each line has 16, or one line all."""
    for in_line in (16, VALUES):
        text = table(VALUES, in_line)
        what = f"in a table of {VALUES:,} values, {in_line:,} in a line"
        with Conversation() as server:
            server.open(text)
            yield _typed(server, text, what, _VALUE, "x", plan.edits // 4)


def inline_ptx(plan: Plan) -> Iterator[Row]:
    """A header of CUDA C++ with many asm statements, and one without: opening, and typing in PTX and in C++."""
    text = cuda_header(700, 28)
    size = f"{text.count(chr(10)):,} lines of CUDA C++ with 700 asm"
    with Conversation("cuda-cpp") as server:
        yield Row(f"server, open, {size}", milliseconds(server.open(text)), "", "", "1.5 s")
        yield _typed(server, text, f"in asm, {size}", _IN_ASM, "x", plan.edits, "8 ms p99")
        line, column = _line(text, _IN_CPP, False)
        times = [server.type((line, column), (line, column), "x") for _ in range(plan.edits)]
        yield Row("server, edit in C++ to complete diagnostics, p50 / p99", spread(times), "", "", "3 ms p99")
    text = "inline unsigned next(unsigned value) { return value + 1; }\n" * 20_000
    with Conversation("cuda-cpp") as server:
        yield Row("server, open, 20,000 lines of C++ without asm", milliseconds(server.open(text)), "", "", "50 ms")


def many_findings(plan: Plan) -> Iterator[Row]:
    """Opening a document with ten thousand findings, and typing in it."""
    text = with_mistakes(plan.plain, 10_000)
    register = re.compile(r"^\tadd\.s32 \t%r()1")
    with Conversation() as server:
        opened = server.open(text)
        yield Row("server, open to diagnostics, 10,000 findings", milliseconds(opened))
        yield _typed(server, text, "in a body, 10,000 findings", register, "9999", plan.edits // 4)


def _typed(
    server: Conversation, text: str, what: str, place: re.Pattern[str], inserted: str, count: int,
    must: str = "", aim: str = "", first: bool = False, at_line_start: bool = False,
) -> Row:  # fmt: skip
    """Insert `inserted` in the middle of the text and remove it, `count` times: the times to the first publication."""
    line, column = _line(text, place, first)
    start: Place = (line, 0 if at_line_start else column)
    end: Place = (start[0], start[1] + len(inserted))
    times = []
    for _ in range(max(count // 2, 1)):
        times.append(server.edit(start, start, inserted))
        times.append(server.edit(start, end, ""))
    return Row(f"server, edit {what}, p50 / p99", spread(times), "", "", must, aim)


def _line(text: str, pattern: re.Pattern[str], first: bool) -> Place:
    """The match of a pattern in the first line that has one (`first`), or in the first after the middle of the text."""
    lines = text.split("\n")
    middle = 0 if first else len(lines) // 2
    for number in (*range(middle, len(lines)), *range(middle)):
        match = pattern.search(lines[number])
        if match is not None:
            return number, match.start(1)
    raise ValueError(f"no line like {pattern.pattern}")
