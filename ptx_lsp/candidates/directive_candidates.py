"""The directives, types and values that completion offers outside of instructions."""

from collections.abc import Iterable
from itertools import chain
from operator import itemgetter

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Found, Item, ItemKind
from ptx_lsp.candidates.half_typed import Typed
from ptx_lsp.candidates.likely_names import function_in, likely_names
from ptx_lsp.candidates.location_candidates import file_items, location_items
from ptx_lsp.explanations.unmet_needs import unmet_needs
from ptx_lsp.isa.directive_names import HEADER, PROTOTYPE, TARGET_OPTIONS, WITH_SIGNATURE
from ptx_lsp.isa.directives import DirectivePlace, DirectiveRow, directives
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.releases import RELEASES, cuda_release
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.kinds import SINK
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.performance import PRAGMAS
from ptx_lsp.text.ranges import Position, Range

_ALIGNMENTS = 8
"""Powers of two that are offered as an alignment."""

_FIRST_LINES = 100
"""Lines of a module in which its header is searched for."""

_USUAL = {
    DirectivePlace.MODULE: (
        *(".version", ".target", ".address_size", ".visible", ".entry", ".func", ".global", ".shared", ".const"),
        *(".extern", ".weak"),
    ),
    DirectivePlace.BODY: (".reg", ".shared", ".local", ".param", ".pragma", ".loc"),
}
"""The directives that people write most at the beginning of a statement, in their order."""

_PARAMETERS = (".param", ".reg")
_VECTORS = (".v2", ".v4")
_REGISTER_TYPES = (
    *(".pred", ".b16", ".b32", ".b64", ".b128", ".u16", ".u32", ".u64", ".s16", ".s32", ".s64"),
    *(".f16", ".f16x2", ".f32", ".f64"),
)


def directive_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The directives that can begin a statement, the usual ones first; those of the header that are there are last."""
    where = DirectivePlace.BODY if context.surroundings.function is not None else DirectivePlace.MODULE
    rows = [row for row in directives().values() if where in row.places and row.name.startswith(typed.word)]
    usual = {name: rank for rank, name in enumerate(_USUAL[where])}
    rows.sort(key=lambda row: usual.get(row.name, len(usual)))
    present = _present(module, position) if where is DirectivePlace.MODULE else frozenset[str]()
    return sorted(_directives(rows, context), key=lambda item: item.label in present), False


def _present(module: Module, position: Position) -> frozenset[str]:
    """The directives of the header that a module has above a position."""
    above = module.document.text(Range(0, 0, min(position.line, _FIRST_LINES), 0))
    first_words = chain.from_iterable(line.split(None, 1)[:1] for line in above.splitlines())
    return frozenset(HEADER).intersection(first_words)


def _directives(rows: Iterable[DirectiveRow], context: PositionContext) -> list[Item]:
    """An item for each directive; those that the module lacks, and those that are deprecated, are last."""
    found = []
    for row in rows:
        lacking = unmet_needs(row.needs, context.profile)
        item = Item(row.name, ItemKind.DIRECTIVE, row.meaning, lacking=lacking)
        found.append(((bool(lacking), row.needs.deprecated is not None), item))
    return [item for _, item in sorted(found, key=itemgetter(0))]


def declaration_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The words with a dot that can follow in a declaration, a header or a list of parameters."""
    tokens = typed.tokens
    if any(token in WITH_SIGNATURE for token in tokens) and tokens.count("(") <= tokens.count(")"):
        return _header_items(context, typed), False
    last = max((i for i, token in enumerate(tokens) if token in (",", "(", ";")), default=-1)
    inside = any(token in WITH_SIGNATURE for token in tokens)
    words = tokens[last + 1 :] if inside else tokens
    if inside and not words:
        return _words(_PARAMETERS, typed), False
    return _words(_declaring(words), typed), False


def _in_header(module: Module, position: Position, context: PositionContext, typed: Typed) -> list[Item]:
    """What can follow in a header where no dot is typed: parameters, their names, and directives."""
    tokens = typed.tokens
    if tokens.count("(") > tokens.count(")"):
        if typed.follows in ("(", ","):
            return _words(_PARAMETERS, typed)
        begin = max(i for i, token in enumerate(tokens) if token in ("(", ","))
        parameter = typed._replace(tokens=tokens[begin + 1 :])
        if _lacks_type(parameter):
            return _words(_declaring(parameter.tokens), parameter)
        return _declared(module, position, typed)
    if typed.follows in WITH_SIGNATURE or function_in(tokens) == "?":
        return _declared(module, position, typed)
    return [] if typed.follows == "," or typed.follows.startswith(".") else _header_items(context, typed)


def _header_items(context: PositionContext, typed: Typed) -> list[Item]:
    """The directives of a header, after its name or its parameters; before its name, none."""
    if function_in(typed.tokens) == "?":
        return []
    head = next(token for token in typed.tokens if token in WITH_SIGNATURE)
    rows = [row for row in directives().values() if DirectivePlace.HEADER in row.places and head[1:] in row.functions]
    return _directives((row for row in rows if row.name.startswith(typed.word)), context)


def _declaring(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that can follow the first words of a declaration."""
    types = tuple(name for name, type_ in _declarable().items() if type_)
    if words[-1] in LINKAGES:
        return (".entry", ".func", ".global", ".shared", ".const")
    if words[0] == ".reg":
        return (*_REGISTER_TYPES, *_VECTORS)
    if any(word in types for word in words):
        return (".ptr", ".global", ".shared", ".const", ".local", ".align") if words[0] == ".param" else ()
    aligned = () if ".align" in words else (".align",)
    return (*aligned, *(w for w in types if w != ".pred"), *_VECTORS, ".attribute", ".managed", ".unified")


def _declarable() -> dict[str, bool]:
    return {name: type_.declarable for name, type_ in TYPES.items()}


def _words(words: tuple[str, ...], typed: Typed) -> list[Item]:
    return [_word(word) for word in words if word.startswith(typed.word) and word not in typed.tokens[-1:]]


def _word(word: str) -> Item:
    if word in TYPES:
        return Item(word, ItemKind.TYPE, TYPES[word].meaning)
    kind = ItemKind.SPACE if word in SPACES else ItemKind.DIRECTIVE
    known = directives().get(word)
    return Item(word, kind, known.meaning if known else "")


def value_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The arguments of a directive: versions, targets and their options, sizes; and names that a declaration needs."""
    first = typed.tokens[0]
    if first == ".version":
        found = [Item(str(v), ItemKind.NUMBER, f"CUDA {cuda_release(v)}") for v in reversed(RELEASES)]
    elif first == ".target" and typed.follows == ",":
        found = [Item(word, ItemKind.TEXT) for word in TARGET_OPTIONS]
    elif first == ".target":
        found = [Item(str(t), ItemKind.TEXT, f"since PTX ISA {v}") for t, v in reversed(TARGETS.items())]
        late = {str(target) for target, version in TARGETS.items() if version > context.profile.version}
        found.sort(key=lambda item: item.label in late)
    elif first == ".address_size":
        found = [Item("64", ItemKind.NUMBER), Item("32", ItemKind.NUMBER)]
    elif first == ".pragma":
        found = [Item(f'"{name}"', ItemKind.TEXT) for name in PRAGMAS]
    elif typed.follows == ".align":
        found = [Item(str(1 << bit), ItemKind.NUMBER) for bit in range(_ALIGNMENTS)]
    elif first in (".loc", ".loc_intermediate"):
        found = location_items(module, position, typed)
    elif first == ".file":
        found = file_items(module, typed)
    elif first == PROTOTYPE:
        found = [Item(SINK, ItemKind.TEXT)]
    elif any(token in WITH_SIGNATURE for token in typed.tokens):
        found = _in_header(module, position, context, typed)
    elif typed.follows in LINKAGES or _lacks_type(typed):
        found = _words(_declaring(typed.tokens), typed)
    else:
        found = _declared(module, position, typed)
    return [item for item in found if item.label.startswith(typed.word)], False


def _lacks_type(typed: Typed) -> bool:
    """Whether the next word of a declaration is not its name yet: no type is written, and no other word is begun."""
    declares = typed.tokens[0] == ".reg" or typed.tokens[0] in SPACES
    return declares and not typed.word and not any(token in TYPES for token in typed.tokens)


def string_items(module: Module, position: Position, context: PositionContext, typed: Typed) -> Found:
    """The strings of `.pragma`."""
    if typed.tokens[:1] != (".pragma",):
        return [], False
    return [Item(name, ItemKind.TEXT) for name in PRAGMAS if name.startswith(typed.word)], False


def _declared(module: Module, position: Position, typed: Typed) -> list[Item]:
    """The names that a declaration probably gives."""
    kind = ItemKind.REGISTER if ".reg" in typed.tokens else ItemKind.VARIABLE
    if any(token in WITH_SIGNATURE for token in typed.tokens[-1:]):
        kind = ItemKind.FUNCTION
    return [Item(name, kind) for name in likely_names(module.document, position, typed.tokens)]
