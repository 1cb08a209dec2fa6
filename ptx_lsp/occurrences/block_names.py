"""What the names of a block mean, by the scopes at its beginning and the declarations in the scopes that it opens.

This is for all names of many blocks. It does not distinguish several declarations of one name: `target.py` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Tag
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import TYPES
from ptx_lsp.reading.blanked_text import first_row, kept_text
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import is_in_comment
from ptx_lsp.semantics.declarations import names_in_body
from ptx_lsp.semantics.specifiers import SPACES
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol, SymbolKind, member_number, place
from ptx_lsp.syntax.names import Where, names_in
from ptx_lsp.syntax.tree import CloseBrace, Declaration, FunctionHeader, Label, NameList, OpenBrace, Statement
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Range

_REGISTERS, _PARAMETERS = ".reg", ".param"
_NEVER = 1 << 62  # beyond every text
_USUAL_WORDS = 2  # of a declaration: a state space and a type
_FAMILY = "<"  # ends the name of a family in a frame of an opened scope


class NameKind(Enum):
    """What a name is."""

    __hash__ = object.__hash__  # the hash of Enum is written in Python and takes five times as long

    REGISTER = "register"
    SPECIAL_REGISTER = "special register"
    VARIABLE = "variable in memory"
    PARAMETER = "parameter in memory"
    FUNCTION = "function or kernel"
    LABEL = "label, prototype or list"


class _Between(dict[str, NameKind]):
    """The names that a block declares between braces, whose scope is `opened` if a block above opened it.

    Names that a block above declares in it are found too, and none that is declared below: where the blocks of a text
    begin depends on its edits, and the answer must not.
    """

    def __init__(self, opened: Scope | None = None) -> None:
        super().__init__()
        self.opened = opened

    def own(self, name: str) -> NameKind | None:
        """What a name means by the declarations of the block so far."""
        return self.get(name) or self.get(name.rstrip(DIGITS) + _FAMILY)


_Frame = Scope | _Between


def _declared_outside(frame: _Frame, name: str, block: Block) -> Symbol | None:
    """The declaration of a name by the analysis: in any block, or above a block if the scope is between braces."""
    if isinstance(frame, Scope):
        return _first(frame, name) or next(iter(frame.labels.get(name, ())), None)
    opened = frame.opened
    if opened is None:
        return None
    symbol = opened.own(name) or next(iter(opened.families.get(name.rstrip(DIGITS), ())), None)
    if symbol is not None and symbol.mark.holder.index < block.index:
        return symbol
    return next((label for label in opened.labels.get(name, ()) if label.mark.holder.index < block.index), None)


def _first(scope: Scope, name: str) -> Symbol | None:
    """The first declaration of a name in a scope: of it alone, or of a family that has it."""
    found = scope.own(name)
    stem = name.rstrip(DIGITS)
    if found is None or found.count is not None or stem not in scope.families or stem == name:
        return found
    number = member_number(name[len(stem) :])
    families = (family for family in scope.families[stem] if number < (family.count or 0))
    return min((found, *families), key=lambda each: place(each.mark))


class Outside(NamedTuple):
    """An answer that the declarations of other blocks can change without a change of the block.

    It is what `frames`, from the inside to the outside, say about a name: `found`, and None if they do not declare it.
    If `is_label` is true, only their labels count.
    """

    frames: tuple[_Frame, ...]
    name: str
    found: NameKind | None
    is_label: bool = False

    def is_present(self, block: Block) -> bool:
        """Whether the answer is still the same."""
        found: Symbol | None = None
        for frame in self.frames:
            found = _label_in(frame, self.name) if self.is_label else _declared_outside(frame, self.name, block)
            if found is not None:
                break
        return (None if found is None else _of_symbol(found)) is self.found


def _label_in(frame: _Frame, name: str) -> Symbol | None:
    return next(iter(frame.labels.get(name, ())), None) if isinstance(frame, Scope) else None


class BlockNames:
    """A block of the text, and the meanings of names at one of its statements: at first that at its beginning.

    `line` is its first line in the document, `lines` the number of its line ends. `unused` are the places, as line in
    the block and column, of the names that it declares and nothing uses. `key` is the same object as long as the block
    exists, `generation` grows when the block is read again; `is_read` is True if that has happened after its last edit.
    `begins_in_comment` is True if a comment is open at its beginning.

    The names of a scope that the block opens between braces come from the declarations among the statements that
    `advance` was given; the names of every other scope come from the analysis. `change` is the offset at which a
    function begins, ends or continues next: `reach` is to be called with the first statement or line that ends below.

    `scopes` are those at its beginning. `outside` grows by the answers that depend on the declarations of other blocks.
    """

    def __init__(self, module: Module, block: Block) -> None:
        self.key: object = block
        self.line = block.line
        self.lines = block.lines
        self.generation = block.generation
        self.is_read = not block.stale
        self.begins_in_comment = is_in_comment(block.entry)
        self.unused = _unused(block)
        self._module = module
        self._block = block
        self.scopes = scopes = block.entry.scopes if block.entry is not None else ()
        self.outside: list[Outside] = []
        self._text = ""  # in which the statements are
        self._frames: list[_Frame] = [*scopes[:2], *map(_Between, scopes[2:])] or [_Between()]
        self._known: dict[str, NameKind | None] = {}
        self._knows_functions = self.is_read and block.entry is not None
        self._part = 0  # the first part of a function that may end below
        self.change = 0 if self._knows_functions else _NEVER

    def text(self) -> str:
        """The text of the block."""
        return self._module.block_map.text(self._block)

    def seen(self, first: int, last: int) -> KeptText:
        """The text of the block, without the rows of sections that are far from its lines `first` to `last`.

        It has all rows unless the functions end above them: the offsets of functions are those of the whole text.
        """
        block = self._block
        seen = kept_text(self._module.document, block, Range(block.line + first, 0, block.line + last, 0))
        if seen is not None and seen.starts is not None and block.parts:
            stop = block.parts[-1].stop
            if stop is None or stop > seen.starts[first_row(block)]:
                seen = None
        found = KeptText(self.text()) if seen is None else seen
        self._text = found.text
        return found

    def skip_functions(self, offset: int) -> int:
        """Go to the end of the last function of the block that ends before an offset; the offset after its brace.

        0 if there is none. Call it before `advance`.
        """
        if not self.is_read or self._block.entry is None:
            return 0
        ends = (part for part in reversed(self._block.parts) if part.stop is not None and part.stop < offset)
        part = next(ends, None)
        if part is None or part.stop is None or not part.ends or part.cut is not None or part.resumed_at is not None:
            return 0
        self._frames = self._frames[:1]
        return part.stop + 1

    @property
    def keeps_scope(self) -> bool:
        """Whether the innermost scope stays as it is at declarations and labels: the analysis knows all its names."""
        return isinstance(self._frames[-1], Scope)

    def reach(self, offset: int) -> None:
        """Go to the function that is around an offset; no further if it is the present one.

        Only the analysis knows where a function ends whose braces do not match.
        """
        if offset < self.change:
            return
        parts = self._block.parts
        while self._part < len(parts) and (stop := parts[self._part].stop) is not None and stop <= offset:
            self._part += 1
        part = parts[self._part] if self._part < len(parts) else None
        self._known.clear()
        if part is None or part.start > offset:
            self.change = _NEVER if part is None else part.start
            del self._frames[1:]
            return
        self.change = _NEVER if part.stop is None else part.stop
        if len(self._frames) < 2 or self._frames[1] is not part.body.scope:
            self._frames[1:] = [part.body.scope]

    def meaning(self, name: str) -> NameKind | None:
        """What a name means where it is used; None if nothing declares it, and it is not written like a register."""
        if name in self._known:
            return self._known[name]
        found = self._known[name] = self._look_up(name)
        return found

    def branch_target(self, name: str) -> NameKind | None:
        """What the operand of a branch means: a label, or a register with a function's address."""
        label = next((found for frame in reversed(self._frames) if (found := _label_in(frame, name))), None)
        meant = self.meaning(name) if label is None else None
        kind = NameKind.LABEL if label is not None else None
        is_other = meant is not None and meant is not NameKind.LABEL
        if is_other or (label is not None and label.mark.holder is not self._block):
            self.outside.append(Outside(tuple(reversed(self._frames)), name, kind, is_label=True))
        return meant or NameKind.LABEL

    def means_the_same(self, outside: Iterable[Outside]) -> bool:
        """Whether answers that depend on other blocks are still right, for the same scopes and generation."""
        return all(each.is_present(self._block) for each in outside)

    def _look_up(self, name: str) -> NameKind | None:
        found = self._declared_kind(name)
        if found is None and special_register(name) is not None:
            return NameKind.SPECIAL_REGISTER
        return NameKind.REGISTER if found is None and name.startswith("%") else found

    def _declared_kind(self, name: str) -> NameKind | None:
        """What the declarations above say about a name."""
        found: NameKind | None = None
        symbol: Symbol | None = None
        asked: list[_Frame] = []  # in which other blocks may declare the name
        for frame in reversed(self._frames):
            if isinstance(frame, _Between):
                found = frame.own(name)
                if found is not None:
                    break
                if frame.opened is None:
                    continue
            asked.append(frame)
            symbol = _declared_outside(frame, name, self._block)
            if symbol is not None:
                break
        kind = None if symbol is None else _of_symbol(symbol)
        if asked and not (len(asked) == 1 and symbol is not None and self._changes_with(symbol)):
            self.outside.append(Outside(tuple(asked), name, kind))
        return found or kind

    def _changes_with(self, symbol: Symbol) -> bool:
        """Whether the block is read again when a symbol that it names changes."""
        return symbol.kind is not SymbolKind.LABEL and symbol.mark.holder.index <= self._block.index

    def declared(self, statement: Statement) -> dict[int, NameKind]:
        """The names that a statement declares, by their offsets."""
        if isinstance(statement, FunctionHeader):
            return self._in_header(statement)
        found: dict[int, NameKind] = {}
        kind = _of_declaration(statement, False) if isinstance(statement, Declaration) else NameKind.LABEL
        for name in names_in(statement):
            if name.where in (Where.DECLARED, Where.LABEL):
                found[name.start] = kind
        return found

    def _in_header(self, header: FunctionHeader) -> dict[int, NameKind]:
        own = NameKind.LABEL if header.label is not None else NameKind.FUNCTION
        given = {
            name.start: _of_declaration(declaration, True)
            for declaration in (*(header.returns or ()), *(header.parameters or ()))
            for name in names_in(declaration)
        }
        return {name.start: given.get(name.start, own) for name in names_in(header) if name.where is Where.DECLARED}

    def advance(self, statement: Statement) -> None:
        """Apply the effect of a statement on the scopes; call it for each statement of the block, in their order."""
        if isinstance(statement, FunctionHeader) and statement.body:
            if not self._knows_functions:  # `reach` opens the others
                self._open(self._body(statement))
        elif isinstance(statement, OpenBrace):
            if len(self._frames) > 1 or not self._knows_functions:
                self._open(_Between())
        elif isinstance(statement, CloseBrace):
            if len(self._frames) > 1 + self._knows_functions:
                self._frames.pop()
                self._known.clear()
        elif isinstance(statement, Declaration | FunctionHeader | NameList | Label):
            self._declare(statement)

    def _open(self, frame: _Frame) -> None:
        self._frames.append(frame)
        self._known.clear()

    def _body(self, header: FunctionHeader) -> _Frame:
        """The scope of a function whose body begins with the last character of its header."""
        for part in self._block.parts:
            if part.start == header.end - 1 and part.body.opening.holder is self._block:
                return part.body.scope
        frame = _Between()
        for declaration in (*(header.returns or ()), *(header.parameters or ())):
            _add(frame, declaration, _of_declaration(declaration, True))
        return frame

    def _declare(self, statement: Declaration | FunctionHeader | NameList | Label) -> None:
        frame = self._frames[-1]
        if not isinstance(frame, _Between):
            return
        if isinstance(statement, Declaration):
            if _is_plain(statement):
                _add(frame, statement, _of_declaration(statement, False))
            else:
                self._declare_uncertain(frame, statement)
        else:
            word = statement.name if isinstance(statement, Label) else statement.label
            if word is not None:
                frame[word.text] = NameKind.LABEL
        self._known.clear()

    def _declare_uncertain(self, frame: _Between, statement: Declaration) -> None:
        """Declare what the analysis declares for a statement that may have a mistake."""
        entry = self._block.entry
        body = next((part.body for part in self._block.parts if part.body.scope in self._frames), None)
        body = body or (None if entry is None else entry.body)
        if body is None:
            return
        surroundings = Surroundings(
            self._module.profile, Scope(), body.symbol, len(self._frames), self._text, self._mark, [], [], []
        )
        symbols, doubtful = names_in_body(statement, surroundings)
        for symbol in symbols:
            if not doubtful or self._declared_kind(symbol.name) is None:
                frame[symbol.name + ("" if symbol.count is None else _FAMILY)] = _of_symbol(symbol)

    def _mark(self, start: int, end: int) -> Mark:
        """A mark for reports that are not shown."""
        return Mark(self._block, Range(0, start, 0, end))


def _is_plain(declaration: Declaration) -> bool:
    """Whether a declaration has a state space and a type, as nearly all have, and certainly no mistake in these."""
    words = [specifier.word.text for specifier in declaration.specifiers if specifier.word.text != ".align"]
    is_usual = len(words) == _USUAL_WORDS and words[0] in SPACES and words[1] in TYPES
    return is_usual and all(
        each.members is not None or each.dimensions or each.initialiser or each.end == each.name.end
        for each in declaration.declarators
    )


def _add(frame: dict[str, NameKind], declaration: Declaration, meaning: NameKind) -> None:
    for declarator in declaration.declarators:
        family = _FAMILY if declarator.members is not None else ""
        frame[declarator.name.text + family] = meaning


def _of_declaration(declaration: Declaration, is_parameter: bool) -> NameKind:
    words = {specifier.word.text.partition("::")[0] for specifier in declaration.specifiers}
    if _REGISTERS in words:
        return NameKind.REGISTER
    return NameKind.PARAMETER if is_parameter or _PARAMETERS in words else NameKind.VARIABLE


def _of_symbol(symbol: Symbol) -> NameKind:
    match symbol.kind:
        case SymbolKind.FUNCTION | SymbolKind.ENTRY:
            return NameKind.FUNCTION
        case SymbolKind.LABEL | SymbolKind.PROTOTYPE | SymbolKind.TARGETS:
            return NameKind.LABEL
        case SymbolKind.PARAMETER:
            return NameKind.REGISTER if symbol.space == _REGISTERS else NameKind.PARAMETER
    if symbol.space == _REGISTERS:
        return NameKind.REGISTER
    return NameKind.PARAMETER if symbol.space == _PARAMETERS else NameKind.VARIABLE


def blocks_between(module: Module, first: int, last: int) -> Iterator[BlockNames]:
    """The blocks with the lines `first` to `last`, both included, until the next edit; none if the text is not PTX."""
    if module.foreign is not None:
        return
    block: Block | None = module.block_map.at_line(first)
    while block is not None and block.line <= last:
        yield BlockNames(module, block)
        block = module.block_map.after(block)


def _unused(block: Block) -> frozenset[tuple[int, int]]:
    """The line in the block and the column of each name that a block declares and that nothing uses."""
    return frozenset(
        (report.mark.range.line, report.mark.range.column)
        for part in block.parts
        for report in part.body.usage
        if Tag.UNNECESSARY in report.tags and report.mark.holder is block
    )
