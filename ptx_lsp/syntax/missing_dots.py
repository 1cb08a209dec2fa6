"""Words whose dot is missing, such as `version 9.0`, `reg .b32 %r<9>;` and `.reg f32 %f1;`; types of C."""

from ptx_lsp.isa.directive_names import ENTRY, FUNC, OF_PARAMETERS, TARGET
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.intended_words import c_type
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS, VECTORS
from ptx_lsp.light_classes import Sequence
from ptx_lsp.nearest_word import nearest
from ptx_lsp.syntax.declarations import WRONG_TYPE
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.foreign import parse_c_type
from ptx_lsp.syntax.lexer import DOTTED, END, FLOAT, INTEGER, NAME, STRING, Cursor
from ptx_lsp.syntax.recovery import DECLARING, SAFE, next_token
from ptx_lsp.syntax.tree import Specifier, Word

WITHOUT_DOT = frozenset(word for word in DECLARING | SHAPES.keys() if word[1:] not in opcodes())
"""The words whose dot may be missing."""
_BEFORE_NAMES = frozenset((ENTRY, FUNC, TARGET))
_AFTER_DECLARED = frozenset((",", ";", "[", "<", "="))
_LIKENESS = 0.75
_AFTER_SPACE = TYPE_WORDS | {*VECTORS, ".align", ".v8", ".attribute"}


def directive_without_dot(cursor: Cursor) -> Word | None:
    """The directive that the name at the cursor is without its dot, as a word with it; None if it is another name.

    The missing dot is reported, and the cursor is after the name.
    """
    at = cursor.at
    word = "." + cursor.word(at)
    if word not in WITHOUT_DOT or not _follows(cursor, word):
        return None
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.problem(
        "unknown-directive", f"the dot of `{word}` is missing", start, end, data=(("replacement", word), SAFE)
    )
    cursor.at = at + 1
    return Word(word, start, end)


def directive_after_token(cursor: Cursor) -> Word | None:
    """The directive whose dot the token at the cursor replaces, as in `,reg .b32 %r1;`, as a word with the dot.

    A list of results with a name after it needs `.func`, which is reported.
    """
    at, end = cursor.at, cursor.ends[cursor.at]
    if cursor.kinds[at] == "(":
        return _function_of_results(cursor)
    if not cursor.text[end : end + 1].isalpha():
        return None
    if at + 1 == len(cursor.kinds):
        cursor.read_batch()
    if cursor.kinds[at + 1] != NAME:
        return None
    cursor.at = at + 1
    meant = directive_without_dot(cursor)
    if meant is None:
        cursor.at = at
    elif cursor.problems and cursor.kinds[at] != "}":  # which may end a scope
        cursor.problems[-1] = cursor.problems[-1]._replace(start=cursor.starts[at])
    return meant


def _function_of_results(cursor: Cursor) -> Word | None:
    """The `.func` that is missing before the `(` at the cursor, where `(.reg .b32 a) f(` follows; else None."""
    kinds, start = cursor.kinds, cursor.starts[cursor.at]
    index = next_token(cursor, cursor.at)
    cursor.short |= kinds[index] == END
    if kinds[index] != DOTTED or cursor.word(index) not in OF_PARAMETERS:
        return None
    while kinds[index] not in (")", ";", "{", "}", END):
        index = next_token(cursor, index)
    name = next_token(cursor, index)
    following = next_token(cursor, name)
    cursor.short |= END in (kinds[index], kinds[name], kinds[following])
    if kinds[index] != ")" or kinds[name] != NAME or kinds[following] != "(":
        return None
    message, data = f"`{FUNC}` is missing before these results", (("replacement", f"{FUNC} ("),)
    cursor.problem("expected-declaration", message, start, start + 1, data=data)
    return Word(FUNC, start, start)


def _follows(cursor: Cursor, word: str) -> bool:
    """Whether what follows the name at the cursor is what follows the directive."""
    at = cursor.at + 1
    kind = cursor.kinds[at]
    if cursor.on_new_line(at):
        return False
    if word in SPACE_WORDS:
        return kind == DOTTED and cursor.word(at) in _AFTER_SPACE
    if word in _BEFORE_NAMES:
        return kind == NAME or (kind == "(" and word == FUNC)
    return kind in (INTEGER, FLOAT, STRING) if word in SHAPES else kind == DOTTED


def type_without_dot(cursor: Cursor, code: str) -> Word | None:
    """The type whose dot is missing, as in `.reg f32 %f1`, or that is one of C, `.reg float %f1`; a name follows it."""
    at = cursor.at
    word = "." + cursor.word(at)
    if word not in TYPE_WORDS:
        return _type_of_c(cursor, code)
    if cursor.kinds[at + 1] not in (NAME, "{", "[") or (cursor.on_new_line(at + 1) and code == WRONG_TYPE):
        return None
    if cursor.kinds[at + 1] == "[" and code == WRONG_TYPE:
        return None
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.problem(code, f"the dot of `{word}` is missing", start, end, data=(("replacement", word), SAFE))
    cursor.at = at + 1
    return Word(word, start, end)


def is_alignment(cursor: Cursor) -> bool:
    """Whether the name at the cursor is in the place of `.align`: a number and a type are after it on its line."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at + 1] != INTEGER or kinds[at + 2] != DOTTED or cursor.on_new_line(at + 1) or cursor.on_new_line(at + 2):
        return False
    return cursor.word(at + 2) in TYPE_WORDS


def pass_no_type(cursor: Cursor, specifiers: Sequence[Specifier]) -> None:
    """Report the first of two names at the cursor that is in the place of the type, and step over it.

    They are on one line, and no type precedes them.
    """
    kinds, at = cursor.kinds, cursor.at
    if kinds[at + 1] != NAME or kinds[at + 2] not in _AFTER_DECLARED or cursor.word(at) in opcodes():
        return
    if cursor.on_new_line(at) or cursor.on_new_line(at + 1) or specifiers[0].word.text not in DECLARING:
        return
    if any(each.word.text in TYPE_WORDS for each in specifiers):
        return
    word = cursor.word(at)
    near = nearest("." + word, TYPE_WORDS, _LIKENESS)
    message = f"`{word}` is in the place of a type" + (f": did you mean `{near}`?" if near else ", such as `.b32`")
    data = (("replacement", near),) if near else ()
    cursor.problem(WRONG_TYPE, message, cursor.starts[at], cursor.ends[at], data=data)
    cursor.at = at + 1


def _type_of_c(cursor: Cursor, code: str) -> Word | None:
    type_, name = parse_c_type(cursor)
    if not type_ or any(map(cursor.on_new_line, range(cursor.at + 1, name + 1))):
        return None
    start, end = cursor.starts[cursor.at], cursor.ends[name - 1]
    if "*" not in cursor.text[start:end] and not any(map(c_type, cursor.text[start:end].split())):
        return None  # only words such as `const`
    message = f"`{cursor.text[start:end]}` is a type of C: write `{type_}`"
    cursor.problem(code, message, start, end, data=(("replacement", type_),))
    cursor.at = name
    return Word(type_, start, end)
