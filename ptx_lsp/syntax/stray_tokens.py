"""Tokens that begin no statement, other brackets in the place of braces, and labels that do not end as they should."""

from ptx_lsp.isa.directive_names import AFTER_LABEL, DECLARED_IN, FUNCTIONS
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import bisect_left
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.lexer import DOTTED, END, INTEGER, NAME, STRING, Cursor
from ptx_lsp.syntax.recovery import (
    DECLARING,
    IN_BODY,
    REGISTERS,
    SAFE,
    is_modifier,
    next_token,
    report_end_of_no_comment,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.tree import Broken, CloseBrace, Declarator, OpenBrace, Word

_NO_OPCODE = lazy_pattern(r"[^%\s]*[A-Z_$]")  # opcodes are written in small letters and digits
_ADDRESS = lazy_pattern(r",\s*\[")
_SEMICOLONS = lazy_pattern(r"(?:[ \t]*+;|(?!))++")
_MODIFIERS = lazy_pattern(r"\.[a-z][\w:.]*+(?=[ \t])", re.A)
_BRACES = {"(": "{", "[": "{", "<": "{", ")": "}", "]": "}", ">": "}"}
_BRACKETS = ("(", ")", "[", "]", "{", "}")
FOR_COLON = frozenset(
    ("@", "%", "=", "~", "?", "!", "|", "&", "^", "+", "-", "*", "/", "<", ">", ",", *_BRACKETS, NAME)
)
"""What may be in the place of the `:` of a label by mistake."""

_ENDS_LIST = frozenset((",", ";", "(", ")", "{", "}", END))
_BEFORE_COLON = frozenset(("/", "*", "!", "?", "=", "+", "-", "&", "|", "^", "~", "<", ">", ",", INTEGER, STRING))
_LONGEST_GAP = 32  # characters between two tokens that belong together
_MOST_BEFORE_COLON = 2  # tokens between the name of a label and its colon


def skip_stray(cursor: Cursor) -> Broken | OpenBrace | CloseBrace:
    """Skip a token that begins no statement: continue after it if a statement begins there, else after the next `;`."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    word = cursor.word(at)
    if word != ";" and (brace := _meant_brace(cursor)) is not None:
        return brace
    if word == ";":
        which = "these `;` end" if _take_semicolons(cursor) else "this `;` ends"
        cursor.problem("stray-token", f"{which} nothing: PTX has no empty statement", start, cursor.ends[at])
    elif word == "*" and cursor.kinds[at + 1] == "/" and cursor.starts[at + 1] == end:
        report_end_of_no_comment(cursor)
        at += 1
    elif word == "{":
        cursor.problem("stray-token", "an opcode is missing before this vector", start, end)
    else:
        report_stray(cursor, "cannot begin a statement")
    cursor.at = at + 1
    if cursor.kinds[at] == NAME and cursor.kinds[at + 1] == DOTTED and not is_modifier(cursor, at + 1):
        cursor.at = at + 2  # an element such as `.x`
    if _is_second_end_of_header(cursor, at):
        cursor.at = at + 2
    elif word != ";" and not _resumes(cursor):
        skip_statement(cursor)
    return Broken(start, cursor.ends[cursor.at - 1])


def _take_semicolons(cursor: Cursor) -> bool:
    """Join the `;` tokens that follow the `;` at the cursor on its line with it. True if there are any."""
    at, starts = cursor.at, cursor.starts
    if (more := _SEMICOLONS.match(cursor.text, cursor.ends[at], cursor.limit)) is None:
        return False
    cursor.ends[at] = more.end()
    cursor.offset = max(cursor.offset, more.end())
    after = bisect_left(starts, more.end())  # some of them may have been read already
    del cursor.kinds[at + 1 : after], starts[at + 1 : after], cursor.ends[at + 1 : after]
    return True


def _is_second_end_of_header(cursor: Cursor, at: int) -> bool:
    """Whether `) {` is written twice, or `{` for the `(` before it: the second brace opens nothing."""
    kinds, before = cursor.kinds, cursor.text[max(0, cursor.starts[at] - _LONGEST_GAP) : cursor.starts[at]].rstrip()
    return kinds[at] == ")" and kinds[at + 1] == "{" and before.endswith("{")


def _meant_brace(cursor: Cursor) -> OpenBrace | CloseBrace | None:
    """The brace that a token alone on its line was meant to be, which is reported; None if it was not."""
    at = cursor.at
    word = cursor.word(at)
    if cursor.text[cursor.text.rfind("\n", 0, cursor.starts[at]) + 1 : cursor.starts[at]].strip():
        return None
    following = next_token(cursor, at)
    cursor.short |= cursor.kinds[following] == END
    meant = _BRACES.get(word, "{")
    if word not in _BRACES and cursor.word(following) != ".param":
        return None  # only such declarations are mostly the first ones of an inner scope
    if not cursor.on_new_line(following) or (meant == "{" and not _begins_body(cursor, following)):
        return None
    start, end = cursor.starts[at], cursor.ends[at]
    data = (("replacement", meant), SAFE)
    cursor.problem("stray-token", f"`{word}` is in the place of a `{meant}`", start, end, data=data)
    cursor.at = at + 1
    return OpenBrace(start, end) if meant == "{" else CloseBrace(start, end)


def _begins_body(cursor: Cursor, index: int) -> bool:
    """Whether a declaration begins at a token, and no parameter of a list."""
    if cursor.kinds[index] != DOTTED or cursor.word(index) not in IN_BODY:
        return False
    while cursor.kinds[index] not in _ENDS_LIST:
        index = next_token(cursor, index)
    cursor.short |= cursor.kinds[index] == END
    return cursor.kinds[index] == ";" or (cursor.kinds[index] == "," and cursor.word(index - 1)[0] == "%")


def _resumes(cursor: Cursor) -> bool:
    at, kind = cursor.at, cursor.kinds[cursor.at]
    if cursor.on_new_line(at) or starts_statement(cursor, at):
        return True
    return kind in (DOTTED, "{", "}") or (kind == NAME and cursor.word(at)[0] != "%")


def meant_label(cursor: Cursor, name: Word) -> Word | None:
    """The label that a name before the cursor was meant as: report what is wrong, and step over it. Else None."""
    at = cursor.at
    if cursor.kinds[at] in _BEFORE_COLON:
        return _colon_after_stray(cursor, name)
    if _instruction_follows(cursor, name):
        message = f"a label ends with `:`: write `{name.text}:`"
        cursor.problem("missing-colon", message, name.start, name.end, data=(("insert", ":"), SAFE))
        return name
    is_opcode = name.text in opcodes() or name.text.lower() in WITHOUT_OPERANDS
    if cursor.kinds[at] != ";" or is_opcode or _NO_OPCODE.match(name.text) is None:
        return None
    if cursor.text[name.end : cursor.starts[at]].strip():
        return None
    data = (("replacement", ":"), SAFE)
    message = f"a label ends with `:`: write `{name.text}:`"
    cursor.problem("missing-colon", message, cursor.starts[at], cursor.ends[at], data=data)
    cursor.at = next_token(cursor, at)
    return name


def label_with_other_end(cursor: Cursor) -> Word | None:
    """The label at the cursor that ends with another character than `:`, which is reported and stepped over."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    if _NO_OPCODE.match(cursor.text, start, end) is None or cursor.text[start] == "%":
        return None
    if cursor.starts[at + 1] != end or not cursor.on_new_line(at):
        return None
    following = next_token(cursor, at + 1)
    cursor.short |= cursor.kinds[following] == END
    if not cursor.on_new_line(following):
        return None
    name = Word(cursor.text[start:end], start, end)
    message, data = f"a label ends with `:`: write `{name.text}:`", (("replacement", ":"), SAFE)
    cursor.problem("missing-colon", message, end, cursor.ends[at + 1], data=data)
    cursor.at = following
    return name


def take_second_colon(cursor: Cursor) -> None:
    """Report a second colon between a label and the prototype or list that it names, and step over it."""
    at = cursor.at
    if cursor.kinds[at] != ":":
        return
    following = next_token(cursor, at)
    if cursor.kinds[following] == DOTTED and cursor.word(following) in AFTER_LABEL:
        data = (("remove", "yes"), SAFE)
        cursor.problem("stray-token", "one `:` ends a label", cursor.starts[at], cursor.ends[at], data=data)
        cursor.at = following


def _instruction_follows(cursor: Cursor, name: Word) -> bool:
    """Whether an instruction with a modifier or a guard, or `ret;`, follows a name on its line: no operand is so."""
    kinds, at = cursor.kinds, cursor.at
    if cursor.on_new_line(at) or name.text[0] == "%" or cursor.text[name.end : cursor.starts[at]].strip():
        return False
    if kinds[at] == "@":
        named = next_token(cursor, at)
        named = next_token(cursor, named) if kinds[named] == "!" else named
        return kinds[named] == NAME and kinds[next_token(cursor, named)] == NAME
    if kinds[at] != NAME or cursor.word(at) not in opcodes():
        return False
    following = next_token(cursor, at)
    if kinds[following] == ";":
        return cursor.word(at) in WITHOUT_OPERANDS and _NO_OPCODE.match(name.text) is not None
    is_opcode = kinds[following] == DOTTED and is_modifier(cursor, following)
    return is_opcode and kinds[next_token(cursor, following)] not in (",", ";")


def _colon_after_stray(cursor: Cursor, name: Word) -> Word | None:
    """The name of a label with something between it and its `:`, which is reported and stepped over; else None."""
    kinds, at = cursor.kinds, cursor.at
    colon = at
    while kinds[colon] in _BEFORE_COLON and colon - at < _MOST_BEFORE_COLON and not cursor.on_new_line(colon):
        colon += 1
    if colon == at or kinds[colon] != ":" or kinds[colon + 1] == ":" or cursor.on_new_line(colon):
        return None
    if name.text in opcodes() or name.text[0] == "%":
        return None
    meant = name
    if kinds[at] == INTEGER and not cursor.text[name.end : cursor.starts[at]].strip():
        meant = Word(name.text + cursor.word(at), name.start, cursor.ends[at])
        message, data = f"the label `{meant.text}` has a blank in it", (("replacement", f"{meant.text}:"), SAFE)
        cursor.problem("stray-token", message, name.start, cursor.ends[colon], data=data)
    else:
        start, end = cursor.starts[at], cursor.ends[colon - 1]
        message = f"`{cursor.text[start:end]}` is not expected between a label and its `:`"
        cursor.problem("stray-token", message, start, end, data=(("remove", "yes"), SAFE))
    cursor.at = next_token(cursor, colon)
    return meant


def name_before_head(cursor: Cursor) -> bool:
    """Whether a name is at the cursor and `.entry` or `.func` after it."""
    kinds, at = cursor.kinds, cursor.at
    return kinds[at + 1] == DOTTED and cursor.word(at + 1) in FUNCTIONS


def stray_before_declaration(cursor: Cursor) -> bool:
    """Whether a word is before a declaration or a header on one line: then report it and step over it."""
    at = cursor.at
    following = cursor.word(at + 1)
    if cursor.on_new_line(at + 1):
        return False
    if following in FUNCTIONS:
        begins = (
            cursor.word(at) not in opcodes() and "." + cursor.word(at) not in DECLARING and _is_head(cursor, at + 1)
        )
    else:
        begins = cursor.kinds[at + 2] == DOTTED and following in DECLARED_IN
        begins = begins and (following == REGISTERS or _declares(cursor, at + 1))
    if not begins:
        return False
    if cursor.starts[at + 1] == cursor.ends[at] and cursor.word(at) in opcodes() and _reads_memory(cursor, at + 1):
        return False  # a modifier: `ld.reg.u64 %rd1, [x];`
    report_stray(cursor, f"cannot precede `{cursor.word(at + 1)}`")
    cursor.at = at + 1
    return True


def _is_head(cursor: Cursor, index: int) -> bool:
    """Whether a name with parameters, or results, follows the `.entry` or `.func` at a token with a gap before it."""
    if cursor.starts[index] == cursor.ends[index - 1]:
        return False
    kinds = cursor.kinds
    return kinds[index + 1] == "(" or kinds[index + 1 : index + 3] in ([NAME, "("], [NAME, "{"])


def _reads_memory(cursor: Cursor, index: int) -> bool:
    """Whether an address is among what follows a word: no declaration of registers has one."""
    while cursor.kinds[index] not in ("[", ";", END) and not cursor.on_new_line(index + 1):
        index = next_token(cursor, index)
    cursor.short |= cursor.kinds[index] == END
    return cursor.kinds[index] == "["


def _declares(cursor: Cursor, index: int) -> bool:
    """Whether a state space with a gap before it begins a declaration: a name and no operand is after its words."""
    kinds = cursor.kinds
    if cursor.starts[index] == cursor.ends[index - 1]:
        return False
    while kinds[index] in (DOTTED, INTEGER):
        index = next_token(cursor, index)
    following = next_token(cursor, index)
    return kinds[index] == NAME and kinds[following] in (";", "=", "[")


def meant_alignment(cursor: Cursor, word: Word) -> Word | None:
    """The `.align` in whose place a word of a declaration is, before the number at the cursor; else None.

    It is reported, also where it is missing after a state space or a linkage.
    """
    kinds, at = cursor.kinds, cursor.at
    if cursor.on_new_line(at) or kinds[at + 1] not in (DOTTED, NAME) or cursor.on_new_line(at + 1):
        return None
    is_known = word.text in TYPE_WORDS or word.text in DECLARING
    if is_known and (kinds[at + 1] == NAME or cursor.word(at + 1) not in TYPE_WORDS):
        return None
    if word.text in DECLARING:
        number = cursor.word(at)
        data = (("replacement", f".align {number}"),)
        cursor.problem(
            "expected-name", f"`.align` is missing before `{number}`", cursor.starts[at], cursor.ends[at], data=data
        )
        return None
    data = (("replacement", ".align"),)
    cursor.problem("unknown-specifier", f"`{word.text}` is in the place of `.align`", word.start, word.end, data=data)
    return Word(".align", word.start, word.end)


def pass_name_before_family(cursor: Cursor, declarators: list[Declarator]) -> bool:
    """Whether a name is before a family on its line, as in `%r1 %p<2>`: then report it and drop it."""
    at, name = cursor.at, declarators[-1].name
    if cursor.kinds[at + 1] != "<" or declarators[-1].end > name.end or cursor.on_new_line(at):
        return False
    message = f"`{name.text}` is not expected before `{cursor.word(at)}<`"
    cursor.problem("stray-token", message, name.start, name.end)
    declarators.pop()
    return True


def opcode_before_semicolon(cursor: Cursor, start: int) -> Broken | None:
    """The statement from `start` to the cursor and the next one, whose opcode is before the `;`; else None.

    Two words are in each other's place: `%r2mul` on one line, and `;.lo.s32` on the next one.
    """
    at, text = cursor.at - 1, cursor.text
    if cursor.kinds[at] != ";" or not cursor.on_new_line(at):
        return None
    modifiers = _MODIFIERS.match(text, cursor.ends[at], cursor.limit)
    word, end = cursor.word(at - 1), cursor.ends[at - 1]
    opcode = next((word[i:] for i in range(not cursor.problems, len(word)) if word[i:] in opcodes()), "")
    if not opcode or not (_takes_modifiers(opcode, modifiers) if modifiers else opcode in WITHOUT_OPERANDS):
        return None
    while cursor.lexical and cursor.lexical[0].start < end:
        cursor.lexical.popleft()
    cursor.problems.clear()
    message = f"`{opcode}` belongs after the `;`" + (f", before `{modifiers[0]}`" if modifiers else "")
    cursor.problem("stray-token", message, end - len(opcode), end)
    cursor.at = next_token(cursor, at)
    skip_statement(cursor)
    cursor.short |= cursor.kinds[cursor.at - 1] != ";"
    return Broken(start, cursor.ends[cursor.at - 1])


def _takes_modifiers(opcode: str, modifiers: re.Match[str]) -> bool:
    """Whether these are modifiers of the opcode with operands after them, and no declaration begins with them."""
    from ptx_lsp.isa.instructions import instruction  # only broken statements need it

    operands = modifiers.string[modifiers.end() : modifiers.string.find(";", modifiers.end())].lstrip()
    given = modifiers[0][1:].split(".")
    if not operands or ("." + given[0] in DECLARING and operands[0] != "[" and _ADDRESS.search(operands) is None):
        return False
    known = instruction(opcode)
    words = frozenset(word for form in known.forms for word in form.vocabulary) if known else frozenset()
    return words.issuperset("." + word for word in given)


def is_stray_head(cursor: Cursor) -> bool:
    """Whether a statement of a body follows `.entry` or `.func` on its line: then report it and step over it."""
    kinds, at = cursor.kinds, cursor.at
    if cursor.on_new_line(at + 1):
        return False
    if kinds[at + 1] == DOTTED and cursor.word(at + 1) in IN_BODY:
        end = at + 1
        while kinds[end] not in _ENDS_LIST - {","}:
            end += 1
        is_stray = kinds[end] == ";"
    else:
        is_modified = kinds[at + 1 : at + 3] == [NAME, DOTTED] and cursor.ends[at + 1] == cursor.starts[at + 2]
        is_stray = is_modified and cursor.word(at + 1) in opcodes()
    if is_stray:
        report_stray(cursor, "is not expected here: a statement follows")
        cursor.at = at + 1
    return is_stray


def semicolon_before_operands(cursor: Cursor) -> bool:
    """Whether operands follow the `;` at the cursor on its line: then report it and step over it."""
    at = cursor.at
    if cursor.kinds[at] != ";":
        return False
    following = next_token(cursor, at)
    if not cursor.on_new_line(following) and _begins_operands(cursor, following):
        message = "this `;` is in the middle of a statement: operands follow"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=(("remove", "yes"), SAFE))
        cursor.at = following
        return True
    return semicolon_before_name(cursor)


def _begins_operands(cursor: Cursor, index: int) -> bool:
    """Whether an address, or a register or vector with a comma after it, is at a token: no statement begins so."""
    kind, second = cursor.kinds[index], cursor.kinds[next_token(cursor, index)]
    if kind == "{" and second == NAME:
        return cursor.kinds[next_token(cursor, index + 1)] == ","
    return (kind == "[" and second == NAME) or (kind == NAME and cursor.word(index)[0] == "%" and second == ",")


def semicolon_before_name(cursor: Cursor) -> bool:
    """Whether the `;` at the cursor is before the last name on its line: then report it and step over it."""
    at = cursor.at
    if cursor.kinds[at] != ";":
        return False
    following = next_token(cursor, at)
    if cursor.kinds[following] != NAME or cursor.on_new_line(following) or cursor.word(following) in opcodes():
        return False
    after = next_token(cursor, following)
    cursor.short |= cursor.kinds[after] == END
    if cursor.kinds[after] != END and not cursor.on_new_line(after):
        return False
    message = f"this `;` belongs after `{cursor.word(following)}`"
    cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at])
    cursor.at = following
    return True
