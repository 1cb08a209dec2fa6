"""The operands of `call`: `(results), function, (arguments), prototype`, of which only the function is required."""

from ptx_lsp.syntax.brackets import checked_item, is_name, parse_element, parse_list
from ptx_lsp.syntax.expressions import PRECEDENCE
from ptx_lsp.syntax.lexer import NAME, Cursor
from ptx_lsp.syntax.operands import parse_operand, parse_operands
from ptx_lsp.syntax.tree import Arguments, Operand, Value, Word

_RESULTS, _FUNCTION, _ARGUMENTS, _PROTOTYPE = "results", "function", "arguments", "prototype"


def parse_call(cursor: Cursor, opcode: Word) -> tuple[Operand, ...]:
    """The operands of a `call`, up to and including its `;`."""
    operands = parse_operands(cursor, _parse_operand)
    _check_order(cursor, opcode, operands)
    return operands


def _parse_operand(cursor: Cursor) -> Operand | None:
    at = cursor.at
    if cursor.kinds[at] == "(":
        return _arguments(cursor)
    if cursor.kinds[at] == NAME and cursor.kinds[at + 1] in PRECEDENCE:
        message = f"`{cursor.word(at + 1)}` cannot follow the name of a function"
        cursor.problem("call-operands", message, cursor.starts[at + 1], cursor.ends[at + 1])
    return parse_operand(cursor)


def _arguments(cursor: Cursor) -> Arguments:
    opening = cursor.at
    if cursor.kinds[opening + 1] == ")":
        cursor.at = opening + 2
        return Arguments((), cursor.starts[opening], cursor.ends[opening + 1])
    items = parse_list(cursor, _argument, "an argument")
    return Arguments(items, cursor.starts[opening], cursor.ends[cursor.at - 1])


def _argument(cursor: Cursor) -> Operand | None:
    """A plain name, a constant or `_`."""
    item = parse_element(cursor)
    return checked_item(cursor, item) if isinstance(item, Value) else item


def _check_order(cursor: Cursor, opcode: Word, operands: tuple[Operand, ...]) -> None:
    """Report the first operand that `call` does not take at its position."""
    if [isinstance(operand, Arguments) for operand in operands[:3]] == [False, False, True]:
        result = operands[0]
        message = f"the result of a call is in parentheses: write `({cursor.text[result.start : result.end]})`"
        cursor.problem("call-operands", message, result.start, result.end)
        return
    places = [_RESULTS, _FUNCTION, _ARGUMENTS, _PROTOTYPE]
    for operand in operands:
        listed = isinstance(operand, Arguments)
        while places and (places[0] in (_RESULTS, _ARGUMENTS)) is not listed and places[0] is not _FUNCTION:
            del places[0]
        if not places or (places[0] is _FUNCTION and listed) or not (listed or is_name(operand)):
            wanted = (
                "has no place in this `call`" if _FUNCTION not in places else "is not the name of a function to call"
            )
            message = f"`{cursor.text[operand.start : operand.end]}` {wanted}"
            cursor.problem("call-operands", message, operand.start, operand.end)
            return
        del places[0]
    if _FUNCTION in places:
        message = "`call` needs the name of a function, or a register that holds its address"
        cursor.problem("call-operands", message, opcode.start, opcode.end)
