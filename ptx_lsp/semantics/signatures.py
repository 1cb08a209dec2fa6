"""Whether two headers of a function agree, and whether a parameter takes an argument (observed: ptxas 13.5)."""

from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.semantics.memory import aligned_alike, alignment_of, size_of
from ptx_lsp.semantics.symbols import Signature, Symbol


def difference(symbol: Symbol, last: Symbol) -> str:
    """The first difference between a function and its earlier declaration, as a clause of a message; empty if none."""
    found = _linkage_difference(symbol, last)
    if not found and symbol.model is not None and last.model is not None:
        found = signature_difference(symbol.model, last.model)
    return found


def _linkage_difference(symbol: Symbol, last: Symbol) -> str:
    if UNKNOWN in (symbol.linkage, last.linkage):
        return ""
    if symbol.linkage == last.linkage or (symbol.linkage == "" and last.linkage != ".extern"):
        return ""
    before = f"`{last.linkage}`" if last.linkage else "no linkage"
    now = f"`{symbol.linkage}`" if symbol.linkage else "none"
    return f"it had {before}, and here {now}"


def signature_difference(one: Signature, other: Signature) -> str:
    """The first difference between two signatures, as a clause of a message; empty if they agree."""
    if one.unknown or other.unknown:
        return ""
    mine, theirs = one.returns + one.parameters, other.returns + other.parameters
    if len(one.returns) != len(other.returns) or len(mine) != len(theirs):
        return "the number of parameters differs"
    for here, there in zip(mine, theirs, strict=True):
        if here.space != there.space:
            return f"parameter `{here.name}` is in `{here.space}`, and was in `{there.space}`"
        if here.type and there.type and _shape(here) != _shape(there):
            return f"parameter `{here.name}` is `{written_type(here)}`, and was `{written_type(there)}`"
        if not aligned_alike(here, there):
            return f"parameter `{here.name}` is aligned to {alignment_of(here)}, and was to {alignment_of(there)}"
    if one.noreturn != other.noreturn:
        return "only one of them is `.noreturn`"
    return ""


def _shape(symbol: Symbol) -> tuple[str, int, tuple[int, ...]]:
    return symbol.type, symbol.vector, symbol.dimensions


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
    """Whether an array matches: one in `.param` with as many bytes, whose elements are bits or of the same class."""
    if not formal.dimensions or not actual.dimensions or actual.space != formal.space:
        return False
    if formal.dimensions[0] > 0 and size_of(formal) != size_of(actual) and min(actual.dimensions) > 0:
        return False
    wanted, given = _letter(formal), _letter(actual)
    return wanted == given or "b" in (wanted, given)
