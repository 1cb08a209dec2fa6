"""The parts of a parsed statement.

Every node carries `start` and `end`, offsets in code points into the text that was handed to the parser (a block of
whole statements), `end` exclusive. Nodes are plain data: nothing here knows what a name means. They are named tuples,
which take a third of the time of a frozen dataclass to create, and a tenth to import.
"""

from ptx_lsp.light_classes import Enum, NamedTuple


class TermKind(Enum):
    """What a term of an expression is."""

    __hash__ = object.__hash__  # the hash of Enum is written in Python and takes five times as long

    INTEGER = "integer literal"
    FLOAT = "decimal float literal"
    SINGLE = "exact single, 0f and 8 hex digits"
    DOUBLE = "exact double, 0d and 16 hex digits"
    MALFORMED = "malformed number"  # or a broken expression that has a report already: its value is unknown
    NAME = "name"
    MEMBER = "member"  # `%tid.x`, `v.y`, `%r1.b0`: one operand, the name; `text` is the selector with its dot
    INDEX = "index"  # `g[9]`: two operands, the name and the index
    PARENTHESES = "parentheses"
    UNARY = "unary operator"  # + - ! ~
    CAST = "cast"  # `text` is the type with its dot and no blanks: `.s64`
    BINARY = "binary operator"
    TERNARY = "conditional operator"
    GENERIC = "generic address"  # `generic(sym)`
    MASK = "byte mask"  # `0xFF00(sym+4)`: two operands, the mask and what it selects from


class Term(NamedTuple):
    """One term of an expression.

    `text` is the literal, name or operator as written (for a ternary `?:`); `at` is where that token begins, while
    `start` and `end` span the whole sub-expression. `operands` are indices into the same expression's `terms`, each
    smaller than the term's own index.
    """

    kind: TermKind
    text: str
    at: int
    start: int
    end: int
    operands: tuple[int, ...] = ()


class Expression(NamedTuple):
    """An expression as its terms in postfix order, so that nesting needs no recursion. The last term is the root."""

    terms: tuple[Term, ...]
    start: int
    end: int

    @property
    def root(self) -> Term:
        """The root term, which represents the whole expression."""
        return self.terms[-1]


class Word(NamedTuple):
    """A name, directive, modifier (with its dot), number or string as written."""

    text: str
    start: int
    end: int


class Value(NamedTuple):
    """An operand that is an expression: a register, a constant expression, `%r1+4`, `-%r1`, `!%p1`, `%tid.x`."""

    expression: Expression
    start: int
    end: int


class Sink(NamedTuple):
    """The operand `_`, which discards a result."""

    start: int
    end: int


class Vector(NamedTuple):
    """A vector expression in braces, `{%f1, %f2, _}`."""

    elements: tuple["Operand", ...]
    start: int
    end: int


class Address(NamedTuple):
    """An address in brackets: `[%rd1+8]` has one part, `[tex, {%f1, %f2}]` and `[map, {%r1}]` have more.

    `attribute` is the `.unified` after the brackets.
    """

    parts: tuple["Operand", ...]
    start: int
    end: int
    attribute: Word | None = None


class Pair(NamedTuple):
    """Two destinations joined by a bar, `%p1|%p2`."""

    first: "Operand"
    second: "Operand"
    start: int
    end: int


class Arguments(NamedTuple):
    """A parenthesised list, as `call` takes them: `(retval0)`, `(%r1, 4)`."""

    items: tuple["Operand", ...]
    start: int
    end: int


Operand = Value | Sink | Vector | Address | Pair | Arguments


def parts_of(operand: Operand) -> tuple[Operand, ...]:
    """The operands directly inside an operand, in source order; empty for a value and for `_`."""
    if isinstance(operand, Vector):
        return operand.elements
    if isinstance(operand, Address):
        return operand.parts
    if isinstance(operand, Arguments):
        return operand.items
    if isinstance(operand, Pair):
        return (operand.first, operand.second)
    return ()


class Guard(NamedTuple):
    """A guard predicate, `@%p1` or `@!%p1`; the latter is `negated`."""

    name: Word
    negated: bool
    start: int
    end: int


class Instruction(NamedTuple):
    """An instruction with its guard, opcode, modifiers and operands; `end` is after the semicolon.

    `text` has the opcode and the modifiers with no blanks between them: `add.s32`.
    """

    guard: Guard | None
    opcode: Word
    modifiers: tuple[Word, ...]
    operands: tuple[Operand, ...]
    start: int
    end: int
    text: str

    @property
    def has_results(self) -> bool:
        """Whether the first operand of a call is the list of its results."""
        return len(self.operands) > 1 and isinstance(self.operands[0], Arguments)


class Label(NamedTuple):
    """A label, `$L__BB0_2:`; `end` is after the colon."""

    name: Word
    start: int
    end: int


class Dimension(NamedTuple):
    """One array dimension, `[16]` or `[]`; `size` is the expression inside."""

    size: Expression | None
    start: int
    end: int


class ValueRun(NamedTuple):
    """Many initial values between braces or commas, each of them one literal, taken together: see `value_runs.py`."""

    text: str  # the whole text that was read
    start: int
    end: int


class Initialiser(NamedTuple):
    """The initial value after `=`: one expression, or braces and values in source order (no recursion)."""

    items: tuple["Expression | ValueRun | Word", ...]  # a Word is `{` or `}`
    start: int
    end: int


class Declarator(NamedTuple):
    """One declared name: `%r<9>` has members, `tab[4][2]` dimensions, `g = 1` an initialiser."""

    name: Word
    members: Expression | None
    dimensions: tuple[Dimension, ...]
    initialiser: Initialiser | None
    start: int
    end: int

    @property
    def has_values(self) -> bool:
        """Whether it has initial values, which give an array without a size its size."""
        return self.initialiser is not None and any(not isinstance(item, Word) for item in self.initialiser.items)


class Specifier(NamedTuple):
    """A word of a declaration with its arguments: `.align 8`, `.ptr`, `.global`, `.attribute(.managed)`, `.v4`."""

    word: Word
    arguments: tuple["Expression | Word", ...]
    start: int
    end: int


class Declaration(NamedTuple):
    """A variable, register or parameter declaration: its specifiers in source order and what they declare.

    `.visible .global .align 4 .b8 s[16], t;` has four specifiers and two declarators. Which specifier is a linkage,
    state space, type or vector is decided in `semantics/`, which knows the tables.
    """

    specifiers: tuple[Specifier, ...]
    declarators: tuple[Declarator, ...]
    start: int
    end: int


class Directive(NamedTuple):
    """A directive that declares no variable: `.version 9.4`, `.loc 1 2 3`, `.pragma "x";`, `.maxntid 1, 2`.

    `arguments` are the operands without commas and keywords: words, strings (with their quotes) and expressions in
    source order.
    """

    name: Word
    arguments: tuple["Expression | Word", ...]
    start: int
    end: int


class FunctionHeader(NamedTuple):
    """`.entry`, `.func` or (as `label: .callprototype`) a prototype.

    `linkage` holds the specifiers before the kind, `label` the name before a `.callprototype`. `name` is None if it is
    missing, and `_` in a prototype. `returns` and `parameters` are None if there are no parentheses. `directives` are
    the performance and other directives after the parameters. `body` is true for a definition, which ends with its
    `{`, and false for a declaration, which ends with `;`.
    """

    kind: Word
    linkage: tuple[Specifier, ...]
    label: Word | None
    name: Word | None
    returns: tuple[Declaration, ...] | None
    parameters: tuple[Declaration, ...] | None
    directives: tuple[Directive, ...]
    body: bool
    start: int
    end: int


class NameList(NamedTuple):
    """`label: .branchtargets a, b;` or `label: .calltargets f, g;`.

    `counts` has the number of each name that is a family, such as 3 in `a<3>`, and None for the others.
    """

    label: Word | None
    kind: Word
    names: tuple[Word, ...]
    counts: "tuple[Expression | None, ...]"
    start: int
    end: int


class SectionData(NamedTuple):
    """One line of a `.section` body: `.b32 $L__tmp1+4, 7`, or a label inside it (no items)."""

    name: Word
    items: tuple["Expression | Word", ...]
    start: int
    end: int


class Section(NamedTuple):
    """`.section .debug_info { ... }`, `@@DWARF` lines or a section with a directive of its own, whole.

    The name of the last two is their directive.
    """

    name: Word
    data: tuple[SectionData, ...]
    start: int
    end: int


class OpenBrace(NamedTuple):
    """A `{` that opens a scope."""

    start: int
    end: int


class CloseBrace(NamedTuple):
    """A `}` that closes a scope or a function."""

    start: int
    end: int


class Broken(NamedTuple):
    """Text in which the parser found no statement; its problems say why."""

    start: int
    end: int


Statement = (
    Instruction
    | Label
    | Declaration
    | Directive
    | FunctionHeader
    | NameList
    | Section
    | OpenBrace
    | CloseBrace
    | Broken
)


DECLARES = "declares"
"""In a problem's data: the state space and the type of PTX that a declaration of C has."""


class Problem(NamedTuple):
    """A syntax error. It becomes a finding with this `code`."""

    code: str
    message: str
    start: int
    end: int
    related: tuple[tuple[int, int, str], ...] = ()
    data: tuple[tuple[str, str], ...] = ()
