"""The size of a module's addresses: what `.address_size` says, or what the first instructions with addresses show.

Observed: full compile with ptxas 12.1 to 13.5, which all compile for 64-bit addresses only.
"""

from ptx_lsp.isa.directive_names import ADDRESS_SIZE
from ptx_lsp.isa.versions import Version
from ptx_lsp.judgement.compilation import ALL_COMPILERS
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.requirements import since
from ptx_lsp.semantics.surroundings import NARROW, WIDE, Profile, Surroundings
from ptx_lsp.syntax.tree import TermKind, Value

_CODE = "address-size-32"
_REFUSED = f"no `ptxas` since {ALL_COMPILERS} compiles a module with 32-bit addresses"


def has_wide_addresses(profile: Profile) -> bool:
    """Whether the addresses of the module have 64 bits, by the statements that have been read so far."""
    return profile.address_size == WIDE


def shows_its_size(version: Version) -> bool:
    """Whether a module of this version can have no `.address_size`, so that its instructions show the address size."""
    return version < since(ADDRESS_SIZE)


def warn_of_directive(start: int, end: int, surroundings: Surroundings) -> None:
    """Warn at the number of an `.address_size 32`, which is from `start` to `end`."""
    surroundings.report(_CODE, start, end, f"{_REFUSED}: write `{ADDRESS_SIZE} {WIDE}` and use 64-bit addresses")


def narrowed(start: int, end: int, surroundings: Surroundings) -> Profile:
    """Warn at the first 32-bit address of a module without `.address_size`; return the profile of what follows."""
    surroundings.report(_CODE, start, end, f"addresses have 32 bits in this module: {_REFUSED}")
    return surroundings.profile._replace(address_size=NARROW)


def compiled_kinds(reading: Reading) -> tuple[str, ...]:
    """The kinds of the operands as compiling sees them: the element `buf[1]` counts as `buf`, not as a sum."""
    return tuple(
        kind.removesuffix("+") if kind.endswith("+") and _is_element(reading, index) else kind
        for index, kind in enumerate(reading.kinds)
    )


def _is_element(reading: Reading, index: int) -> bool:
    node = reading.nodes.get((index,))
    return isinstance(node, Value) and node.expression.root.kind is TermKind.INDEX
