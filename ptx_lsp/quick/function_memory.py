"""Remembered functions: a function that repeats an earlier one, except for names, is fine and does the same.

A function with its header is remembered as a template: its text, with a mark in place of each name that may vary. A
text that is the same everywhere else, and whose names have the same meanings, is another function of this template.
"""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import Callable, Iterator, NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.body_memory import KnownBody, Meaning, has_any, may_be_members, meaning_of
from ptx_lsp.quick.body_text import (
    LABELS_BEGIN,
    LABELS_MARK,
    NAME,
    VARYING_MARK,
    BodyText,
    Names,
    Shape,
    Templates,
    marks_of,
    may_be_word,
    shortened,
    written_out,
)
from ptx_lsp.quick.effect import PARAMETER
from ptx_lsp.quick.template_reports import BodyPlace, TemplateReports, Traces, template_reports
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Scope, Signature, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import NAME_TEXT, is_reserved

MOST_WITHOUT = 2  # functions of one shape that have no template, after which no further ones are tried
_MOST_MARKS = 24  # different ones in one template
_OWN_MARK = f"{VARYING_MARK}F{VARYING_MARK}"  # replaces the name of the function
_MARK = lazy_pattern(rf"{VARYING_MARK}(?:L|F{VARYING_MARK}|V?[0-9]++{VARYING_MARK})")
_BEGIN = lazy_pattern(
    rf"[ \t]*+(?:\.(visible|weak)[ \t]++)?\.(entry|func)[ \t]++(?:\([^(){{}};]++\)[ \t]*+)?({NAME_TEXT})", re.A
)
_LABELS = lazy_pattern(rf"\{LABELS_BEGIN}[0-9]{{1,8}}_")
_IN_WORDS = "_$"
# all other characters of plain text; those of other scripts, which only comments have, become parts of words
_NO_WORDS = str.maketrans(
    {character: " " for character in map(chr, range(128)) if not (character.isalnum() or character in _IN_WORDS)}
)
_KINDS = {"entry": SymbolKind.ENTRY, "func": SymbolKind.FUNCTION}


class TemplatePiece(NamedTuple):
    """A part of a template: its text, the marks in it, which were met before, and the new mark after it (or empty)."""

    text: str
    marks: tuple[str, ...]
    new: str


class PlaceInFunction(NamedTuple):
    """A line of a function, counted from the first line of its header, and a column; both from 0.

    The column counts without the names of the function before it in the line; `names` is their number.
    """

    line: int
    column: int
    names: int

    def column_after(self, name: str) -> int:
        """The column in a function of this name."""
        return self.column + self.names * len(name)


class Recursion(NamedTuple):
    """The meaning of a function in its own body; `is_own` is true if that is what its header says, without another one.

    The first declaration of a function gives it its meaning.
    """

    meaning: Meaning
    is_own: bool


class TemplateWords:
    """All words of the text of a template without its marks; they are found when a second function may be known by it.

    A function with one of these names would have a parameter of this name.
    """

    __slots__ = ("_pieces", "_words")

    def __init__(self, pieces: tuple[TemplatePiece, ...]) -> None:
        self._pieces = pieces
        self._words: set[str] = set()

    def all(self) -> set[str]:
        """The words."""
        if not self._words:
            text = _MARK.sub(" ", " ".join([piece.text for piece in self._pieces]))
            self._words = words = set(text.translate(_NO_WORDS).split())
            words.update([word[: word.index(PARAMETER, 1)] for word in words if PARAMETER in word[1:]])
        return self._words


class FunctionTemplate(NamedTuple):
    """A function whose reading gave no report.

    `size` is the number of its characters. `varying` are the marks of names of the module, and those of the names that
    the body declares, by number. `words` are those of the text without the marks. `signature` has its parameters
    with the names as in the text of the template, `parameters` are their places, the results first. `brace` is the
    place of the `{`, `first` the line after it, `last` that of the `}`. `absent` are names that mean nothing outside,
    `outer` other names with their meanings. `reports` are those of the checks of the whole function, with its traces.
    `recursion` is None if the body does not have the name of the function.
    """

    pieces: tuple[TemplatePiece, ...]
    size: int
    varying: tuple[tuple[str, ...], tuple[str, ...]]
    words: TemplateWords
    signature: Signature
    parameters: tuple[PlaceInFunction, ...]
    brace: PlaceInFunction
    first: int
    last: int
    body: KnownBody
    absent: frozenset[str]
    outer: tuple[tuple[str, Meaning], ...]
    reports: TemplateReports
    recursion: Recursion | None


class FoundFunction(NamedTuple):
    """A function of a template in a text: the offsets of its name, `{`, `}` and end, its names, kind and linkage."""

    template: FunctionTemplate
    names: Names
    name: int
    brace: int
    closing: int
    end: int
    kind: SymbolKind
    linkage: str


LinesBetween = Callable[[int, int], int]  # the number of lines from one offset to another


def known_function(
    templates: Templates[FunctionTemplate], text: str, start: int, scope: Scope, lines_between: LinesBetween
) -> FoundFunction | None:
    """The function at the offset `start`, outside of functions, if it has a template and is fine in this scope."""
    begin = _BEGIN.match(text, start) if templates else None
    if begin is None:
        return None
    for template in templates.get(_shape(text, start, begin, lines_between), ()):
        found = _names(template, text, start, begin[3]) if template is not None else None
        if template is not None and found is not None:
            names, end = found
            if not _fits(template, names, scope):
                return None
            closing = end - len("}\n")
            brace = text.index("{", begin.end())
            linkage = f".{begin[1]}" if begin[1] else ""
            return FoundFunction(template, names, begin.start(3), brace, closing, end, _KINDS[begin[2]], linkage)
    return None


def _shape(text: str, start: int, begin: re.Match[str], lines_between: LinesBetween) -> Shape:
    end = text.find("\n}\n", begin.end())
    return text[start : begin.start(3)], lines_between(start, end) if end >= 0 else -1


def _names(template: FunctionTemplate, text: str, start: int, function: str) -> tuple[Names, int] | None:
    """The names of a function in place of the marks of a template, and the offset of its end; None if it differs."""
    values = {_OWN_MARK: function}
    at = start
    for written, marks, new in template.pieces:
        piece = written
        for mark in marks:
            piece = piece.replace(mark, values[mark])
        if not text.startswith(piece, at):
            return None
        at += len(piece)
        if new:
            found = (_LABELS if new == LABELS_MARK else NAME).match(text, at)
            if found is None:
                return None
            values[new] = found[0]
            at = found.end()
    outer, variables = (tuple([values[mark] for mark in marks]) for marks in template.varying)
    return Names(function, values.get(LABELS_MARK, ""), outer, variables), at


def _fits(template: FunctionTemplate, names: Names, scope: Scope) -> bool:
    """Whether all names of a function are different ones, free, and have the meanings that the template needs."""
    varying = (*names.outer, *names.variables)
    words = template.words.all()
    if names.function in words or is_reserved(names.function):
        return False
    if varying:
        all_names = {names.function, *varying}
        different = len(varying) + (template.recursion is None)
        if len(all_names) < different or not words.isdisjoint(varying):
            return False
        own = names.function + PARAMETER
        if any(may_be_word(name) or name.startswith(own) or LABELS_BEGIN in name for name in varying):
            return False
        if may_be_members(varying, (*template.body.stems, *template.body.line.declared)):
            return False
    if scope.families or has_any(scope.numbered, template.body.stems):
        return False
    if has_any(scope.members, template.absent):
        return False
    if template.recursion is not None:
        declared = scope.lookup(names.function)
        if not (template.recursion.is_own if declared is None else meaning_of(declared) == template.recursion.meaning):
            return False
    return all(meaning_of(scope.lookup(written_out(name, names))) == meaning for name, meaning in template.outer)


# --- templates -------------------------------------------------------------------------------------------------------


# The templates of the version and target, the offset of the header in the text of the block, and the body.
Sample = tuple[Templates[FunctionTemplate], int, BodyText, KnownBody]


class Concluded(NamedTuple):
    """A function that was checked as a whole: its symbol, the reports about how it uses its names, and its traces."""

    symbol: Symbol
    reports: list[Report]
    traces: Traces


def learn(sample: Sample, function: Concluded, text: str) -> None:
    """Make the template of a function in the text of a block, and remember it."""
    templates, start, body, _ = sample
    begin = _BEGIN.match(text, start)
    if begin is None or begin[3] != body.names.function:
        return
    shape = _shape(text, start, begin, lambda first, end: text.count("\n", first, end))
    others = templates.get(shape, [])
    if any(other is not None and _names(other, text, start, begin[3]) is not None for other in others):
        return  # another function of this block has become its template
    if others.count(None) < MOST_WITHOUT:
        template = _template(sample, function, text)
        templates.add(shape, template, template.size if template is not None else 0)


def _template(sample: Sample, function: Concluded, text: str) -> FunctionTemplate | None:
    _, start, body, remembered = sample
    symbol = function.symbol
    names, signature = body.names, symbol.signature
    header = text[start : body.start]
    own, meanings = _own_mark(names), dict(remembered.outer)
    # in a `.loc`, the name of the function has no meaning
    if signature is None or VARYING_MARK in header or "\r" in header or (own and own not in meanings):
        return None
    header = _with_own_mark(header, names.function)
    key = body.key.replace(VARYING_MARK + PARAMETER, _OWN_MARK + PARAMETER)
    key = key.replace(own, _OWN_MARK) if own else key
    whole = header + key + "}\n"
    pieces = _pieces(whole)
    if pieces is None or LABELS_BEGIN in whole:
        return None
    if next(_offsets_of_word(whole, names.function), -1) >= 0:
        return None
    first = symbol.mark.range.line + header.count("\n", header.index(_OWN_MARK))
    reports = template_reports(body, BodyPlace(names, symbol.mark.holder, first), function.reports, function.traces)
    if reports is None:
        return None
    parameters, brace = _places(header, symbol, signature)
    given = {_short(p.name, names) for p in chain(signature.returns, signature.parameters)}
    outer = [(name, meaning) for name, meaning in remembered.outer if name not in given and name != own]
    absent = frozenset(name for name, meaning in outer if meaning is None and name[0] != VARYING_MARK)
    first = header.count("\n")
    return FunctionTemplate(
        pieces,
        len(whole),
        _marks(names),
        TemplateWords(pieces),
        Signature(
            tuple(p.changed(name=_short(p.name, names)) for p in signature.returns),
            tuple(p.changed(name=_short(p.name, names)) for p in signature.parameters),
            signature.noreturn,
            launch=signature.launch,
        ),
        parameters,
        brace,
        first,
        first + key.count("\n"),
        remembered,
        absent | _targets(remembered),
        tuple((name, meaning) for name, meaning in outer if name not in absent),
        reports,
        _recursion(meanings[own], symbol) if own else None,
    )


def _targets(body: KnownBody) -> frozenset[str]:
    """The labels that a body branches to: another meaning of their names would hide them from branches above them."""
    return frozenset(name for name, *_ in body.places.branches if VARYING_MARK not in name)


def _with_own_mark(header: str, function: str) -> str:
    """A header with the mark in place of the name of its function, which names of its parameters may begin with."""
    pieces, begin = [], 0
    for at in _offsets_of_word(header, function):
        if header[at - 1 : at] != "%":
            pieces.append(header[begin:at])
            begin = at + len(function)
    return _OWN_MARK.join((*pieces, header[begin:]))


def _offsets_of_word(text: str, name: str) -> Iterator[int]:
    """Where a name is a word of a text, or the begin of the name of a parameter."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        ends = text.startswith(PARAMETER, end) or not _is_in_word(text[end : end + 1])
        if ends and not _is_in_word(text[at - 1 : at]):
            yield at
        at = text.find(name, end)


def _is_in_word(character: str) -> bool:
    return character.isalnum() or (character != "" and character in _IN_WORDS)


def _own_mark(names: Names) -> str:
    """What the key of a body has in place of the name of its function; empty if the name is not in the body."""
    own = names.function
    return marks_of(names)[0][names.outer.index(own)] if own in names.outer else ""


def _recursion(meaning: Meaning, symbol: Symbol) -> Recursion:
    return Recursion(meaning, meaning == meaning_of(symbol))


def _marks(names: Names) -> tuple[tuple[str, ...], tuple[str, ...]]:
    outer, variables = marks_of(names)
    own = names.function
    return tuple([_OWN_MARK if name == own else mark for name, mark in zip(names.outer, outer, strict=True)]), variables


def _short(name: str, names: Names) -> str:
    return shortened(name, {}, names)


def _pieces(whole: str) -> tuple[TemplatePiece, ...] | None:
    """The pieces of the text of a template; None if too many names vary."""
    pieces: list[TemplatePiece] = []
    met = {_OWN_MARK}
    begin = 0
    inside: dict[str, None] = {}
    for found in _MARK.finditer(whole):
        if found[0] in met:
            inside[found[0]] = None
            continue
        pieces.append(TemplatePiece(whole[begin : found.start()], tuple(inside), found[0]))
        met.add(found[0])
        begin, inside = found.end(), {}
    pieces.append(TemplatePiece(whole[begin:], tuple(inside), ""))
    return tuple(pieces) if len(pieces) <= _MOST_MARKS else None


def _places(header: str, symbol: Symbol, signature: Signature) -> tuple[tuple[PlaceInFunction, ...], PlaceInFunction]:
    """The places of the parameters and of the `{` in a header with marks."""
    lines = header.split("\n")
    first = symbol.mark.range.line - header.count("\n", 0, header.index(_OWN_MARK))

    def place(line: int, column: int) -> PlaceInFunction:
        names = at = 0
        for piece in lines[line].split(_OWN_MARK)[:-1]:
            at += len(piece)
            if at >= column:
                break
            at += len(symbol.name)
            names += 1
        return PlaceInFunction(line, column - names * len(symbol.name), names)

    last = header.count("\n", 0, header.rindex("{"))
    before = lines[last][: lines[last].rindex("{")]
    brace = PlaceInFunction(last, len(before.replace(_OWN_MARK, "")), before.count(_OWN_MARK))
    ranges = (parameter.mark.range for parameter in (*signature.returns, *signature.parameters))
    return tuple(place(range_.line - first, range_.column) for range_ in ranges), brace
