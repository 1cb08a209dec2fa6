"""Whether an address fits a slot: its brackets, its parts, and the register, variable or constant in it."""

from ptx_lsp.isa.forms import GENERIC_ADDRESS, HANDLE, IN_REGISTER, Access, Slot
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import OPAQUE_TYPES, SAMPLER, SURFACE, TEXTURE, TYPES
from ptx_lsp.judgement.conformance import STRICT
from ptx_lsp.judgement.fit import Fit, Path, has_slot, may_be_left_out, resolve, split_kind
from ptx_lsp.judgement.kinds import ARRAY, ELEMENT, LOCAL_PARAMETER, SINK, UNKNOWN, declared_type
from ptx_lsp.judgement.values import NAMED_KINDS, fit_value, refuse_address_of_argument, space_of
from ptx_lsp.judgement.verdict import OperandCheck, OperandCheckKind, parameter_of_function
from ptx_lsp.light_classes import Collection

ADDRESS_BITS = range(8, 65)
WIDE_BITS = (32, 64)
LONG_BITS = (64,)
UNMASKED_BITS = (8, 32, 64)
_BARE = frozenset(("float", "single", "double", "!.pred"))
"""What may be an address without brackets where any register may be one (observed: ptxas 13.5)."""

_SAMPLERS = frozenset((SAMPLER, TEXTURE))
"""The kinds of what is beside a texture in its address."""

NAMES = OPAQUE_TYPES | {"label", "func", "entry", "prototype", "targets"}
"""The kinds of the names that are not variables in memory."""

GENERIC = frozenset((".global", ".shared", ".local"))
"""The spaces whose variables may be a generic address (observed: ptxas 13.5, which refuses `.const` there)."""


Rest = list[tuple[Slot, str, Path]]


def fit_address(fit: Fit, slot: Slot, kind: str, path: Path) -> Rest:
    """Compare an address with its slot; return its other parts, each with its slot, to be compared as operands."""
    if kind.endswith(ELEMENT) and slot.flags & {"element", "bare"}:
        _fit_location(fit, slot, slot.parts[0], kind.removesuffix(ELEMENT) + ARRAY, path)
        return []
    if kind == SINK and "sunk" in slot.flags:
        return []
    if slot.flags & {"bare", "policy", "masked"} and kind[0] not in "{[(_%":
        _fit_bare(fit, slot, kind, path)
        return []
    if not kind.startswith("["):
        data = () if kind.endswith(ELEMENT) else (("meant", "[{operand}]"),)
        fit.complain("operand-kind", _no_brackets(fit, slot, kind), path, data=data)
        return []
    have = split_kind(kind[1:-1])
    parts = _address_parts(fit, slot, len(have))
    if parts is None:
        names = ", ".join(p.role for p in slot.parts)
        fit.complain("operand-kind", f"the address of `{fit.opcode}` is `[{names}]` here", path)
        return []
    if _lacks_sampler(slot, parts, have[0]):
        fit.operand_checks.append(OperandCheck(OperandCheckKind.SAMPLER, (*path, 0), SAMPLER))
    _note_handles(fit, parts, have, path)
    if len(have) > 1 and ":.v" in have[0]:
        text = f"`{{operand}}` is a vector variable, but the address of `{fit.opcode}` takes a variable of one value"
        fit.complain("operand-kind", text, (*path, 0))
        return []
    if len(have) > 1 and have[0].endswith("+"):
        fit.complain("operand-kind", f"`{{operand}}`: the address of `{fit.opcode}` takes no offset here", (*path, 0))
        return []
    if "offset" in parts[0].flags:
        fit_value(fit, parts[0], have[0].removesuffix("+"), (*path, 0))
    elif slot.parts[0].kinds and (slot.parts[0].kinds[0] in OPAQUE_TYPES or slot.parts[0].kinds[0] in STRICT):
        fit_value(fit, parts[0], have[0], (*path, 0))
    else:
        _fit_location(fit, slot, parts[0], have[0], (*path, 0))
    rest: Rest = [(parts[index], have[index], (*path, index)) for index in range(1, len(have))]
    return _without_other_objects(fit, rest) if slot.parts[0].kinds[:1] == (TEXTURE,) else rest


def _without_other_objects(fit: Fit, rest: Rest) -> Rest:
    """Leave textures and surfaces in the place of a sampler to the statement: each module takes them whose `.target`
    does not ask for samplers of their own (observed: ptxas 13.5)."""
    others = [each for each in rest if each[1] in (TEXTURE, SURFACE) and not _SAMPLERS.isdisjoint(each[0].kinds)]
    fit.operand_checks.extend([OperandCheck(OperandCheckKind.SAMPLER, path, SAMPLER) for _, _, path in others])
    return [each for each in rest if each not in others]


def _lacks_sampler(slot: Slot, parts: tuple[Slot, ...], first: str) -> bool:
    """True if an address has no sampler although the slot has a place for one, after the texture or in its place."""
    if any(SAMPLER in part.kinds and part not in parts for part in slot.parts):
        return True
    return first == TEXTURE and {TEXTURE, SAMPLER} <= set(slot.parts[0].kinds)


def _note_handles(fit: Fit, parts: tuple[Slot, ...], have: list[str], path: Path) -> None:
    """Note which texture, surface or sampler is a handle in a register, and that a sampler is beside the texture."""
    if have[0] in TYPES and have[0] not in OPAQUE_TYPES and not OPAQUE_TYPES.isdisjoint(parts[0].kinds):
        fit.given[f"{parts[0].role} {HANDLE}"] = (*path, 0)
    sampler = next((i for i, part in enumerate(parts) if i and SAMPLER in part.kinds), 0)
    if not sampler:
        return
    if "separate" in parts[sampler].flags:
        fit.operand_checks.append(OperandCheck(OperandCheckKind.SEPARATE, (*path, sampler), parts[sampler].role))
    for index in (sampler, 0):
        if have[index] in TYPES and have[index] not in OPAQUE_TYPES:
            fit.given[f"{parts[index].role} {IN_REGISTER}"] = (*path, index)


def _no_brackets(fit: Fit, slot: Slot, kind: str) -> str:
    address = f"`{slot.role}` of `{fit.opcode}` is an address"
    if kind.endswith(ELEMENT):
        return f"{address}, and no array element: write the name of the array `+` bytes in brackets"
    return f"{address}: write `[{{operand}}]`"


def _fit_bare(fit: Fit, slot: Slot, kind: str, path: Path) -> None:
    """Compare an address without brackets, in a slot for which ptxas does not need them (observed: ptxas 13.5).

    ptxas reads it as a 64-bit cache policy if the slot is `policy`, and as that or a 16-bit mask if it is `masked`;
    otherwise it checks the type only if it is `wide`, and takes `.f64` for 64 bits.
    """
    if slot.flags & {"policy", "masked"}:
        kinds = (".i64", ".i16") if "masked" in slot.flags else (".i64",)
        fit_value(fit, Slot(slot.role, kinds=kinds, flags=frozenset(("unnamed",))), kind, path)
    elif "wide" in slot.flags and kind.rstrip("+") == ".f64":
        return
    elif "wide" in slot.flags or (kind.rstrip("+") not in TYPES and kind not in _BARE):
        _fit_location(fit, slot, slot.parts[0], kind, path)


def _address_parts(fit: Fit, slot: Slot, count: int) -> tuple[Slot, ...] | None:
    parts = [p for p in slot.parts if has_slot(fit.match, p)]
    free = [i for i, p in enumerate(parts) if may_be_left_out(p)]
    missing = len(parts) - count
    if not 0 <= missing <= len(free):
        return None
    left_out = free[len(free) - missing :] if len(free) != missing else free
    return tuple(p for i, p in enumerate(parts) if i not in left_out)


def _fit_location(fit: Fit, slot: Slot, first: Slot, kind: str, path: Path) -> None:
    """Compare the first part of an address: a register, a variable, or a constant if the slot allows one."""
    spaces = [resolve(fit.match, k) for k in first.kinds]
    bases = {SPACES[s].base for s in spaces if s in SPACES}
    if not bases:
        fit.given[f"{slot.role} {GENERIC_ADDRESS}"] = path
    if kind == UNKNOWN:
        return
    bare = kind.rstrip("+")
    if ".param::func" in spaces and bare.startswith(".param.entry:"):
        fit.complain("state-space", parameter_of_function(fit.opcode, "{operand}"), path)
        return
    if ".param::func" in spaces and bare in TYPES:
        fit.operand_checks.append(OperandCheck(OperandCheckKind.DEVICE_FUNCTION, path, slot.role))
    if "bare" in first.flags and kind.startswith(".") and kind in TYPES:
        return
    addresses = fit.match.form.section.addresses
    if bare in OPAQUE_TYPES and ("opaque" in addresses or ("placed" in addresses and "wide" not in slot.flags)):
        return
    if "free" in slot.flags and (bare in NAMES or (bare in TYPES and TYPES[bare].bits <= ADDRESS_BITS[-1])):
        return
    if bare in TYPES:
        _fit_register(fit, slot, bare, path)
    elif bare.startswith("int"):
        if "zero" not in slot.flags and ".local" not in bases:
            fit.complain("operand-kind", "a constant address is allowed in the `.local` space only", path)
    elif "bare" in first.flags or not _is_special_address(fit, slot, bare):
        _fit_variable(fit, slot, spaces, bare, path)


def _fit_register(fit: Fit, slot: Slot, type_: str, path: Path) -> None:
    """Check that a register of this type may hold the address."""
    have = TYPES[type_]
    if have.letter in "bsu" and have.bits in _register_bits(slot):
        return
    takes = "a 64-bit integer" if "long" in slot.flags else "a 32- or 64-bit integer"
    takes = takes if {"long", "wide"} & slot.flags else "an integer"
    text = f"`{{operand}}` is {{declared}}, but an address takes {takes} or bit-size register here"
    fit.complain("operand-type", text, path)


def _fit_variable(fit: Fit, slot: Slot, spaces: list[str], kind: str, path: Path) -> None:
    """Check that a name, which is no register, is a variable in one of these spaces, or in any if none is given."""
    space = space_of(kind) if kind.startswith(".") and ":" in kind else ""
    bases = {SPACES[s].base for s in spaces if s in SPACES}
    if not space:
        what = NAMED_KINDS.get(kind, "`{operand}`")
        text = f"{what} is not an address: `{fit.opcode}` takes a register or a variable here"
        fit.complain("operand-kind", text, path)
    elif space not in (bases or GENERIC):
        named = " or ".join(f"`{s}`" for s in spaces if s in SPACES) or "a generic address"
        fit.complain("state-space", f"`{{operand}}` is in `{space}`, but `{fit.opcode}` takes {named} here", path)
    elif "unnamed" in slot.flags:
        text = f"`{fit.opcode}` takes an address in a register here: `mov` that of `{{operand}}` into one first"
        fit.complain("operand-kind", text, path)
    else:
        _fit_parameter(fit, slot, spaces, kind, path)


def _is_special_address(fit: Fit, slot: Slot, kind: str) -> bool:
    """Whether this special register may be an address, as `%laneid` and `%clock64` may (observed: ptxas 13.5)."""
    type_ = TYPES.get(declared_type(kind)) if kind.startswith("%") else None
    if (
        type_ is None
        or type_.letter not in "bsu"
        or {"plain", "unnamed"} & (fit.match.form.section.addresses | slot.flags)
    ):
        return False
    return type_.bits in (LONG_BITS if "extended" in slot.flags else _register_bits(slot))


def _register_bits(slot: Slot) -> Collection[int]:
    """The widths in bits that a register with an address may have."""
    flags = (("long", LONG_BITS), ("wide", WIDE_BITS), ("masked", UNMASKED_BITS))
    return next((bits for flag, bits in flags if flag in slot.flags), ADDRESS_BITS)


def _fit_parameter(fit: Fit, slot: Slot, spaces: list[str], kind: str, path: Path) -> None:
    """Check that a parameter may be read or written in one of these spaces (observed: ptxas 13.5)."""
    if "parameter" in slot.flags:
        return
    if kind.startswith(LOCAL_PARAMETER) and "element" not in slot.flags:
        refuse_address_of_argument(fit, path)
    elif kind.startswith(LOCAL_PARAMETER) and ".param::entry" in spaces:
        text = "`{operand}` is declared in this body, for calls: `.param::entry` is for the parameters of kernels"
        fit.complain("state-space", text, path)
    elif kind.startswith(".param.result:") and slot.access is Access.READ:
        fit.complain("state-space", "`{operand}` is a result of this function, which it can write but not read", path)
    elif kind.startswith((".param.entry:", ".param.func:")) and slot.access is not Access.READ:
        whose = "the kernel" if kind.startswith(".param.entry:") else "this function"
        fit.complain("state-space", f"`{{operand}}` is a parameter of {whose}, which cannot be written", path)
