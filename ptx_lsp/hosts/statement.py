"""What a scanner finds: the inline-assembly statements of a text, with exact ranges. Nothing here knows PTX.

All offsets are code points from 0 in the scanned text, all ranges half-open. After `scan_lines`, offset 0 is the
beginning of the lines that were given: a statement that began in earlier lines has negative offsets.
"""

from enum import Enum
from typing import NamedTuple

from ptx_lsp.hosts.source_map import Run, Span, offset_of, source_of

LONGEST = 1 << 16
"""No statement has more code points than this; one that is longer is cut. Real ones have up to 10,000."""
LONGEST_STRING = 1 << 20
"""A string with more code points than this is passed over."""


class Host(Enum):
    """A language that can hold inline assembly. The values are the language identifiers that editors use."""

    CUDA = "cuda-cpp"
    CPP = "cpp"
    C = "c"
    OPENCL = "opencl"
    PYTHON = "python"
    RUST = "rust"
    LLVM = "llvm"
    MLIR = "mlir"
    JULIA = "julia"


C_FAMILY = frozenset((Host.CUDA, Host.CPP, Host.C, Host.OPENCL))


class Dialect(Enum):
    """How a decoded template refers to operands, and which escapes it still holds."""

    PERCENT = "%0 %[name] %%"
    """GCC's: `%0`, `%[name]`, `%%` for a percent sign, `%=` for a unique number. CUDA C++ and OpenCL."""
    DOLLAR = "$0 ${0:r} $$"
    """LLVM's: `$0`, `${0:modifier}`, `$$` for a dollar sign, `$(a$|b$)`. Also Triton, CuTe, MLIR and Julia."""
    BRACES = "{} {0} {name} {{"
    """Rust's `asm!`: `{}`, `{0}`, `{name}`, `{{` and `}}` for braces."""
    ROLES = "{$r0} {$w0} {$rw0}"
    """MLIR's `nvvm.inline_ptx`: `{$r0}` read, `{$w0}` written, `{$rw0}` both. It has no escapes."""


class PieceKind(Enum):
    """What a piece of a template is. LITERAL, JOIN and BRANCH have a text; all others are holes."""

    LITERAL = "literal"
    """Text of a string literal, decoded."""
    JOIN = "join"
    """Text that the host inserts between two literals and that no source text gives: Rust's line ends."""
    BRANCH = "branch"
    """A preprocessor directive, or a branch of `#if` that is passed over; it gives the text "".

    The first branch of an `#if` inside a statement is taken, the second one after `#if 0`."""
    NAME = "name"
    """A hole: a macro, a variable or any other expression of the host language."""
    FIELD = "field"
    """A hole inside a literal: a field of an f-string, an interpolation, a placeholder of a format."""


HOLE = "\ufffd"
"""What `Template.text` has in the place of a hole."""


class Piece(NamedTuple):
    """A part of a template, from `start` to `end` in the source, quotes and prefix included.

    `text` is what it decodes to, None for a hole. `runs` say where each code point of `text` comes from. A literal
    with a hole inside gives several pieces: each has only its own part of the source.
    """

    kind: PieceKind
    start: int
    end: int
    text: str | None
    runs: tuple[Run, ...] = ()

    def shifted(self, by: int) -> "Piece":
        """The same piece, `by` code points further in the source."""
        runs = tuple(run.shifted(by) for run in self.runs)
        return Piece(self.kind, self.start + by, self.end + by, self.text, runs)


class Template(NamedTuple):
    """The assembly text of a statement, in pieces. A decoded offset counts a hole as one code point."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The decoded text; each hole is one `HOLE`."""
        return "".join(HOLE if piece.text is None else piece.text for piece in self.pieces)

    @property
    def has_holes(self) -> bool:
        """True if a part of the text is not known."""
        return any(piece.text is None for piece in self.pieces)

    @property
    def has_branches(self) -> bool:
        """True if the text depends on an `#if`: the known text is that of the first branch."""
        return any(piece.kind is PieceKind.BRANCH for piece in self.pieces)

    def source(self, offset: int) -> Span | None:
        """The source of the decoded code point at `offset`; that of the whole piece for a hole, None beyond the text.

        What the host inserts (JOIN) has an empty source range, after the literal before it.
        """
        for piece in self.pieces:
            length = 1 if piece.text is None else len(piece.text)
            if offset < length:
                return source_of(piece.runs, offset) if piece.runs else Span(piece.start, piece.end)
            offset -= length
        return None

    def source_range(self, start: int, end: int) -> Span | None:
        """The source of the decoded text from `start` to `end`, from its first code point to its last.

        None if it is empty or ends beyond the text. It may cross the quotes between two literals.
        """
        first, last = self.source(start), self.source(end - 1) if end > start else None
        return Span(first.start, last.end) if first and last else None

    def offset(self, source: int) -> int | None:
        """The decoded offset of the code point that the source code point at `source` belongs to.

        None if it gives no decoded text (quotes, blanks between literals, continuations) or is in a hole.
        """
        passed = 0
        for piece in self.pieces:
            if piece.start <= source < piece.end:
                found = offset_of(piece.runs, source)
                if found is not None:
                    return passed + found
            passed += 1 if piece.text is None else len(piece.text)
        return None


class Role(Enum):
    """What the statement does with an operand, as its author declared it."""

    OUT = "out"
    IN = "in"
    INOUT = "inout"
    CONST = "const"
    """Rust's `const`: the text of a number is inserted."""
    SYM = "sym"
    """Rust's `sym`: the name of a function or static is inserted."""


class Operand(NamedTuple):
    """One operand. `number` is what the template calls it by (`%0`, `$0`); outputs count before inputs.

    `constraint` is its decoded constraint without a name: `=r`, `+f`, `0`, Rust's register class (`reg32`); None if
    it is not known (a macro, an f-string, a form without constraints). `where` is the source of the constraint.
    `name` is what `%[name]` or `{name}` calls it by. `expression` is the source of the host's expression: None where
    none belongs to it (an output of a call that returns it). `target` is the place that Rust's `a => b` writes to.
    `name_at` is the source of the name where its author has chosen it; None for `r0` of MLIR, which its place gives it.
    """

    number: int
    role: Role
    constraint: str | None
    where: Span
    name: str | None = None
    expression: Span | None = None
    target: Span | None = None
    name_at: Span | None = None

    def shifted(self, by: int) -> "Operand":
        """The same operand, `by` code points further in the source."""
        return self._replace(
            where=_moved(self.where, by),
            expression=self.expression and _moved(self.expression, by),
            target=self.target and _moved(self.target, by),
            name_at=self.name_at and _moved(self.name_at, by),
        )


class Word(NamedTuple):
    """A clobber, a label or an option: its decoded text and its source."""

    text: str
    where: Span

    def shifted(self, by: int) -> "Word":
        """The same word, `by` code points further in the source."""
        return Word(self.text, _moved(self.where, by))


class AsmStatement(NamedTuple):
    """One inline-assembly statement, from `start` (its first word) to `end` (after its closing bracket).

    `host` is the language that the statement is written in: CUDA for CUDA C++ in a Python string. `spelling` is the
    word that began it (`asm`, `inline_asm_elementwise`, `asm!`). `volatile` is None if it is not known. `sections`
    is the number of colons between the sections of a C statement, 0 elsewhere. `whole` is True if the statement was
    read to its end, and its template, operands and clobbers have no hole, no branch and nothing that is not
    understood. `may_name_symbol` is True for `int f(int) asm("g")` and its like, which name a symbol.
    """

    host: Host
    spelling: str
    start: int
    end: int
    template: Template
    dialect: Dialect
    operands: tuple[Operand, ...] = ()
    clobbers: tuple[Word, ...] = ()
    labels: tuple[Word, ...] = ()
    options: tuple[Word, ...] = ()
    volatile: bool | None = False
    sections: int = 0
    whole: bool = True
    may_name_symbol: bool = False

    def operand(self, number: int) -> Operand | None:
        """The operand that a number in the template means; None if the statement has no such operand."""
        return self.operands[number] if 0 <= number < len(self.operands) else None

    def shifted(self, by: int) -> "AsmStatement":
        """The same statement, `by` code points further in the source."""
        if not by:
            return self
        return self._replace(
            start=self.start + by,
            end=self.end + by,
            template=Template(tuple(piece.shifted(by) for piece in self.template.pieces)),
            operands=tuple(operand.shifted(by) for operand in self.operands),
            clobbers=tuple(word.shifted(by) for word in self.clobbers),
            labels=tuple(word.shifted(by) for word in self.labels),
            options=tuple(word.shifted(by) for word in self.options),
        )


class ScanMode(NamedTuple):
    """What an offset of a text is in.

    `inside` is "" in code; in a comment or a string it is what began it, as the scanner of the language says. `depth`
    is how deep a comment is there that may have others in it. `in_directive` is true in a line for C's preprocessor.
    """

    inside: str = ""
    depth: int = 0
    in_directive: bool = False


CODE = ScanMode()


class State(NamedTuple):
    """Where a scanner is at the beginning of a line; two equal states continue equally.

    `pending` is the text of a statement or string that began in earlier lines and has not ended,
    "" if everything has ended.
    """

    mode: ScanMode = CODE
    pending: str = ""


START = State()
"""The state at the beginning of a text."""


class Scanned(NamedTuple):
    """What one pass over a text found. The text from `resume` on is to be read again when more of it is known.

    `mode` is the mode at `resume`.
    """

    statements: list[AsmStatement]
    resume: int
    mode: ScanMode


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
