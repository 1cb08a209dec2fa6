"""What the server does while it has nothing else to do, so that the first requests cost no more than the later ones.

The first mistakes of a process are slow: modules are imported, regular expressions are compiled, and the rows of an
opcode are read when it is first judged. That takes up to 50 ms for one opcode. Edits and completions need modules that
nothing else imports: the first edit of a process would take 3 to 5 ms more. The outline of a document of a million
lines takes a second.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from itertools import chain

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.instructions import instruction, opcodes, sections_of
from ptx_lsp.isa.opcode_sets import COMMON
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.patterns import make_ready
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

# A module with the mistakes that are made most while a user types.
MISTAKES = """.version 9.0
.target sm_90
.address_size 64
.visible .entry prepared(.param .u64 prepared_param_0)
{
\t.reg .pred %p<2>;
\t.reg .b32 %r<4>;
\t.reg .f32 %f<4>;
\t.reg .b64 %rd<4>;
\tld.param.u64 %rd1, [prepared_param_0];
\tcvta.to.global.u64 %rd2, %rd1;
\tld.global.u32 %r1, [%rd2+4;
\tmovx.u32 %r2, 0;
\tmov.u32 %r2
\tadd.s32 %r3, %r1, %r9;
\tadd.s32x %r3, %r1, %r2;
\tadd.s32 %f1, %r1, %undeclared;
\tsetp.eq.s32 %p1, %r3;
\t@%p1 bra $missing;
\t.regx .b32 %x<2>;
$label:
\t/* a comment */ shl.b32 %r3, %r1, 99999999999;
\tcall (%r1), unknown, (%r2);
\tret;
}
}
"""
LINE = "\tadd.s64 %rd3, %rd1, %rd2;\n"
LABEL = "$above:\n\tbra $above;\n"
EDITED = MISTAKES[: MISTAKES.index("\tld.global")] + 40 * LINE + LABEL + "}\n"
"""A module without mistakes that is edited: its lines are more than are read at once after an edit."""

EDITS = (
    *((30, 4, "x"), (12, 0, "}\n"), (20, 0, "/*"), (7, 15, "x"), (50, 6, "x"), (1, 11, "1"), (3, 10, "x")),
    *((9, 0, "\t.reg .b32 %s<2>;\n"), (12, 0, "{\n"), (51, 5, "x")),
)
"""Line, column and inserted text of edits in it, each of which is taken back: an edit of each kind of place."""

EDITING = (
    *("analysis.foreseen.edited_piece", "analysis.earlier_reports", "analysis.suspicions", "analysis.comments"),
    *("analysis.long_sections", "analysis.leading_reports", "outline.unclosed_brace"),
)
"""The modules that edits need, each of which is imported in a step of its own, with what it imports."""

COMPLETING = (
    *("candidates.half_typed", "candidates.nearby_names", "candidates.expected_operands", "candidates.likely_names"),
    *("candidates.register_candidates", "candidates.operand_candidates", "candidates.statement_candidates"),
    "features.completion",
)
"""The modules that a completion needs, each of which is imported in a step of its own."""

PLACES = (Position(10, 1), Position(10, 4), Position(10, 15), Position(15, 20))
"""Places in the module for completions: a statement, a modifier and operands."""

SLICE = 0.001  # seconds of analysis in one step

PAUSE = 0.002
"""Seconds between two looks at whether a request is still being answered."""

MANY_STEPS = 100
"""Steps to the outline of a document, some 50,000 lines, beyond which it has many objects."""


WITH_PATTERNS = (
    *("features.token_words", "features.lines_above", "features.semantic_tokens", "features.unhinted_lines"),
    *("features.remembered_hints", "candidates.half_typed", "candidates.likely_names", "candidates.nearby_names"),
    *("candidates.nearby_text", "candidates.operand_series", "candidates.label_candidates"),
)
"""The modules with the expressions that the first requests of some kinds would compile, several in one step."""


def expressions() -> Iterator[None]:
    """Compile the expressions of these modules, each in a step of its own; the longest one takes 7 ms."""
    for name in WITH_PATTERNS:
        module = import_module(f"ptx_lsp.{name}")
        yield
        for value in list(vars(module).values()):
            if make_ready(value):
                yield


def edits() -> Iterator[None]:
    """Make the edits in the edited module, and look at the findings after each step of its analysis."""
    module = Module(EDITED)
    yield from _looks(module)
    for line, column, text in EDITS:
        module.edit(Range(line, column, line, column), text)
        yield from _looks(module)
        lines = text.count("\n")
        module.edit(Range(line, column, line + lines, 0 if lines else column + len(text)), "")
        yield from _looks(module)


def _looks(module: Module) -> Iterator[None]:
    while not module.work(SLICE):
        module.findings()
        yield
    module.findings()
    yield


def steps() -> Iterator[None]:
    """Do the preparation, in steps of a few milliseconds at most. Rows and modules come before what needs them."""
    opcodes()
    yield
    for opcode in COMMON:
        for _ in sections_of(opcode):
            yield
    module = Module(MISTAKES)
    while not module.work(SLICE):
        yield
    module.findings()
    yield
    for name in EDITING:
        import_module(f"ptx_lsp.{name}")
        yield
    yield from edits()
    for name in COMPLETING:
        import_module(f"ptx_lsp.{name}")
        yield
    completion = import_module("ptx_lsp.features.completion").completion
    for place in PLACES:
        completion(module, place)
        yield
    for opcode in opcodes():
        for _ in sections_of(opcode):
            yield
        instruction(opcode)
        yield


class Preparation:
    """The preparation of one server. It stops while there is something else to do."""

    def __init__(
        self,
        busy: Callable[[], bool],
        texts: Callable[[], list[Document]],
        outlined: Callable[[], None] = lambda: None,
        answering: Callable[[], bool] = lambda: False,
        pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0),
        first: Callable[[], Iterator[None]] = lambda: iter(()),
        at_once: Callable[[], Iterator[None]] = lambda: iter(()),
    ) -> None:
        """`busy` is true while a document is analysed; `texts` are those of the open documents of PTX.

        `outlined` is called when the outline of a long document was found. `answering` is true while a request is
        answered in slices: the preparation then waits. `pause` is awaited between two steps. `first` gives steps that
        come before those of `steps`, `at_once` those that come before the outlines too.
        """
        self._first = first
        self._short_pause = pause
        self._busy = busy
        self._answering = answering
        self._texts = texts
        self._outlined = outlined
        self._at_once = at_once()
        self._steps: Iterator[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin, or continue where it stopped. Called when there is nothing else to do."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        for _ in self._at_once:
            await self._pause()
            if self._busy():
                return
        for text in self._texts():
            number = 0
            for number, _ in enumerate(construct_steps(text)):  # noqa: B007  # it counts
                await self._pause()
                if self._busy():  # the text may have been edited: the steps must not continue
                    return
            if number > MANY_STEPS:
                self._outlined()
        self._steps = self._steps or chain(self._first(), steps())
        for _ in self._steps:
            await self._pause()
            if self._busy():
                return

    async def _pause(self) -> None:
        await self._short_pause()
        while self._answering() and not self._busy():
            await asyncio.sleep(PAUSE)
