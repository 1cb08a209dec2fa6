"""The number of bytes that variables and parameters take, and its limits.

Limits observed: full compile with ptxas 13.0 to 13.5; without compiling, they check the parameters of kernels only.
"""

from __future__ import annotations

from ptx_lsp.isa.types import OPAQUE_TYPES, TYPES
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, attrgetter, bisect_right
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol

if TYPE_CHECKING:
    from ptx_lsp.syntax.tree import Declarator

# the most bytes of one kernel (`.shared`) or one module (`.const`), if the launch does not ask for more
LIMITS = {".shared": 49152, ".const": 65536}
# the most bytes of `.shared` on `a` targets; observed: ptxas 13.0 to 13.5 (12.8 and 12.9 keep 49152)
SHARED_LIMITS = {
    **dict.fromkeys((Target(number, "a") for number in (90, 100, 101, 103, 107, 110)), 232448),
    **dict.fromkeys((Target(number, "a") for number in (120, 121)), 101376),
}
ONCE_LARGE = 4352  # bytes of kernel parameters that every version since 1.5 accepts
# the most bytes of kernel parameters from a version on (observed: ptxas 13.5)
_PARAMETER_LIMITS = ((Version(8, 1), 32764), (Version(1, 5), ONCE_LARGE), (Version(0, 0), 256))
_HOLDER_INDEX = attrgetter("mark.holder.index")
_MANY = 1000  # variables: with more than this above it, a variable alone is compared with the limit, for speed


def size_of(symbol: Symbol) -> int:
    """The size of a variable in bytes; 0 if its type or a dimension is unknown."""
    row = TYPES.get(symbol.type)
    size = max(row.bits // 8, 1) * symbol.vector if row is not None else 0
    for dimension in symbol.dimensions:
        size *= max(dimension, 0)
    return size


def alignment_of(symbol: Symbol) -> int:
    """The alignment of a variable in bytes: the declared one, but at least the size of its type.

    0 if it is unknown, because the type is unknown or the declared alignment is invalid.
    """
    row = TYPES.get(symbol.type)
    if row is None or symbol.alignment == 0:
        return 0
    natural = max(row.bits // 8, 1) * symbol.vector
    return max(natural, symbol.alignment or 1)


def aligned_alike(one: Symbol, other: Symbol) -> bool:
    """Whether two variables have the same alignment, or the alignment of one of them is unknown."""
    first, second = alignment_of(one), alignment_of(other)
    return first == second or not (first and second)


def parameter_limit(version: Version) -> int:
    """The most bytes of the parameters of a kernel in a version."""
    return next(limit for since, limit in _PARAMETER_LIMITS if version >= since)


def parameter_bytes(symbol: Symbol) -> int:
    """The bytes that the parameters of a kernel take, each at its alignment.

    Textures, samplers and surfaces take none (observed: ptxas 13.5).
    """
    offset = 0
    for parameter in symbol.signature.parameters if symbol.signature else ():
        if parameter.type in OPAQUE_TYPES:
            continue
        align, size = alignment_of(parameter) or 1, size_of(parameter)
        offset = -(-offset // align) * align + size
    return offset & 0xFFFFFFFF  # observed: ptxas 13.5 counts in 32 bits


def check_memory(symbol: Symbol, declarator: Declarator, surroundings: Surroundings) -> None:
    """Warn if the `.shared` variables of a function, or the `.const` variables of a module, are larger than the limit.

    The report is at the variable with which the sum is first above the limit; later variables get none. A `.shared`
    variable of a module counts only in the kernels that use it, so that it is compared with the limit by itself.
    """
    inside = surroundings.function is not None
    target = surroundings.profile.chip
    if is_within_limits(symbol, surroundings.scope, target, in_function=inside):
        return
    before = _before(symbol, surroundings.scope, inside)
    total = before + size_of(symbol)
    limit = _limit(symbol.space, target) or total
    whose = "a kernel" if symbol.space == ".shared" else "a module"
    what = f"`{symbol.name}` takes {total} bytes" if not before else f"with `{symbol.name}` there are {total} bytes"
    message = f"{what} of `{symbol.space}`, and {whose} has {limit} at most: this parses, but does not compile"
    surroundings.report("memory-limit", declarator.name.start, declarator.name.end, message)


def _limit(space: str, target: Target) -> int | None:
    """The most bytes of a state space on a target; None where there is no limit."""
    return SHARED_LIMITS.get(target, LIMITS[space]) if space == ".shared" else LIMITS.get(space)


def is_within_limits(symbol: Symbol, scope: Scope, target: Target, *, in_function: bool) -> bool:
    """True unless a variable, if it is declared in `scope`, is the one with which the sum is first above the limit.

    `in_function` is true for a declaration in a body, where the variables of the function count.
    """
    limit = _limit(symbol.space, target)
    if limit is None or symbol.linkage == ".extern":
        return True
    before = _before(symbol, scope, in_function)
    return not before <= limit < before + size_of(symbol)


def _before(symbol: Symbol, scope: Scope, in_function: bool) -> int:
    """The bytes of the variables of the same space that the scope declares above the present statement.

    0 if there are too many of them, and for `.shared` variables of a module.
    """
    if symbol.space == ".shared" and not in_function:
        return 0
    variables = scope.limited.get(symbol.space)
    if variables is None:
        return 0
    count = bisect_right(variables, scope.horizon.index, key=_HOLDER_INDEX)
    return variables.bytes_of(count, _own_size) if count <= _MANY else 0


def _own_size(symbol: Symbol) -> int:
    """The bytes of a variable that count in its scope: none if it is defined elsewhere."""
    return 0 if symbol.linkage == ".extern" else size_of(symbol)
