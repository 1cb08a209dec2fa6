"""Loads from the `.param` variables of a body: each follows, in the text, a call that returns its result there.

Observed: full compile with ptxas 12.4, 12.9 and 13.5. The order of the text counts, not the flow of control; a call
under a guard counts as well. ptxas 12.4 and 12.9 crash where 13.5 says "Function call sequence invalid".
"""

from __future__ import annotations

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.isa.opcode_sets import LOAD
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable
from ptx_lsp.quick.instructions import is_local_load
from ptx_lsp.quick.operand_text import NAMES
from ptx_lsp.reading.block import BlockText, FunctionPart
from ptx_lsp.semantics.surroundings import Report, ScopedUse
from ptx_lsp.semantics.symbols import Mark, Scope, Symbol

if TYPE_CHECKING:
    from ptx_lsp.semantics.instructions import Examined
    from ptx_lsp.syntax.tree import Instruction

CODE = "call-sequence"
_ANY = ""
"""The name of a result of a call with a mistake: it may be any variable."""


def note_results(part: FunctionPart, scope: Scope, names: Iterable[str], mark: Mark) -> None:
    """Note that a call at this place returns its results in the variables with these names."""
    part.results += [ScopedUse(scope, name, mark) for name in names if scope.owner(name) is not None]


def is_returned(part: FunctionPart, scope: Scope, name: str) -> bool:
    """Whether a call above, in the part that is being read, returns its result in a variable."""
    owner = scope.owner(name)
    return any(_returns(use, name, owner) for use in reversed(part.results))


def note_unknown_results(part: FunctionPart, scope: Scope, mark: Mark) -> None:
    """Note a call with a mistake at this place: it may return its results in any variable that it sees."""
    part.results.append(ScopedUse(scope, _ANY, mark))


def note_load(part: FunctionPart, scope: Scope, name: str, mark: Mark) -> None:
    """Note a load from a variable at this place, unless a call above in the same part returns its result there."""
    if not is_returned(part, scope, name):
        part.loads.append(ScopedUse(scope, name, mark))


def note_sequence(
    part: FunctionPart, scope: Scope, statement: Instruction, examined: Examined | None, source: BlockText
) -> None:
    """Note the results of a call, and a load from a variable that can have the result of a call.

    `examined` is the result of the check of the statement, `source` the text of its block.
    """
    from ptx_lsp.syntax.tree import Arguments  # the recognisers need no tree

    opcode, operands = statement.opcode.text, statement.operands
    if operands and isinstance(operands[0], Arguments):  # a misspelt `call` too
        note_named_results(part, scope, operands[0].start, operands[0].end, source)
    elif opcode == LOAD and operands and examined and is_local_load(opcode, examined.reading.kinds[-1]):
        start = operands[-1].start
        name = NAMES.findall(source.text[start : operands[-1].end])[0]
        start = source.text.index(name, start)
        note_load(part, scope, name, source.mark(start, start + len(name)))


def note_named_results(part: FunctionPart, scope: Scope, start: int, end: int, source: BlockText) -> None:
    """Note that the variables named in this text have results of a call: in a broken call, all of its names."""
    note_results(part, scope, NAMES.findall(source.text[start:end]), source.mark(start, end))


def conclude_sequences(parts: list[FunctionPart]) -> list[Report]:
    """Reports of loads from variables in which no call above returns a result; `parts` are all of the function."""
    found: list[Report] = []
    returned: set[tuple[Scope | None, str]] = set()
    for part in parts:
        for load in part.loads:
            owner = load.scope.owner(load.name)
            # a `.param` variable of the module is reported at its declaration
            if owner is None or owner.parent is None or not returned.isdisjoint(((owner, load.name), (owner, _ANY))):
                continue
            found.append(_report(load, owner.own(load.name)))
        for use in part.results:
            owners = use.scope.outward() if use.name == _ANY else (use.scope.owner(use.name),)
            returned.update((owner, use.name) for owner in owners)
    return found


def _returns(use: ScopedUse, name: str, owner: Scope | None) -> bool:
    """Whether a result of a call may be in the variable of this name that is declared in the scope `owner`."""
    if use.name == _ANY:
        return any(scope is owner for scope in use.scope.outward())
    return use.name == name and use.scope.owner(name) is owner


def _report(load: ScopedUse, symbol: Symbol | None) -> Report:
    message = f"`{load.name}` is read here, but no call above returns its result in it: `ptxas` does not compile this"
    related = ((symbol.mark, f"`{load.name}` is declared here"),) if symbol is not None else ()
    return Report(CODE, load.mark, message, default_severity(CODE), related)
