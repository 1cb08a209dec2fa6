"""What the names of a block mean: by the scopes at its begin, and by the declarations in the scopes that it opens."""

from typing import NamedTuple

from ptx_lsp.features.token_types import TokenModifier, TokenType
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.reading.block import Block
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol, SymbolKind
from ptx_lsp.syntax.names import Where, names_in
from ptx_lsp.syntax.tree import CloseBrace, Declaration, FunctionHeader, OpenBrace, Statement

_REGISTERS, _PARAMETERS = ".reg", ".param"
_FAMILY = "<"  # ends the name of a family in a frame of an opened scope


class TokenMeaning(NamedTuple):
    """What a name is. `is_register` is True for a register, `is_memory` for a variable or parameter in memory."""

    type: TokenType
    modifiers: int = 0
    is_register: bool = False
    is_memory: bool = False


REGISTER = TokenMeaning(TokenType.VARIABLE, is_register=True)
SPECIAL = TokenMeaning(TokenType.VARIABLE, TokenModifier.DEFAULT_LIBRARY.value, is_register=True)
VARIABLE = TokenMeaning(TokenType.VARIABLE, TokenModifier.STATIC.value, is_memory=True)
PARAMETER = TokenMeaning(TokenType.PARAMETER, is_memory=True)
REGISTER_PARAMETER = TokenMeaning(TokenType.PARAMETER, is_register=True)
FUNCTION = TokenMeaning(TokenType.FUNCTION)
LABEL = TokenMeaning(TokenType.LABEL)

_Frame = Scope | dict[str, TokenMeaning]


class Frames:
    """The open scopes while a block is read from its begin.

    A scope between braces that the block opens has its names from the declarations that have been passed, any other
    one from the analysis.
    """

    def __init__(self, block: Block) -> None:
        self._block = block
        self._frames: list[_Frame] = list(block.entry.scopes) if block.entry is not None else [{}]
        self._known: dict[str, TokenMeaning | None] = {}

    def meaning(self, name: str) -> TokenMeaning | None:
        """What a name means where it is used; None if nothing declares it, and it is not written like a register."""
        if name in self._known:
            return self._known[name]
        found = self._known[name] = self._look_up(name)
        return found

    def branch_target(self, name: str) -> TokenMeaning | None:
        """What the operand of a branch means: a label, or a register with a function's address."""
        for frame in reversed(self._frames):
            if isinstance(frame, Scope) and name in frame.labels:
                return LABEL
        return self.meaning(name) or LABEL

    def _look_up(self, name: str) -> TokenMeaning | None:
        special = special_register(name)
        for frame in reversed(self._frames):
            if isinstance(frame, Scope):
                symbol = frame.own(name)
                if symbol is not None:
                    return _of_symbol(symbol)
                if name in frame.labels:
                    return LABEL
            else:
                found = frame.get(name) or frame.get(name.rstrip(DIGITS) + _FAMILY)
                if found is not None:
                    return found
        if special is not None:
            return SPECIAL
        return REGISTER if name.startswith("%") else None

    def declared(self, statement: Statement) -> dict[int, TokenMeaning]:
        """The names that a statement declares, by their offsets."""
        if isinstance(statement, FunctionHeader):
            return self._in_header(statement)
        found: dict[int, TokenMeaning] = {}
        kind = _of_declaration(statement, False) if isinstance(statement, Declaration) else LABEL
        for name in names_in(statement):
            if name.where in (Where.DECLARED, Where.LABEL):
                found[name.start] = kind
        return found

    def _in_header(self, header: FunctionHeader) -> dict[int, TokenMeaning]:
        own = LABEL if header.label is not None else FUNCTION
        given = {
            name.start: _of_declaration(declaration, True)
            for declaration in (*(header.returns or ()), *(header.parameters or ()))
            for name in names_in(declaration)
        }
        return {
            name.start: given.get(name.start, own) for name in names_in(header) if name.where is Where.DECLARED
        }

    def advance(self, statement: Statement) -> None:
        """Take the effect of a statement on the scopes."""
        if isinstance(statement, FunctionHeader) and statement.body:
            self._open(self._body(statement))
        elif isinstance(statement, OpenBrace):
            self._open({})
        elif isinstance(statement, CloseBrace) and len(self._frames) > 1:
            self._frames.pop()
            self._known.clear()
        elif isinstance(statement, Declaration):
            self._declare(statement)

    def _open(self, frame: _Frame) -> None:
        self._frames.append(frame)
        self._known.clear()

    def _body(self, header: FunctionHeader) -> _Frame:
        """The scope of a function whose body begins with the last character of its header."""
        for part in self._block.parts:
            if part.start == header.end - 1 and part.body.opening.holder is self._block:
                return part.body.scope
        frame: dict[str, TokenMeaning] = {}
        for declaration in (*(header.returns or ()), *(header.parameters or ())):
            _add(frame, declaration, _of_declaration(declaration, True))
        return frame

    def _declare(self, declaration: Declaration) -> None:
        frame = self._frames[-1]
        if isinstance(frame, dict):
            _add(frame, declaration, _of_declaration(declaration, False))
            self._known.clear()


def _add(frame: dict[str, TokenMeaning], declaration: Declaration, meaning: TokenMeaning) -> None:
    for declarator in declaration.declarators:
        family = _FAMILY if declarator.members is not None else ""
        frame[declarator.name.text + family] = meaning


def _of_declaration(declaration: Declaration, is_parameter: bool) -> TokenMeaning:
    words = {specifier.word.text.partition("::")[0] for specifier in declaration.specifiers}
    if _REGISTERS in words:
        return REGISTER_PARAMETER if is_parameter else REGISTER
    return PARAMETER if is_parameter or _PARAMETERS in words else VARIABLE


def _of_symbol(symbol: Symbol) -> TokenMeaning:
    match symbol.kind:
        case SymbolKind.FUNCTION | SymbolKind.ENTRY:
            return FUNCTION
        case SymbolKind.LABEL | SymbolKind.PROTOTYPE | SymbolKind.TARGETS:
            return LABEL
        case SymbolKind.PARAMETER:
            return REGISTER_PARAMETER if symbol.space == _REGISTERS else PARAMETER
    if symbol.space == _REGISTERS:
        return REGISTER
    return PARAMETER if symbol.space == _PARAMETERS else VARIABLE
