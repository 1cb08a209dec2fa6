"""What each kind of statement does to the state of a module: checked in its surroundings, then folded into it."""

from collections.abc import Callable
from typing import Any

from ptx_lsp.analysis.blocks import Part
from ptx_lsp.analysis.braces import unmatched_brace
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.pieces import names_of
from ptx_lsp.analysis.sequences import is_local_load, note_load, note_results
from ptx_lsp.semantics import declarations, directives, functions, structure
from ptx_lsp.semantics.instructions import Examined, check_instruction
from ptx_lsp.semantics.performance import FOR_KERNELS
from ptx_lsp.syntax.tree import (
    Arguments,
    Broken,
    CloseBrace,
    Declaration,
    Directive,
    FunctionHeader,
    Instruction,
    Label,
    NameList,
    OpenBrace,
    Section,
    Statement,
)

HEADER = frozenset((".version", ".target", ".address_size"))
SECTION = ".section"
FILE = ".file"  # stands outside of functions only, as sections do
LOCAL = frozenset((".reg", ".param"))  # what is declared in these spaces belongs in a function
CALL = "call"
POSITIONS = frozenset((".loc", ".loc_intermediate"))


def take(fold: Fold, statement: Statement, broken: bool = False) -> None:
    """Check a statement and let it change what is open; a `broken` instruction has been reported already."""
    fold.examined = None
    if (broken or fold.buried) and isinstance(statement, Instruction) and fold.part is not None:
        _keep_operands(fold, statement, None, fold.part)
        return
    if fold.buried and isinstance(statement, Label | Declaration):
        return
    _TAKE[type(statement)](fold, statement)


def means_the_same(fold: Fold, statement: Statement) -> bool:
    """Whether a statement just taken would be as right or wrong wherever its names have the same kinds."""
    if isinstance(statement, Declaration):
        return fold.part is not None and any(specifier.word.text == ".reg" for specifier in statement.specifiers)
    if isinstance(statement, Directive):
        pragma = fold.part is not None and statement.name.text == ".pragma"
        return pragma and FOR_KERNELS not in fold.text[statement.start : statement.end]
    if fold.examined is not None:
        return all(duty.by_text for duty in fold.examined.duties)
    return isinstance(statement, OpenBrace | CloseBrace)


def _take_instruction(fold: Fold, statement: Instruction) -> None:
    if fold.part is None and not fold.reopen(statement):
        return
    assert fold.part is not None
    fold.examined = check_instruction(statement, fold.surroundings())
    _keep_operands(fold, statement, fold.examined, fold.part)
    _note_sequence(fold, statement, fold.part)
    if fold.examined is not None and fold.examined.profile is not fold.profile:
        fold.set_profile(fold.examined.profile)


def _keep_operands(fold: Fold, statement: Instruction, examined: Examined | None, part: Part) -> None:
    texts = [fold.text[o.start : o.end] for o in statement.operands]
    part.mentions += names_of(" ".join(texts))
    if statement.guard is not None:
        part.mentions.append(statement.guard.name.text)
    if examined is None or examined.verdict.complaints:
        part.writes += names_of(" ".join(texts))  # nothing is known of what it writes: it may be all
    else:
        part.writes += names_of(" ".join(texts[i] for i in examined.verdict.assigned if i < len(texts)))


def _note_sequence(fold: Fold, statement: Instruction, part: Part) -> None:
    """Note what a call returns, and what is loaded from where calls return."""
    opcode, operands, scope = statement.opcode.text, statement.operands, fold.scopes[-1]
    if opcode == CALL and operands and isinstance(operands[0], Arguments):
        results = names_of(fold.text[operands[0].start : operands[0].end])
        note_results(part, scope, results, fold.mark(operands[0].start, operands[0].end))
    elif fold.examined is not None and operands and is_local_load(opcode, fold.examined.reading.kinds[-1]):
        start = operands[-1].start
        name = names_of(fold.text[start : operands[-1].end])[0]
        start = fold.text.index(name, start)
        note_load(part, scope, name, fold.mark(start, start + len(name)))


def _take_label(fold: Fold, statement: Label) -> None:
    if fold.part is None and not fold.reopen(statement):
        return
    assert fold.part is not None
    name = statement.name
    fold.declare_label(name.text, fold.mark(name.start, name.end), fold.part)


def _take_declaration(fold: Fold, statement: Declaration) -> None:
    fold.require_header(statement)
    local = any(specifier.word.text in LOCAL for specifier in statement.specifiers)
    if local and fold.part is None and fold.closed is not None:
        fold.reopen(statement)
    surroundings = fold.surroundings()
    fold.declare(declarations.declare(statement, surroundings))
    fold.tell_undeclared(surroundings)


def _take_directive(fold: Fold, statement: Directive) -> None:
    name = statement.name.text
    if name in HEADER:
        seen = tuple(fold.header)
        fold.set_profile(structure.header_directive(statement, fold.profile, seen, fold.surroundings()))
        if fold.header.count(name) < 2:  # that there is one more is all that matters, and every block keeps them
            fold.header.append(name)
        return
    fold.require_header(statement)
    if name == FILE and fold.body is not None:
        fold.cut_off(statement.start, statement.name.end)
    if name in POSITIONS and fold.part is None and fold.closed is not None:
        fold.reopen(statement)
    surroundings = fold.surroundings()
    fold.declare(directives.directive(statement, surroundings))
    fold.tell_undeclared(surroundings)


def _take_list(fold: Fold, statement: NameList | Section) -> None:
    fold.require_header(statement)
    if isinstance(statement, Section) and fold.body is not None and statement.name.text[0] != "@":
        # sections follow the last function: its brace is missing
        fold.cut_off(statement.start, min(statement.start + len(SECTION), statement.end))
    surroundings = fold.surroundings()
    fold.declare(directives.directive(statement, surroundings))
    fold.tell_undeclared(surroundings)


def _take_header(fold: Fold, statement: FunctionHeader) -> None:
    fold.require_header(statement)
    prototype = statement.kind.text == ".callprototype"
    if statement.body and fold.body is not None:
        fold.cut_off(statement.start, statement.kind.end)
    surroundings = fold.surroundings()
    symbol, parameters = functions.header(statement, surroundings)
    if symbol.name:
        fold.declare((symbol,))
    if statement.body:
        fold.begin_body(symbol, parameters, statement.end - 1)
    if not prototype:
        fold.closed, fold.astray = None, False


def _take_open(fold: Fold, statement: OpenBrace) -> None:
    if fold.body is None and (fold.closed is None or not fold.reopen(statement, at_brace=True)):
        if not fold.astray:
            fold.reports.append(unmatched_brace(fold.mark(statement.start, statement.end)))
        fold.astray = True
        return
    fold.open_scope(statement.start)


def _take_close(fold: Fold, statement: CloseBrace) -> None:
    if fold.body is None:
        if not fold.astray:
            message = "this `}` closes nothing"
            fold.surroundings().report("unmatched-brace", statement.start, statement.end, message)
        fold.astray = False
        return
    fold.close_scope()
    if len(fold.scopes) == 1:
        fold.end_body(statement.start)


def _take_broken(fold: Fold, statement: Broken) -> None:
    if fold.body is not None:
        return
    if not fold.header:
        fold.require_header(statement)
    fold.closed, fold.astray = None, True


_TAKE: dict[type[Statement], Callable[[Fold, Any], None]] = {
    Instruction: _take_instruction,
    Label: _take_label,
    Declaration: _take_declaration,
    Directive: _take_directive,
    NameList: _take_list,
    Section: _take_list,
    FunctionHeader: _take_header,
    OpenBrace: _take_open,
    CloseBrace: _take_close,
    Broken: _take_broken,
}
