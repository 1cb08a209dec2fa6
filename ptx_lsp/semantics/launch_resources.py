"""What a launch gives a kernel: `setmaxnreg` without effect or with a wrong number, results of too many registers
(observed: full compile with ptxas 12.4, 12.9 and 13.5), and reads of a per-CTA memory that it does not have.
"""

from ptx_lsp.isa.opcode_sets import OF_CTA_MEMORY
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.versions import Target
from ptx_lsp.light_classes import Iterator, Sequence
from ptx_lsp.semantics.launch import MEMORY, is_settled, registers_at_launch
from ptx_lsp.semantics.requirements import is_met
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import UNBOUNDED, Launch, Symbol, SymbolKind
from ptx_lsp.semantics.traces import Trait

Done = tuple[Trait, int]  # the trait of a trace (`traces.py`), and its value
CODE = "register-count"
_UNSETTLED = "`ptxas` ignores `setmaxnreg` here: "


def judge_launch(function: Symbol, found: Sequence[Done], profile: Profile) -> Iterator[tuple[str, int, str]]:
    """What is wrong with what the launch gives a function: the code, an index in `found`, and the message."""
    registers = _judge_registers(function, found, profile.chip)
    if registers is not None:
        yield (CODE, *registers)
    memory = _without_memory(function, found, profile)
    if memory is not None:
        yield ("special-register", *memory)


def _without_memory(function: Symbol, found: Sequence[Done], profile: Profile) -> tuple[int, str] | None:
    """The first read of the per-CTA memory of a kernel that asks for no such memory (observed: ptxas 13.5)."""
    index = next((i for i, (trait, _) in enumerate(found) if trait is Trait.MEMORY), -1)
    if index < 0 or function.kind is not SymbolKind.ENTRY or function.signature is None or function.signature.unknown:
        return None
    name = OF_CTA_MEMORY[found[index][1]]
    special = special_register(name)
    if function.signature.launch.memory or special is None or not is_met(special.needs, profile):
        return None
    return index, f"`{name}` has a value only in a kernel with `{MEMORY}` in its header"


def _judge_registers(function: Symbol, found: Sequence[Done], target: Target) -> tuple[int, str] | None:
    """What is wrong with the registers of a function: an index in `found`, and the message; None if nothing is.

    `found` are the traces of the function, part by part; those of one trait are in the order of the text.
    """
    entry = function.kind is SymbolKind.ENTRY
    launch = function.signature.launch if entry and function.signature is not None else UNBOUNDED
    limit = registers_at_launch(launch, target) if entry else 0
    return _too_wide(found, limit, launch) or _too_high(found, limit) or _ignored(found, launch, target, entry)


def _too_wide(found: Sequence[Done], limit: int, launch: Launch) -> tuple[int, str] | None:
    wide = [index for index, (trait, value) in enumerate(found) if trait is Trait.RESULTS and value >= limit > 0]
    if not wide:
        return None
    index = max(wide, key=lambda at: found[at][1])
    why = f"`.maxnreg {launch.registers}` leaves" if launch.registers else f"{launch.threads} threads in a CTA leave"
    text = f"{found[index][1]} registers are written at once, but {why} a thread {limit}: `ptxas` cannot compile this"
    return index, text


def _too_high(found: Sequence[Done], limit: int) -> tuple[int, str] | None:
    highest = max((value for trait, value in found if trait is Trait.INCREASE), default=limit)
    for index, (trait, value) in enumerate(found):
        if trait is Trait.DECREASE and value > max(highest, limit) and limit:
            text = f"`setmaxnreg.dec` to {value} registers, but a thread has {limit} at the launch and nothing "
            return index, text + "gives it more: `ptxas` cannot compile this"
    return None


def _ignored(found: Sequence[Done], launch: Launch, target: Target, entry: bool) -> tuple[int, str] | None:
    index = next((i for i, (trait, _) in enumerate(found) if trait in (Trait.INCREASE, Trait.DECREASE)), -1)
    if index < 0 or is_settled(launch, target):
        return None
    if not entry:
        return index, _UNSETTLED + "it counts in kernels only, not in functions (`.func`)"
    return index, _UNSETTLED + "the kernel needs `.maxnreg`, or `.maxntid` and `.minnctapersm`, to settle the registers"
