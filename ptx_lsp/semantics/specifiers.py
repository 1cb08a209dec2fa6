"""From the words before a declared name to their meaning: linkage, state space, alignment, vector and type.

ptxas accepts `[linkage] (space | .align | .attribute)... [vector] type` in this order, and for a kernel parameter
`.ptr [space] [.align]` or `.align` after the type. A parameter of a kernel or prototype may begin with `.hidden`,
which compilers write for parameters that a driver passes and no caller (observed: ptxas 13.5).
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import FUNCTIONS, HIDDEN
from ptx_lsp.isa.intended_words import type_habit
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.spaces import POINTED_SPACES
from ptx_lsp.isa.types import TYPES, VECTORS, Type
from ptx_lsp.light_classes import Enum, Sequence
from ptx_lsp.nearest_word import guess
from ptx_lsp.semantics.constant_banks import read_bank
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Expression, Specifier, Word

SPACES = (".reg", ".const", ".global", ".local", ".param", ".shared", ".tex")
ATTRIBUTES = (".managed", ".unified")
_UNIFIED_NUMBERS = 2  # the arguments of `.unified`
UNKNOWN_ALIGNMENT = 0  # the argument of `.align` is not an alignment, which is reported


class Stage(Enum):
    """The kinds of specifiers, in the order in which a declaration has them."""

    __hash__ = object.__hash__  # the hash of Enum is written in Python and five times as slow

    LINKAGE = "linkage"
    QUALIFIER = "state space, alignment or attribute"
    VECTOR = "vector"
    TYPE = "type"
    POINTER = "pointer attribute"
    UNKNOWN = "unknown"


STAGES: dict[str, Stage] = {
    **dict.fromkeys(LINKAGES, Stage.LINKAGE),
    **dict.fromkeys((*SPACES, ".align", ".attribute"), Stage.QUALIFIER),
    **dict.fromkeys(VECTORS, Stage.VECTOR),
    **dict.fromkeys(TYPES, Stage.TYPE),
    ".ptr": Stage.POINTER,
}
_ORDER = tuple(Stage)
_VARIABLE_TYPES = tuple(name for name, row in TYPES.items() if row.declarable or row.letter == "o")


class Traits:
    """The specifiers of one declaration: for each kind the first word or specifier, None if it is missing.

    `alignment` is in bytes. `pointer` is the `.ptr` or `.align` after the type, `pointed` are the words after `.ptr`.
    `attributes` are the words in `.attribute(...)`, `bank` is the number in `.const[1]`, None if it is wrong. `broken`
    is true if a mistake has been reported that makes the other specifiers uncertain.
    """

    __slots__ = (
        "align",
        "alignment",
        "attributes",
        "bank",
        "broken",
        "linkage",
        "pointed",
        "pointer",
        "space",
        "type",
        "vector",
    )

    def __init__(self) -> None:
        self.linkage: Word | None = None
        self.space: Word | None = None
        self.vector: Word | None = None
        self.type: Word | None = None
        self.pointer: Specifier | None = None
        self.align: Specifier | None = None
        self.alignment: int | None = None
        self.attributes: list[Word] = []
        self.pointed: list[str] = []
        self.bank: int | None = 0
        self.broken = False

    @property
    def lanes(self) -> int:
        """The number of elements of a value: 1 for a scalar."""
        return VECTORS.get(self.vector.text, 1) if self.vector else 1

    @property
    def row(self) -> Type | None:
        """The row of the type in the table; None if the type is missing or unknown."""
        return TYPES.get(self.type.text) if self.type else None


def read_specifiers(specifiers: Sequence[Specifier], surroundings: Surroundings) -> Traits:
    """Read specifiers in source order; report misplaced, repeated and unknown words, once for each declaration."""
    traits = Traits()
    stage = Stage.LINKAGE
    for specifier in specifiers:
        own = STAGES.get(specifier.word.text, Stage.UNKNOWN)
        if own is Stage.UNKNOWN:
            _unknown(specifier.word, specifiers, traits, surroundings)
            continue
        if traits.pointer is not None and own is Stage.QUALIFIER:
            _pointed(specifier, traits, surroundings)
            continue
        if own is Stage.QUALIFIER and stage is Stage.TYPE and specifier.word.text == ".align" and not traits.pointer:
            traits.pointer = specifier  # `.b32 .align 8 a`: an attribute of the kernel parameter
            _alignment(specifier, surroundings)
            continue
        if _ORDER.index(own) < _ORDER.index(stage) or (own is not Stage.QUALIFIER and _seen(traits, own)):
            _misplaced(specifier, own, traits, surroundings)
        else:
            stage = own
        _take(specifier, own, traits, surroundings)
    return traits


def after_hidden(
    specifiers: Sequence[Specifier], surroundings: Surroundings, *, allowed: bool
) -> tuple[Sequence[Specifier], bool]:
    """The specifiers of a parameter after its `.hidden`, and whether that is reported because it is not allowed."""
    if not specifiers or specifiers[0].word.text != HIDDEN:
        return specifiers, False
    word = specifiers[0].word
    if not allowed:
        message = f"`{HIDDEN}` is for parameters of kernels only"
        surroundings.report("parameter-pointer", word.start, word.end, message)
    else:
        require(HIDDEN, word.start, word.end, surroundings)
    return specifiers[1:], not allowed


def _take(specifier: Specifier, stage: Stage, traits: Traits, surroundings: Surroundings) -> None:
    word = specifier.word
    if stage is Stage.LINKAGE:
        traits.linkage = traits.linkage or word
    elif stage is Stage.VECTOR:
        traits.vector = traits.vector or word
    elif stage is Stage.TYPE:
        traits.type = traits.type or word
    elif stage is Stage.POINTER:
        traits.pointer = traits.pointer or specifier
        require(".ptr", word.start, word.end, surroundings)
    elif word.text == ".align":
        traits.align = specifier
        traits.broken |= not specifier.arguments  # the parser has reported it, and may have read the type as the number
        value = _alignment(specifier, surroundings)
        traits.alignment = UNKNOWN_ALIGNMENT if value is None else value
    elif word.text == ".attribute":
        _attribute(specifier, traits, surroundings)
    elif traits.space is not None and not traits.broken:
        message = f"`{word.text}` and `{traits.space.text}`: a variable has only one state space"
        surroundings.report("declaration-space", word.start, word.end, message)
        traits.broken = True
        if word.text == ".reg":
            traits.space = word  # `.param .reg .b32 %r<9>`: most statements below use registers
    else:
        traits.space = traits.space or word
        traits.bank = read_bank(specifier, surroundings)


def _misplaced(specifier: Specifier, stage: Stage, traits: Traits, surroundings: Surroundings) -> None:
    if traits.broken:
        return
    traits.broken = True
    word, earlier = specifier.word, _seen(traits, stage)
    if earlier is not None and stage is Stage.TYPE and traits.space is None:
        message = f"`{earlier.text}` is in the place of an opcode, or of a state space such as `.reg`"
        surroundings.report("declaration-order", earlier.start, earlier.end, message)
        return
    if earlier is not None:
        message = f"`{word.text}` after `{earlier.text}`: a declaration has one {stage.value} only"
        code = "linkage" if stage is Stage.LINKAGE else "declaration-order"
        surroundings.report(code, word.start, word.end, message)
        return
    order = "linkage, state space, `.align` and `.attribute`, vector, type"
    message = f"`{word.text}` is in a wrong place: the words of a declaration have the order {order}"
    surroundings.report("declaration-order", word.start, word.end, message)


def _seen(traits: Traits, stage: Stage) -> Word | None:
    """The earlier word of the same kind; None without one, and for a QUALIFIER, of which there may be several."""
    if stage is Stage.POINTER:
        return traits.pointer.word if traits.pointer else None
    if stage is Stage.LINKAGE:
        return traits.linkage
    if stage is Stage.VECTOR:
        return traits.vector
    return traits.type if stage is Stage.TYPE else None


def _unknown(word: Word, specifiers: Sequence[Specifier], traits: Traits, surroundings: Surroundings) -> None:
    if traits.broken:
        return
    traits.broken = True
    if word.text[1:2] == "v" and word.text[2:].isdecimal():
        surroundings.report("declaration-vector", word.start, word.end, f"`{word.text}`: vectors are `.v2` or `.v4`")
        return
    has_space = any(each.word.text in SPACES for each in specifiers)
    candidates: tuple[str, ...] = _VARIABLE_TYPES
    if traits.space is None:
        before = LINKAGES if traits.linkage is None else sorted(FUNCTIONS)
        candidates = (*(() if has_space else SPACES), *before, *_VARIABLE_TYPES)
    meant, data = guess(word.text, candidates)
    if traits.space is not None and (habit := type_habit(word.text)) is not None:
        meant, data = f": {habit.message}", {}
    code, what = ("declaration-type", "type") if traits.space is not None else ("unknown-specifier", "word")
    severity = None if surroundings.profile.known else Severity.INFORMATION
    message = f"`{word.text}` is not a {what} of declarations{meant}"
    surroundings.report(code, word.start, word.end, message, severity=severity, data=data)
    found = data.get("replacement", "")
    if found in SPACES and traits.space is None:
        traits.space = Word(found, word.start, word.end)
    elif found in LINKAGES:
        traits.linkage = traits.linkage or Word(found, word.start, word.end)


def _pointed(specifier: Specifier, traits: Traits, surroundings: Surroundings) -> None:
    """Read what follows `.ptr`: a state space, then an alignment, each at most once."""
    word, pointer = specifier.word, traits.pointer
    assert pointer is not None
    late = ".align" in traits.pointed or (word.text != ".align" and bool(traits.pointed))
    if pointer.word.text == ".align" and not traits.broken:
        message = f"`{word.text}` cannot follow the `.align` of a pointer: write `.ptr` before its space and alignment"
        surroundings.report("parameter-pointer", word.start, word.end, message)
        traits.broken = True
    elif late and not traits.broken:
        message = f"`{word.text}` is in a wrong place: after `.ptr` come one state space and one `.align`"
        surroundings.report("parameter-pointer", word.start, word.end, message)
        traits.broken = True
    elif word.text == ".align":
        _alignment(specifier, surroundings)
    elif word.text not in POINTED_SPACES and not traits.broken:
        spaces = ", ".join(f"`{space}`" for space in POINTED_SPACES)
        message = f"`.ptr` points into {spaces}, or has no state space, but it cannot point into `{word.text}`"
        surroundings.report("parameter-pointer", word.start, word.end, message)
        traits.broken = True
    traits.pointed.append(word.text)


def _alignment(specifier: Specifier, surroundings: Surroundings) -> int | None:
    """The alignment in bytes of an `.align`; None if it is missing or not a power of two, which is reported."""
    if not specifier.arguments:
        return None  # the parser has reported it
    argument = specifier.arguments[0]
    if "(" in surroundings.source(specifier.word.end, argument.start):
        message = "an alignment is a number without parentheses"
        surroundings.report("literal-required", argument.start, argument.end, message)
    value = literal(argument, "an alignment", surroundings)
    if value is None:
        return None
    if value == 0 or value & (value - 1):
        message = f"an alignment is a power of two, which {value} is not"
        surroundings.report("declaration-alignment", argument.start, argument.end, message)
        return None
    return value


def _attribute(specifier: Specifier, traits: Traits, surroundings: Surroundings) -> None:
    is_known = require(".attribute", specifier.word.start, specifier.word.end, surroundings)
    if specifier.end == specifier.word.end:
        word = specifier.word
        message = "`.attribute` takes an attribute in parentheses, such as `.attribute(.managed)`"
        surroundings.report("attribute", word.start, word.end, message)
    for argument in specifier.arguments:
        if not isinstance(argument, Word) or not argument.text.startswith("."):
            continue
        if argument.text not in ATTRIBUTES:
            message = f"`{argument.text}` is not an attribute: only `.managed` and `.unified` are"
            _, data = guess(argument.text, ATTRIBUTES)
            surroundings.report("attribute", argument.start, argument.end, message, data=data)
            continue
        traits.attributes.append(argument)
        before = len(surroundings.reports)
        has_word = require(argument.text, argument.start, argument.end, surroundings)
        if not is_known:
            del surroundings.reports[before:]  # the directive is reported; the needs of its word are collected
        is_known &= has_word
    if is_known:
        check_attribute_numbers(specifier, surroundings)


def check_attribute_numbers(specifier: Specifier, surroundings: Surroundings) -> None:
    """Report numbers after `.managed`, and `.unified` without the two literals that it takes."""
    arguments = specifier.arguments
    words = [index for index, argument in enumerate(arguments) if isinstance(argument, Word)]
    for index, following in zip(words, [*words[1:], len(arguments)], strict=False):
        word, numbers = arguments[index], arguments[index + 1 : following]
        assert isinstance(word, Word)
        if word.text == ".unified" and len(numbers) != _UNIFIED_NUMBERS:
            message = "`.unified` takes two numbers, the halves of a 128-bit identifier"
            surroundings.report("attribute", word.start, word.end, message)
        elif word.text == ".managed" and numbers:
            message = "`.managed` takes no number"
            surroundings.report("attribute", numbers[0].start, numbers[-1].end, message)
        for number in numbers if word.text == ".unified" else ():
            if isinstance(number, Expression) and len(number.terms) > 1:
                message = "a number of `.unified` is one unsigned integer literal, not an expression"
                surroundings.report("literal-required", number.start, number.end, message)
                break
