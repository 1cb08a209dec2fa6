"""Whether two headers of a function agree, and where the later one differs (observed: ptxas 13.5)."""

from __future__ import annotations

from ptx_lsp.isa.directive_names import OF_PARAMETERS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.judgement.kinds import UNKNOWN
from ptx_lsp.light_classes import TYPE_CHECKING, Enum, NamedTuple
from ptx_lsp.semantics.memory import aligned_alike, alignment_of
from ptx_lsp.semantics.signatures import are_alike, written_type
from ptx_lsp.semantics.symbols import Signature, Symbol

if TYPE_CHECKING:
    from ptx_lsp.syntax.tree import Declaration, FunctionHeader, Specifier, Word


class HeaderPart(Enum):
    """A part of a header."""

    LINKAGE = "linkage"
    COUNT = "count"
    SPACE = "space"
    TYPE = "type"
    SIZE = "size"
    ALIGNMENT = "alignment"
    NORETURN = "noreturn"


class Difference(NamedTuple):
    """What differs between two headers: a clause of a message, and the part of the later header that it is about.

    `first` and `end` are the indices of the parameters that differ, results included: for the number of
    parameters those that the earlier header does not have. They are equal if there are none.
    """

    clause: str
    part: HeaderPart
    first: int = 0
    end: int = 0


def difference(symbol: Symbol, last: Symbol) -> Difference | None:
    """The first difference between a function and its earlier declaration."""
    found = _linkage_difference(symbol, last)
    if found is None and symbol.model is not None and last.model is not None:
        found = signature_difference(symbol.model, last.model)
    return found


def _linkage_difference(symbol: Symbol, last: Symbol) -> Difference | None:
    if UNKNOWN in (symbol.linkage, last.linkage):
        return None
    if symbol.linkage == last.linkage or (symbol.linkage == "" and last.linkage != ".extern"):
        return None
    before = f"`{last.linkage}`" if last.linkage else "no linkage"
    now = f"`{symbol.linkage}`" if symbol.linkage else "none"
    return Difference(f"it had {before}, and here {now}", HeaderPart.LINKAGE)


def signature_difference(one: Signature, other: Signature) -> Difference | None:
    """The first difference between two signatures."""
    if one.unknown or other.unknown or are_alike(one, other):
        return None
    mine, theirs = one.returns + one.parameters, other.returns + other.parameters
    if len(one.returns) != len(other.returns) or len(mine) != len(theirs):
        return _count_difference(one, other)
    for index, (here, there) in enumerate(zip(mine, theirs, strict=True)):
        found = _parameter_difference(here, there, index)
        if found is not None:
            return found
    if one.noreturn != other.noreturn:
        return Difference("only one of them is `.noreturn`", HeaderPart.NORETURN)
    return None


def _count_difference(one: Signature, other: Signature) -> Difference:
    clause, results = "the number of parameters differs", len(one.returns)
    if results != len(other.returns):
        return Difference(clause, HeaderPart.COUNT, min(len(other.returns), results), results)
    size = results + len(one.parameters)
    return Difference(clause, HeaderPart.COUNT, min(results + len(other.parameters), size), size)


def _parameter_difference(here: Symbol, there: Symbol, index: int) -> Difference | None:
    name = f"parameter `{here.name}`"
    if here.space != there.space:
        return Difference(
            f"{name} is in `{here.space}`, and was in `{there.space}`", HeaderPart.SPACE, index, index + 1
        )
    if here.type and there.type and _shape(here) != _shape(there):
        part = HeaderPart.SIZE if here.type == there.type else HeaderPart.TYPE
        return Difference(f"{name} is `{written_type(here)}`, and was `{written_type(there)}`", part, index, index + 1)
    if not aligned_alike(here, there):
        clause = f"{name} is aligned to {alignment_of(here)}, and was to {alignment_of(there)}"
        return Difference(clause, HeaderPart.ALIGNMENT, index, index + 1)
    return None


def place_of(found: Difference, header: FunctionHeader) -> tuple[int, int]:
    """The start and end of the part of `header` that a difference is about: its name if it lacks the part.

    Its parameters have one name each.
    """
    name = header.name or header.kind
    if found.part is HeaderPart.LINKAGE:
        part: Word | Specifier | None = next((s.word for s in header.linkage if s.start < header.kind.start), None)
    elif found.part is HeaderPart.NORETURN:
        part = next((directive.name for directive in header.directives if directive.name.text == ".noreturn"), None)
    else:
        parameters = (*(header.returns or ()), *(header.parameters or ()))[found.first : found.end]
        if parameters and found.part is HeaderPart.COUNT:
            return parameters[0].start, parameters[-1].end
        part = _part_of(found.part, parameters[0]) if parameters else None
    shown = name if part is None else part
    return shown.start, shown.end


def _part_of(part: HeaderPart, parameter: Declaration) -> Word | Specifier | None:
    """The part of a parameter that differs."""
    from ptx_lsp.syntax.tree import Word  # few texts have such headers, and the recogniser of headers needs no trees

    specifiers, declarator = parameter.specifiers, parameter.declarators[0]
    if part is HeaderPart.SPACE:
        return next((specifier.word for specifier in specifiers if specifier.word.text in OF_PARAMETERS), None)
    if part is HeaderPart.ALIGNMENT:
        aligned = next((specifier for specifier in specifiers if specifier.word.text == ".align"), None)
        return aligned or declarator.name
    if part is HeaderPart.SIZE:
        start = declarator.dimensions[0].start if declarator.dimensions else declarator.start
        return Word("", start, declarator.end)
    return next((specifier.word for specifier in specifiers if specifier.word.text in TYPE_WORDS), None)


def _shape(symbol: Symbol) -> tuple[str, int, tuple[int, ...]]:
    return symbol.type, symbol.vector, symbol.dimensions
