"""Whether the operands of an instruction fit the slots of a form, by their kinds: at most one complaint per operand."""

from ptx_lsp.isa.forms import Access, OperandShape, Slot
from ptx_lsp.isa.intended_words import operands_habit
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.vector_counts import arity, spelled_out
from ptx_lsp.judgement.addresses import fit_address
from ptx_lsp.judgement.conformance import constant_fits
from ptx_lsp.judgement.fit import Fit, Path, has_slot, may_be_left_out, resolve, split_kind
from ptx_lsp.judgement.kinds import SINK, UNKNOWN, is_vector_register
from ptx_lsp.judgement.matched_forms import FittingKinds, Layout, MatchedForm, element_counts, stated_count
from ptx_lsp.judgement.values import NAMED_KINDS, accepts, fit_value, may_be_negated, refuse, refuse_selector
from ptx_lsp.judgement.vectors import (
    CONSTANTS,
    FLOATS,
    WIDE,
    alike,
    all_counted,
    begun_kind,
    beside_constant,
    counted_as,
    first_mismatch,
    is_element,
    is_refused_alone,
    is_refused_first,
    is_selectable,
    of_width,
    takes_sum,
    vector_kind,
    without_selector,
)
from ptx_lsp.judgement.verdict import Complaint, Part

_FIRST, _MOVED = (0,), (2,)
_IGNORED_SIGNS = frozenset(("-.b32", "-.s32", "-.u32"))
_WITH_SINK = "|" + SINK
_NO_CONSTANT = frozenset(("reg", "summed", "hex", "exact", "sized"))
_NAMES = NAMED_KINDS.keys() - CONSTANTS.keys()


def fit_operands(matched: MatchedForm, kinds: tuple[str, ...]) -> Fit:
    """Assign operands of these kinds to the slots of a matched form in the way that fits best."""
    best: Fit | None = None
    ignored = len(kinds) > 2 and kinds[1][:1] == "-" and _has_ignored_signs(kinds)
    if ignored:
        kinds = (kinds[0], kinds[1][1:], kinds[2][1:], *kinds[3:])
    for layout in matched.layouts(len(kinds)):
        fit = Fit(matched.match, matched.opcode, layout.slots, layout.verdict)
        _fit_all(fit, layout, kinds)
        if best is None or fit.cost < best.cost:
            best = fit
        if not best.cost:
            break
    if best is None:
        return _miscounted(matched, kinds)
    best.ignores_signs = ignored and not best.complaints and not may_be_negated(best.slots)
    return best


def _fit_all(fit: Fit, layout: Layout, kinds: tuple[str, ...]) -> None:
    given = fit.given
    for index, (slot, kind, fitting) in enumerate(zip(layout.slots, kinds, layout.fitting, strict=True)):
        known = fitting.get(kind)
        if known is None:
            _fit_and_remember(fit, slot, kind, index, fitting)
            continue
        given[slot.role] = (index,)
        for name, inside in known:
            given[name] = (index, *inside)


def _fit_and_remember(fit: Fit, slot: Slot, kind: str, index: int, fitting: FittingKinds) -> None:
    """Compare one kind with one slot. If it fits and nothing else is to be said, that is true of every statement.

    After a complaint about another operand it is not certain, because some comparisons are not made then.
    """
    given, checks = fit.given, len(fit.operand_checks)
    fit.given = {}
    _fit(fit, slot, kind, (index,))
    plain = not fit.complaints and len(fit.operand_checks) == checks and not fit.results and not fit.passed
    more = [(name, path[1:]) for name, path in fit.given.items() if name != slot.role or len(path) > 1]
    # whether such a sink fits depends on its place; what is given beside the role of a value has the role in its name
    if plain and not kind.endswith(_WITH_SINK) and not (more and slot.shape is OperandShape.VALUE):
        fitting[kind] = tuple(more)
    given |= fit.given
    fit.given = given


def _has_ignored_signs(kinds: tuple[str, ...]) -> bool:
    """Whether the first two sources have signs that cancel out: only integers of 32 bits (observed: ptxas 13.5)."""
    return all(kind.partition("@")[0] in _IGNORED_SIGNS for kind in kinds[1:3])


def _miscounted(matched: MatchedForm, kinds: tuple[str, ...]) -> Fit:
    match, opcode, count = matched.match, matched.opcode, len(kinds)
    slots = tuple(s for s in match.form.slots if has_slot(match, s))
    needed = tuple(s for s in slots if not may_be_left_out(s))
    cost = 10 + min(abs(len(needed) - count), abs(len(slots) - count))
    fit = Fit(match, opcode, slots, matched.verdict(slots), cost)
    low, high = len(needed), len(slots)
    number = f"{low or 'no'}" if low == high else f"{low} or {high}" if high == low + 1 else f"{low} to {high}"
    names = ", ".join(f"`{s.role}`" for s in slots)
    surplus = _surplus(matched, kinds, high)
    text = f"`{opcode}` takes {number} operand{'s' if number != '1' else ''}"
    text += f" ({names}), found {count}" if names else f", found {count}"
    text += _why_miscounted(matched, kinds, low, surplus)
    fit.complaints.append(Complaint("operand-count", text, Part.OPERANDS, surplus))
    return fit


def _why_miscounted(matched: MatchedForm, kinds: tuple[str, ...], least: int, surplus: Path) -> str:
    """The end of a sentence about a wrong number of operands: the one that is missing, or the guard that is first."""
    if surplus == (0, 0) and kinds[0] == ".pred":
        return ": a condition is a guard before the instruction, `@` and the predicate"
    first = matched.match.form.slots[0] if matched.match.form.slots else None
    if surplus == (1, 1) and kinds[1] == ".pred" and first is not None and first.shape is OperandShape.PAIR:
        return f": a bar joins two results, `{first.role}`"
    if len(kinds) != least - 1:
        return ""
    fits = [fit_operands(matched, (*kinds[:place], UNKNOWN, *kinds[place:])) for place in range(least)]
    places = [place for place, fit in enumerate(fits) if not fit.complaints]
    if len(places) == 1:
        return f": `{fits[places[0]].slots[places[0]].role}` is missing"
    habit = operands_habit(matched.opcode) if kinds else None
    return f": is {habit.message} missing?" if habit is not None else ""


def _surplus(matched: MatchedForm, kinds: tuple[str, ...], most: int) -> Path:
    """The indices of the first and the last operand that an instruction does not take; empty if there are not too many.

    It takes `most` operands. If there is one more, it is the last one without which the others fit.
    """
    count = len(kinds)
    if count == most + 1 and most:
        for index in reversed(range(count)):
            if not fit_operands(matched, (*kinds[:index], *kinds[index + 1 :])).complaints:
                return index, index
    return (most, count - 1) if count > most else ()


def _fit(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Compare one kind with one slot. The recursion is as deep as the slot, never as deep as the kind."""
    fit.given[slot.role] = path
    if path == _FIRST and slot.shape is not OperandShape.PAIR and kind.endswith(_WITH_SINK) and kind[0] not in "{_":
        kind, path = kind.removesuffix(_WITH_SINK), (*path, 0)  # every instruction takes it (observed: ptxas 13.5)
    if kind == UNKNOWN:
        return
    if slot.shape is OperandShape.ADDRESS:
        for part, inside, place in fit_address(fit, slot, kind, path):
            _fit(fit, part, inside, place)
    elif slot.shape is OperandShape.PAIR:
        _fit_pair(fit, slot, kind, path)
    elif slot.shape is OperandShape.VECTOR:
        _fit_vector(fit, slot, kind, path)
    elif slot.parts:
        _fit_parts(fit, slot.parts, split_kind(kind[1:-1]), path)
    else:
        fit_value(fit, slot, kind, path, element=False)


def _fit_parts(fit: Fit, slots: tuple[Slot, ...], kinds: list[str], path: Path) -> None:
    for index, (slot, kind) in enumerate(zip(slots, kinds, strict=False)):
        _fit(fit, slot, kind, (*path, index))


def _fit_pair(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    halves = split_kind(kind, "|")
    if halves == [SINK, SINK]:
        fit.complain("sink", f"only one of the two results of `{fit.opcode}` can be discarded", (*path, 1))
    elif len(halves) == 2:
        _fit_parts(fit, slot.parts, halves, path)
    elif slot.parts[1].optional:
        _fit(fit, slot.parts[0], kind, path)
    else:
        first, second = slot.parts
        fit.complain("operand-kind", f"`{fit.opcode}` writes two results, `{first.role}|{second.role}`, here", path)


def _fit_vector(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    if kind[0] == "{" and kind[-1] != "}":
        fit.complain("operand-kind", f"`{slot.role}` of `{fit.opcode}` is one result, not two", path)
        return
    if slot.parts and "scalar" in slot.flags and kind[0] != "{" and (whole := _without_parts(slot, kind)):
        slot = whole
    wanted = element_counts(slot.parts) if slot.parts else arity(fit.match, slot.arity)
    if is_vector_register(kind) and takes_sum(slot, kind, wanted):
        return
    if wanted == (0,) or (
        "scalar" in slot.flags and not slot.parts and kind[0] != "{" and not is_vector_register(kind)
    ):
        _fit_one_value(fit, slot, kind, path)
        return
    if "moved" in slot.flags and wanted == _MOVED:
        kinds = tuple([want for want in slot.kinds if want != SINK])
        slot = slot._replace(kinds=kinds, flags=slot.flags | {"called"})
    if is_vector_register(kind) and slot.flags & {"each", "braced"}:
        fit.complain("operand-kind", f"`{slot.role}` of `{fit.opcode}` takes its registers in braces, one by one", path)
        return
    have, stated = _elements(slot, kind), stated_count(fit.match)
    if have is None:
        instead = f", not {'an address' if kind[0] == '[' else 'one value'}"
        braces = ": write `{{{operand}}}`" if wanted == (1,) and kind[0] not in "_[" else instead
        fit.complain("vector-size", f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)}{braces}", path)
    elif stated and stated not in wanted and not fit.complaints:
        fit.complain("vector-size", f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)}, not {stated}", path)
    elif len(have) not in wanted:
        why = f" ({sum_})" if (sum_ := spelled_out(fit.match, slot.arity)) else ""
        text = f"`{slot.role}` of `{fit.opcode}` takes {_count(wanted)}{why}, found {len(have)}"
        fit.complain("vector-size", text, path)
    elif slot.parts:
        _fit_different_elements(fit, slot, have, path)
    elif kind.startswith("%"):
        fit_value(fit, slot, have[0], path, element=False)
    else:
        _fit_elements(fit, slot, kind, have, path)


def _fit_one_value(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Compare an operand with the slot of a vector that may be one value."""
    only = _only_element(slot, kind)
    if kind == SINK:
        fit.complain("sink", f"`{slot.role}` of `{fit.opcode}` cannot be discarded with `_`", path)
    elif "integer" in slot.flags and kind == ".b32":
        text = f"`{{operand}}` is untyped, but as one value `{slot.role}` of `{fit.opcode}` is `.s32` or `.u32`"
        fit.complain("operand-type", text, path)
    elif only:
        _fit_elements(fit, slot, kind, [only], path)
    elif "held" in slot.flags:
        more = {"reg"} if kind.endswith("+") else {"reg", "code"}
        fit_value(fit, slot._replace(flags=slot.flags | more), kind, path, element=False)
    else:
        fit_value(fit, slot, kind, path, element=False)


def _elements(slot: Slot, kind: str) -> list[str] | None:
    """The kinds of the elements of an operand in the slot of a vector; None if it is no vector."""
    if is_vector_register(kind):
        return [kind[3:]] * int(kind[2])
    if kind.startswith("%.v") and "sreg" in slot.flags:
        # the other widths of its elements count where a modifier says `.v4`, not where they are packed
        packed = not any(word.startswith(".") for word in slot.arity) and not kind.endswith("+")
        return ["%" + (kind.partition("/")[0] if packed else kind)[4:]] * int(kind[3])
    if not kind.startswith("{"):
        return None
    have = split_kind(kind[1:-1]) if kind != "{}" else []  # `{}`: the first element is not an operand
    return all_counted(have, slot) if ":" in kind else have


def _fit_different_elements(fit: Fit, slot: Slot, have: list[str], path: Path) -> None:
    """Compare the elements of a vector with the different parts of its slot, and with each other."""
    if beside_constant(have):
        index = next(i for i, element in enumerate(have) if "@" in element)
        refuse_selector(fit, slot, have[index], (*path, index))
        return
    if "scalar" in slot.flags and not any("exact" in part.flags for part in slot.parts):
        have = [without_selector(element) for element in have]
    if have[0] in CONSTANTS and "scalar" in slot.flags:
        have = [of_width(element, 32) for element in have]
    elif "alike" in slot.flags:
        have = alike(have)
    for index, (part, element) in enumerate(zip(slot.parts, have, strict=False)):
        fit_value(fit, part, element, (*path, index), element=True)
    if not fit.complaints:
        _compare_parts(fit, slot, have, path)


def _without_parts(slot: Slot, kind: str) -> Slot | None:
    """The slot of one value or a vector register in place of a vector of parts: of the last part's last type.

    Observed with ptxas 13.5: no vector register where the elements are compared with their very types.
    """
    last = slot.parts[-1]
    if kind == SINK or ("exact" in last.flags and is_vector_register(kind)):
        return None
    counts = "|".join(map(str, element_counts(slot.parts)))
    flags = frozenset(("scalar", "held")) if "held" in slot.flags else frozenset(("scalar",))
    return last._replace(
        shape=OperandShape.VECTOR,
        kinds=last.kinds[-1:],
        arity=tuple(counts),
        optional=False,
        flags=flags,
    )


def _compare_parts(fit: Fit, slot: Slot, have: list[str], path: Path) -> None:
    """Compare the elements of a vector of different parts; the class of the first one does not matter."""
    whole = vector_kind(have)
    if (other := first_mismatch(have[1:])) >= 0:
        _refuse_nature(fit, slot, (*path, other + 1))
    elif whole is not None and whole.other_width >= 0:
        _refuse_width(fit, slot, (*path, whole.other_width))


def _only_element(slot: Slot, kind: str) -> str:
    """The one value in the braces of a vector, empty if these are not allowed or hold anything else."""
    if not kind.startswith("{") or kind[1] in "{}" or not slot.arity or "unbraced" in slot.flags:
        return ""
    inside = split_kind(kind[1:-1])
    return counted_as(inside[0]) if len(inside) == 1 else ""


def _fit_elements(fit: Fit, slot: Slot, kind: str, have: list[str], path: Path) -> None:
    places = [(*path, i) if kind.startswith("{") else path for i in range(len(have))]
    beside = beside_constant(have)
    for element in dict.fromkeys(have):
        place, before = places[have.index(element)], fit.cost
        if element.endswith("+") or element in _NAMES:
            refuse(fit, slot, element.rstrip("+"), place)
        elif is_refused_alone(slot, element) or (element == have[0] and is_refused_first(slot, element)):
            refuse(fit, slot, element, place)
        elif "@" in element and (beside or "called" in slot.flags or not is_selectable(element)):
            refuse_selector(fit, slot, element, place)
        elif "each" in slot.flags:
            fit_value(fit, slot, element, place)
        elif not is_element(element) or (element in CONSTANTS and slot.access is not Access.READ):
            fit_value(fit, slot, element, place, element=True)
        if fit.cost > before:
            return
    whole = vector_kind(have)
    if have.count(SINK) == len(have):
        fit.complain("sink", f"every element of `{slot.role}` is discarded: keep one of them", path)
    elif have[0] == SINK and CONSTANTS.keys() >= set(have) - {SINK}:
        fit.complain("sink", f"`{slot.role}` begins with `_`: another element has to be a register", path)
    elif "joined" in slot.flags and WIDE.issuperset(have):
        fit.complain("immediate-type", f"`{slot.role}` has no register: `mov` one of its constants into one", path)
    if whole is None or UNKNOWN in have:
        return
    if slot.access is Access.READ and have[0] in CONSTANTS and len(have) > 1:
        kind, decider = begun_kind(have)
        mixed = decider or ".f64" in [resolve(fit.match, want) for want in slot.kinds]
        if whole.kind not in CONSTANTS or (mixed and "sized" not in slot.flags):
            _fit_begun(fit, slot, have, places, kind, decider)
            return
    if whole.other_width >= 0:
        _refuse_one_of_two_widths(fit, slot, have, places, whole.other_width)
    elif whole.other_nature >= 0:
        _refuse_nature(fit, slot, places[whole.other_nature])
    else:
        fit_value(fit, slot, whole.kind, places[whole.decider], element=True)


def _fit_begun(fit: Fit, slot: Slot, have: list[str], places: list[Path], kind: str, decider: int) -> None:
    """Compare a vector that begins with a constant and has other elements too (observed: ptxas 13.5).

    `kind` is that of the vector, `decider` the index of the element that has it, as `begun_kind` gives them.
    """
    if (other := first_mismatch(have)) >= 0:
        _refuse_nature(fit, slot, places[other])
        return
    wanted = [resolve(fit.match, want) for want in slot.kinds]
    if not slot.flags & _NO_CONSTANT and any(_takes_constant(want, have[0], kind) for want in wanted):
        return
    if any(want in TYPES and TYPES[want].letter == "b" for want in wanted):
        slot = slot._replace(relaxed=False)
    if decider or accepts(fit, slot, kind):
        fit_value(fit, slot, kind, places[decider], element=True)
    else:
        refuse(fit, slot, have[0], places[0])


def _takes_constant(want: str, constant: str, kind: str) -> bool:
    """Whether a type takes a vector because it takes the constant at its begin; `kind` is that of the vector."""
    letter = TYPES[want].letter if want in TYPES else ""
    if constant in FLOATS:
        return want == "fimm" or (letter == "f" and constant_fits(want, constant))
    return (letter == "f" and TYPES[kind].letter == "b") or constant_fits(want, "int")


def _refuse_nature(fit: Fit, slot: Slot, path: Path) -> None:
    text = f"`{{operand}}` does not go with the element before it in `{slot.role}`: a vector holds integers or floats"
    fit.complain("operand-type", text, path)


def _refuse_one_of_two_widths(fit: Fit, slot: Slot, have: list[str], places: list[Path], other: int) -> None:
    """Report that elements have two widths, at the element that the slot would not take by itself."""
    wrong = next((i for i, element in enumerate(have) if not accepts(fit, slot, element)), -1)
    if wrong >= 0:
        refuse(fit, slot, have[wrong], places[wrong])
    else:
        _refuse_width(fit, slot, places[other])


def _refuse_width(fit: Fit, slot: Slot, path: Path) -> None:
    text = f"`{{operand}}` has another width than the other elements of `{slot.role}`"
    fit.complain("vector-size", text, path)


def _count(wanted: tuple[int, ...]) -> str:
    number = " or ".join(map(str, wanted))
    return f"a vector of {number} element{'s' if number != '1' else ''}"
