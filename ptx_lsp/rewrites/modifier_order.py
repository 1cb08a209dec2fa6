"""The modifiers of an instruction in the order of the manual: ptxas accepts many of them in other orders."""

from collections.abc import Iterator

from ptx_lsp.explanations.uses import Matched, matched
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.fixes.verification import errors_in
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.rewrites.rewrite import Rewrite, at_once
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Instruction


def sort_modifiers(located: StatementContext) -> Iterator[Rewrite]:
    """The rewrite of a correct instruction whose modifiers are not in the manual's order."""
    statement = located.statement
    if not isinstance(statement, Instruction) or len(statement.modifiers) < 2:
        return
    start, end = statement.opcode.start, statement.modifiers[-1].end
    form = matched(statement, located.surroundings)
    if form is None or form.match.noise or located.text[start:end] != statement.text:
        return
    right = statement.opcode.text + "".join(_in_order(form))
    if right != statement.text and _has_same_meaning(right, form, located, statement):
        yield at_once(f"write `{right}`, the order of the manual", Edit(located.range(start, end), right))


def _in_order(form: Matched) -> list[str]:
    match = form.match
    return [match.words[place] for place in match.places if place >= 0]


def _has_same_meaning(right: str, form: Matched, located: StatementContext, statement: Instruction) -> bool:
    """Whether the statement with this opcode text has no errors, and the same modifiers in the places of its form."""
    first, end = statement.start, statement.modifiers[-1].end
    new = located.text[first : statement.opcode.start] + right + located.text[end : statement.end]
    if errors_in(new, located):
        return False
    statements = [each for each, _ in parse_statements(new)]
    if len(statements) != 1 or not isinstance(statements[0], Instruction):
        return False
    after = matched(statements[0], located.surroundings._replace(text=new))
    return after is not None and after.match.form is form.match.form and _in_order(after) == _in_order(form)
