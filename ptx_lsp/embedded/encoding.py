"""PTX as it is written in a literal of a host: the escapes of the dialect, then those of the literal."""

from typing import NamedTuple

from ptx_lsp.hosts.statement import C_FAMILY, AsmStatement, Dialect, Host
from ptx_lsp.patterns import lazy_pattern

_OPENING = lazy_pattern(
    r"(?P<prefix>[A-Za-z0-9]*)(?P<hashes>#*)(?P<quote>\"\"\"|'''|\"|'|)(?P<delimiter>[^()\\\s\"]{0,16}(?=\()|)"
)
_OPERAND = lazy_pattern(r"%(\d{1,3})(?![\w$])")
_DOLLAR = lazy_pattern(r"\$(?!\d)")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_FORMATS = {"f", "t"}
_IN_HEXADECIMAL = frozenset((Host.LLVM, Host.MLIR))


class Literal(NamedTuple):
    """A string literal of a template: how its source begins, with prefix and quote, and the language of the file.

    That is another language than the statement's for CUDA C++ in a string of Python. `has_fields` is true if a part of
    the template is computed by the host.
    """

    begin: str
    host: Host
    has_fields: bool = False


def encoded(text: str, statement: AsmStatement, literal: Literal) -> str | None:
    """A text of PTX as it is written in a literal; None if the literal cannot hold it.

    `%0` and `$0` are operands; they become `{0}` or `{name}` in Rust. A line end that cannot be written becomes a
    blank.
    """
    in_dialect = _in_dialect(text, statement)
    if in_dialect is None:
        return None
    if literal.host is not statement.host:
        return _in_inner_literal(in_dialect, literal)
    if statement.host in _IN_HEXADECIMAL:
        return "".join(f"\\{ord(each):02X}" if each in _ESCAPES else each for each in in_dialect)
    prefix, hashes, quote, delimiter = _opening(literal.begin)
    if statement.host is Host.PYTHON and ("{" in in_dialect or "}" in in_dialect):
        if literal.has_fields and not _FORMATS & set(prefix):
            return None  # `format` may follow: then braces are written twice
        in_dialect = in_dialect.replace("{", "{{").replace("}", "}}") if _FORMATS & set(prefix) else in_dialect
    if "r" in prefix:
        closing = f"){delimiter}" if statement.host in C_FAMILY else ""
        return _in_raw(in_dialect, statement.host, quote, closing + quote + hashes)
    is_long = statement.host is Host.PYTHON and len(quote) == 3  # such a literal has several lines
    escaped = "".join(each if is_long and each == "\n" else _ESCAPES.get(each, each) for each in in_dialect)
    if statement.host is Host.JULIA:
        return escaped.replace("$", "\\$")
    return escaped.replace("'", "\\'") if quote.startswith("'") else escaped


def _opening(begin: str) -> tuple[str, str, str, str]:
    """The prefix of a literal in lower case, the `#` of Rust, the quote, and the delimiter of a raw string of C++."""
    found = _OPENING.match(begin)
    return (found["prefix"].lower(), found["hashes"], found["quote"], found["delimiter"]) if found else ("", "", "", "")


def _in_raw(text: str, host: Host, quote: str, end: str) -> str | None:
    """A text in a raw literal that ends with `end`; None if it would end the literal or be an escape there."""
    if host in (Host.PYTHON, Host.JULIA) and (quote[:1] in text or "\\" in text):
        return None
    if host is Host.PYTHON and len(quote) == 1:
        return _in_one_line(text)
    return None if end in text else text


def _in_inner_literal(text: str, literal: Literal) -> str | None:
    """A text in a literal whose source is itself in a string: without escapes, which would be undone twice."""
    one_line = _in_one_line(text)
    if one_line is None or any(each in one_line for each in "\"'\\{}"):
        return None
    return one_line.replace("$", "\\$") if literal.host is Host.JULIA else one_line


def _in_one_line(text: str) -> str | None:
    """The text with blanks for line ends and tabs; None if a comment would swallow what follows."""
    return None if "//" in text else "".join(" " if each in "\n\t\r" else each for each in text)


def _in_dialect(text: str, statement: AsmStatement) -> str | None:
    if statement.dialect is Dialect.PERCENT:
        if not statement.operands:
            return text
        return "".join(_doubled(part, at, text) for at, part in enumerate(text))
    if statement.dialect is Dialect.DOLLAR:
        return _DOLLAR.sub("$$", text)
    is_rust = statement.dialect is Dialect.BRACES
    parts: list[str] = []
    for at, part in enumerate(_OPERAND.split(text)):
        if at % 2 == 0:
            parts.append(part.replace("{", "{{").replace("}", "}}") if is_rust else part)
        elif (named := _named(int(part), statement)) is not None:
            parts.append(named)
        else:
            return None
    return "".join(parts)


def _named(number: int, statement: AsmStatement) -> str | None:
    """An operand of Rust or of `nvvm.inline_ptx` by its name or number; None if there is no such operand."""
    name = next((each.name or str(number) for each in statement.operands if each.number == number), None)
    if name is None or (statement.dialect is Dialect.ROLES and name.isdecimal()):
        return None
    return f"{{{name}}}" if statement.dialect is Dialect.BRACES else f"{{${name}}}"


def _doubled(character: str, at: int, text: str) -> str:
    """A character in a statement with operands: `%` is doubled unless an operand follows."""
    if character != "%" or text[at + 1 : at + 2].isdigit():
        return character
    return "%%"
