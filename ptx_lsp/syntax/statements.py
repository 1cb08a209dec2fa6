"""The statement parser. It never fails: every text gives statements and problems.

A broken statement does not affect its neighbours: it ends at its `;`, or where the next line seems to begin a
statement.
"""

from ptx_lsp.isa.directive_names import AFTER_LABEL, FUNCTIONS, PROTOTYPE, TARGET_LISTS, WITH_SIGNATURE
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.opcode_sets import CALL, WITHOUT_OPERANDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Callable, Iterator, Sequence
from ptx_lsp.syntax.calls import parse_call
from ptx_lsp.syntax.declarations import (
    begins_another,
    misplaced_specifiers,
    parse_declaration,
    parse_specifier,
    take_word,
)
from ptx_lsp.syntax.directives import OF_FUNCTIONS, SHAPES, parse_directive, parse_unknown_directive
from ptx_lsp.syntax.foreign import parse_foreign
from ptx_lsp.syntax.guards import guard_in_parentheses, guard_without_sign, parse_guard
from ptx_lsp.syntax.headers import header_after_name, parse_header
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, NAME, Cursor
from ptx_lsp.syntax.long_mistakes import MOST_TOKENS, parse_to_bound, rest_of_line
from ptx_lsp.syntax.missing_dots import (
    WITHOUT_DOT,
    directive_after_token,
    directive_without_dot,
    is_alignment,
    pass_no_type,
    type_without_dot,
)
from ptx_lsp.syntax.misspelt_directives import broken_target, meant_directive, missing_head, misspelt_head
from ptx_lsp.syntax.modifiers import (
    divided_word,
    drop_backslash,
    is_detached,
    modifier_before_opcode,
    report_division,
    report_doubled,
    report_repeated,
    report_unknown_modifier,
    report_unknown_opcode,
    take_detached,
    with_divided,
    with_modifier,
)
from ptx_lsp.syntax.name_lists import broken_name_list, names_without_list, parse_name_list
from ptx_lsp.syntax.operands import parse_operands
from ptx_lsp.syntax.recovery import (
    DECLARING,
    IN_BODY,
    STARTERS,
    begins_next,
    ends_after_opcode,
    lacks_opcode,
    report_missing_name,
    report_missing_semicolon,
    report_stray,
    skip_statement,
    take_brace,
)
from ptx_lsp.syntax.sections import SECTION_PARSERS, begins_row_with_section, parse_dwarf_line
from ptx_lsp.syntax.stray_tokens import (
    FOR_COLON,
    is_stray_head,
    label_with_other_end,
    meant_label,
    name_before_head,
    opcode_before_semicolon,
    semicolon_before_operands,
    skip_stray,
    stray_before_declaration,
    take_second_colon,
)
from ptx_lsp.syntax.tree import (
    Broken,
    Declaration,
    Guard,
    Instruction,
    Label,
    OpenBrace,
    Problem,
    Specifier,
    Statement,
    Word,
)

_ASSIGNS = frozenset(("=", "+", "-", "*", "&", "|", "^", "<<", ">>"))  # what may follow in an assignment as in C
_ENDS_OTHERS = frozenset(("}", END))
_AFTER_TYPE = frozenset((NAME, "{", "["))
_BEFORE_INITIALISERS = frozenset((DOTTED, "{", "}", DWARF))  # begin a statement that has an initialiser, or no value
Parsed = tuple[Statement, tuple[Problem, ...]]


def parse_statements(text: str, start: int = 0, end: int | None = None) -> Iterator[Parsed]:
    """The statements of `text` from offset `start` to `end` (code points), each with its problems, in order.

    `start` must be between two statements. Offsets in the nodes count from the beginning of `text`. An opening brace
    of a function body ends its FunctionHeader; every other brace is a statement of its own.
    """
    return read_statements(Cursor(text, start, end))


def read_statements(cursor: Cursor, fresh: bool = True) -> Iterator[Parsed]:
    """The statements from a cursor between two statements. After each one the cursor is at its end.

    `fresh` is true if nothing before the cursor on its line has been reported; `cursor.fresh` says the same of the
    statement that was returned last.
    """
    reported = not fresh
    while cursor.begin() or cursor.lexical:
        at = cursor.at
        if cursor.lexical and (line := cursor.take_preprocessor_line()) is not None:
            yield Broken(line[0].start, line[1]), line[:1]
            continue
        if cursor.kinds[at] == END:
            break
        fresh = cursor.fresh = not reported or cursor.on_new_line(at)
        cursor.short = False
        cursor.begun = cursor.starts[at]
        if cursor.has_values and cursor.kinds[at] not in _BEFORE_INITIALISERS:
            cursor.split_values()
        is_long = len(cursor.kinds) - at > MOST_TOKENS
        statement, cut = parse_to_bound(cursor, _parse) if is_long else (_parse(cursor), False)
        if cursor.at == at:
            statement = _skip_stray(cursor)
        elif cursor.problems and fresh and not cut:
            from ptx_lsp.syntax.interruptions import without_interruption  # few texts have a mistake

            statement = without_interruption(cursor, at, statement, _parse)
        if not fresh:
            statement = rest_of_line(cursor, at, statement, cut)
        problems = cursor.take_problems(statement.end)
        reported = bool(problems) or (reported and not fresh)
        yield statement, problems
    if left := cursor.take_problems(cursor.limit + 1):
        yield Broken(left[0].start, cursor.limit), left


def parse_statement(text: str, start: int = 0, end: int | None = None) -> Parsed | None:
    """The first statement of `text` from `start` on, with its problems. None if there is no statement."""
    return next(parse_statements(text, start, end), None)


def _parse(cursor: Cursor) -> Statement:
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if kind == NAME:
        follows = kinds[at + 1]
        if follows == DOTTED and cursor.word(at + 1) in DECLARING and stray_before_declaration(cursor):
            return _dotted(cursor)._replace(start=cursor.begun)
        if follows == ":" and not is_detached(cursor, at + 1):
            return _label(cursor)
        if follows == "," and (broken := names_without_list(cursor)) is not None:
            return broken
        if follows in FOR_COLON and (other := label_with_other_end(cursor)) is not None:
            return _labelled(cursor, other)
        foreign = parse_foreign(cursor) if follows != DOTTED or kinds[at + 2] in _ASSIGNS else None
        if foreign is not None:
            return foreign
        if "." + cursor.word(at) in WITHOUT_DOT and (word := directive_without_dot(cursor)) is not None:
            return _without_dot(cursor, word)
        if cursor.text[cursor.starts[at]] == "%":
            unmarked = guard_without_sign(cursor)
            return _skip_stray(cursor) if unmarked is None else _instruction(cursor, unmarked)
        return _instruction(cursor, None)
    if kind == "@":
        found = parse_guard(cursor)
        return found if isinstance(found, Broken) else _instruction(cursor, found)
    if kind == DOTTED:
        return _dotted(cursor)
    if kind == "}":
        if (meant := directive_after_token(cursor)) is not None:
            return _without_dot(cursor, meant)
        return take_brace(cursor)
    if kind == "{" and not lacks_opcode(cursor, at):
        cursor.at = at + 1
        return OpenBrace(cursor.starts[at], cursor.ends[at])
    if kind == DWARF:
        return parse_dwarf_line(cursor)
    if kind == "(":
        guard = guard_in_parentheses(cursor)
        return _skip_stray(cursor) if guard is None else _instruction(cursor, guard)
    return (parse_foreign(cursor) if kind == "*" else None) or _skip_stray(cursor)


def _without_dot(cursor: Cursor, word: Word) -> Statement:
    """A directive or declaration after its first word, whose missing dot has been reported."""
    parse = DIRECTIVE_PARSERS.get(word.text)
    if parse is not None:
        return parse(cursor, word)
    return _declaration(cursor, [Specifier(word, (), word.start, word.end)])


def _dotted(cursor: Cursor) -> Statement:
    """A statement that begins with a word with a dot: a directive, a declaration or a header."""
    word = cursor.word(cursor.at)
    if cursor.kinds[cursor.at + 1] in (DOTTED, NAME) and (target := broken_target(cursor, word)) is not None:
        return parse_directive(cursor, target)
    parse = DIRECTIVE_PARSERS.get(word)
    if parse is not None:
        if word in FUNCTIONS and is_stray_head(cursor):
            return _parse(cursor)._replace(start=cursor.begun)
        return parse(cursor, take_word(cursor))
    if cursor.kinds[cursor.at + 1] == NAME and (moved := modifier_before_opcode(cursor)) is not None:
        return with_modifier(_instruction(cursor, None), moved)
    if begins_row_with_section(cursor):
        return parse_unknown_directive(cursor)
    if word not in DECLARING and word not in (".align", ".ptr"):
        follows, declared = cursor.kinds[cursor.at + 1], cursor.word(cursor.at + 1)
        word = word if follows == DOTTED and declared in TYPE_WORDS else meant_directive(word)
        if word in DIRECTIVE_PARSERS and not cursor.joins_next():
            return _misspelt(cursor, word)
        nameless = word in TYPE_WORDS and follows == ";"  # `.b32;`, which ptxas takes
        without_space = word in TYPE_WORDS and follows == NAME and declared[0] == "%"
        if word not in DECLARING and not (nameless or without_space) and follows != DOTTED:
            return parse_unknown_directive(cursor)
    return _declaration(cursor, [])


def _declaration(cursor: Cursor, specifiers: list[Specifier]) -> Statement:
    """A declaration or a header, of which the parser has read these words."""
    while (kind := cursor.kinds[cursor.at]) == DOTTED or (kind == NAME and specifiers):
        if specifiers and (misplaced := misplaced_specifiers(cursor, specifiers)) is not None:
            return misplaced
        if kind == NAME and is_alignment(cursor):
            specifiers.append(parse_specifier(cursor))
            continue
        if kind == NAME:
            if (meant := directive_without_dot(cursor) or missing_head(cursor, specifiers)) is None:
                if name_before_head(cursor) and all(each.word.text not in TYPE_WORDS for each in specifiers):
                    if cursor.kinds[cursor.at + 2] == "(":
                        return header_after_name(cursor, specifiers)
                    report_stray(cursor, "is not expected here")
                    cursor.at += 1
                    continue
                break
            if meant.text in FUNCTIONS:
                return parse_header(cursor, meant, specifiers, None)
            specifiers.append(Specifier(meant, (), meant.start, meant.end))
            continue
        word = cursor.word(cursor.at)
        if word in WITH_SIGNATURE and specifiers and specifiers[0].word.text in IN_BODY:
            break
        if word in WITH_SIGNATURE:
            return parse_header(cursor, take_word(cursor), specifiers, None)
        if head := misspelt_head(cursor, word, bool(specifiers) and specifiers[-1].word.text in LINKAGES):
            return _misspelt(cursor, head, linkage=specifiers)
        if specifiers and cursor.on_new_line(cursor.at) and word in STARTERS and word != ".reg":
            break
        if specifiers and begins_another(cursor, specifiers):
            break
        if specifiers and word in OF_FUNCTIONS:
            report_missing_name(cursor)
            skip_statement(cursor)
            return Declaration(tuple(specifiers), (), specifiers[0].start, cursor.ends[cursor.at - 1])
        specifiers.append(parse_specifier(cursor))
    if cursor.kinds[cursor.at] == NAME:
        if (type_ := type_without_dot(cursor, "declaration-type")) is not None:
            specifiers.append(Specifier(type_, (), type_.start, type_.end))
        elif specifiers:
            pass_no_type(cursor, specifiers)
    return parse_declaration(cursor, specifiers)


def _misspelt(cursor: Cursor, word: str, label: Word | None = None, linkage: Sequence[Specifier] = ()) -> Statement:
    """The directive that a misspelt word was meant to be, so that its arguments are not reported as well."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    message = f"`{cursor.word(at)}` is not a directive; did you mean `{word}`?"
    cursor.problem("unknown-directive", message, start, end, data=(("replacement", word),))
    cursor.at = at + 1
    meant = Word(word, start, end)
    if label is not None:
        return parse_name_list(cursor, meant, label) if word in TARGET_LISTS else parse_header(cursor, meant, [], label)
    if linkage:
        return parse_header(cursor, meant, linkage, None)
    return DIRECTIVE_PARSERS[word](cursor, meant)


DIRECTIVE_PARSERS: dict[str, Callable[[Cursor, Word], Statement]] = {
    **dict.fromkeys(SHAPES, parse_directive),
    **dict.fromkeys(WITH_SIGNATURE, lambda cursor, word: parse_header(cursor, word, [], None)),
    **dict.fromkeys(TARGET_LISTS, lambda cursor, word: parse_name_list(cursor, word, None)),
    **SECTION_PARSERS,
}


def _label(cursor: Cursor) -> Statement:
    name = take_word(cursor)
    cursor.at += 1
    take_second_colon(cursor)
    return _labelled(cursor, name)


def _labelled(cursor: Cursor, name: Word) -> Statement:
    """A label, or the prototype or list that it names: what follows the colon."""
    at = cursor.at
    if cursor.kinds[at] == DOTTED:
        word = cursor.word(at)
        if word == PROTOTYPE:
            return parse_header(cursor, take_word(cursor), [], name)
        if word in TARGET_LISTS:
            return parse_name_list(cursor, take_word(cursor), name)
        if word not in DIRECTIVE_PARSERS and word not in DECLARING and meant_directive(word) in AFTER_LABEL:
            return _misspelt(cursor, meant_directive(word), name)
    if (targets := broken_name_list(cursor, name)) is not None:
        return targets
    if cursor.kinds[at] == NAME and "." + cursor.word(at) in AFTER_LABEL:
        return _misspelt(cursor, "." + cursor.word(at), name)
    return Label(name, name.start, cursor.ends[at - 1])


def _instruction(cursor: Cursor, guard: Guard | None) -> Statement:
    kinds, starts, ends, text = cursor.kinds, cursor.starts, cursor.ends, cursor.text
    at = here = cursor.at
    first, end = starts[at], ends[at]
    opcode = Word(text[first:end], first, end)
    start = guard.start if guard else first
    at += 1
    modifiers: list[Word] = []
    taken: list[str] = []
    while True:
        while kinds[at] == DOTTED:
            begin, end = starts[at], ends[at]
            word = text[begin:end]
            if word in DECLARING and begins_next(cursor, at, opcode.text, word):
                break
            modifiers.append(Word(word, begin, end))
            at += 1
        cursor.at = at
        if kinds[at] != ":" or not is_detached(cursor, at) or not take_detached(cursor, opcode, modifiers, taken):
            break
        at = cursor.at
    if kinds[at] == NAME and not modifiers and report_repeated(cursor, opcode):
        return _instruction(cursor, guard)
    if guard is None and not modifiers and opcode.text not in opcodes():
        label = meant_label(cursor, opcode)
        if label is not None:
            return _labelled(cursor, label)
    if kinds[at] == DOTTED and text[starts[at] : ends[at]] in AFTER_LABEL:
        return _unfinished(cursor, guard, opcode, tuple(modifiers), start)
    if (kinds[at] in _ENDS_OTHERS or cursor.on_new_line(at)) and ends_after_opcode(cursor, opcode, bool(modifiers)):
        return _unfinished(cursor, guard, opcode, tuple(modifiers), start)
    if kinds[at] == NAME and kinds[at + 1] in _AFTER_TYPE and (type_ := type_without_dot(cursor, "unknown-modifier")):
        modifiers.append(type_)
    if kinds[at] == ";" and opcode.text not in WITHOUT_OPERANDS:
        semicolon_before_operands(cursor)
    operands = parse_call(cursor, opcode) if opcode.text == CALL else parse_operands(cursor)
    whole = opcode.text + "".join([modifier.text for modifier in modifiers])
    if modifiers and modifiers[-1].end - first > len(whole):
        report_division(cursor, opcode, modifiers)
    if cursor.lexical and opcode.text != CALL:
        drop_backslash(cursor, ends[here - 1] if here else 0, first)
    if (
        text.startswith((".", ";"), ends[cursor.at - 1])
        and (moved := opcode_before_semicolon(cursor, start)) is not None
    ):
        return moved
    if cursor.problems:
        if report_doubled(cursor, modifiers, at):
            parse_operands(cursor)
            del cursor.problems[1:]
        report_unknown_opcode(cursor, opcode)
        report_unknown_modifier(cursor, opcode, modifiers)
    return Instruction(guard, opcode, tuple(modifiers), operands, start, ends[cursor.at - 1], whole)


def _unfinished(
    cursor: Cursor, guard: Guard | None, opcode: Word, modifiers: tuple[Word, ...], start: int
) -> Statement:
    end = cursor.ends[cursor.at - 1]
    if joined := divided_word(cursor, opcode, modifiers):
        return with_divided(cursor, _instruction(cursor, guard), opcode, modifiers, joined)
    if guard is None and not modifiers and opcode.text not in opcodes():
        message = f"a `:` is missing here if `{opcode.text}` is a label, and a `;` if it is an instruction"
        cursor.problem("missing-colon", message, opcode.start, opcode.end, data=(("insert", ":"),))
        return _labelled(cursor, opcode)
    lexical = cursor.lexical
    if not cursor.problems and lexical and end <= lexical[0].start < cursor.starts[cursor.at]:
        # a character without meaning, such as the dot of a modifier: it is all that is reported
        cursor.problems.append(lexical.popleft())
        end = cursor.problems[0].end
        at = cursor.at
        if cursor.kinds[at] == NAME and cursor.kinds[at + 1] != ":" and cursor.word(at) not in opcodes():
            cursor.at = at + 1
            skip_statement(cursor)  # the rest of the instruction
            end = cursor.ends[cursor.at - 1]
    else:
        report_missing_semicolon(cursor)
    whole = opcode.text + "".join([modifier.text for modifier in modifiers])
    return Instruction(guard, opcode, modifiers, (), start, end, whole)


def _skip_stray(cursor: Cursor) -> Statement:
    meant = directive_after_token(cursor)
    return skip_stray(cursor) if meant is None else _without_dot(cursor, meant)
