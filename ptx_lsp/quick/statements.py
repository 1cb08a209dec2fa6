"""Recognises one statement or brace at an offset, which may share its line with others or take several lines."""

from __future__ import annotations

from ptx_lsp.isa.directive_names import BRANCH_TARGETS, ENTRY, FUNC, OF_PARAMETERS, PROTOTYPE
from ptx_lsp.isa.opcode_sets import CALL, INDEXED_BRANCH, MOST_TARGETS
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.isa.types import CALLED_TYPES, INDEX_TYPES
from ptx_lsp.isa.versions import Version
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import (
    ALIGNMENT,
    BLANK,
    COUNT,
    END_OF_LINE,
    TYPE,
    declaration_end,
    is_plain,
    is_since,
    is_taken,
    local_declaration,
    variable,
)
from ptx_lsp.quick.effect import Effect, LineEffect, begins_scope, scope_length
from ptx_lsp.quick.headers import header
from ptx_lsp.quick.instructions import instruction, offset_of_name
from ptx_lsp.quick.known import View, end_of_call, repeated_call
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.quick.operand_text import Unclear
from ptx_lsp.semantics.memory import aligned_alike
from ptx_lsp.semantics.surroundings import NamePlace, Profile
from ptx_lsp.semantics.symbols import Mark, Scope, Signature, Symbol, SymbolKind
from ptx_lsp.syntax.plain_text import LINE, NAME_TEXT

if TYPE_CHECKING:
    from re import Match

    from ptx_lsp.quick import debug_sections, text_shapes
    from ptx_lsp.semantics import signatures
else:
    debug_sections = late_module("ptx_lsp.quick.debug_sections")
    text_shapes = late_module("ptx_lsp.quick.text_shapes")
    signatures = late_module("ptx_lsp.semantics.signatures")

# A statement that may share its line with others, as in inline assembly: a brace of a nested scope, or an instruction.
# The brace of a vector, which lacks its opcode, is neither, nor is a brace in the place of a dot: `}reg .b32 %r1;`.
# A `;` before an operand may be a wrong comma.
# Groups: the brace that opens, the one that closes, the dot of a directive, guard, opcode, operands.
_PIECE = lazy_pattern(
    r"""[ \t]*+(?:(\{)(?![ \t\f]*+(?:/\*|[%$\w]++[ \t\f]*+(?:[,}]|/\*)))|(\})(?![a-z])|(\.)
    | (?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?([a-z][\w.:]*+)(?:[ \t]++([^;"/\n\r\f()@]*+))?[ \t]*+;
        (?![ \t]*+(?:[-%0-9\[]|[\w$]++[ \t]*+,)))""",
    re.X | re.A,
)
_NAMES = lazy_pattern(NAME_TEXT, re.A)
_LIST = rf"{BLANK}*+({NAME_TEXT}(?:{BLANK}*+,{BLANK}*+{NAME_TEXT}|(?!))*+)?{BLANK}*+"
_CALL = lazy_pattern(
    rf"""[ \t]*+(?:@[ \t]*+!?[ \t]*+({NAME_TEXT})[ \t]++)?call(?:\.uni)?+{BLANK}*+
    (?:\({_LIST}\){BLANK}*+,{BLANK}*+)?({NAME_TEXT})
    {BLANK}*+(?:,{BLANK}*+\({_LIST}\){BLANK}*+)?(?:,{BLANK}*+({NAME_TEXT}){BLANK}*+)?;[ \t]*+(?://[^\r\n]*+)?\r?(?:\n|\Z)""",
    re.X | re.A,
)
INDEXED = (f"{INDEXED_BRANCH}.idx", f"{INDEXED_BRANCH}.idx.uni")
_FORMAL = rf"\.param[ \t]++(?:\.align[ \t]++{ALIGNMENT}[ \t]++)?{TYPE}[ \t]++_(?:\[{COUNT}\])?"
_FORMALS = lazy_pattern(
    rf"\.param[ \t]++(?:\.align[ \t]++({ALIGNMENT})[ \t]++)?({TYPE})[ \t]++_(?:\[({COUNT})\])?", re.A
)
_FORMAL_LIST = rf"\([ \t]*+({_FORMAL}[ \t]*+(?:,[ \t]*+{_FORMAL}[ \t]*+|(?!))*+)?\)"
# Groups: the name, the targets, the results and the parameters of a prototype.
_LABELLED = lazy_pattern(
    rf"""[ \t]*+({NAME_TEXT})[ \t]*+:[ \t]*+(?:\{BRANCH_TARGETS}{BLANK}++
    ({NAME_TEXT}(?:{BLANK}*+,{BLANK}*+{NAME_TEXT}|(?!))*+){BLANK}*+
    |\{PROTOTYPE}[ \t]*+(?:{_FORMAL_LIST}[ \t]*+)?_[ \t]*+{_FORMAL_LIST}[ \t]*+);""",
    re.X | re.A,
)


_BEGIN_OF_HEADER = len(f".visible {ENTRY}")  # characters; no declaration of a variable has such a word in them


def module_statement(text: str, start: int, view: View, at_end: bool = False) -> Effect | None:
    """The effect of the declaration, header or `.file` at the offset `start`, outside of functions, if it is fine.

    None for any other statement. `at_end` is true if nothing follows below the text.
    """
    begin = text[start : start + _BEGIN_OF_HEADER]
    # the patterns of variables cost ten times as much
    found = None if FUNC in begin or ENTRY in begin else variable(text, start, view)
    found = found or header(text, start, view, at_end)
    return debug_sections.source_file(text, start, view, at_end) if found is None else found


def buried_statement(text: str, start: int) -> Effect | None:
    """The effect of the brace or declaration at the offset `start`, which is deeper than the assembler can read.

    Such a declaration declares nothing. None for any other statement.
    """
    match = _PIECE.match(text, start)
    if match is None:
        return None
    if match[3]:
        end = declaration_end(text, start)
        return Effect(end) if end else None
    if not (match[1] or match[2]):
        return None
    effect = Effect(match.end())
    effect.opens, effect.closes = match.start(1), match.start(2)
    return effect


def statement(text: str, start: int, view: View) -> Effect | None:
    """The effect of the statement or brace of a function at the offset `start`; None unless it is fine.

    The effect of a call ends at the end of its line.
    """
    match = _PIECE.match(text, start)
    if match is None:
        return call(text, start, view) or labelled_list(text, start, view)
    opens, closes, dot, guard, opcode, operands = match.groups("")
    if dot:
        return local_declaration(text, start, view)
    effect = Effect(match.end())
    if opens or closes:
        effect.opens, effect.closes = match.start(1), match.start(2)
        return effect
    if opcode in INDEXED:
        branch = _indexed_branch(guard, operands, view)
        effect.lines += branch
        return effect if branch else None
    found = instruction(guard, opcode, operands, view.table, view.known)
    if found is None:
        return None
    effect.lines.append(found[0])
    if found[1]:
        at = offset_of_name(found[1], text, match.start(6))
        range_ = view.mark(at, at + len(found[1])).range
        effect.loads.append(NamePlace(found[1], range_.line, range_.column))
    return effect


def call(text: str, start: int, view: View) -> Effect | None:
    """The effect of the call at the offset `start`; None unless it is fine, and its function or prototype is known."""
    match = _CALL.match(text, start)
    if match is None:
        return None
    guard, results, name, arguments, prototype = match.groups()
    scope = view.scope
    callee = scope.lookup(name)
    wanted = SymbolKind.FUNCTION
    if prototype is not None:
        if callee is None or callee.space != ".reg" or callee.type not in CALLED_TYPES or callee.vector > 1:
            return None
        callee, wanted = scope.lookup(prototype), SymbolKind.PROTOTYPE
    if callee is None or callee.kind is not wanted or callee.signature is None or callee.signature.unknown:
        return None
    if guard and view.table.get(guard) != ".pred":
        return None
    given, taken = _NAMES.findall(results or ""), _NAMES.findall(arguments or "")
    signature = callee.signature
    if not (_agree(given, signature.returns, scope) and _agree(taken, signature.parameters, scope)):
        return None
    effect = Effect(match.end())
    guards = (guard,) if guard else ()
    # a call may read and write its arguments: their names count as written
    written = (name, *given, *taken) if prototype is None else (name, *given, *taken, prototype)
    effect.lines.append(LineEffect((), (*guards, *written), written, ()))
    effect.results, effect.callee = given, callee.mark
    return effect


def _indexed_branch(guard: str, operands: str, view: View) -> list[LineEffect]:
    """The effect of a branch to a target of a list, in a list of its own; an empty one unless it is fine."""
    index, _, name = (part.strip(" \t") for part in operands.partition(","))
    targets = view.scope.lookup(name)
    if targets is None or targets.kind is not SymbolKind.TARGETS or targets.type != BRANCH_TARGETS:
        return []
    if len(targets.names) > MOST_TARGETS or (guard and view.table.get(guard) != ".pred"):
        return []
    try:
        if view.table[index] not in INDEX_TYPES:
            return []
    except Unclear:
        return []
    return [LineEffect((), (index, name, guard) if guard else (index, name), (index, name), ())]


def labelled_list(text: str, start: int, view: View) -> Effect | None:
    """The effect of the list of targets or the prototype at the offset `start`; None unless it is fine."""
    match = _LABELLED.match(text, start)
    if match is None or is_taken(match[1], view.scope) or not is_plain(match[0], view.known.profile):
        return None
    name, mark = match[1], view.mark(*match.span(1))
    if match[2] is None:
        returns, parameters = _formals(match[3], mark, True), _formals(match[4], mark, False)
        symbol = Symbol(name, SymbolKind.PROTOTYPE, mark, signature=Signature(returns, parameters), defined=False)
        return Effect.of_declaration(match.end(), (symbol,)) if len(returns) < 2 else None
    from ptx_lsp.semantics.requirements import has  # few files have lists of targets

    places = [(found[0], view.mark(*found.span()).range) for found in _NAMES.finditer(text, *match.span(2))]
    if not has(BRANCH_TARGETS, view.known.profile) or any(target in (name, WARP_SIZE) for target, _ in places):
        return None
    names = tuple(target for target, _ in places)
    targets = Symbol(name, SymbolKind.TARGETS, mark, type=BRANCH_TARGETS, names=names)
    effect = Effect.of_declaration(match.end(), (targets,))
    effect.branches += [NamePlace(target, place.line, place.column) for target, place in places]
    return effect


def _formals(text: str | None, mark: Mark, result: bool) -> tuple[Symbol, ...]:
    """The parameters or results of a prototype, which have no names."""
    return tuple(
        Symbol(
            *("", SymbolKind.PARAMETER, mark, ".param", of, 1),
            (int(size),) if size else (),
            alignment=int(align) if align else None,
            result=result,
        )
        for align, of, size in _FORMALS.findall(text or "")
    )


# --- inline assembly --------------------------------------------------------------------------------------------------


def inline_assembly(lines: list[str], at: int, view: View) -> Effect | None:
    """The effect of the inline assembly whose first line is that with the number `at`, with the count of its lines.

    None unless it begins with a brace, is known, maybe with other registers, and is fine.
    """
    effect = Effect()
    effect.count = scope_length(lines, at) if view.shallow and begins_scope(lines[at]) else 0
    text = "\n".join(lines[at : at + effect.count])
    line = view.known.lines.get(text)
    if line is not None and view.table.confirm(set(line.words)):
        effect.lines.append(line)
    elif text and view.known.shapes.inline:
        effect.lines += filter(None, (text_shapes.inline_effect(text, view),))
    return effect if effect.lines else None


# --- a call with its variables ----------------------------------------------------------------------------------------

_GUARD, _OPCODE, _OPERANDS, _LABEL = 1, 3, 4, 5  # groups of `LINE`
_OPEN = lazy_pattern(rf"[ \t]*+\{{{END_OF_LINE.pattern}", re.A)
_CLOSE = lazy_pattern(rf"[ \t]*+\}}{END_OF_LINE.pattern}", re.A)
_BEGIN = lazy_pattern(rf"[ \t]*+(\.(?:reg|param)|{CALL})?")  # the group: how a declaration or a call begins
_MOST_STATEMENTS = 500  # in a sequence
_LONGEST_CALL = 20_000  # characters of a call in a sequence: to search further would not be linear in the text


def call_sequence(text: str, start: int, view: View, inside: str = "") -> Effect | None:
    """The effect of the scope at the offset `start` as compilers write it for one call; None unless it is fine.

    It declares the variables of the arguments and the results, writes the former, calls, and reads the latter: each
    statement on its own lines. The effect ends at the end of its last line. `inside` is what the caller has found to be
    the text between its first and its last line, and not known.
    """
    opening = _OPEN.match(text, start)
    if opening is None or not view.shallow:
        return None
    after = opening.end()
    if not inside and (close := end_of_call(text, after)) >= 0:
        inside = text[after:close]
        if (known := repeated_call(inside, view)) is not None:
            effect = Effect(text.find("\n", close) + 1 or len(text))  # after the comment
            effect.lines.append(known)
            return effect
    whole = text_shapes.call_text(text, after, inside, view) if inside else None
    found = text_shapes.known_call(whole, view) if whole is not None else None
    if found is not None:
        return found
    found = new_sequence(text, start, after, view)
    if found is not None and whole is not None and found.end == whole.end:
        text_shapes.learn_call(whole, found, view)
    return found


def new_sequence(text: str, start: int, after: int, view: View) -> Effect | None:
    """The effect of the scope at the offset `start`, whose first line ends at the offset `after`; None unless fine."""
    brace = view.mark(start, start + 1)
    # nothing outside of the scope sees its variables: their places do not matter
    inner = view._replace(scope=Scope(view.scope, brace), mark=lambda *_: brace)
    parts = _parts_of_sequence(text, after, inner)
    if parts is None:
        return None
    declared, called, others, end = parts
    table = view.table
    inner = inner._replace(table=KindTable(inner.scope, table.profile, table, table.function))
    effect = call(text, called, inner)
    if effect is None or not declared.keys() >= set(effect.results):
        return None
    results, effect.results, effect.callee = effect.results, [], None
    for found in others:
        at, name = found.start(), found[_LABEL]
        if name:
            place = view.mark(*found.span(_LABEL)).range
            if name in declared or any(name == other.name for other in effect.inner_labels):
                return None
            effect.inner_labels.append(NamePlace(name, place.line, place.column))
            continue
        line, loaded = _line_of_sequence(found, inner)
        if line is None or (loaded and (at < called or loaded not in results)):
            return None
        if any(declared.get(name, at) > at for name in line.names):
            return None
        effect.lines.append(line)
    if any(declared.get(name, called) > called for name in effect.lines[0].names):
        return None
    effect.lines.append(LineEffect((), (), (), tuple(declared)))
    effect.end = end
    return effect


def _parts_of_sequence(text: str, at: int, view: View) -> tuple[dict[str, int], int, list[Match[str]], int] | None:
    """The parts of a scope with one call; it declares its variables in the scope of the view.

    These are the variables with the offsets of their declarations, the offset of the call, the matches of all other
    lines, and the offset of the end. None if a declaration is not fine, or without a call or an end.
    """
    declared: dict[str, int] = {}
    others: list[Match[str]] = []
    called = -1
    for _ in range(_MOST_STATEMENTS):
        begin = _BEGIN.match(text, at)
        word = begin[1] if begin is not None else None
        if word == CALL and called < 0:
            called, at = at, text.find(";", at, at + _LONGEST_CALL) + 1
        elif word is not None or _LABELLED.match(text, at) is not None:
            effect = local_declaration(text, at, view) if word is not None else labelled_list(text, at, view)
            if effect is None or effect.branches:
                return None
            for symbol in effect.declares:
                view.scope.declare(symbol)
                declared[symbol.name] = at
            at = effect.end
        elif (closing := _CLOSE.match(text, at)) is not None:
            return (declared, called, others, closing.end()) if called >= 0 else None
        elif END_OF_LINE.match(text, at) is None:  # neither a comment nor blank
            found = LINE.match(text, at)
            if found is None or not (found[_OPCODE] or found[_LABEL]):
                return None
            others.append(found)
            at = found.end()
        ends = END_OF_LINE.match(text, at) if at else None
        if ends is None:
            return None
        at = ends.end()
    return None


def _line_of_sequence(found: Match[str], view: View) -> tuple[LineEffect | None, str]:
    """The effect of a line, and the variable that it loads, or ""; None unless it is fine."""
    line, table, known = found[0], view.table, view.known
    remembered = known.lines.get(line)
    if remembered is not None and table.confirm(set(remembered.words)):
        return remembered, ""
    guard, opcode, operands = (found[group] or "" for group in (_GUARD, _OPCODE, _OPERANDS))
    return instruction(guard, opcode, operands, table, known, line) or (None, "")


def _agree(names: list[str], formals: tuple[Symbol, ...], scope: Scope) -> bool:
    """Whether these variables and registers match the parameters of a signature for certain."""
    if len(names) != len(formals):
        return False
    for name, formal in zip(names, formals, strict=True):
        symbol = scope.lookup(name)
        if symbol is None or symbol.space not in OF_PARAMETERS or not symbol.type or not formal.type:
            return False
        if symbol.kind is SymbolKind.PARAMETER and symbol.space == ".param":
            return False
        if not (signatures.accepts(formal, symbol) and aligned_alike(formal, symbol)):
            return False
    return True


# --- pragmas ----------------------------------------------------------------------------------------------------------

PRAGMAS_SINCE = Version(2, 0)
MASKS_SINCE = (Version(8, 3), 50)  # the pragma `used_bytes_mask`
# a pragma that may be in every function; the group is a number
_PRAGMA = lazy_pattern(
    rf"""[ \t]*+\.pragma[ \t]++"(?:nounroll|used_bytes_mask[ ](0[xX][0-9a-fA-F]{{1,8}}|[0-9]{{1,9}}))"[ \t]*+;
    {END_OF_LINE.pattern}""",
    re.A | re.X,
)


def is_plain_pragma(line: str, profile: Profile) -> bool:
    """Whether a line is a pragma that is fine in every function."""
    found = _PRAGMA.match(line)
    if found is None or profile.version < PRAGMAS_SINCE or profile.maximum is not None:
        return False
    return found[1] is None or is_since(MASKS_SINCE, profile)
