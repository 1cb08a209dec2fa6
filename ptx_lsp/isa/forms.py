"""The data of an instruction form: the places for its modifiers, the slots for its operands, and its needs."""

from ptx_lsp.isa.manual import page_url
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import Enum, NamedTuple


class Access(Enum):
    """What an instruction does with an operand."""

    READ = "read"
    WRITE = "written"
    BOTH = "read and written"


class OperandShape(Enum):
    """How an operand is written."""

    VALUE = "one value"
    VECTOR = "{a, b}: `parts` are its elements, or `arity` says how many equal ones"
    ADDRESS = "[a]: `parts` are the operands between the brackets"
    PAIR = "a|b: `parts` are both halves; the second may be optional"


class Bound(Enum):
    """How the value of an immediate is limited."""

    RANGE = "from low to high"
    MULTIPLE = "from low to high, a multiple of step"
    ONE_OF = "one of values"
    POWER_OF_TWO = "a power of two from low to high"
    SHIFT = "a count below the width of the instruction's type"
    FRACTION = "a float above 0 and up to 1"
    AT_MOST = "no more than the operand `other`, if that is a constant too"


class Limit(NamedTuple):
    """The limit on an immediate; the assembler takes a value modulo `modulo` before it compares (0: it does not)."""

    bound: Bound
    low: int = 0
    high: int = 0
    step: int = 1
    values: tuple[int, ...] = ()
    modulo: int = 0
    other: str = ""


class Element(NamedTuple):
    """One place for a modifier: the words that may fill it, with their dots.

    `name` is the group in the manual's notation (`.type`), empty if the row spells the words. `optional`: true if an
    instruction need not have one of the words. `fixed`: true if the place belongs to the name of the instruction and
    keeps its position. Other places may have any position after the places in `ordered`, which are indices of earlier
    places.
    """

    name: str
    words: tuple[str, ...]
    optional: bool
    fixed: bool
    ordered: tuple[int, ...]


class ConditionTerm(NamedTuple):
    """One part of a condition on modifiers: true if any of `words` is present, in the place `group` if that is set."""

    group: str
    words: tuple[str, ...]


Condition = tuple[ConditionTerm, ...]
"""True if each of its terms is true."""


class Slot(NamedTuple):
    """One operand, or one part of an operand.

    `kinds` are what the operand may be: type words (`.u32`), groups whose matched word is the type (`.dtype`), or the
    fixed kinds of `isa.slots`; empty for an `ADDRESS` in the generic space. `arity` is the number of elements of a
    vector: an expression of `isa.slots`. `relaxed`: true if wider registers fit (`ld`, `st`, `cvt`). `optional`: true
    if the operand may be left out; if `when` is set, it is present if and only if that condition is true. `flags` are
    `isa.slots.FLAGS`.
    """

    role: str
    access: Access = Access.READ
    shape: OperandShape = OperandShape.VALUE
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
        """The role of the slot and those of its parts."""
        return (self.role, *(role for part in self.parts for role in part.roles))


class Requirement(NamedTuple):
    """Available from `version` on (None: in every version), on any of `targets` (empty: on every target)."""

    version: Version | None
    targets: tuple[Target, ...]


class Removal(NamedTuple):
    """Removed from `version` on, on `target` and later ones (None: on every target)."""

    version: Version
    target: Target | None


class Needs(NamedTuple):
    """Where a feature exists: one of `alternatives` (empty: everywhere), minus `removed`.

    `deprecated` is the version that deprecated it, or None.
    """

    alternatives: tuple[Requirement, ...] = ()
    removed: tuple[Removal, ...] = ()
    deprecated: Version | None = None


ANYWHERE = Needs()
IN_REGISTER = "in a register"
GENERIC_ADDRESS = "as a generic address"
HANDLE = "as a handle"
AS_CODE = {"func": "as a function", "entry": "as a kernel"}
"""What follows a role in `ManualSection.given` if only the name of such code counts, by the kind of the name."""
WHERE = (IN_REGISTER, GENERIC_ADDRESS, HANDLE, *AS_CODE.values())
"""What may follow a role in `ManualSection.given`, if not every operand counts."""


class Gate(NamedTuple):
    """The needs of modifiers that are present together, in any form of the section."""

    condition: Condition
    needs: Needs


class ModifierRule(NamedTuple):
    """A dependency: if `subject` is true, `object` must be true (`together`) or must be false (not `together`)."""

    subject: Condition
    object: Condition
    together: bool


class Form(NamedTuple):
    """One row of the table. `source` is that row as written; `section` is that of its instruction.

    `lenient`: true for a form that the assembler accepts although the manual does not have it: it is judged as correct
    and never proposed. `vocabulary` is every word of its places, `must` the words of each place that must be filled.
    """

    source: str
    opcode: str
    elements: tuple[Element, ...]
    slots: tuple[Slot, ...]
    needs: Needs
    section: "ManualSection"
    lenient: bool
    vocabulary: frozenset[str]
    must: tuple[tuple[str, ...], ...]


class ManualSection(NamedTuple):
    """One section of the manual: an instruction for one family of types.

    `chapter` is its file of rows, `names` are the full names (`cp.async.bulk`), `words` every modifier of its forms,
    `meaning` is one line in our words, `anchor` NVIDIA's documentation anchor. `needs` are those of all its forms,
    `gates` those of modifiers, `given` those of operands, by role, which one of `WHERE` may follow. `rules` are the
    dependencies between modifiers. `noise` are modifiers that the assembler accepts although they mean nothing here,
    `twice` those that it accepts twice, `trailing` those that mean nothing after the types. `effects`, `notes` and
    `groups` (by name, with their words) are as in `isa.notation`, and so are `addresses`: `opaque`, `placed` and
    `plain`. `native` are the needs of sums and names as `passed` operands.
    """

    chapter: str
    names: tuple[str, ...]
    words: frozenset[str]
    meaning: str
    anchor: str
    needs: Needs
    gates: tuple[Gate, ...]
    given: tuple[tuple[str, Needs], ...]
    rules: tuple[ModifierRule, ...]
    noise: frozenset[str]
    twice: frozenset[str]
    effects: tuple[str, ...]
    notes: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    trailing: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    native: Needs = ANYWHERE

    @property
    def url(self) -> str:
        """NVIDIA's page about it."""
        return page_url(self.anchor)
