"""PTX as it is written in a literal of a host: the escapes of the dialect, then those of the literal."""

from ptx_lsp.hosts.statement import C_FAMILY, AsmStatement, Dialect, Host
from ptx_lsp.patterns import lazy_pattern

_PREFIX = lazy_pattern(r"[A-Za-z0-9]*")
_OPERAND = lazy_pattern(r"%(?=\d)")
_IN_HEXADECIMAL = frozenset((Host.LLVM, Host.MLIR))


def encoded(text: str, statement: AsmStatement, literal: str) -> str | None:
    """A text of PTX as it is written in the literal, whose source is `literal`; None if the literal cannot hold it.

    `%0` and `$0` are operands and stay as they are.
    """
    in_dialect = _in_dialect(text, statement)
    if in_dialect is None:
        return None
    prefix = _PREFIX.match(literal)
    is_raw = prefix is not None and "r" in prefix[0].lower()
    if not any(character in in_dialect for character in '"\\\n\t\r'):
        return in_dialect
    is_c_in_python = statement.host in C_FAMILY and not literal.startswith(('"', "u", "U", "L", "R"))
    if is_raw or is_c_in_python:
        return None
    if statement.host in _IN_HEXADECIMAL:
        return "".join(f"\\{ord(each):02X}" if each in '"\\\n\t\r' else each for each in in_dialect)
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return "".join(escapes.get(each, each) for each in in_dialect)


def _in_dialect(text: str, statement: AsmStatement) -> str | None:
    if statement.dialect is Dialect.PERCENT:
        if not statement.operands:
            return text
        return "".join(_doubled(part, at, text) for at, part in enumerate(text))
    if statement.dialect is Dialect.BRACES:
        if _OPERAND.search(text):
            return None  # the names of operands are not those that Rust uses
        return text.replace("{", "{{").replace("}", "}}")
    return text


def _doubled(character: str, at: int, text: str) -> str:
    """A character in a statement with operands: `%` is doubled unless an operand follows."""
    if character != "%" or text[at + 1 : at + 2].isdigit():
        return character
    return "%%"
