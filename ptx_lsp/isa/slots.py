"""The operands of a form, as rows write them, and the reader of this notation.

Operands are separated by commas. Each is `[access] role [arity] [~] [:kinds] [(limit)] [flags]`.

access          `>` written, `<>` read and written; the role `d` is written without a mark (unless flagged `read`),
                every other role is read
role            the manual's name. `{-}a` may have a minus, `-a` must have one; predicates may always be negated, `!p`
[a]             an address, in the state space of the opcode, unless `[a:.shared]`, `[a:.dst]` (a group),
                `[a:.shared/.global]` or `[a:generic]` name another. `[a, c{4}:.i32]`: further parts are operands;
                `[a:.texref, b:.samplerref, ...]`, `[a:.surfref, ...]` take such an object or its handle,
                `[a:.i32, b:.i64]` plain values
p|q             two destinations, `d|p:pred`; `p[|q]:pred`: the second may be left out and is of the same kind
a{4}            a vector of four; `{a, b:.b32}` a vector of different elements, some of which may be left out,
                `{a{, b}{, c}}`. Arity is an expression of numbers, + - * / and parentheses, of `m`, `n`, `k` (from a
                shape word such as .m16n8k16), of `.group` (the number in the word matched there, `.v4`, `.x2`, `.3d`;
                1, and no braces, where `.vec` is absent) and of `bits.group` (the width of the type matched there);
                `{1|2|4}` lists several
~               relaxed: a wider register is also accepted (ld, st, cvt)
:kinds          separated by `/`; if left out: the form's type, which must be its only type word. Else
  .u32 .bf16    that instruction type              .group   the type matched there
  .i32 .i64     an integer or bit register of that width, or an integer constant
  pred          a predicate register or an integer constant (`.pred` is the instruction type)
  imm           an integer constant; `fimm` a float constant
  _             the sink; `_!` a sink on which the assembler crashes; `nothing/_` only the sink
  label func prototype targets .texref .samplerref .surfref   such a name
  .shared       the name of a variable in that space; `.space` in the space matched there
  any           everything except a vector
(limit)         of a constant: (0..15) (0..1048575 %8) (4|8|16) (pow2 32..512) (shift) (fraction) (at most b), which
                is the role of another operand; `mod32` after it if the assembler takes the value modulo 2**32, `mod64`
                if it takes a negative value modulo 2**64
flags           those of `FLAGS`
{, x}           may be left out; `{, x if .mod}` is present if and only if that modifier is; `{, x with .mod}` may be
                present only with it; conditions as in `clauses.read_condition`
"""

from ptx_lsp.isa.clauses import Groups, NotationError, read_condition
from ptx_lsp.isa.forms import Access, Bound, Element, Limit, OperandShape, Slot
from ptx_lsp.isa.selectors import SELECTORS
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Iterator, cache
from ptx_lsp.patterns import lazy_pattern

_FLAGS = """
read       `d` is read, not written
reg        no constant
plain      no sum; as an address: no special register
entire     no element of a vector register
whole      the same, and no sum and no name of a function or variable
unnamed    no variable's name in a sum, and no function's name; as an address: only a register, and no special one
symbol     also a variable's name
passed     no sum, no name and no element of a vector register, until the needs after `native` are met
sreg       also a special register
alone      no function's name, and in a sum only a register that fits alone
predicate  the same, and also a predicate register
bits       with `alone`: in a sum, also any bit-size or special register
general    in a sum, no special register
narrow     in a sum, no integer of 64 bits
summed     no constant, but a sum or a name; with `same`, a sum of a register of that type
called     of a vector that ptxas passes to a function of its own: no element is a predicate,
           a special register or a part of a register
apart      of a vector: no element is that of a vector register or of a special register, or a part of a register
moved      of a vector of two that ptxas writes by moves: the same, and no sink as an element
integral   of a vector: the only float constants as elements are `0f...`
literal    of a vector: the only constants as elements are `0f...`
lead       of a vector: its first element is not a float constant
headed     of a vector: its first element is not a constant
joined     of a vector: one of its elements is a register or `0f...`
hex        the only constants are `0f...`
sized      of a vector: its elements have its width, also after a constant
same       a register of that very type, no constant; of a vector: its kind as a whole
identical  of a vector: every register in it has that very type, and no element is a constant
code       also a function's name
named      only the name of a texture, sampler or surface; it may be part of a sum
braced     a vector in braces, no vector register
unbraced   if the slot is not a vector, only a value without braces
alike      of a vector of different elements: a float counts as bits where its element alone would not fit
scalar     also one value instead of the vector
held       with `scalar`: that value is a register or a function's name, no constant and no sum
integer    the same, but no untyped register as that value
exact      a vector of floats that takes no integers
each       a vector whose elements are compared with the type one by one
zero       an address that may be an integer constant
wide       an address in a register of 32 or 64 bits
element    an address for which an element of an array, `a[2]` or `a[%r1+1]`, may be written without brackets
long       an address in a register of 64 bits
bare       an address that may lack its brackets and is then any register; also as the first of several parts
parameter  an address that may be any variable in `.param`, also a result or one for calls
free       an address that may be any name, and a register of any type of at most 64 bits
sunk       an address that may be the sink `_`, without brackets
extended   an address whose special registers have 64 bits
policy     an address that may lack its brackets, or be a cache policy without them
masked     the same, or a mask without them; as an address: no register of 16 bits
separate   of a sampler: only in a module with `texmode_independent`
offset     as the first part of an address: a value of that type, and a constant may be added
"""

FLAGS = frozenset((*(row.split()[0] for row in _FLAGS.strip().splitlines()), *SELECTORS))
"""What may follow an operand: the flags above, and the selectors that it may have."""

KINDS = (
    TYPE_WORDS | SPACE_WORDS | {"pred", "imm", "fimm", "_", "_!", "nothing", "label", "func", "prototype", "targets"}
)
KINDS |= {"any", "generic", ".i16", ".i32", ".i64"}

SINKS = frozenset(("_", "_!"))
MODULI = {"mod32": 2**32, "mod64": 2**64}

SIGNS = {"{!}": frozenset(("not",)), "{-}": frozenset(("neg",)), "-": frozenset(("neg", "minus"))}

_MARK = lazy_pattern(r"\{,|[\[{(\]}),]")
_DEEPER = {"[": 1, "{": 1, "{,": 1, "(": 1, "]": -1, "}": -1, ")": -1}
_ARITY = lazy_pattern(r"\.\w[\w:]*|bits\.[\w:]+|[a-z]\w*|[0-9]+|[-+*/()|]")
_SLOT = lazy_pattern(
    r"(?P<access><>|>)?(?P<sign>\{[!-]\}|-)?(?P<role>[A-Za-z][\w-]*)(?:\{(?P<arity>[^{}]*)\})?(?P<relaxed>~)?"
    r"(?P<sink>/_!?)?(?::(?P<kinds>[^\s(]+))?\s*(?:\((?P<limit>[^()]*)\))?(?P<flags>(?:\s+\w+)*)"
)


def read_operands(text: str, groups: Groups) -> tuple[Slot, ...]:
    """The operand slots of a form. Raises NotationError."""
    if " if " in text or " with " in text:
        return _read_all(text, groups)
    return _read_unconditional(text)


@cache
def _read_unconditional(text: str) -> tuple[Slot, ...]:
    """Only conditions contain groups: many forms have the operands `d, a, b`."""
    return _read_all(text, {})


def _read_all(text: str, groups: Groups) -> tuple[Slot, ...]:
    slots = []
    for part, optional in _split(text):
        slots.append(_read_optional(part, groups) if optional else read_slot(part, groups))
    return tuple(slots)


def _read_optional(part: str, groups: Groups) -> Slot:
    body, keyword, condition = (part, "", "")
    for word in (" if ", " with "):
        if word in part:
            body, condition = part.split(word)
            keyword = word.strip()
    slot = read_slot(body, groups)
    flags = slot.flags | {"only_with"} if keyword == "with" else slot.flags
    when = read_condition(condition.strip(), groups) if condition else ()
    return slot._replace(optional=True, when=when, flags=flags)


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of `a, [b]{, c}, {d, e}`; true for each part that is optional."""
    depth, start, optional = 0, 0, False
    for mark in _MARK.finditer(text):
        if depth == 0 and mark[0] in (",", "{,"):
            if part := text[start : mark.start()].strip():
                yield part, False
            start, optional = mark.end(), mark[0] == "{,"
        depth += _DEEPER.get(mark[0], 0)
        if depth == 0 and optional:
            yield text[start : mark.start()].strip(), True
            start, optional = mark.end(), False
    if optional:
        raise NotationError(f"unclosed bracket: {text}")
    if part := text[start:].strip():
        yield part, False


def _closing(text: str, start: int) -> int:
    depth = 0
    for mark in _MARK.finditer(text, start):
        depth += _DEEPER.get(mark[0], 0)
        if depth == 0:
            return mark.start()
    raise NotationError(f"unclosed bracket: {text}")


def read_slot(text: str, groups: Groups) -> Slot:
    """One operand of a form. Raises NotationError."""
    access = Access.BOTH if text.startswith("<>") else Access.WRITE if text.startswith(">") else None
    bare = text.lstrip("<>")
    if bare.startswith("["):
        end = _closing(bare, 0)
        flags = _read_flags(bare[end + 1 :], text)
        parts = read_operands(bare[1:end], groups)
        return Slot(parts[0].role, access or Access.READ, OperandShape.ADDRESS, (), (), parts, flags=flags)
    if bare.startswith("{") and bare[1:2] not in "!-":
        end = _closing(bare, 0)
        parts = read_operands(bare[1:end], groups)
        flags = _read_flags(bare[end + 1 :], text)
        return Slot(parts[0].role, access or Access.READ, OperandShape.VECTOR, (), (), parts, flags=flags)
    halves = _halves(bare)
    if halves:
        first, second, optional = halves
        parts = (read_slot(">" + first, groups), read_slot(">" + second, groups)._replace(optional=optional))
        return Slot(f"{parts[0].role}|{parts[1].role}", Access.WRITE, OperandShape.PAIR, (), (), parts)
    return _read_value(bare, access)


def _halves(text: str) -> tuple[str, str, bool] | None:
    if "|" not in text:
        return None
    bare = _covered(_covered(text, "(", ")"), "{", "}")
    if "[|" in bare:
        at, end = bare.index("[|"), bare.index("]")
        tail = text[end + 1 :]
        return text[:at] + tail, text[at + 2 : end] + ("" if ":" in text[at:end] else tail), True
    if "|" in bare:
        at = bare.index("|")
        return text[:at], text[at + 1 :], False
    return None


def _covered(text: str, opening: str, closing: str) -> str:
    """The text with `x` for every character from an opening bracket to its closing one."""
    end = text.find(closing)
    while end >= 0:
        begin = text.rfind(opening, 0, end)
        if begin >= 0:
            text = text[:begin] + "x" * (end + 1 - begin) + text[end + 1 :]
        end = text.find(closing, end + 1)
    return text


@cache
def _read_value(text: str, access: Access | None) -> Slot:
    found = _SLOT.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"not an operand: {text}")
    flags = _read_flags(found["flags"], text) | SIGNS.get(found["sign"] or "", frozenset())
    kinds = tuple(found["kinds"].split("/")) if found["kinds"] else ()
    kinds += (found["sink"][1:],) if found["sink"] else ()
    arity = tuple(_ARITY.findall(found["arity"])) if found["arity"] else ()
    limit = _read_limit(found["limit"]) if found["limit"] else None
    written = found["role"] == "d" and "read" not in flags
    how = access or (Access.WRITE if written else Access.READ)
    shape = OperandShape.VECTOR if arity else OperandShape.VALUE
    return Slot(found["role"], how, shape, kinds, arity, (), bool(found["relaxed"]), False, (), limit, flags)


def _read_flags(text: str, operand: str) -> frozenset[str]:
    flags = frozenset(text.split())
    if not flags <= FLAGS:
        raise NotationError(f"unknown flag in operand: {operand}")
    return flags


def _read_limit(text: str) -> Limit:
    modulo = next((size for word, size in MODULI.items() if word in text), 0)
    text = text.replace("mod32", "").replace("mod64", "").strip()
    if text.startswith("at most "):
        return Limit(Bound.AT_MOST, modulo=modulo, other=text.removeprefix("at most "))
    if text in ("shift", "fraction"):
        return Limit(Bound(Bound[text.upper()]), modulo=modulo)
    if text.startswith("pow2"):
        low, high = map(int, text[4:].split(".."))
        return Limit(Bound.POWER_OF_TWO, low, high, modulo=modulo)
    if ".." in text:
        span, _, step = text.partition("%")
        low, high = map(int, span.split(".."))
        bound = Bound.MULTIPLE if step else Bound.RANGE
        return Limit(bound, low, high, int(step or 1), modulo=modulo)
    return Limit(Bound.ONE_OF, values=tuple(map(int, text.split("|"))), modulo=modulo)


def with_default_kinds(slots: tuple[Slot, ...], elements: tuple[Element, ...], where: str) -> tuple[Slot, ...]:
    """The slots, with the form's own type if they name no type, and its own space if addresses name none.

    Raises NotationError if the form has no such type, and for kinds and counts for which the form has no group.
    """
    groups = frozenset(e.name for e in elements)
    types = [f"@{i}" for i, e in enumerate(elements) if TYPE_WORDS.issuperset(e.words)]
    spaces = [f"@{i}" for i, e in enumerate(elements) if SPACE_WORDS.issuperset(e.words)]
    for slot in slots:
        _reject_unknown_words(slot, groups, where)
    return tuple(_with_default_kinds(slot, types, spaces, where) for slot in slots)


def _with_default_kinds(slot: Slot, types: list[str], spaces: list[str], where: str) -> Slot:
    if slot.shape is OperandShape.ADDRESS:
        first, *rest = slot.parts
        if not first.kinds:
            first = first._replace(kinds=(spaces[0] if len(spaces) == 1 else "generic",))
        return slot._replace(parts=(first, *(_with_default_kinds(part, types, spaces, where) for part in rest)))
    if slot.parts:
        return slot._replace(parts=tuple(_with_default_kinds(part, types, spaces, where) for part in slot.parts))
    if not SINKS.issuperset(slot.kinds):
        return slot
    if len(types) != 1:
        raise NotationError(f"{where}: {slot.role} needs a kind, because the form has {len(types)} types")
    return slot._replace(kinds=(types[0], *slot.kinds))


def _reject_unknown_words(slot: Slot, groups: frozenset[str], where: str) -> None:
    for kind in slot.kinds:
        if kind not in KINDS and kind not in groups:
            raise NotationError(f"{where}: unknown kind {kind}")
    for token in slot.arity:
        name = token.removeprefix("bits")
        if name.startswith(".") and name not in groups:
            raise NotationError(f"{where}: no group {name} counts elements")
    for part in slot.parts:
        _reject_unknown_words(part, groups, where)
