"""Guards of instructions: `@%p1`, and what people write instead."""

from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import RARELY_MODIFIED
from ptx_lsp.syntax.declarations import take_word
from ptx_lsp.syntax.lexer import DOTTED, END, LITERALS, MALFORMED, NAME, SINK, Cursor
from ptx_lsp.syntax.recovery import SAFE, begins_label, is_modifier, next_token, skip_statement, starts_statement
from ptx_lsp.syntax.tree import Broken, Guard, Word

_NO_PREDICATE = LITERALS | {SINK, DOTTED}
"""Tokens that may be in the place of a predicate."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of opcodes
_BEGINS_STATEMENT = frozenset((DOTTED, "@", "{", "}"))
"""What follows the `{` of a block, and not that of a vector."""


def parse_guard(cursor: Cursor) -> Guard | Broken:
    """The guard that begins with the `@` at the cursor; the tokens skipped if no instruction follows it."""
    kinds, at = cursor.kinds, cursor.at
    negated = kinds[at + 1] == "!"
    named = at + 1 + negated
    if kinds[named : named + 2] == [NAME, NAME] and _precedes_predicate(cursor, named):
        return _skip_later_predicate(cursor, named)
    if kinds[named] != NAME or _is_opcode_after_sign(cursor, named):
        return _skip_stray_guard(cursor, named)
    cursor.at = named
    _divide_from_opcode(cursor)
    name = take_word(cursor)
    guard = Guard(name, negated, cursor.starts[at], name.end)
    if kinds[cursor.at] == "," and kinds[cursor.at + 1] == NAME:
        start, end = cursor.starts[cursor.at], cursor.ends[cursor.at]
        cursor.problem("extra-comma", "no comma follows a guard", start, end, data=(SAFE,))
        cursor.at += 1
    if kinds[cursor.at] != NAME or begins_label(cursor, cursor.at):
        return _report_no_opcode(cursor, guard)
    return guard


def _divide_from_opcode(cursor: Cursor) -> None:
    """Report the missing blank in `@%p1bra L;`, whose predicate is at the cursor, and divide the token there."""
    at, word = cursor.at, cursor.word(cursor.at)
    predicate = word.rstrip(_LETTERS)
    opcode = word[len(predicate) :]
    if predicate[:1] != "%" or not predicate[-1].isdecimal() or opcode not in opcodes():
        return
    if cursor.kinds[at + 1] == NAME and cursor.word(at + 1) in opcodes():
        return  # the opcode follows: it is a name
    start, middle, end = cursor.starts[at], cursor.starts[at] + len(predicate), cursor.ends[at]
    data = (("replacement", f"{predicate} {opcode}"), SAFE)
    cursor.problem("bad-guard", f"a blank is missing before `{opcode}`", start, end, data=data)
    cursor.kinds.insert(at + 1, NAME)
    cursor.starts.insert(at + 1, middle)
    cursor.ends[at : at + 1] = middle, end


def guard_in_parentheses(cursor: Cursor) -> Guard | None:
    """`(%p1) bra L;`, written for `@%p1 bra L;`; None if no instruction follows."""
    kinds, at = cursor.kinds, cursor.at
    negated = kinds[at + 1] == "!"
    named = at + 1 + negated
    if kinds[named] != NAME or kinds[named + 1] != ")" or kinds[named + 2] != NAME:
        return None
    return _meant_as_guard(cursor, named, named + 1, negated)


def guard_without_sign(cursor: Cursor) -> Guard | None:
    """`%p1 bra L;`, written for `@%p1 bra L;`; None if no instruction follows."""
    at = cursor.at
    if cursor.kinds[at + 1] != NAME or cursor.on_new_line(at + 1):
        return None
    opcode = cursor.word(at + 1)
    if opcode not in RARELY_MODIFIED and cursor.kinds[at + 2] != DOTTED:
        return None
    return _meant_as_guard(cursor, at, at, False)


def _meant_as_guard(cursor: Cursor, named: int, last: int, negated: bool) -> Guard:
    start, end = cursor.starts[cursor.at], cursor.ends[last]
    name = Word(cursor.word(named), cursor.starts[named], cursor.ends[named])
    spelt = f"@{'!' * negated}{name.text}"
    message = f"a guard begins with `@`: write `{spelt}`"
    cursor.problem("bad-guard", message, start, end, data=(("replacement", spelt), SAFE))
    cursor.at = last + 1
    return Guard(name, negated, start, end)


def _precedes_predicate(cursor: Cursor, named: int) -> bool:
    """Whether the opcode after `@` is before the predicate: `@bra %p1 L;`, `@mov %p1 .u32 %r1, 1;`."""
    if cursor.word(named) not in opcodes() or cursor.word(named + 1)[0] != "%" or cursor.on_new_line(named + 1):
        return False
    after = next_token(cursor, named + 1)
    cursor.short |= cursor.kinds[after] == END
    return cursor.kinds[after] in (NAME, DOTTED) and not cursor.on_new_line(after)


def _skip_later_predicate(cursor: Cursor, named: int) -> Broken:
    """The instruction whose predicate is after the opcode, which is reported."""
    start, later = cursor.starts[cursor.at], named + 1
    message = f"the predicate `{cursor.word(later)}` belongs before the opcode"
    cursor.problem("bad-guard", message, cursor.starts[later], cursor.ends[later])
    cursor.at = later + 1
    skip_statement(cursor)
    return Broken(start, cursor.ends[cursor.at - 1])


def _is_opcode_after_sign(cursor: Cursor, named: int) -> bool:
    """Whether the name after `@` is the opcode and the predicate is missing: `@ bra L;`, `@ add.s32 ...`."""
    word = cursor.word(named)
    if word[0] == "%":
        return False
    follows = cursor.kinds[named + 1]
    if follows == DOTTED or (cursor.on_new_line(named) and (follows != NAME or word in opcodes())):
        return True
    return word in RARELY_MODIFIED and not (follows == NAME and cursor.word(named + 1) in RARELY_MODIFIED)


def _skip_stray_guard(cursor: Cursor, named: int) -> Broken:
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[named - 1]
    message = "a predicate register is missing after this `@`"
    if not cursor.on_new_line(named) and cursor.kinds[named] in _NO_PREDICATE:
        message = f"a guard takes a predicate register, not `{cursor.word(named)}`"
    if cursor.kinds[named] != MALFORMED:  # the number is reported
        cursor.problem("bad-guard", message, start, end)
    cursor.at = named
    if not starts_statement(cursor, named) and cursor.kinds[named] != NAME:
        skip_statement(cursor)
    return Broken(start, cursor.ends[cursor.at - 1])


def _report_no_opcode(cursor: Cursor, guard: Guard) -> Broken:
    name = guard.name.text
    spelt, opposite = (f"@!{name}", f"@{name}") if guard.negated else (f"@{name}", f"@!{name}")
    message = f"an instruction should follow the guard `{spelt}`"
    if is_block := _begins_block(cursor):
        message = f"`{spelt}` makes one instruction conditional: branch around the block with `{opposite} bra`"
    start, end, at = guard.start, guard.end, cursor.at
    if not (is_block or cursor.on_new_line(at) or cursor.kinds[at] in (";", "{", "}", END)):
        start, end = cursor.starts[at], cursor.ends[at]
        message += f", not `{cursor.word(at)}`"
    if cursor.kinds[at] != MALFORMED:  # the number is reported
        cursor.problem("bad-guard", message, start, end)
    if is_block:
        return Broken(guard.start, guard.end)
    if not starts_statement(cursor, cursor.at):
        skip_statement(cursor)
    return Broken(guard.start, cursor.ends[cursor.at - 1])


def _begins_block(cursor: Cursor) -> bool:
    """Whether the token at the cursor opens a block of statements, as in C, and no vector."""
    kinds = cursor.kinds
    if kinds[cursor.at] != "{":
        return False
    first = next_token(cursor, cursor.at)
    if kinds[first] in _BEGINS_STATEMENT or cursor.on_new_line(first):
        return True
    following = next_token(cursor, first)
    if kinds[first] != NAME or kinds[following] != DOTTED:
        return kinds[first] == NAME and kinds[following] in (";", ":")
    return is_modifier(cursor, following)
