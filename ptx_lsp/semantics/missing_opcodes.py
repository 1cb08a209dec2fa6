"""An instruction without its opcode, which has the look of a declaration: `.lo.s32 %r1, %r2, %r3;`."""

from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Declaration


def reports_missing_opcode(declaration: Declaration, surroundings: Surroundings) -> bool:
    """Report that the opcode is missing before a declaration in a function, if it has no state space.

    True if it is reported. The first word must be a usual modifier, and no misspelt `.reg`. All names must be declared
    above: those of a declaration are new.
    """
    from ptx_lsp.isa.usual_modifiers import is_usual  # only a text with a mistake needs it

    words, declarators = declaration.specifiers, declaration.declarators
    if surroundings.function is None or not words or not declarators:
        return False
    if any(each.word.text in SPACE_WORDS or each.word.text in LINKAGES or each.arguments for each in words):
        return False
    if not is_usual(words[0].word.text):
        return False
    if any(surroundings.scope.lookup(each.name.text) is None for each in declarators):
        return False
    start, end = words[0].start, words[-1].end
    message = f"an opcode is missing before `{surroundings.source(start, end)}`"
    surroundings.report("stray-token", start, end, message)
    return True
