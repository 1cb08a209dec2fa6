"""Do the operands of an instruction fit the slots of a form: kinds against slots, one complaint per operand at most."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ptx_lsp.analysis.conformance import STRICT, constant_fits, describe_slot, register_fits, slot_width
from ptx_lsp.analysis.kinds import SINK, UNKNOWN
from ptx_lsp.analysis.vectors import CONSTANTS, is_element, whole_of
from ptx_lsp.analysis.verdict import Complaint, Duty, Obligation, Part
from ptx_lsp.isa.forms import Access, Bound, Limit, Shape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.numbers import arity, spelled_out
from ptx_lsp.isa.selectors import EXAMPLES, SELECTORS, selects
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import TYPE_WORDS, TYPES

NAMED_KINDS = {
    "label": "a label",
    "nothing": "the sink `_`",
    "func": "a function's name",
    "entry": "a kernel's name",
    "prototype": "a call prototype",
    "targets": "a list of branch targets",
    ".texref": "a texture",
    ".samplerref": "a sampler",
    ".surfref": "a surface",
    "imm": "an integer constant",
    "fimm": "a float constant",
    "float": "a float constant",
    "single": "a 32-bit float constant",
    "double": "a 64-bit float constant",
}
HANDLES = frozenset((".texref", ".samplerref", ".surfref"))
FLOATS = frozenset(("float", "single", "double"))
ADDRESS_BITS = range(8, 65)
WIDE_BITS = (32, 64)
GENERIC = frozenset((".global", ".shared", ".local"))
"""The spaces whose variables may stand for a generic address (observed: ptxas 13.5, which refuses `.const` there)."""


@dataclass(slots=True)
class Fit:
    """What came of laying operands into the slots of one form."""

    match: Match
    opcode: str
    slots: tuple[Slot, ...] = ()
    complaints: list[Complaint] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    cost: int = 0
    given: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Where the operands stand, by their roles."""

    def complain(self, code: str, message: str, path: tuple[int, ...]) -> None:
        """Hold an operand or a part of one against the form."""
        self.complaints.append(Complaint(code, message, Part.OPERAND, path))
        self.cost += 1


def fit_operands(match: Match, opcode: str, kinds: tuple[str, ...]) -> Fit:
    """The best way to lay operands of these kinds into the slots of a matched form."""
    best: Fit | None = None
    for slots in _layouts(match, len(kinds)):
        fit = Fit(match, opcode, slots)
        for index, (slot, kind) in enumerate(zip(slots, kinds, strict=True)):
            _fit(fit, slot, kind, (index,))
        if best is None or fit.cost < best.cost:
            best = fit
        if not best.cost:
            break
    return best or _miscounted(match, opcode, len(kinds))


def _layouts(match: Match, count: int) -> Iterator[tuple[Slot, ...]]:
    """Every choice of slots with as many as there are operands."""
    slots = [s for s in match.form.slots if _may_stand(match, s)]
    free = [i for i, s in enumerate(slots) if s.optional and (not s.when or "only_with" in s.flags)]
    missing = len(slots) - count
    if 0 <= missing <= len(free):
        # later ones are left out first, as people read the manual
        for left_out in combinations(reversed(free), missing):
            yield tuple(s for i, s in enumerate(slots) if i not in left_out)


def _may_stand(match: Match, slot: Slot) -> bool:
    return not slot.when or match.holds(slot.when)


def _miscounted(match: Match, opcode: str, count: int) -> Fit:
    slots = tuple(s for s in match.form.slots if _may_stand(match, s))
    needed = tuple(s for s in slots if not s.optional or (s.when and "only_with" not in s.flags))
    fit = Fit(match, opcode, slots, cost=10 + min(abs(len(needed) - count), abs(len(slots) - count)))
    low, high = len(needed), len(slots)
    number = f"{low}" if low == high else f"{low} to {high}"
    names = ", ".join(f"`{s.role}`" for s in slots)
    text = f"`{opcode}` takes {number} operand{'s' if number != '1' else ''}"
    text += f" ({names}), found {count}" if names else f", found {count}"
    fit.complaints.append(Complaint("operand-count", text, Part.OPERANDS))
    return fit


def resolve(match: Match, kind: str) -> str:
    """The type or space that a slot's kind stands for with these modifiers; empty where its place is empty."""
    if kind.startswith("@"):
        return match.word(int(kind[1:]))
    if kind.startswith(".") and match.has_group(kind):
        return match.group(kind)
    return kind


def split_kind(text: str, separator: str = ",") -> list[str]:
    """The parts of a kind at its top level: `.f32,{.f32,.f32}` gives two."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _fit(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    """Lay one kind into one slot; depth is that of the slot, never that of the kind."""
    fit.given[slot.role] = path
    if kind == UNKNOWN:
        return
    if slot.shape is Shape.ADDRESS:
        _fit_address(fit, slot, kind, path)
    elif slot.shape is Shape.PAIR:
        _fit_pair(fit, slot, kind, path)
    elif slot.shape is Shape.VECTOR:
        _fit_vector(fit, slot, kind, path)
    elif slot.parts:
        _fit_parts(fit, slot.parts, split_kind(kind[1:-1]), path)
    else:
        _fit_value(fit, slot, kind, path, element=False)


def _fit_parts(fit: Fit, slots: tuple[Slot, ...], kinds: list[str], path: tuple[int, ...]) -> None:
    for index, (slot, kind) in enumerate(zip(slots, kinds, strict=False)):
        _fit(fit, slot, kind, (*path, index))


def _fit_pair(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    halves = split_kind(kind, "|")
    if len(halves) == 2:
        _fit_parts(fit, slot.parts, halves, path)
    elif slot.parts[1].optional:
        _fit(fit, slot.parts[0], kind, path)
    else:
        first, second = slot.parts
        fit.complain("operand-kind", f"`{fit.opcode}` writes two results, `{first.role}|{second.role}`, here", path)


def _fit_vector(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    wanted = _element_counts(slot.parts) if slot.parts else arity(fit.match, slot.arity)
    if wanted == (0,) or ("scalar" in slot.flags and not slot.parts and kind[0] != "{" and not kind.startswith(".v")):
        if kind == SINK:
            fit.complain("sink", f"`{slot.role}` of `{fit.opcode}` cannot be discarded with `_`", path)
        else:
            _fit_value(fit, slot, kind, path, element=False)
        return
    if kind.startswith(".v") and "each" in slot.flags:
        fit.complain("operand-kind", f"`{slot.role}` of `{fit.opcode}` takes its registers in braces, one by one", path)
        return
    if kind.startswith(".v") and kind[2:3].isdigit():
        have = [kind[3:]] * int(kind[2])
    elif kind.startswith("%.v") and "sreg" in slot.flags:
        have = ["%" + kind[4:]] * int(kind[3])
    elif kind.startswith("{"):
        have = split_kind(kind[1:-1])
    else:
        fit.complain("vector-size", f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)} here", path)
        return
    told = _told_count(fit.match)
    if told and told not in wanted:
        fit.complain("vector-size", f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)}, not {told}", path)
    elif len(have) not in wanted:
        why = f" ({sum_})" if (sum_ := spelled_out(fit.match, slot.arity)) else ""
        text = f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)}{why}, found {len(have)}"
        fit.complain("vector-size", text, path)
    elif slot.parts:
        for index, (part, element) in enumerate(zip(slot.parts, have, strict=False)):
            _fit_value(fit, part, element, (*path, index), element=True)
    else:
        _fit_elements(fit, slot, kind, have, path)


def _told_count(match: Match) -> int:
    """The number in a word such as `.v4` that else means nothing: ptxas holds all vectors against it; 0 for none."""
    counts = (match.words[i][2:] for i in match.noise if match.words[i].startswith(".v"))
    return next((int(count) for count in counts if count.isdecimal()), 0)


def _element_counts(parts: tuple[Slot, ...]) -> tuple[int, ...]:
    """How many elements a vector of unlike ones may have, those left out that may be: vectors have 1, 2, 4 or 8."""
    least = sum(not p.optional for p in parts)
    return tuple(n for n in (1, 2, 4, 8) if least <= n <= len(parts)) or (len(parts),)


def _fit_elements(fit: Fit, slot: Slot, kind: str, have: list[str], path: tuple[int, ...]) -> None:
    places = [(*path, i) if kind.startswith("{") else path for i in range(len(have))]
    for element, place in zip(have, places, strict=True):
        before = fit.cost
        if element.endswith("+") or element in NAMED_KINDS.keys() - CONSTANTS.keys():
            _refuse(fit, slot, element.rstrip("+"), place)
        elif "each" in slot.flags:
            _fit_value(fit, slot, element, place)
        elif not is_element(element) or (element in CONSTANTS and slot.access is not Access.READ):
            _fit_value(fit, slot, element, place, element=True)
        if fit.cost > before:
            return
    whole = whole_of(have)
    if all(element == SINK for element in have):
        fit.complain("sink", f"every element of `{slot.role}` is discarded: keep one of them", path)
    if whole is None or UNKNOWN in have:
        return
    if whole.other_width >= 0:
        text = f"`{{operand}}` has another width than the other elements of `{slot.role}`"
        fit.complain("vector-size", text, places[whole.other_width])
    elif whole.other_nature >= 0:
        text = f"`{{operand}}` does not go with the other elements of `{slot.role}`: a vector holds integers or floats"
        fit.complain("operand-type", text, places[whole.other_nature])
    else:
        _fit_value(fit, slot, whole.kind, places[whole.index], element=True)


def _count(wanted: tuple[int, ...]) -> str:
    number = " or ".join(map(str, wanted))
    return f"a vector of {number} element{'s' if number != '1' else ''}"


def _fit_address(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    if slot.flags & {"bare", "policy"} and kind[0] not in "{[(_%":
        _fit_bare(fit, slot, kind, path)
        return
    if not kind.startswith("["):
        text = f"`{slot.role}` of `{fit.opcode}` is an address: write `[{{operand}}]`"
        fit.complain("operand-kind", text, path)
        return
    have = split_kind(kind[1:-1])
    parts = _address_parts(fit, slot, len(have))
    if parts is None:
        names = ", ".join(p.role for p in slot.parts)
        fit.complain("operand-kind", f"the address of `{fit.opcode}` is `[{names}]` here", path)
        return
    if len(have) > 1 and have[0].endswith("+"):
        fit.complain("operand-kind", f"`{{operand}}`: the address of `{fit.opcode}` takes no offset here", (*path, 0))
        return
    if "offset" in parts[0].flags:
        _fit_value(fit, parts[0], have[0].removesuffix("+"), (*path, 0))
    elif slot.parts[0].kinds and (slot.parts[0].kinds[0] in HANDLES or slot.parts[0].kinds[0] in STRICT):
        _fit_value(fit, parts[0], have[0], (*path, 0))
    else:
        _fit_location(fit, slot, parts[0], have[0], (*path, 0))
    for index in range(1, len(have)):
        _fit(fit, parts[index], have[index], (*path, index))


def _fit_bare(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    """An address without its brackets, where ptxas does not ask for them (observed: ptxas 13.5).

    It takes a `policy` one for a 64-bit cache policy, and of others asks for the type of a `wide` one only.
    """
    if "policy" in slot.flags:
        _fit_value(fit, Slot(slot.role, kinds=(".i64",), flags=frozenset(("plain",))), kind, path)
    elif "wide" in slot.flags or kind.rstrip("+") not in TYPES:
        _fit_location(fit, slot, slot.parts[0], kind, path)


def _address_parts(fit: Fit, slot: Slot, count: int) -> tuple[Slot, ...] | None:
    parts = [p for p in slot.parts if _may_stand(fit.match, p)]
    free = [i for i, p in enumerate(parts) if p.optional and (not p.when or "only_with" in p.flags)]
    missing = len(parts) - count
    if not 0 <= missing <= len(free):
        return None
    left_out = free[len(free) - missing :] if len(free) != missing else free
    return tuple(p for i, p in enumerate(parts) if i not in left_out)


def _fit_location(fit: Fit, slot: Slot, first: Slot, kind: str, path: tuple[int, ...]) -> None:
    """The part of an address that says where: a register, a variable, or a constant where that is allowed."""
    if kind == UNKNOWN:
        return
    bare = kind.rstrip("+")
    spaces = [resolve(fit.match, k) for k in first.kinds]
    if ".param::func" in spaces and (bare in TYPES or bare.startswith(".param.entry:")):
        text = f"`{fit.opcode}` takes the name of a parameter of this function or of a call here, not `{{operand}}`"
        fit.complain("state-space", text, path)
        return
    if "bare" in first.flags and kind.startswith(".") and kind in TYPES:
        return
    if bare in TYPES:
        have = TYPES[bare]
        wide = "wide" in slot.flags
        bits = WIDE_BITS if wide else ADDRESS_BITS
        if have.letter not in "bsu" or have.bits not in bits:
            width = "32- or 64-bit " if wide else ""
            text = f"`{{operand}}` is {{declared}}, but an address takes a {width}integer or bit-size register here"
            fit.complain("operand-type", text, path)
        return
    bases = {SPACES[s].base for s in spaces if s in SPACES}
    if bare.startswith("int"):
        if "zero" not in slot.flags and ".local" not in bases:
            fit.complain("operand-kind", "a constant address is allowed in the `.local` space only", path)
        return
    space = _space_of(bare) if bare.startswith(".") and ":" in bare else ""
    if bare == "%.u64":
        # ptxas reads an address from `%clock64` too
        return
    if not space:
        what = NAMED_KINDS.get(bare, "`{operand}`")
        fit.complain("operand-kind", f"{what} is no address: `{fit.opcode}` takes a register or a variable here", path)
    elif space not in (bases or GENERIC):
        named = " or ".join(f"`{s}`" for s in spaces if s in SPACES) or "a generic address"
        fit.complain("state-space", f"`{{operand}}` is in `{space}`, but `{fit.opcode}` asks for {named} here", path)
    elif bare.startswith(".param.entry:") and slot.access is not Access.READ:
        fit.complain("state-space", "`{operand}` is a parameter of the kernel, which cannot be written", path)


def _fit_value(
    fit: Fit, slot: Slot, kind: str, path: tuple[int, ...], element: bool = False, signed: bool = False
) -> None:
    """One value: a register, a constant or a name."""
    if kind == UNKNOWN:
        return
    if kind == SINK:
        _fit_sink(fit, slot, path)
    elif kind[0] in "-!~":
        _fit_signed(fit, slot, kind, path, element)
    elif "minus" in slot.flags and not signed:
        fit.complain("negation", f"`{slot.role}` of `{fit.opcode}` is negated as well, or none of them is", path)
    elif "@" in kind and not _may_select(slot, kind):
        _refuse_selector(fit, slot, kind, path)
    elif kind[0] in "{[(" or "|" in kind:
        _fit_brackets(fit, slot, kind, path)
    elif kind.startswith(".v") and kind[2:3].isdigit():
        text = f"`{{operand}}` is a vector, but `{slot.role}` of `{fit.opcode}` takes one value"
        fit.complain("vector-size", text, path)
    elif kind.endswith("+") and kind[:-1] in TYPES:
        _fit_sum(fit, slot, kind, path)
    elif not any(_accepts(fit, slot, want, kind, element) for want in slot.kinds):
        _refuse(fit, slot, kind, path)
    else:
        _oblige(fit, slot, kind, path)


def _fit_sum(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    """A register plus a constant as a value: ptxas takes it whatever its type (observed: ptxas 13.5)."""
    if TYPES[kind[:-1]].letter == "f":
        fit.complain("crashes-assembler", "the assembler dies on `{operand}`: a sum is no operand", path)
    elif slot.access is not Access.READ:
        fit.complain("operand-kind", f"`{slot.role}` of `{fit.opcode}` is a result: it takes no sum", path)
    elif {"reg", "plain", *SELECTORS} & slot.flags or not any(_is_integral(resolve(fit.match, w)) for w in slot.kinds):
        _refuse(fit, slot, kind[:-1], path)


def _is_integral(kind: str) -> bool:
    return kind in STRICT or (kind in TYPES and kind not in HANDLES)


def _fit_sink(fit: Fit, slot: Slot, path: tuple[int, ...]) -> None:
    if "_!" in slot.kinds:
        text = f"the assembler dies on `_` as `{slot.role}` of `{fit.opcode}`: name a register"
        fit.complain("crashes-assembler", text, path)
    elif SINK not in slot.kinds:
        fit.complain("sink", f"`{slot.role}` of `{fit.opcode}` cannot be discarded with `_`", path)


def _fit_signed(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...], element: bool) -> None:
    if _may_have_sign(fit, slot, kind[0]) and kind[1] not in "-!~":
        _fit_value(fit, slot, kind[1:], path, element, signed=True)
    else:
        text = f"`{slot.role}` of `{fit.opcode}` cannot be negated with `{kind[0]}`"
        fit.complain("negation", text, path)


def _may_select(slot: Slot, kind: str) -> bool:
    return any(selects(flag, kind.partition("@")[2]) for flag in slot.flags)


def _refuse_selector(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    allowed = next((EXAMPLES[f] for f in slot.flags if f in EXAMPLES), "no selector")
    text = f"`{slot.role}` of `{fit.opcode}` takes {allowed} here, not `.{kind.partition('@')[2]}`"
    fit.complain("operand-kind", text, path)


def _may_have_sign(fit: Fit, slot: Slot, sign: str) -> bool:
    if sign == "!" and slot.access is Access.READ:
        return "predicate" in slot.flags or any(resolve(fit.match, k) in ("pred", ".pred") for k in slot.kinds)
    return sign == "-" and "neg" in slot.flags


def _fit_brackets(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    if kind.startswith("{") and slot.arity:
        inside = split_kind(kind[1:-1])
        if len(inside) == 1 and inside[0][:1] != "{":
            _fit_value(fit, slot, inside[0], (*path, 0), element=False)
            return
    what = {"{": "a vector", "[": "an address", "(": "a list"}.get(kind[0], "a pair")
    code = "vector-size" if what == "a vector" else "operand-kind"
    fit.complain(code, f"`{{operand}}` is {what}, but `{slot.role}` of `{fit.opcode}` takes one value", path)


def _accepts(fit: Fit, slot: Slot, want: str, kind: str, element: bool) -> bool:
    """Whether one of the kinds that a slot takes covers this one."""
    want = resolve(fit.match, want)
    if want == "any" or want == kind:
        return True
    if want in ("imm", "fimm"):
        return kind.startswith("int") if want == "imm" else kind in FLOATS
    if want in HANDLES:
        return kind in (".b64", ".u64", ".s64")
    if kind.startswith("%"):
        return slot.access is Access.READ and _special_fits(slot, want, kind[1:], element)
    if want in SPACES:
        return ":" in kind and _space_of(kind) == SPACES[want].base
    bare = kind.partition("@")[0]
    if bare in TYPES and "same" in slot.flags:
        return bare == want
    if bare in TYPES:
        also = bare == ".pred" and "predicate" in slot.flags
        return also or register_fits(want, bare, slot.relaxed, element and "exact" not in slot.flags)
    if slot.access is not Access.READ:
        return False
    if kind.startswith("int") or kind in FLOATS:
        constant = "int" if kind.startswith("int") else kind
        refused = "reg" in slot.flags or ("hex" in slot.flags and kind != "single")
        return not refused and constant_fits(want, constant)
    return _accepts_name(fit, slot, want, kind)


def _special_fits(slot: Slot, want: str, kind: str, element: bool) -> bool:
    """Whether a special register of that type may stand there: where it may at all, and in every vector.

    `%tid` and its like were 16 bits wide before PTX ISA 2.0, and ptxas still lets 16-bit types read them.
    """
    if element:
        return register_fits(want, _type_of(kind))
    old = kind == ".u32" and want in (".b16", ".u16", ".s16")
    return "sreg" in slot.flags and (old or register_fits(want, _type_of(kind), slot.relaxed))


def _space_of(kind: str) -> str:
    """The state space of a variable's kind, `.global:.b8`, `.param.entry:.b64`."""
    return "." + kind.split(":")[0].split(".")[1]


def _accepts_name(fit: Fit, slot: Slot, want: str, kind: str) -> bool:
    """Names as values: where ptxas takes a variable, `variable+4` and a function (observed: ptxas 13.5)."""
    if any(resolve(fit.match, k) in SPACES for k in slot.kinds):
        return False
    if want in STRICT:
        return ":" in kind and kind.endswith("+") and not {"reg", "plain", "unnamed"} & slot.flags
    type_ = TYPES.get(want)
    if type_ is None or {"reg", "plain"} & slot.flags or (kind.endswith("+") and SELECTORS.keys() & slot.flags):
        return False
    if kind.rstrip("+") in ("func", "entry"):
        return type_.letter != "p"
    if ":" not in kind:
        return False
    return type_.letter in "bsu" and (kind.endswith("+") or "symbol" in slot.flags)


def _type_of(kind: str) -> str:
    return kind if kind in TYPE_WORDS else ""


def _refuse(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    takes = _takes(fit, slot)
    where = f"`{slot.role}` of `{fit.opcode}`"
    bare = kind.partition("@")[0]
    if kind.startswith("%"):
        text = f"{where} cannot read the special register `{{operand}}`: `mov` it into a register first"
        if "sreg" in slot.flags:
            text = f"`{{operand}}` is a special register of type `{kind[1:]}`, but {where} takes {takes}"
        fit.complain("special-register", text, path)
    elif slot.access is not Access.READ and bare not in TYPES:
        fit.complain("operand-kind", f"{where} is a result: it takes {takes}, not `{{operand}}`", path)
    elif kind.startswith("int") or kind in FLOATS:
        what = "an integer constant" if kind.startswith("int") else "a float constant"
        fit.complain("immediate-type", f"`{{operand}}` is {what}, but {where} takes {takes}", path)
    elif bare in TYPES and bare not in HANDLES:
        fit.complain("operand-type", f"`{{operand}}` is {{declared}}, but {where} takes {takes}", path)
    else:
        what = NAMED_KINDS.get(kind, "a variable" if ":" in kind else "no register")
        fit.complain("operand-kind", f"`{{operand}}` is {what}, but {where} takes {takes}", path)


def _takes(fit: Fit, slot: Slot) -> str:
    constants = slot.access is Access.READ and not slot.flags & {"reg", "hex"}
    kinds = [resolve(fit.match, k) for k in slot.kinds if k not in ("_", "_!")]
    told = [NAMED_KINDS.get(k) or _variable_of(k) or describe_slot(k, constants, slot.relaxed) for k in kinds if k]
    return " or ".join(dict.fromkeys(told))


def _variable_of(kind: str) -> str:
    return f"a `{kind}` variable" if kind in SPACES else ""


DUTIES = {
    Bound.RANGE: Duty.RANGE,
    Bound.MULTIPLE: Duty.MULTIPLE,
    Bound.ONE_OF: Duty.ONE_OF,
    Bound.POWER_OF_TWO: Duty.POWER_OF_TWO,
    Bound.SHIFT: Duty.SHIFT_COUNT,
    Bound.FRACTION: Duty.FRACTION,
}


def _oblige(fit: Fit, slot: Slot, kind: str, path: tuple[int, ...]) -> None:
    """What the value of a constant must still show."""
    is_integer = kind.startswith("int")
    if not is_integer and kind not in FLOATS:
        return
    if slot.limit and is_integer != (slot.limit.bound is Bound.FRACTION):
        fit.obligations.append(_obligation(fit, slot, slot.limit, path))
        return
    width = max((slot_width(resolve(fit.match, k)) for k in slot.kinds), default=0)
    if is_integer and 1 < width < int(kind[3:]):
        fit.obligations.append(Obligation(Duty.FITS, path, slot.role, bits=width))


def _obligation(fit: Fit, slot: Slot, limit: Limit, path: tuple[int, ...]) -> Obligation:
    bits = 0
    if limit.bound is Bound.SHIFT:
        words = [w for e, w in zip(fit.match.form.elements, fit.match.places, strict=True) if w >= 0 and e.words]
        types = [TYPES[fit.match.words[w]].bits for w in words if fit.match.words[w] in TYPES]
        bits = types[-1] if types else 0
    return Obligation(
        DUTIES[limit.bound],
        path,
        slot.role,
        limit.low,
        limit.high,
        limit.step,
        bits,
        limit.values,
        limit.modulo,
    )
