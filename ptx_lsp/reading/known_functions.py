"""A function that is known as a whole: its symbols, labels and names are made at the first request for one of them.

It has been concluded, and its reports are made with it, so that a `check` never asks. Measured: to make them
at once took about 150 microseconds for each function, most of the time that a text with many small functions needs.
"""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import Any, Set
from ptx_lsp.quick.body_memory import body_effect
from ptx_lsp.quick.body_text import written_out
from ptx_lsp.quick.effect import DECLARED, NAMES, WRITTEN
from ptx_lsp.quick.function_memory import Concluded, FoundFunction, PlaceInFunction, known_function, learn
from ptx_lsp.quick.headers import redeclared
from ptx_lsp.quick.template_reports import NO_REPORTS, BodyPlace, repeated
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.state import CHECKED, NO_MISTAKE, Body, Declared
from ptx_lsp.semantics.surroundings import LabelSymbol, LabelUse
from ptx_lsp.semantics.symbols import Mark, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.text.ranges import Range


class Contents:
    """What a known function declares, mentions and branches to. It begins with the line `first` of its block."""

    __slots__ = ("_block", "_first", "_found", "_signature", "declared", "part", "scope")

    def __init__(self, found: FoundFunction, block: Block, first: int) -> None:
        self._found = found
        self._block = block
        self._first = first
        self._signature: Signature | None = None
        self.declared: list[Declared] = []
        self.scope: KnownScope | None = None
        self.part: KnownPart | None = None

    @property
    def model(self) -> Signature:
        """The signature of the template."""
        return self._found.template.signature

    def signature(self) -> Signature:
        """The parameters and results."""
        if self._signature is None:
            of = self._found.template.signature
            places = iter(self._found.template.parameters)
            returns = tuple(self._parameter(parameter, next(places)) for parameter in of.returns)
            parameters = tuple(self._parameter(parameter, next(places)) for parameter in of.parameters)
            self._signature = of._replace(returns=returns, parameters=parameters)
        return self._signature

    def _parameter(self, parameter: Symbol, place: PlaceInFunction) -> Symbol:
        name = written_out(parameter.name, self._found.names)
        return parameter.changed(
            name=name,
            mark=self._name_mark(name, self._first + place.line, place.column_after(self._found.names.function)),
        )

    def _name_mark(self, name: str, line: int, column: int) -> Mark:
        return Mark(self._block, Range(line, column, line, column + len(name)))

    def fill(self) -> None:
        """Make everything that the scope and the part of the function have, in the order of its reading."""
        scope, part = self.scope, self.part
        assert scope is not None, "both are made together"
        assert part is not None, "both are made together"
        scope.make_tables()
        template = self._found.template
        effect = body_effect(
            template.body, self._found.names, self._found.closing, self._first + template.first, self._name_mark
        )
        signature = self.signature()
        part.label_uses = [LabelUse(scope, self._block, use) for use in effect.branches]
        labels: list[Symbol] = [LabelSymbol(self._block, place) for place in effect.labels]
        part.labels = labels + [LabelSymbol(self._block, place) for place in effect.inner_labels]
        symbols = (*signature.returns, *signature.parameters, *labels, *effect.declares)
        for symbol in symbols:
            scope.declare(symbol)
        self.declared = [Declared(scope, symbol) for symbol in symbols]
        written = set(chain.from_iterable(map(WRITTEN, effect.lines)))
        read = set(chain.from_iterable(map(NAMES, effect.lines)))
        read.difference_update(written)
        part.read, part.written = " ".join(read), " ".join(written)
        part.inner = list(dict.fromkeys(chain.from_iterable(map(DECLARED, effect.lines))))

    def forget(self) -> None:
        """Give up what refers back to this."""
        self.scope = self.part = None
        self.declared = []

    def names_among(self, wanted: Set[str]) -> Set[str]:
        """Those of these names that the function mentions."""
        body, names = self._found.template.body, self._found.names
        varying = (written_out(name, names) for name in (*body.mentioned, *body.written))
        return wanted & {*body.line.names, *body.line.written, *varying}


class KnownSymbol(Symbol):
    """The symbol of a known function; its signature is made at the first request."""

    __slots__ = ("_contents",)

    def __init__(self, contents: Contents, name: str, kind: SymbolKind, mark: Mark, linkage: str) -> None:
        super().__init__(name, kind, mark, linkage=linkage)
        del self.signature
        self._contents = contents

    def __getattr__(self, name: str) -> Any:
        if name != "signature":
            raise AttributeError(name)
        self.signature = self._contents.signature()
        return self.signature

    @property
    def model(self) -> Signature:
        """The signature of the template."""
        return self._contents.model


class KnownScope(Scope):
    """The scope of a known function; its tables are made at the first request."""

    __slots__ = ("_contents",)

    def __init__(self, contents: Contents, parent: Scope, opening: Mark) -> None:
        # not the constructor of the class above, which makes the tables
        self.parent = parent
        self.opening = opening
        self.horizon = parent.horizon
        self._contents = contents

    def __getattr__(self, name: str) -> Any:
        if name not in Scope.__slots__:
            raise AttributeError(name)
        self._contents.fill()
        return getattr(self, name)

    def make_tables(self) -> None:
        """Make empty tables."""
        super().__init__(self.parent, self.opening)

    def resumed(self) -> list[Declared]:
        """The declarations of the function, which continues: its first part is counted, as in other functions."""
        if not self._contents.declared:
            self._contents.fill()
        if self._contents.part is not None:
            self._contents.part.body.concluded = False
        return self._contents.declared


_MADE_LATER = ("labels", "label_uses", "inner", "read", "written")


class KnownPart(FunctionPart):
    """The one part of a known function; its labels and names are made at the first request."""

    is_known = True
    __slots__ = ("_contents",)

    def __init__(self, contents: Contents, body: Body, block: Block, start: int, stop: int) -> None:
        super().__init__(body, block, start)
        del self.labels, self.label_uses, self.inner, self.read, self.written
        self.stop = stop
        self.ends = self.labels_checked = True
        self._contents = contents

    def __getattr__(self, name: str) -> Any:
        if name not in _MADE_LATER:
            raise AttributeError(name)
        self._contents.fill()
        return getattr(self, name)

    def names_among(self, wanted: Set[str]) -> Set[str]:
        """Those of these names that the function mentions."""
        return self._contents.names_among(wanted)

    def shown(self) -> tuple[object, ...]:
        """A known function is read to its end: only its reports show something, so that nothing is made for this."""
        return (self.body.symbol.name,)

    def forget_function(self) -> None:
        """Give up what refers back to the part: it is not needed any more."""
        self._contents.forget()

    def seal(self) -> None:
        """Nothing is left to be done after the reading."""


def read_known_function(reader: BlockReader, offset: int) -> int:
    """Apply the function whose header begins at an offset, if it is known; the offset of its end, otherwise -1."""
    if reader.needs is not None:
        return -1
    source = reader.source
    found = known_function(reader.known.templates, source.text, offset, reader.scopes[-1], source.lines_between)
    if found is None or not _apply(reader, found, offset):
        return -1
    if CHECKED not in reader.header:
        reader.header.append(CHECKED)
    return found.end


def _apply(reader: BlockReader, found: FoundFunction, start: int) -> bool:
    """Apply a known function whose header begins at the offset `start`; False if an earlier declaration differs."""
    source, name, template = reader.source, found.names.function, found.template
    first, root = source.line_at(start), reader.scopes[0]
    contents = Contents(found, reader.block, first)
    mark = source.mark(found.name, found.name + len(name))
    symbol = KnownSymbol(contents, name, found.kind, mark, found.linkage)
    again = redeclared(symbol, root)
    if again is None:
        return False
    if again is not symbol:
        symbol = KnownSymbol(contents, name, found.kind, mark, again.linkage)
    line, column = template.brace.line, template.brace.column_after(name)
    scope = KnownScope(contents, root, Mark(reader.block, Range(first + line, column, first + line, column + 1)))
    body = Body(symbol, scope)
    part = KnownPart(contents, body, reader.block, found.brace, found.closing)
    contents.scope, contents.part = scope, part
    last = first + template.last
    part.closing = body.closing = Mark(reader.block, Range(last, 0, last, 1))
    body.concluded = True
    if template.reports is not NO_REPORTS:
        at = BodyPlace(found.names, reader.block, first + template.first)
        body.usage, part.traces = repeated(template.reports, at)
    reader.declare((symbol,))
    reader.parts.append(part)
    reader.closed, reader.stray_reported, reader.after_end, reader.lost = body, False, True, NO_MISTAKE
    reader.closed_names, reader.make_closed_names, reader.nested = [], scope.resumed, False
    source.note_line(found.end, last + 1)
    return True


def learn_function(parts: list[FunctionPart], text: str) -> None:
    """Make a template of a function with known names, if it is wholly in the text of one block."""
    part = parts[0]
    sample, part.sample, body = part.sample, None, part.body
    if sample is not None and len(parts) == 1 and not body.names:
        learn(sample, Concluded(body.symbol, body.usage, part.traces), text)
