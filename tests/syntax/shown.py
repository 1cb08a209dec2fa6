"""Parsed PTX as short texts for tests: expressions in prefix form, statements with their parts."""

from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import (
    Address,
    Arguments,
    Broken,
    CloseBrace,
    Declaration,
    Declarator,
    Directive,
    Expression,
    FunctionHeader,
    Initialiser,
    Instruction,
    Label,
    NameList,
    OpenBrace,
    Operand,
    Pair,
    Problem,
    Section,
    Sink,
    Specifier,
    Statement,
    TermKind,
    Value,
    Vector,
    Word,
)
from ptx_lsp.syntax.value_runs import each_value

BRACKETS: dict[type, tuple[str, str]] = {Vector: ("{", "}"), Address: ("[", "]"), Arguments: ("(", ")")}


def problems_of(text: str) -> list[Problem]:
    """All problems in a text, in order."""
    return [problem for _, problems in parse_statements(text) for problem in problems]


def marked(text: str) -> list[str]:
    """Each problem of a text as `code "its range"`."""
    return [f'{p.code} "{text[p.start : p.end]}"' for p in problems_of(text)]


def statements(text: str) -> list[str]:
    """Each statement of a text, as short text."""
    return [shown(statement) for statement, _ in parse_statements(text)]


def expression(tree: Expression) -> str:
    """`1+2*3` as `(+ 1 (* 2 3))`."""
    done: list[str] = []
    for term in tree.terms:
        inner = [done[index] for index in term.operands]
        if not inner:
            done.append(term.text)
        elif term.kind is TermKind.MEMBER:
            done.append(inner[0] + term.text)
        elif term.kind is TermKind.PARENTHESES:
            done.append(f"<{inner[0]}>")
        else:
            done.append(f"({' '.join([term.text, *inner])})")
    return done[-1]


def shown(statement: Statement) -> str:
    """A statement, its kind first."""
    match statement:
        case Instruction(guard=guard):
            before = f"@{'!' * guard.negated}{guard.name.text} " if guard else ""
            return " ".join([before + statement.text, *map(operand, statement.operands)])
        case Label():
            return f"label {statement.name.text}"
        case Declaration():
            return f"declare {declaration(statement)}"
        case Directive():
            return " ".join(["directive", statement.name.text, *map(item, statement.arguments)])
        case FunctionHeader():
            return header(statement)
        case NameList():
            label = statement.label.text + ": " if statement.label else ""
            return f"list {label}{statement.kind.text} {' '.join(name.text for name in statement.names)}"
        case Section():
            lines = (" ".join([d.name.text, *map(item, d.items)]) for d in statement.data)
            return f"section {statement.name.text} {{{'; '.join(lines)}}}"
        case OpenBrace():
            return "open"
        case CloseBrace():
            return "close"
        case Broken():
            return "broken"


def operand(node: Operand) -> str:
    """An operand."""
    match node:
        case Value():
            return expression(node.expression)
        case Sink():
            return "_"
        case Pair():
            return f"{operand(node.first)}|{operand(node.second)}"
        case Vector(elements=inner) | Address(parts=inner) | Arguments(items=inner):
            left, right = BRACKETS[type(node)]
            return left + ", ".join(map(operand, inner)) + right


def item(node: Expression | Word) -> str:
    """An argument of a directive, or a part of an initialiser."""
    return node.text if isinstance(node, Word) else expression(node)


def declaration(node: Declaration) -> str:
    """The specifiers and declarators of a declaration."""
    words = " ".join(map(specifier, node.specifiers))
    return f"{words} {', '.join(map(declarator, node.declarators))}".strip()


def specifier(node: Specifier) -> str:
    """A specifier with its arguments."""
    return node.word.text + (f"({', '.join(map(item, node.arguments))})" if node.arguments else "")


def declarator(node: Declarator) -> str:
    """A declared name with its dimensions and its initial value."""
    count = f"<{expression(node.members)}>" if node.members else ""
    sizes = "".join(f"[{expression(d.size) if d.size else ''}]" for d in node.dimensions)
    return node.name.text + count + sizes + (initialiser(node.initialiser) if node.initialiser else "")


def initialiser(node: Initialiser) -> str:
    """An initial value, flat."""
    return " = " + " ".join(map(item, each_value(node.items)))


def header(node: FunctionHeader) -> str:
    """A header; `...` means that a body follows."""
    parts = ["header", *map(specifier, node.linkage), node.kind.text]
    if node.label:
        parts.insert(1, node.label.text + ":")
    if node.returns is not None:
        parts.append(f"({', '.join(map(declaration, node.returns))})")
    parts.append(node.name.text if node.name else "?")
    if node.parameters is not None:
        parts.append(f"({', '.join(map(declaration, node.parameters))})")
    parts += (" ".join([d.name.text, *map(item, d.arguments)]) for d in node.directives)
    return " ".join(parts + ["..."] * node.body)
