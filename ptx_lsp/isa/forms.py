"""What an instruction form is: the places for its modifiers, the slots for its operands, and what it needs."""

from enum import Enum
from typing import NamedTuple

from ptx_lsp.isa.versions import Target, Version


class Access(Enum):
    """What an instruction does with an operand."""

    READ = "read"
    WRITE = "written"
    BOTH = "read and written"


class Shape(Enum):
    """How an operand is written."""

    VALUE = "one value"
    VECTOR = "{a, b}: `parts` are its elements, or `arity` says how many equal ones"
    ADDRESS = "[a]: `parts` are what stands between the brackets"
    PAIR = "a|b: `parts` are both halves, the second perhaps optional"


class Bound(Enum):
    """How the value of an immediate is limited."""

    RANGE = "from low to high"
    MULTIPLE = "from low to high, a multiple of step"
    ONE_OF = "one of values"
    POWER_OF_TWO = "a power of two from low to high"
    SHIFT = "a count below the width of the instruction's type"
    FRACTION = "a float above 0 and up to 1"


class Limit(NamedTuple):
    """The limit on an immediate; `modulo` 2**32 where the assembler truncates before it looks."""

    bound: Bound
    low: int = 0
    high: int = 0
    step: int = 1
    values: tuple[int, ...] = ()
    modulo: int = 0


class Element(NamedTuple):
    """One place for a modifier: the words that may stand there, with their dots.

    `name` is the group in the manual's notation (`.type`), empty for words spelled out. A `fixed` place belongs to
    the name of the instruction and keeps its position; others are free but for their order within `ordered`: the
    indices of the earlier places that must come first.
    """

    name: str
    words: tuple[str, ...]
    optional: bool
    fixed: bool
    ordered: tuple[int, ...]


class Term(NamedTuple):
    """One part of a condition on modifiers: any of `words` is present; in the place `group` only, unless empty."""

    group: str
    words: tuple[str, ...]


Condition = tuple[Term, ...]
"""Holds where each of its terms does."""


class Slot(NamedTuple):
    """One operand, or one part of an operand.

    `kinds` are what it takes: type words (`.u32`), groups that stand for the word matched there (`.dtype`), the
    fixed kinds of `isa.slots`, or nothing where the address of an `ADDRESS` is generic. `arity` counts the elements
    of a vector: an expression of `isa.slots`. `optional` slots may be left out; with `when` they are there exactly
    where that condition holds. `flags` are `isa.slots.FLAGS`.
    """

    role: str
    access: Access = Access.READ
    shape: Shape = Shape.VALUE
    kinds: tuple[str, ...] = ()
    arity: tuple[str, ...] = ()
    parts: tuple["Slot", ...] = ()
    relaxed: bool = False
    optional: bool = False
    when: Condition = ()
    limit: Limit | None = None
    flags: frozenset[str] = frozenset()

    @property
    def roles(self) -> tuple[str, ...]:
        """Its role and those of its parts."""
        return (self.role, *(role for part in self.parts for role in part.roles))


class Requirement(NamedTuple):
    """From `version` on (None: always), on any of `targets` (none named: everywhere)."""

    version: Version | None
    targets: tuple[Target, ...]


class Removal(NamedTuple):
    """Gone from `version` on, on `target` and later ones (None: everywhere)."""

    version: Version
    target: Target | None


class Needs(NamedTuple):
    """What has it: one of `alternatives` (none: everything), minus `removed`; `deprecated` is the version since."""

    alternatives: tuple[Requirement, ...] = ()
    removed: tuple[Removal, ...] = ()
    deprecated: Version | None = None


ANYWHERE = Needs()


class Gate(NamedTuple):
    """What modifiers need, wherever they stand together."""

    condition: Condition
    needs: Needs


class Rule(NamedTuple):
    """Where `subject` holds, `object` must hold (`together`) or must not."""

    subject: Condition
    object: Condition
    together: bool


class Form(NamedTuple):
    """One line of the table. `source` is that line as written; `section` its instruction's page.

    `lenient` forms are what the assembler takes beyond the manual: judged as right, never proposed. `vocabulary` is
    every word of its places, `least` how many of these must be filled.
    """

    source: str
    opcode: str
    elements: tuple[Element, ...]
    slots: tuple[Slot, ...]
    needs: Needs
    section: "Section"
    lenient: bool
    vocabulary: frozenset[str]
    least: int


class Section(NamedTuple):
    """One page of the manual: an instruction for one family of types.

    `names` are the full names (`cp.async.bulk`), `meaning` one line in our words, `anchor` NVIDIA's documentation
    anchor, `words` every modifier of its forms. `given` is what operands need, by their roles. `noise` are modifiers
    that the assembler lets through although they mean nothing here, `twice` those that it lets stand twice, `trailing`
    those that mean nothing after the types. `addresses` are `opaque` and `plain`, as in `isa.notation`.
    """

    chapter: str
    names: tuple[str, ...]
    words: frozenset[str]
    meaning: str
    anchor: str
    needs: Needs
    gates: tuple[Gate, ...]
    given: tuple[tuple[str, Needs], ...]
    rules: tuple[Rule, ...]
    noise: frozenset[str]
    twice: frozenset[str]
    effects: tuple[str, ...]
    notes: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    trailing: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()

    @property
    def url(self) -> str:
        """NVIDIA's page about it."""
        return f"https://docs.nvidia.com/cuda/parallel-thread-execution/#{self.anchor}"
