"""Instructions that ptxas parses but does not compile: those with 32-bit addresses in a module of 64-bit addresses.

Observed: full compile with ptxas 12.1, 12.4, 12.6, 12.9 and 13.5, of every form that has an address.
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.narrow_addresses import Narrow, narrow, narrow_types
from ptx_lsp.isa.opcode_sets import MOVE
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.versions import Version
from ptx_lsp.judgement.verdict import Complaint, Part
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern

CODE = "narrow-address"
ALL_COMPILERS = "CUDA 12.1"
"""Since this release, ptxas compiles for 64-bit addresses only."""

_NEVER = f"no `ptxas` since {ALL_COMPILERS} compiles this"
_FIRST_REFUSING = "CUDA 12.6"  # the first release that refuses those opcodes that older toolkits compile
_WIDE_SPACES = frozenset((".global",))
_NARROW_REGISTER = lazy_pattern(r"\[\.[bsu]32\+?\]")
_GLOBAL_NAME = ".global:"


@forgettable
@lru_cache(maxsize=16384)
def refused_by_compiling(opcode: str, kinds: tuple[str, ...], version: Version) -> tuple[Complaint, ...]:
    """The complaints of a full compile about every statement with this opcode text and these operand kinds.

    They apply in modules of 64-bit addresses, to statements whose verdict has no error.
    """
    head, *rest = opcode.split(".")
    words = tuple("." + word for word in rest)
    row = narrow(head)
    if row is not None:
        return _narrow_address(opcode, row, words, kinds, version)
    if words[-1:] and words[-1] in narrow_types(head):
        return _narrow_move(opcode, words, kinds) if head == MOVE else _narrow_conversion(opcode, words)
    return ()


def _narrow_address(
    opcode: str, row: Narrow, words: tuple[str, ...], kinds: tuple[str, ...], version: Version
) -> tuple[Complaint, ...]:
    if not row.unless.isdisjoint(words) or any(w in SPACES and w not in _WIDE_SPACES for w in words):
        return ()
    index = next((i for i, kind in enumerate(kinds) if _NARROW_REGISTER.fullmatch(kind)), -1)
    if index < 0:
        return ()
    space = "global" if ".global" in words else "generic"
    certain = row.since is None or version >= row.since
    text = f"`{{operand}}` is a 32-bit address, but the {space} address of `{opcode}` has 64 bits: "
    text += _consequence(row.since, version)
    severity = Severity.ERROR if certain else Severity.WARNING
    return (Complaint(CODE, text, Part.OPERAND, (index, 0), severity),)


def _consequence(since: Version | None, version: Version) -> str:
    if since is None:
        return _NEVER
    if version >= since:
        return f"no `ptxas` that knows PTX {version} compiles this"
    return f"`ptxas` since {_FIRST_REFUSING} does not compile this"


def _narrow_conversion(opcode: str, words: tuple[str, ...]) -> tuple[Complaint, ...]:
    text = f"`{opcode}` converts a 32-bit address, but addresses have 64 bits in this module: write `.u64`; {_NEVER}"
    return (Complaint(CODE, text, Part.MODIFIER, (len(words) - 1,)),)


def _narrow_move(opcode: str, words: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[Complaint, ...]:
    # observed: `buf` and the element `buf[1]` are refused, but the sum `buf+4` is compiled, to its low 32 bits
    if len(words) != 1 or len(kinds) != 2:
        return ()
    if not kinds[1].startswith(_GLOBAL_NAME) or kinds[1].endswith("+"):
        return ()
    text = f"the address `{{operand}}` has 64 bits, but `{opcode}` moves 32: {_NEVER}"
    return (Complaint(CODE, text, Part.OPERAND, (1,)),)
