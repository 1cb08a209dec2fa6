"""Initial values of textures, samplers and surfaces: fields by name, in braces (observed: ptxas 13.5)."""

from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.nearest_word import guess
from ptx_lsp.semantics.operands import report_problems, terms_from
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.syntax.tree import Expression, Initialiser, Term, TermKind, Word
from ptx_lsp.syntax.value_runs import each_value

_SIZE = "width height depth channel_data_type channel_order array_size"
_SAMPLING = "filter_mode addr_mode_0 addr_mode_1 addr_mode_2"
FIELDS: dict[str, tuple[str, ...]] = {
    ".texref": (*_SIZE.split(), *_SAMPLING.split(), "normalized_coords", "num_mipmap_levels", "num_samples"),
    ".samplerref": (*_SAMPLING.split(), "force_unnormalized_coords"),
    ".surfref": (*_SIZE.split(), "memory_layout"),
}
WORDS = ("nearest", "linear", "wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border")
_LISTED = ", ".join(f"`{word}`" for word in WORDS)


def check_opaque(initialiser: Initialiser, symbol: Symbol, surroundings: Surroundings) -> int:
    """Report what is wrong with the fields of a texture, sampler or surface; return the number of elements."""
    first = initialiser.items[0]
    if isinstance(first, Expression):
        message = f"`{symbol.type}` is initialised by fields in braces, such as `{{ width = 4 }}`"
        surroundings.report("initialiser-shape", first.start, first.end, message)
        return 0
    sizes, around, elements = symbol.dimensions, list[list[Word | Expression]](), 0
    for item in each_value(initialiser.items):
        if isinstance(item, Word) and item.text == "}":
            inside = around.pop()
            elements = len(inside)
            _check_count(inside, sizes[len(around)] if len(around) < len(sizes) else 0, surroundings)
            continue
        depth = len(around)
        if around:
            around[-1].append(item)
        if isinstance(item, Expression):
            _check_field(item, symbol, depth > len(sizes), surroundings)
            continue
        if depth == len(sizes) + 1:
            message = f"the fields of one `{symbol.type}` are in one pair of braces, such as `{{ width = 4 }}`"
            surroundings.report("initialiser-shape", item.start, item.end, message)
        around.append([])
    return elements


def _check_count(inside: list[Word | Expression], size: int, surroundings: Surroundings) -> None:
    """Report the elements, or those that are a field without braces, beyond the size of the array (0: open)."""
    if len(inside) > size > 0:
        message = f"too many values: the array has {size}, and here are {len(inside)}"
        surroundings.report("initialiser-count", inside[size].start, inside[size].end, message)


def _check_field(item: Expression, symbol: Symbol, named: bool, surroundings: Surroundings) -> None:
    """`named`: false for a field in the place of an element, whose name may be any (observed: ptxas 13.5)."""
    root, name = item.root, item.terms[0]
    if root.kind is not TermKind.BINARY or root.text != "=":
        message = f"the values of `{symbol.type}` have names: write `field = value`"
        surroundings.report("initialiser-field", item.start, item.end, message)
    elif named and name.text not in FIELDS[symbol.type]:
        _refuse(name, FIELDS[symbol.type], f"`{name.text}` is not a field of `{symbol.type}`", surroundings)
    else:
        value = item.terms[root.operands[1]]
        if value.kind is TermKind.NAME and value.text not in WORDS:
            _refuse(
                value,
                WORDS,
                f"`{value.text}` is not a value of a field: the values are numbers and the words {_LISTED}",
                surroundings,
            )
        elif value.kind is not TermKind.NAME:
            terms = terms_from(item.terms, root.operands[0] + 1)
            report_problems(evaluate(Expression(terms, terms[0].start, item.end)).problems, surroundings)


def _refuse(term: Term, known: tuple[str, ...], message: str, surroundings: Surroundings) -> None:
    meant, data = guess(term.text, known)
    surroundings.report("initialiser-field", term.start, term.end, message + meant, data=data)
