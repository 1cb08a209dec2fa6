"""The types of parameters, and whether one takes an argument (observed: ptxas 13.5)."""

from ptx_lsp.isa.types import TYPES
from ptx_lsp.light_classes import attrgetter
from ptx_lsp.semantics.memory import size_of
from ptx_lsp.semantics.symbols import Signature, Symbol

_COMPARED = attrgetter("space", "type", "vector", "dimensions", "alignment")  # all that is compared of two parameters


def are_alike(one: Signature, other: Signature) -> bool:
    """Whether two signatures say the same, names apart: then they agree. Others may agree too."""
    if one.noreturn != other.noreturn or len(one.returns) != len(other.returns):
        return False
    mine, theirs = one.returns + one.parameters, other.returns + other.parameters
    return list(map(_COMPARED, mine)) == list(map(_COMPARED, theirs))


def written_type(symbol: Symbol) -> str:
    """The type of a variable with that of a vector and the sizes of an array, as in `.v2 .f32[4]`."""
    vector = f".v{symbol.vector} " if symbol.vector > 1 else ""
    array = "".join(f"[{size or ''}]" for size in symbol.dimensions)
    return f"{vector}{symbol.type}{array}"


def accepts(formal: Symbol, actual: Symbol) -> bool:
    """Whether a parameter takes a register or `.param` variable, by type and size; alignment is not compared."""
    if formal.dimensions or actual.dimensions:
        return _accepts_array(formal, actual)
    if formal.vector > 1 or actual.vector > 1:
        return size_of(formal) == size_of(actual) and _letter(formal) != "p" and _letter(actual) != "p"
    wanted, given = _letter(formal), _letter(actual)
    if wanted == "p":
        return given in "ph"
    if wanted == "h":
        return given == "p" or (given in "bsufh" and size_of(actual) == 4)
    if given == "p" or size_of(formal) != size_of(actual):
        return False
    if wanted == "b":
        return True
    return given in ("bsuh" if wanted in "su" else "bfh")


def _letter(symbol: Symbol) -> str:
    return TYPES[symbol.type].letter


def _accepts_array(formal: Symbol, actual: Symbol) -> bool:
    """Whether an array of one dimension matches: with as many bytes, whose elements are bits or of the same class."""
    if not formal.dimensions or len(actual.dimensions) != 1 or actual.space != formal.space:
        return False
    if formal.dimensions[0] > 0 and size_of(formal) != size_of(actual) and min(actual.dimensions) > 0:
        return False
    wanted, given = _letter(formal), _letter(actual)
    return wanted == given or "b" in (wanted, given)
