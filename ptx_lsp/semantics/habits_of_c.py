"""What declared names, and the function around, add to a report about a statement that is written as in C."""

from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import DECLARES, Problem, Word

_ARGUMENTS = lazy_pattern(r"[ \t]*(\([^;\n]*\))")
_REGISTER, _VARIABLE = ".reg", ".global"
_LONGEST = 200  # characters of arguments


class AsCall(NamedTuple):
    """The report of a statement such as `f(1);` for a declared function: its message and its data."""

    message: str
    data: dict[str, str]


def as_call(word: Word, surroundings: Surroundings) -> AsCall | None:
    """The report of a statement that begins with the name of a function in place of an opcode; None for other words."""
    symbol = surroundings.scope.lookup(word.text)
    if symbol is None or symbol.kind is not SymbolKind.FUNCTION:
        return None
    written = _ARGUMENTS.match(surroundings.source(word.end, word.end + _LONGEST))
    arguments = f", {written[1]}" if written is not None and written[1].strip("() \t") else ""
    results = "(...), " if symbol.signature is not None and symbol.signature.returns else ""
    message = f"a function is called with `{CALL}`, as in `{CALL} {results}{word.text}{arguments};`"
    data = {} if results or not arguments else {"replacement": f"{CALL} {word.text}, "}
    return AsCall(message, data)


def reworded(problem: Problem, surroundings: Surroundings) -> Problem:
    """The problem of a statement whose first word is no opcode, in the words that its place needs."""
    word = Word(surroundings.source(problem.start, problem.end), problem.start, problem.end)
    found = as_call(word, surroundings)
    if found is not None:
        return problem._replace(message=found.message, data=tuple(found.data.items()))
    declares = dict(problem.data).get(DECLARES, "")
    if surroundings.function is not None or not declares.startswith(_REGISTER):
        return problem
    meant = declares.replace(_REGISTER, _VARIABLE, 1).replace(".pred", ".u8")
    message = problem.message.replace(declares, meant)
    return problem._replace(message=message, data=((DECLARES, meant),))
