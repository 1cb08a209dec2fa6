"""The numbered banks of constant memory, which modules had before PTX 2.2: `.extern .const[3] .b32 table[];`.

Rules observed: ptxas 13.5. Bank 0 holds every constant with a size, each of the other banks one external array without.
"""

from ptx_lsp.isa.versions import Version
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Declarator, Expression, Specifier

_NO_BANKS = Version(2, 2)
_LAST = 10  # the highest number of a bank
_NUMBERS = {str(number): number for number in range(_LAST + 1)}


def read_bank(specifier: Specifier, surroundings: Surroundings) -> int | None:
    """The number of the bank of a `.const`, 0 if none is written; None if it is wrong, which is reported."""
    if not specifier.arguments:
        closed = surroundings.source(specifier.start, specifier.end).endswith("]")
        return None if closed else 0  # the parser has reported that the number is missing
    if surroundings.profile.version >= _NO_BANKS:
        message = "PTX 2.2 removed the numbered banks of `.const`"
        surroundings.report("removed-directive", specifier.start, specifier.end, message)
        return None
    argument = specifier.arguments[0]
    written = surroundings.source(specifier.word.end + 1, specifier.end - 1)
    bank = _NUMBERS.get(written)
    if bank is None:
        if isinstance(argument, Expression):
            message = f"a bank of `.const` is a number from 0 to {_LAST}, without blanks and leading zeros"
            surroundings.report("directive-value", argument.start, argument.end, message)
        return None
    if bank:
        require("a numbered bank of `.const`", specifier.start, specifier.end, surroundings)
    return bank


def check_bank(bank: int | None, declarator: Declarator, external: bool, surroundings: Surroundings) -> None:
    """Report a constant that its bank cannot hold. `external` is true if it is `.extern`."""
    if bank is None or surroundings.profile.version >= _NO_BANKS:
        return
    name, dimensions = declarator.name, declarator.dimensions
    sized = not external or not dimensions or dimensions[0].size is not None
    if bank and sized:
        message = f"bank {bank} of `.const` is for an `.extern` array without a size: `{name.text}` must be in bank 0"
        surroundings.report("incomplete-array", name.start, declarator.end, message)
    elif not bank and not sized:
        message = f"before PTX 2.2, `{name.text}` without a size must be in a bank of its own, such as `.const[1]`"
        surroundings.report("incomplete-array", name.start, declarator.end, message)
