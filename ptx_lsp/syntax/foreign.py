"""Statements written as in C: one problem for each, and a node that declares or uses the same names.

The meaning of a statement comes from the habits in `isa/`. A statement of C that declares something becomes the
PTX declaration that its author probably meant, so that the uses of its names are not reported as undeclared.
"""

from ptx_lsp.isa.c_operators import C_INSTRUCTIONS
from ptx_lsp.isa.directive_names import ENTRY, FUNC
from ptx_lsp.isa.intended_words import c_type, head_habit, unknown_instruction
from ptx_lsp.isa.opcode_sets import MOVE, RARELY_MODIFIED
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.declarations import parse_declarator
from ptx_lsp.syntax.lexer import DOTTED, END, NAME, Cursor
from ptx_lsp.syntax.recovery import skip_statement
from ptx_lsp.syntax.tree import (
    DECLARES,
    Declaration,
    Declarator,
    FunctionHeader,
    Instruction,
    Specifier,
    Statement,
    Value,
    Word,
)
from ptx_lsp.syntax.values import name_value

_BLOCKS = frozenset(("if", "else", "for", "while", "do", "switch"))
_QUALIFIERS = frozenset(("const", "static", "volatile", "register", "inline", "extern", "__restrict__"))
_SPACES = {"__shared__": ".shared", "__constant__": ".const", "__device__": ".global"}
_KERNEL = "__global__"
_DECLARED = lazy_pattern(r"[%$\w]+(?:\[\w*\])*")


def parse_foreign(cursor: Cursor) -> Statement | None:
    """A statement that begins with a name or `*` and is written as in C; None if the statement at the cursor is not."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == NAME and kinds[at + 1] in ("(", "{", NAME) and cursor.word(at) in _BLOCKS:
        return _block(cursor)
    if kinds[at] == NAME and kinds[at + 1] in (NAME, "*") and cursor.word(at) not in RARELY_MODIFIED:
        types = _type_words(cursor)
        if types:
            return _declaration(cursor, types)
    sign = _assignment_sign(cursor)
    return _assignment(cursor, sign) if sign else None


def parse_c_type(cursor: Cursor) -> tuple[str, int]:
    """The PTX type of the C type at the cursor, `float *`, and the index of the next token; empty for no C type."""
    types = _type_words(cursor)
    return (_type_of(cursor, types), types) if types else ("", cursor.at)


def _block(cursor: Cursor) -> Statement:
    """`if (...) {` up to the brace, which opens a scope in PTX too; without a brace up to the `;`."""
    first = cursor.at
    start, end = cursor.starts[first], cursor.ends[first]
    cursor.problem("unknown-opcode", unknown_instruction(cursor.word(first))[0], start, end)
    cursor.at = first + 1
    while cursor.kinds[cursor.at] == NAME and cursor.word(cursor.at) in _BLOCKS:
        cursor.at += 1
    if cursor.kinds[cursor.at] == "(":
        _skip_parentheses(cursor)
    if cursor.kinds[cursor.at] != "{":
        skip_statement(cursor)
    return _using_names(cursor, first, Word(cursor.text[start:end], start, end))


def _skip_parentheses(cursor: Cursor) -> None:
    """Skip the `)` that closes the `(` at the cursor, or the rest of its line; a `;` may be between them."""
    depth = 0
    first = cursor.at
    while cursor.kinds[cursor.at] != END and (cursor.at == first or not cursor.on_new_line(cursor.at)):
        kind = cursor.kinds[cursor.at]
        depth += (kind == "(") - (kind == ")")
        cursor.at += 1
        if cursor.at == len(cursor.kinds):
            cursor.read_batch()
        if not depth:
            return
    cursor.short |= cursor.kinds[cursor.at] == END


def _using_names(cursor: Cursor, first: int, opcode: Word) -> Instruction:
    """An instruction with every name from the token `first` on as an operand, so that each of them counts as used."""
    last = cursor.at
    operands: list[Value] = []
    for index in range(first, last):
        if cursor.kinds[index] == NAME and cursor.starts[index] != opcode.start:
            cursor.at = index
            operands.append(name_value(cursor))
    cursor.at = last
    return Instruction(None, opcode, (), tuple(operands), cursor.starts[first], cursor.ends[last - 1], opcode.text)


def _type_words(cursor: Cursor) -> int:
    """The index of the name, after its type, in a declaration as in C; 0 if there is no such type."""
    at = cursor.at
    known = False
    while cursor.kinds[at] in (NAME, "*"):
        word = cursor.word(at)
        follows = cursor.kinds[at + 1] in (NAME, "*")
        if word != "*" and not follows:
            break
        if word == "*" and not known:
            return 0
        if word != "*" and not (word in _QUALIFIERS or word in _SPACES or word in (_KERNEL, "void") or c_type(word)):
            return 0
        known = True
        at += 1
    return at if known and cursor.kinds[at] == NAME else 0


def _type_of(cursor: Cursor, name: int) -> str:
    words = [cursor.word(index) for index in range(cursor.at, name)]
    if "*" in words:
        return ".u64"
    found = [type_ for word in words if word != "unsigned" and (type_ := c_type(word))]
    type_ = found[-1] if found else ".u32"
    return ".u" + type_[2:] if "unsigned" in words and type_.startswith(".s") else type_


def _declaration(cursor: Cursor, name: int) -> Statement:
    """`int i = 0;` or `__global__ void k(...) {`: the PTX declaration or header that was probably meant."""
    first, type_ = cursor.at, _type_of(cursor, name)
    words = [cursor.word(index) for index in range(first, name)]
    start, end = cursor.starts[first], cursor.ends[name - 1]
    if cursor.kinds[name + 1] == "(":
        return _header(cursor, name, words)
    space = next((_SPACES[word] for word in words if word in _SPACES), ".reg")
    declared = _DECLARED.match(cursor.text, cursor.starts[name])
    message = f"this is a declaration of C: write `{space} {type_} {declared[0] if declared else ''}`"
    cursor.problem("unknown-opcode", message, start, end, data=((DECLARES, f"{space} {type_}"),))
    cursor.at = name
    declarators: list[Declarator] = []
    while (declarator := parse_declarator(cursor)) is not None:
        declarators.append(declarator._replace(initialiser=None))
        if cursor.kinds[cursor.at] != ",":
            break
        cursor.at += 1
    skip_statement(cursor)
    if space == ".reg" and any(declarator.dimensions for declarator in declarators):
        space = ".local"
    type_ = ".u8" if type_ == ".pred" and space != ".reg" else type_
    specifiers = tuple(Specifier(Word(text, start, end), (), start, end) for text in (space, type_))
    return Declaration(specifiers, tuple(declarators), start, cursor.ends[cursor.at - 1])


def _header(cursor: Cursor, name: int, words: list[str]) -> FunctionHeader:
    first, is_kernel = cursor.at, _KERNEL in words
    start, end = cursor.starts[first], cursor.ends[name - 1]
    kind = ENTRY if is_kernel else FUNC
    habit = head_habit(_KERNEL if is_kernel else "void")
    message = habit.message if habit is not None else ""
    cursor.problem("unknown-opcode", f"unknown instruction `{words[0]}`: {message}", start, end)
    cursor.at = name + 1
    _skip_parentheses(cursor)
    body = cursor.kinds[cursor.at] == "{"
    if body:
        cursor.at += 1
    else:
        skip_statement(cursor)
    named = Word(cursor.word(name), cursor.starts[name], cursor.ends[name])
    last = cursor.ends[cursor.at - 1]
    return FunctionHeader(Word(kind, start, end), (), None, named, None, (), (), body, start, last)


def _assignment_sign(cursor: Cursor) -> int:
    """The index of the first token of `=`, `+=` or `++` after the target of an assignment; 0 if it is not one."""
    kinds, at = cursor.kinds, cursor.at
    at += kinds[at] == "*"
    if kinds[at] != NAME:
        return 0
    at += 1
    if kinds[at] == DOTTED and kinds[at + 1] in ("=", "+", "-"):
        at += 1
    if kinds[at] == "[":
        # on one line: the parser must not look so far ahead that the text might end before
        while kinds[at] not in ("]", ";", END) and not cursor.on_new_line(at):
            at += 1
        at += kinds[at] == "]"
    if kinds[at] == "=":
        return at
    compound = kinds[at] in C_INSTRUCTIONS and kinds[at + 1] == "="
    stepped = kinds[at] in ("+", "-") and kinds[at + 1] == kinds[at] and kinds[at + 2] == ";"
    return at if compound or stepped else 0


def _operator_after(cursor: Cursor, index: int) -> str:
    """The first operator of C on the line of a token, after it; empty without one."""
    kinds = cursor.kinds
    while kinds[index] not in (";", END) and not cursor.on_new_line(index + 1):
        index += 1
        if kinds[index] in C_INSTRUCTIONS:
            return kinds[index]
    return ""


def _assignment(cursor: Cursor, sign: int) -> Statement:
    """`%r1 = %r2 + 1;` and similar statements."""
    first, kinds = cursor.at, cursor.kinds
    target = cursor.text[cursor.starts[first] : cursor.ends[sign - 1]]
    last = sign + (kinds[sign] != "=")
    operator = kinds[sign] if last > sign else _operator_after(cursor, last + 1)
    opcode = C_INSTRUCTIONS[operator].integer if operator else f"{MOVE}.b32"
    text = f"an instruction names its result first, as in `{opcode} {target}, ...`"
    if kinds[first] == "*" or target.endswith("]"):
        text = "memory is written with `st`, its address in brackets"
    start, end = cursor.starts[sign], cursor.ends[last]
    cursor.problem("stray-token", f"there is no assignment in PTX: {text}", start, end)
    cursor.at = last + 1  # what begins the line seems to begin a statement
    skip_statement(cursor)
    return _using_names(cursor, first, Word(cursor.text[start:end], start, end))
