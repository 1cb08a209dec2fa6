"""Whether one value (a register, a constant or a name) fits a slot, and which checks are left to the statement."""

from ptx_lsp.isa.forms import AS_CODE, Access, Bound, Limit, Slot
from ptx_lsp.isa.selectors import EXAMPLES, SELECTORS, selects
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import OPAQUE_TYPES, TYPE_WORDS, TYPES
from ptx_lsp.judgement.conformance import STRICT, constant_fits, describe_slot, register_fits, slot_width, sum_fits
from ptx_lsp.judgement.fit import Fit, Path, resolve
from ptx_lsp.judgement.kinds import ELEMENT, LOCAL_PARAMETER, SINK, UNKNOWN, declared_type, is_vector_register
from ptx_lsp.judgement.vectors import FLOATS, counted_bits
from ptx_lsp.judgement.verdict import OperandCheck, OperandCheckKind

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
CODE = AS_CODE.keys()
FITTING_ALONE = frozenset(("alone", "predicate"))
NO_ELEMENTS = SELECTORS.keys() | {"entire", "whole"}
CHECK_KINDS = {
    Bound.RANGE: OperandCheckKind.RANGE,
    Bound.MULTIPLE: OperandCheckKind.MULTIPLE,
    Bound.ONE_OF: OperandCheckKind.ONE_OF,
    Bound.POWER_OF_TWO: OperandCheckKind.POWER_OF_TWO,
    Bound.SHIFT: OperandCheckKind.SHIFT_COUNT,
    Bound.FRACTION: OperandCheckKind.FRACTION,
    Bound.AT_MOST: OperandCheckKind.AT_MOST,
}


def fit_value(fit: Fit, slot: Slot, kind: str, path: Path, element: bool = False, signed: bool = False) -> None:
    """Compare one value with a slot: a register, a constant or a name.

    `element` is true for an element of a vector, `signed` is true if a sign before the value has been accepted.
    """
    if kind == UNKNOWN:
        return
    if "passed" in slot.flags and (kind.endswith("+") or kind in CODE):
        fit.passed.append((path, f"`{slot.role}` of `{fit.opcode}` as a {'name' if kind in CODE else 'sum'}"))
    if kind == SINK:
        _fit_sink(fit, slot, path)
    elif kind[0] in "-!~":
        _fit_signed(fit, slot, kind, path, element)
    elif "minus" in slot.flags and not signed:
        fit.complain("negation", f"`{slot.role}` of `{fit.opcode}` is negated as well, or none of them is", path)
    elif kind[0] in "{[(" or "|" in kind:
        _fit_brackets(fit, slot, kind, path)
    elif "@" in kind and not _may_select(slot, kind):
        refuse_selector(fit, slot, kind, path)
    elif is_vector_register(kind):
        text = f"`{{operand}}` is a vector, but `{slot.role}` of `{fit.opcode}` takes one value"
        fit.complain("vector-size", text, path)
    elif kind.startswith(LOCAL_PARAMETER) and not kind.endswith(("+", ELEMENT)):
        refuse_address_of_argument(fit, path)
    elif kind.endswith("+") and kind[:-1] not in OPAQUE_TYPES and declared_type(kind[:-1]) in TYPES:
        _fit_sum(fit, slot, kind, path)
    elif not any(_accepts(fit, slot, want, kind, element) for want in slot.kinds):
        refuse(fit, slot, kind, path)
    else:
        if kind.startswith(".param.result:") and not element and not kind.endswith(("+", ELEMENT)):
            fit.results.append(path)
        if kind in CODE:
            fit.given[f"{slot.role} {AS_CODE[kind]}"] = path
        _add_operand_checks(fit, slot, kind, path)


def _fit_sum(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Compare a register plus a constant with a slot. A special register counts as bits (observed: ptxas 13.5)."""
    type_ = counted_bits(kind[:-1])
    if slot.access is not Access.READ:
        fit.complain("operand-kind", f"`{slot.role}` of `{fit.opcode}` is a result: it takes no sum", path)
    elif (
        {"reg", "plain", "whole", *SELECTORS} & slot.flags
        or ("general" in slot.flags and kind.startswith("%"))
        or ("narrow" in slot.flags and register_fits(".i64", type_))
        or not any(_sum_fits(slot, resolve(fit.match, want), type_) for want in slot.kinds)
    ):
        refuse(fit, slot, kind[:-1], path)


def _sum_fits(slot: Slot, want: str, type_: str) -> bool:
    if "same" in slot.flags or ("bits" in slot.flags and TYPES[type_].letter == "b"):
        return type_ == want or "same" not in slot.flags
    if FITTING_ALONE & slot.flags:
        return (type_ == ".pred" and "predicate" in slot.flags) or register_fits(want, type_)
    return sum_fits(want, type_)


def _fit_sink(fit: Fit, slot: Slot, path: Path) -> None:
    if "_!" in slot.kinds:
        text = f"the assembler crashes on `_` as `{slot.role}` of `{fit.opcode}`: name a register"
        fit.complain("crashes-assembler", text, path)
    elif SINK not in slot.kinds:
        fit.complain("sink", f"`{slot.role}` of `{fit.opcode}` cannot be discarded with `_`", path)


def _fit_signed(fit: Fit, slot: Slot, kind: str, path: Path, element: bool) -> None:
    """Compare a value with a sign: allowed if the row says so, and never in a vector (observed: ptxas 13.5)."""
    if not element and _may_have_sign(fit, slot, kind) and kind[1] not in "-!~":
        fit_value(fit, slot, kind[1:], path, element, signed=True)
    else:
        text = f"`{slot.role}` of `{fit.opcode}` cannot be negated with `{kind[0]}`"
        fit.complain("negation", text, path)


def _may_select(slot: Slot, kind: str) -> bool:
    return any(selects(flag, kind.partition("@")[2]) for flag in slot.flags)


def refuse_selector(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Add the complaint about a selector that a slot does not take."""
    allowed = next((EXAMPLES[f] for f in slot.flags if f in EXAMPLES), "no selector")
    text = f"`{slot.role}` of `{fit.opcode}` takes {allowed} here, not `.{kind.partition('@')[2]}`"
    fit.complain("operand-kind", text, path)


def refuse_address_of_argument(fit: Fit, path: Path) -> None:
    """Add the complaint about the address of a variable that a body declares for calls."""
    text = "the address of `{operand}` cannot be taken: it is a `.param` variable for calls"
    fit.complain("state-space", text, path)


def may_be_negated(slots: tuple[Slot, ...]) -> bool:
    """Whether a minus has a meaning in one of these slots."""
    return any({"neg", "minus"} & slot.flags for slot in slots)


def _may_have_sign(fit: Fit, slot: Slot, kind: str) -> bool:
    if kind[0] == "!" and slot.access is Access.READ:
        also = kind == "!.pred" and "predicate" in slot.flags
        return also or any(resolve(fit.match, k) in ("pred", ".pred") for k in slot.kinds)
    return kind[0] == "-" and "neg" in slot.flags


def _fit_brackets(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    what = {"{": "a vector", "[": "an address", "(": "a list"}.get(kind[0], "a pair")
    code = "vector-size" if what == "a vector" else "operand-kind"
    text = f"`{{operand}}` is {what}, but `{slot.role}` of `{fit.opcode}` takes one value"
    if what == "an address" and "label" in slot.kinds:
        text = f"`{{operand}}` is in brackets, but `{fit.opcode}` takes a label"
    elif what == "an address" and slot.access is Access.READ:
        text = f"`{fit.opcode}` does not read memory: load `{{operand}}` with `ld` first"
    fit.complain(code, text, path, cost=2)


def accepts(fit: Fit, slot: Slot, element: str) -> bool:
    """Whether the slot of a vector takes this element if it is the only one."""
    return element == UNKNOWN or any(_accepts(fit, slot, want, element, True) for want in slot.kinds)


def _accepts(fit: Fit, slot: Slot, want: str, kind: str, element: bool) -> bool:
    """Whether this kind fits `want`, one of the kinds that a slot takes."""
    want = resolve(fit.match, want)
    if want == "any" or want == kind:
        return True
    if want in ("imm", "fimm"):
        return kind.startswith("int") if want == "imm" else kind in FLOATS
    if want in OPAQUE_TYPES and "named" in slot.flags:
        return kind.removesuffix("+") == want
    if want in OPAQUE_TYPES:
        return kind in (".b64", ".u64", ".s64")
    if kind.startswith("%"):
        return slot.access is Access.READ and _special_fits(slot, want, kind[1:], element)
    if want in SPACES:
        return ":" in kind and space_of(kind) == SPACES[want].base
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
        refused = {"reg", "summed", "same"} & slot.flags or ("hex" in slot.flags and kind != "single")
        return not refused and constant_fits(want, constant)
    return _accepts_name(fit, slot, want, kind)


def _special_fits(slot: Slot, want: str, kind: str, element: bool) -> bool:
    """Whether a special register of that type fits: in slots that take special registers, and in every vector.

    Outside of vectors, it may be read with the other widths that its kind names.
    """
    declared, *others = kind.split("/")
    if element:
        return register_fits(want, _type_of(declared)) or (declared == ".pred" and "predicate" in slot.flags)
    types = [declared, *(f".u{bits}" for bits in others)] if _type_of(declared) else []
    return "sreg" in slot.flags and any(register_fits(want, type_, slot.relaxed) for type_ in types)


def space_of(kind: str) -> str:
    """The state space in the kind of a variable, such as `.global:.b8` or `.param.entry:.b64`."""
    return "." + kind.split(":")[0].split(".")[1]


def _accepts_name(fit: Fit, slot: Slot, want: str, kind: str) -> bool:
    """Whether a slot takes a name as a value: a variable, `variable+4` or a function (observed: ptxas 13.5)."""
    is_code = kind.rstrip("+") in CODE
    if "whole" in slot.flags:
        return False
    if is_code and "code" in slot.flags:
        return True
    if any(resolve(fit.match, k) in SPACES for k in slot.kinds):
        return False
    is_sum = kind.endswith("+") and (":" in kind or kind[:-1] in OPAQUE_TYPES)
    if want in STRICT:
        return is_sum and not {"reg", "plain", "unnamed"} & slot.flags
    type_ = TYPES.get(want)
    if type_ is None or {"reg", "plain"} & slot.flags or (kind.endswith("+") and SELECTORS.keys() & slot.flags):
        return False
    if is_code:
        return not {"unnamed", *FITTING_ALONE} & slot.flags
    if is_sum:
        return type_.letter in "bsu" and "unnamed" not in slot.flags
    return type_.letter in "bsu" and ":" in kind and "symbol" in slot.flags


def _type_of(kind: str) -> str:
    return kind if kind in TYPE_WORDS else ""


def refuse(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Add the complaint about a value that its slot does not take."""
    takes = _takes(fit, slot)
    where = f"`{slot.role}` of `{fit.opcode}`"
    bare = kind.partition("@")[0]
    if kind.startswith("%"):
        text = f"{where} cannot read the special register `{{operand}}`: `mov` it into a register first"
        data: tuple[tuple[str, str], ...] = ()
        if "sreg" in slot.flags and kind.startswith("%.v4") and not kind.endswith("+"):
            text = "`{operand}` is a vector of four values: write `{operand}.x`, `{operand}.y` or `{operand}.z`"
            data = (("meant", "{operand}.x"),)
        elif "sreg" in slot.flags:
            type_ = declared_type(kind.rstrip("+"))
            text = f"`{{operand}}` is a special register of type `{type_}`, but {where} takes {takes}"
        elif slot.access is not Access.READ:
            text = f"{where} is a result: the special register `{{operand}}` can only be read"
        fit.complain("special-register", text, path, data=data)
    elif slot.access is not Access.READ and bare not in TYPES:
        fit.complain("operand-kind", f"{where} is a result: it takes {takes}, not `{{operand}}`", path)
    elif kind.startswith("int") or kind in FLOATS:
        what = "an integer constant" if kind.startswith("int") else "a float constant"
        fit.complain("immediate-type", f"`{{operand}}` is {what}, but {where} takes {takes}", path)
    elif bare in TYPES and bare not in OPAQUE_TYPES:
        fit.complain("operand-type", f"`{{operand}}` is {{declared}}, but {where} takes {takes}", path)
    else:
        if ":" in kind and not kind.endswith("+") and "[]" not in kind:
            space = space_of(kind)
            what = "a parameter" if space == ".param" else f"a `{space}` variable"
            load = f"ld{space}.{kind.rsplit('.', 1)[1].partition('[')[0]}"
            fit.complain("operand-kind", f"`{{operand}}` is {what} in memory: load its value with `{load}` first", path)
            return
        what = NAMED_KINDS.get(kind, "a variable" if ":" in kind else "not a register")
        fit.complain("operand-kind", f"`{{operand}}` is {what}, but {where} takes {takes}", path)


def _takes(fit: Fit, slot: Slot) -> str:
    constants = slot.access is Access.READ and not slot.flags & {"reg", "summed", "hex"}
    kinds = [resolve(fit.match, k) for k in slot.kinds if k not in ("_", "_!")]
    named = [NAMED_KINDS.get(k) or _variable_of(k) or describe_slot(k, constants, slot.relaxed) for k in kinds if k]
    return " or ".join(dict.fromkeys(named))


def _variable_of(kind: str) -> str:
    return f"a `{kind}` variable" if kind in SPACES else ""


def _add_operand_checks(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Add the checks of the value of a constant, and the one that a register is no element of a vector."""
    if kind in TYPES and slot.flags & NO_ELEMENTS:
        fit.operand_checks.append(OperandCheck(OperandCheckKind.WHOLE, path, slot.role))
    is_integer = kind.startswith("int")
    if not is_integer and kind not in FLOATS:
        return
    if slot.limit and is_integer != (slot.limit.bound is Bound.FRACTION):
        fit.operand_checks.append(_operand_check(fit, slot, slot.limit, path))
        if slot.limit.bound is not Bound.AT_MOST:
            return
    types = [resolve(fit.match, k) for k in slot.kinds]
    if not is_integer:
        types = [t for t in types if t in TYPES and TYPES[t].letter == "f"]
    width = max((slot_width(t) for t in types), default=0)
    doubtful = 1 < width < int(kind[3:]) if is_integer else width == (64 if kind == "single" else 32)
    if doubtful:
        fit.operand_checks.append(OperandCheck(OperandCheckKind.FITS, path, slot.role, bits=width))


def _operand_check(fit: Fit, slot: Slot, limit: Limit, path: Path) -> OperandCheck:
    bits = 0
    if limit.bound is Bound.SHIFT:
        words = [w for e, w in zip(fit.match.form.elements, fit.match.places, strict=True) if w >= 0 and e.words]
        types = [TYPES[fit.match.words[w]].bits for w in words if fit.match.words[w] in TYPES]
        bits = types[-1] if types else 0
    return OperandCheck(
        CHECK_KINDS[limit.bound],
        path,
        slot.role,
        limit.low,
        limit.high,
        limit.step,
        bits,
        limit.values,
        limit.modulo,
        next(((i,) for i, s in enumerate(fit.slots) if s.role == limit.other), ()),
    )
