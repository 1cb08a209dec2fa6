"""Whether a statement in the text of a string is a template, of which a program fills parts in before it is compiled.

Programs that write CUDA C++ mark these parts in many ways: `{0}`, `{type}` and `{{ type }}` (formats, templates of
`std::format`, Jinja), `%s` (`printf` and Python's operator), `$type` and `${type}` (`string.Template`), `<T>`.
"""

import re

from ptx_lsp.hosts.statement import AsmStatement

_IN_WORD = re.compile(
    r"""(?:[\w.=+&]|\A)\{(?:\d*|\.?[A-Za-z_]\w*)\} # directly after a word or a dot, where PTX has no vector
    |\{(?:\d*|\.?[A-Za-z_]\w*)\}[\w.] # directly before one
    |\{\{[^{};\n]*\}\} # a vector in a vector, if it were PTX
    |\{\{-?\s*'|\{%-?\s # a string in Jinja, or a statement of it
    |\.<\w+>|\$\{|\.\$[A-Za-z_]|(?<!%)(?:%%)*%s\b""",
    re.X,
)
_NAMED = re.compile(r"(?<=[\s,\[])\{([A-Za-z_]\w*)\}")
_WORD = re.compile(r"[A-Za-z_]\w*")


def has_placeholders(statement: AsmStatement, text: str) -> bool:
    """Whether a part of a statement, found in the text of a string, is filled in by the program that has the string."""
    template = statement.template.text
    if _IN_WORD.search(template) is not None or _names_nothing(template):
        return True
    for operand in statement.operands:
        if operand.constraint is None:
            if text[: operand.where.start].endswith("{"):
                return True
        elif _IN_WORD.search(operand.constraint) is not None:
            return True
    return False


def _names_nothing(template: str) -> bool:
    """Whether a name in braces occurs only so: a register of a vector is declared in the template."""
    named = set(_NAMED.findall(template))
    return bool(named) and not named <= set(_WORD.findall(_NAMED.sub("", template)))
