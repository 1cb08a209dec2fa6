"""The launch bounds in a kernel's header: which of them ptxas ignores or changes when it compiles.

Observed: full compile with ptxas 12.4, 12.9 and 13.5, for every target that they know.
"""

from __future__ import annotations

from ptx_lsp.isa.occupancy import MOST_REGISTERS, Capacity, capacity, registers_for, warps_of
from ptx_lsp.isa.special_registers import THREADS_PER_WARP
from ptx_lsp.isa.versions import Target
from ptx_lsp.light_classes import TYPE_CHECKING, Iterator, Mapping, NamedTuple
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Launch

if TYPE_CHECKING:
    from ptx_lsp.syntax.tree import Directive

CODE = "launch-bounds"
THREADS = (".maxntid", ".reqntid")
BLOCKS = ".minnctapersm"
REGISTERS = ".maxnreg"
MEMORY = ".minperctamemory"


class Fault(NamedTuple):
    """A bound that ptxas does not keep: the directive that states it, and the message.

    `directive` is `.maxntid` for every bound on threads, also for one that `.reqntid` states.
    """

    directive: str
    message: str


def launch_of(directives: Mapping[str, Directive]) -> Launch:
    """The launch bounds that the directives of a header state, by their names."""
    threads = next((directives[name] for name in THREADS if name in directives), None)
    others = (directives.get(name) for name in (BLOCKS, REGISTERS, MEMORY))
    return Launch(_product(threads), *map(_product, others))


def _product(directive: Directive | None) -> int:
    """The product of the numbers of a directive; 0 without a directive, or if one of them is not an integer."""
    if directive is None:
        return 0
    from math import prod

    from ptx_lsp.constants.evaluation import evaluate  # here and below: only for statements that were parsed
    from ptx_lsp.syntax.tree import Expression

    values = [evaluate(a).value if isinstance(a, Expression) else None for a in directive.arguments]
    numbers = [value.integer for value in values if value is not None and not value.is_float]
    return prod(numbers) if numbers and len(numbers) == len(values) else 0


def faults(launch: Launch, target: Target) -> Iterator[Fault]:
    """The bounds that ptxas ignores or changes on this target."""
    holds = capacity(target)
    if holds is None:
        return
    if launch.registers > MOST_REGISTERS:
        text = f"a thread has {MOST_REGISTERS} registers at most: `ptxas` ignores `{REGISTERS} {launch.registers}`"
        yield Fault(REGISTERS, text)
    elif 0 < launch.registers < holds.least_registers:
        least = holds.least_registers
        yield Fault(
            REGISTERS, f"`ptxas` gives a thread {least} registers at least: it raises {launch.registers} to {least}"
        )
    if launch.threads > holds.threads:
        text = f"{launch.threads} threads in a CTA, but a multiprocessor of `{target}` holds {holds.threads}: "
        yield Fault(THREADS[0], text + "`ptxas` ignores this bound")
    elif launch.blocks > holds.blocks:
        text = f"a multiprocessor of `{target}` holds {holds.blocks} CTAs: `ptxas` ignores `{BLOCKS} {launch.blocks}`"
        yield Fault(BLOCKS, text)
    elif _too_many(launch, holds):
        text = f"{launch.blocks} CTAs of {launch.threads} threads are {_total(launch)} threads in whole warps, but a "
        text += f"multiprocessor of `{target}` holds {holds.threads}: `ptxas` ignores `{BLOCKS} {launch.blocks}`"
        yield Fault(BLOCKS, text)


def _total(launch: Launch) -> int:
    return launch.blocks * warps_of(launch.threads) * THREADS_PER_WARP


def _too_many(launch: Launch, holds: Capacity) -> bool:
    return _total(launch) > holds.threads


def check_launch(launch: Launch, directives: Mapping[str, Directive], surroundings: Surroundings) -> None:
    """Warn of the bounds that ptxas does not keep."""
    for fault in faults(launch, surroundings.profile.chip):
        names = THREADS if fault.directive in THREADS else (fault.directive,)
        directive = next(directives[name] for name in names if name in directives)
        arguments = directive.arguments
        surroundings.report(CODE, arguments[0].start, arguments[-1].end, fault.message)


def is_settled(launch: Launch, target: Target) -> bool:
    """Whether the bounds fix the number of registers of a thread at the launch, so that `setmaxnreg` has an effect."""
    kept = not any(faults(launch, target))
    return kept and bool(launch.registers or (launch.threads and launch.blocks))


def registers_at_launch(launch: Launch, target: Target) -> int:
    """The number of registers that ptxas gives each thread at the launch; 0 if the bounds do not fix it.

    Bounds that allow the maximum number of registers fix nothing: the code may need fewer.
    """
    holds = capacity(target)
    if holds is None or launch.registers > MOST_REGISTERS:
        return 0
    if launch.registers:
        return max(launch.registers, holds.least_registers)
    if not launch.threads or launch.threads > holds.threads:
        return 0
    kept = 1 if launch.blocks > holds.blocks or _too_many(launch, holds) else max(launch.blocks, 1)
    registers = registers_for(kept * warps_of(launch.threads))
    return registers if registers < MOST_REGISTERS else 0
