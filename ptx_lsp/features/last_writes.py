"""The last writes of a register: which instructions wrote the value that it has at a position.

From the statement at the position the search goes back along all paths of the control flow in the function: to the
statement above, unless that one never continues there, and from a label to the branches to it. A path ends at the first
write; a write under a guard, which may not be executed, is a result too, but the path continues. A call writes no
registers of its caller except its results.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.opcode_sets import CONTROL_FLOW, NAMING_CODE
from ptx_lsp.memo import forgettable
from ptx_lsp.occurrences.search import occurrences
from ptx_lsp.occurrences.target import Target, target_steps
from ptx_lsp.reading.state import Body
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.execution import Role, execution_effect
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction, Label
from ptx_lsp.text.ranges import Position, Range

_WRITES = (Role.WRITE, Role.BOTH)
_BRANCHES = "|".join(sorted(CONTROL_FLOW | NAMING_CODE))


class _Event(NamedTuple):
    """A statement that the search looks at: `writes` are the places of the register that it writes.

    `label` is the place of the label that it defines, None for an instruction. `targets` are the places of the labels
    to which it may branch; `continues` is true if the next statement may follow it, `guarded` if it has a guard.
    """

    range: Range
    label: Position | None = None
    targets: tuple[Position, ...] = ()
    continues: bool = True
    guarded: bool = False
    writes: tuple[Range, ...] = ()


def last_writes(module: Module, position: Position) -> Iterator[list[Range]]:
    """The places at which the register at a position was last written, in the order of the text.

    They are in the last list; the lists before it are empty, and between two lists the caller may pause. It must stop
    if the module is edited. There is no place if no register is there, if the name is that of a whole family, or if no
    write is on any path.
    """
    found = yield from target_steps(module, position)
    body = module.last_body_before(position)
    if found is None or body is None or found.target.family or found.target.symbol.kind is not SymbolKind.REGISTER:
        return
    writes = []
    for some in occurrences(module, found.target):
        writes += [each.range for each in some if each.role in _WRITES]
        yield []
    if writes:
        events = yield from _events(module, body, found.target, writes)
        yield sorted(_reaching(events, position))


def _events(
    module: Module, body: Body, target: Target, writes: list[Range]
) -> Generator[list[Range], None, list[_Event]]:
    """The statements of a function that name the register, define a label, or branch: nothing else matters here."""
    first = body.opening.resolved()
    end = body.closing.resolved() if body.closing is not None else Range(module.document.line_count, 0, 1 << 30, 0)
    found: list[_Event] = []
    for context in module.statements_outside(Range(*first.start, *end.start), _plain_lines(target.name)):
        place = None if context is None else context.range(context.statement.start, context.statement.end)
        if context is not None and place is not None and first.start < place.start < end.start:
            event = _event(context, place, writes)
            if event is not None:
                found.append(event)
        yield []
    return found


def _event(context: StatementContext, place: Range, writes: list[Range]) -> _Event | None:
    statement = context.statement
    if isinstance(statement, Label):
        return _Event(place, context.range(statement.name.start, statement.name.end).start)
    if not isinstance(statement, Instruction):
        return None
    effect = execution_effect(statement, context.surroundings)
    labels = [context.surroundings.scope.label(name) for name in effect.targets]
    targets = tuple(label.mark.resolved().start for label in labels if label is not None)
    first = bisect_right(writes, place.start, key=lambda each: each.start)
    here = tuple(each for each in writes[max(first - 1, 0) :][:64] if place.start <= each.start < place.end)
    return _Event(place, None, targets, effect.continues, bool(effect.guard), here)


def _reaching(events: list[_Event], position: Position) -> set[Range]:
    """The writes from which a path without another unguarded write leads to the statement at the position."""
    branches: dict[Position, list[int]] = defaultdict(list)
    for number, event in enumerate(events):
        for target in event.targets:
            branches[target].append(number)
    here = bisect_right(events, position, key=lambda event: event.range.start) - 1
    found: set[Range] = set()
    pending, seen = _before(events, here, branches), set[int]()
    while pending:
        number = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        event = events[number]
        found.update(event.writes)
        if not event.writes or event.guarded:
            pending += _before(events, number, branches)
    return found


def _before(events: list[_Event], number: int, branches: dict[Position, list[int]]) -> list[int]:
    """The indices of the statements that may be executed directly before the statement `number`."""
    if number < 0:
        return []
    label = events[number].label
    above = [number - 1] if number > 0 and events[number - 1].continues else []
    return above + (branches[label] if label is not None else [])


@forgettable
@lru_cache(maxsize=32)
def _plain_lines(name: str) -> re.Pattern[str]:
    """The pattern of lines between statements that the search need not parse: each is a `.loc`, or one instruction that
    neither has the name nor branches.
    """
    operands = r"(?:[^;{}\"/\n\r]|\{[^;{}\"/\n\r]*\})*"
    opcode = rf"(?:@!?[%\w$]+[ \t]+)?(?!(?:{_BRANCHES})\b)[a-z]\w*(?:\.[\w:]+)*[ \t](?![ \t]*:)"
    line = rf"[ \t]*(?:(?![^\n]*{re.escape(name)}(?![\w$])){opcode}{operands};|\.loc[ \t][\w \t]+)\n"
    return re.compile(rf"\n(?<=;\n)(?:{line})+")
