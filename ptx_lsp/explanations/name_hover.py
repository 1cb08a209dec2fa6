"""The hover on a name: its type, space and declaration, and its use."""

from collections.abc import Generator

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations.comment_above import comment_above
from ptx_lsp.explanations.counts import Counts
from ptx_lsp.explanations.description import Code, Part, Prose
from ptx_lsp.explanations.operand_descriptions import purpose
from ptx_lsp.explanations.uses import OperandUse
from ptx_lsp.isa.forms import Access
from ptx_lsp.isa.types import ELEMENTS, TYPES
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Declaration, Declarator, FunctionHeader, Statement
from ptx_lsp.text.lines import beginning_of
from ptx_lsp.text.ranges import Position

LONGEST_DECLARATION = 400
MOST_DIMENSIONS = 16
"""An array with more dimensions is shown with the first ones only."""

_SIGNED = "s"


def describe_symbol(
    name: str,
    symbol: Symbol,
    module: Module,
    use: OperandUse | None = None,
    counts: Counts | None = None,
    member: str = "",
) -> Generator[None, None, tuple[Part, ...]]:
    """The parts of a hover on a declared name: declaration, kind, part (`member`), use here, number of uses.

    They are found in steps between which the module must not be edited.
    """
    parts: list[Part] = []
    place = symbol.mark.resolved().start
    located = yield from module.statement_steps(place)
    if source := _declaration_text(located, place):
        parts.append(Code(source))
    parts.append(Prose(_summary(name, symbol)))
    if symbol.kind in _COMMENTED and (comment := comment_above(module, _first_line(located, place))):
        parts.append(Prose(comment))
    if part := _part(name, member):
        parts.append(Prose(part))
    if use is not None and (text := use_text(symbol, use)):
        parts.append(Prose(text))
    if counts is not None:
        parts += _uses(symbol, counts)
    return tuple(parts)


def _part(name: str, member: str) -> str:
    """What a part of a register is: `.x`, an element of a vector; `.b1`, a byte; `.h0`, a half. Empty for others."""
    if member in ELEMENTS:
        return f"`{name}{member}`: element {ELEMENTS.index(member) % 4}"
    letter, number = member[1:2], member[2:]
    if number.isdecimal() and letter in _SELECTED:
        return f"`{name}{member}`: {_SELECTED[letter]} {number}, counted from the lowest"
    return ""


_COMMENTED = frozenset((SymbolKind.FUNCTION, SymbolKind.ENTRY, SymbolKind.VARIABLE))
_SELECTED = {"b": "byte", "h": "half"}


def _counted(symbol: Symbol, counts: Counts) -> str:
    """The number of uses of a name in the scope that declares it."""
    if not counts.exact:
        return f"{counts.mentions:,} statements in its scope name it"
    if symbol.kind is SymbolKind.LABEL:
        return f"used {_times(counts.read)}" if counts.read else "nothing branches to it"
    written = f"written {_times(counts.written)}" if counts.written else "never written"
    read = f"read {_times(counts.read)}" if counts.read else "never read"
    return f"{written}, {read} in its scope"


def _uses(symbol: Symbol, counts: Counts) -> tuple[Part, ...]:
    """The number of uses of a name, and the only instruction that writes it."""
    counted = _counted(symbol, counts)
    if not counts.writer:
        return (Prose(counted),)
    return Prose(f"{counted}; the write:"), Code(beginning_of(counts.writer, LONGEST_DECLARATION))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def use_text(symbol: Symbol, use: OperandUse) -> str:
    """The effect of an operand's use on a register: the type there, and the conversion between different widths."""
    where = f"`{use.role}` of `{use.opcode}`"
    if use.address:
        return f"{where}: the {_HANDLES.get(symbol.type, 'address')}"
    if symbol.kind is not SymbolKind.REGISTER or use.type not in TYPES or symbol.type not in TYPES:
        return where + purpose(use.match, use.slot) if use.role else ""
    verb = {Access.READ: "read", Access.WRITE: "written", Access.BOTH: "read and written"}[use.access]
    text = f"{where}: {verb} as `{use.type}`"
    bridged = _conversion(TYPES[symbol.type].bits, use)
    return (f"{text}, {bridged}" if bridged else text) + purpose(use.match, use.slot)


_HANDLES = {".texref": "texture", ".samplerref": "sampler", ".surfref": "surface"}


def _conversion(width: int, use: OperandUse) -> str:
    type_ = TYPES[use.type]
    if not use.relaxed or width <= type_.bits:
        return ""
    if use.access is Access.READ:
        return f"the low {type_.bits} of its {width} bits"
    kind = "sign-extended" if type_.letter == _SIGNED else "zero-extended"
    return f"{kind} to {width} bits"


def _first_line(located: StatementContext | None, place: Position) -> int:
    """The line on which the statement that declares the name at a place begins."""
    return place.line if located is None else located.position(located.statement.start).line


def _declaration_text(located: StatementContext | None, place: Position) -> str:
    """The declaration of the name at a place as the author wrote it, without the others of its statement."""
    if located is None:
        return ""
    start, end = _extent(located.statement, located.offset(place))
    text = " ".join(located.text[start:end].rstrip("{").split())
    prefix = _prefix(located.statement, located.text, start)
    text = f"{prefix} {text}".strip()
    return text if len(text) <= LONGEST_DECLARATION else text[: LONGEST_DECLARATION - 4] + " ..."


def _extent(statement: Statement, offset: int) -> tuple[int, int]:
    """The part of a statement that declares the name at an offset."""
    if isinstance(statement, Declaration):
        declarator = _declarator(statement, offset)
        return (declarator.start, declarator.end) if declarator else (statement.start, statement.end)
    if isinstance(statement, FunctionHeader):
        for parameter in (*(statement.returns or ()), *(statement.parameters or ())):
            if parameter.start <= offset < parameter.end:
                return parameter.start, parameter.end
        return statement.start, statement.end
    return statement.start, statement.end


def _prefix(statement: Statement, text: str, start: int) -> str:
    """The specifiers of a declaration, as a prefix for one of its declarators."""
    if not isinstance(statement, Declaration) or not statement.specifiers or start == statement.start:
        return ""
    return " ".join(text[statement.start : statement.specifiers[-1].end].split())


def _declarator(declaration: Declaration, offset: int) -> Declarator | None:
    return next((d for d in declaration.declarators if d.start <= offset <= d.end), None)


def _summary(name: str, symbol: Symbol) -> str:
    match symbol.kind:
        case SymbolKind.REGISTER:
            if symbol.count and name == symbol.name:
                return _whole_family(symbol)
            if symbol.vector > 1:
                return f"`{name}`: register, a {_vector(symbol)}`{symbol.type}`{_family(symbol)}"
            return f"`{name}`: `{symbol.type}` register{_family(symbol)}"
        case SymbolKind.VARIABLE | SymbolKind.PARAMETER:
            return f"`{name}`: {_variable(symbol)}"
        case SymbolKind.LABEL:
            return f"`{name}`: label"
        case SymbolKind.FUNCTION | SymbolKind.ENTRY:
            linkage = f"{symbol.linkage.lstrip('.')} " if symbol.linkage else ""
            body = "" if symbol.defined else ", declared here without a body"
            return f"`{name}`: {linkage}{symbol.kind.value}{body}"
        case _:
            return f"`{name}`: {symbol.kind.value}"


def _whole_family(symbol: Symbol) -> str:
    """A family of registers where it is declared: `.reg .b32 %r<9>` declares nine."""
    count = symbol.count or 0
    type_ = f"`{symbol.type}`"
    if count == 1:
        register = f"register, a {_vector(symbol)}{type_}" if symbol.vector > 1 else f"{type_} register"
        return f"`{symbol.name}<1>`: one {register}, `{symbol.name}0`"
    registers = f"registers, each a {_vector(symbol)}{type_}" if symbol.vector > 1 else f"{type_} registers"
    return f"`{symbol.name}<{count}>`: {count:,} {registers}, `{symbol.name}0` to `{symbol.name}{count - 1}`"


def _family(symbol: Symbol) -> str:
    if not symbol.count:
        return ""
    if symbol.count == 1:
        return f", the only one of `{symbol.name}<1>`"
    return f", one of `{symbol.name}0` to `{symbol.name}{symbol.count - 1}`"


def _vector(symbol: Symbol) -> str:
    return f"vector of {symbol.vector} " if symbol.vector > 1 else ""


def _variable(symbol: Symbol) -> str:
    space = f"`{symbol.space}` " if symbol.space else ""
    noun = "parameter" if symbol.kind is SymbolKind.PARAMETER else "variable"
    owner = " of the kernel" if symbol.of_entry else ""
    text = f"{space}{noun}{owner} of type {_vector(symbol)}`{symbol.type}`"
    if symbol.dimensions:
        shown = "".join(f"[{size or ''}]" for size in symbol.dimensions[:MOST_DIMENSIONS])
        text += f", array `{shown}{'...' if len(symbol.dimensions) > MOST_DIMENSIONS else ''}`"
        elements = _elements(symbol.dimensions)
        bits = TYPES[symbol.type].bits if symbol.type in TYPES else 0
        if elements and bits >= 8:
            text += f" of {elements * bits // 8 * symbol.vector:,} bytes"
    return text + (f", aligned to {symbol.alignment} bytes" if symbol.alignment else "")


def _elements(dimensions: tuple[int, ...]) -> int:
    """The number of elements of an array; 0 if a dimension has no size, or if the number exceeds all addresses."""
    elements = 1
    for size in dimensions:
        elements *= size
        if elements >= 1 << 64:
            return 0
    return elements
