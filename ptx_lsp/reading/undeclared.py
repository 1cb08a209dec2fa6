"""Undeclared names: each is reported once per function, and a whole family of registers is one mistake.

A name that is a label of the function is reported at each use. The names that a broken statement was meant to declare
are not reported.
"""

from __future__ import annotations

from itertools import islice

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.isa.directive_names import OF_PARAMETERS
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.light_classes import Callable, Iterable, Mapping
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.operand_text import NAMES
from ptx_lsp.reading.block import MEMBERS, PARAMETERS, Block, BlockText, FunctionPart
from ptx_lsp.reading.known_places import EditedText, is_inside, known_above
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report, Undeclared, UndeclaredUses
from ptx_lsp.semantics.symbols import ANY_CALLED, DIGITS, MEANT, Mark, Scope, Symbol, SymbolKind, member_number, place
from ptx_lsp.semantics.unfinished import drop_unfinished_name
from ptx_lsp.syntax.lexer import END, NAME, Cursor
from ptx_lsp.syntax.plain_text import LINE
from ptx_lsp.syntax.tree import Broken, Declaration, Directive, FunctionHeader, Instruction, Problem, Statement, Word
from ptx_lsp.text.ranges import Range

MOST_NAMES_TRIED = 8  # of a broken declaration
LOSING_NAMES = frozenset(
    (
        *("declaration-order", "declaration-space", "declaration-type", "duplicate-declaration", "unknown-specifier"),
        *("parameter-space",),
    )
)
"""What is wrong with a declaration that may have been meant to declare other names."""
_UNFINISHED = "*"  # after a name: all names that begin with it
_NOT_BEFORE_LABELS = frozenset('\n"[]{}/')
"""Characters that are not in a label, nor in a word that is written before it by mistake."""
_BEFORE_VALUE = lazy_pattern(r"(?<![.\w$%])([A-Za-z_$%][\w$]*+)[ \t]*+[\[=;]", re.A)
_BEFORE_LIST = lazy_pattern(r"(?<![.\w$%])([A-Za-z_$%][\w$]*+)[ \t\r\n]*+\(", re.A)
MOST_RELATED = 20
"""The most further uses of an undeclared name in its report."""

_OPCODE, _OPERANDS = 3, 4  # groups of `LINE`
_NO_VALUE = "`{}` is a label: only branches and lists of targets take labels"


def conclude_undeclared(body: Body, parts: list[FunctionPart], damaged: bool, *, early: bool = False) -> list[Report]:
    """A report for each undeclared name or family of registers; `parts` are all parts of the function.

    `early`: some parts have not been read since names were declared; uses of what is declared now are left out.

    In a function that is `damaged`, whose braces do not match, it is uncertain which scopes are open. So names that are
    declared between any of its inner braces are not reported, nor are other members of their families. The same holds
    for names that a broken declaration above may have declared.
    """
    groups: dict[tuple[str, ...], UndeclaredUses] = {}
    families: dict[tuple[str, ...], Symbol | None] = {}
    if not any(part.undeclared for part in parts):
        return []
    declared = _families(body)
    unknown_parts = [part for part in parts if part.undeclared]
    labels = _labels_among({word for part in unknown_parts for word in part.undeclared}, parts)
    found: list[Report] = []
    astray = {name.rstrip(DIGITS) for part in parts for name in part.inner} if damaged else set[str]()
    for part in unknown_parts:
        for word, unknown in part.undeclared.items():
            if labels and (word in labels or word.endswith(MEMBERS)):
                unknown, others = _without_labels(unknown, labels)
                found += others
            if not unknown.highest or word.rstrip(MEMBERS + DIGITS) in astray:
                continue
            if early and _is_declared_now(body, unknown):
                continue
            stem = word.removesuffix(MEMBERS).rstrip(DIGITS)
            family = declared.get(stem) if stem != word else None
            key = (stem,) if family is not None or word.endswith(MEMBERS) else ("", word)
            families[key] = family
            groups.setdefault(key, UndeclaredUses()).merge(unknown)
    doubts = _doubts(parts)
    sure = [key for key, unknown in groups.items() if not (doubts and _is_doubtful(key[-1], unknown, doubts))]
    return found + [_report(groups[key], families[key]) for key in sure]


def _doubts(parts: list[FunctionPart]) -> dict[str, tuple[int, int, int]]:
    """The first place of each name of broken declarations."""
    found: dict[str, tuple[int, int, int]] = {}
    for part in parts:
        for name, mark in part.doubtful.items():
            found.setdefault(name, place(mark))
    return found


def _is_doubtful(word: str, unknown: UndeclaredUses, doubts: dict[str, tuple[int, int, int]]) -> bool:
    """Whether a broken declaration above the first use may have declared a name or family."""
    first = min(place(use.mark) for use in unknown.uses)
    meant = (word.rstrip(DIGITS), MEMBERS, "" if word.startswith("%") else PARAMETERS)
    begun = (name for name in doubts if name.endswith(_UNFINISHED) and word.startswith(name[:-1]))
    return any(doubts[name] < first for name in (*meant, *begun) if name in doubts)


def _is_declared_now(body: Body, unknown: UndeclaredUses) -> bool:
    """Whether a declaration above the uses, in the scope of the function or around it, has all of these names."""
    symbol = body.scope.lookup(unknown.highest)
    if symbol is None or place(symbol.mark) > place(unknown.uses[0].mark):
        return False
    return symbol.count is not None or not unknown.several


def undeclared_name(use: Undeclared) -> Report:
    """The report of an undeclared name at module level."""
    return first_use_in([use])


def first_use_in(uses: list[Undeclared]) -> Report:
    """The report of an undeclared name by its first use and other `uses` of it, or of other members of its family."""
    unknown = UndeclaredUses()
    for use in uses:
        unknown.add(use)
    return _report(unknown, None)


def scope_of_undeclared(mark: Mark) -> Scope | None:
    """The scope of the function around the use of a name that is reported as undeclared; None for no such mark."""
    block = mark.holder
    if isinstance(block, Block):
        for part in block.parts:
            if any(report.mark is mark and report.code == "undeclared" for report in part.body.names):
                return part.body.scope
    return None


def _labels_among(words: set[str], parts: list[FunctionPart]) -> dict[str, Symbol]:
    """The first labels of a function, by name, that undeclared names with these keys may be; it has thousands."""
    begins = tuple({word.removesuffix(MEMBERS) for word in words if word.endswith(MEMBERS)})
    sought = [f"\n{word}\n" for word in words if not word.endswith(MEMBERS)] + [f"\n{begin}" for begin in begins]
    found: dict[str, Symbol] = {}
    for part in parts:
        if any(map(part.label_names.__contains__, sought)):
            for label in part.labels:
                if (name := label.name) in words or (begins and name.startswith(begins)):
                    found.setdefault(name, label)
    return found


def _without_labels(unknown: UndeclaredUses, labels: dict[str, Symbol]) -> tuple[UndeclaredUses, list[Report]]:
    """The uses that are not labels of the function, and a report for each use that is one."""
    named = [use for use in unknown.uses if use.name in labels]
    if not named:
        return unknown, []
    rest = UndeclaredUses()
    for use in unknown.uses:
        if use.name not in labels:
            rest.add(use)
    return rest, [_label_as_operand(use, labels[use.name]) for use in named if use.as_label is not None]


def _label_as_operand(use: Undeclared, label: Symbol) -> Report:
    code = "label-as-operand"
    message = use.as_label or _NO_VALUE.format(use.name)
    return Report(code, use.mark, message, default_severity(code), ((label.mark, f"`{label.name}` is defined here"),))


def _report(unknown: UndeclaredUses, family: Symbol | None) -> Report:
    """The report of an undeclared name or family; `family` is the declared one that has too few members."""
    first, *others = unknown.uses
    name, mark = first.name, first.mark
    related = tuple((use.mark, f"`{use.name}` is used here") for use in others[:MOST_RELATED])
    stem, highest = name.rstrip(DIGITS), unknown.highest
    if family is not None:
        needed = member_number(highest[len(stem) :]) + 1
        last = f": its last member is `{stem}{family.count - 1}`" if family.count else ""
        return Report(
            "register-index",
            mark,
            f"`{name}` is beyond `{family.name}<{family.count}>`{last}",
            default_severity("register-index"),
            related=((family.mark, f"`{family.name}<{family.count}>` is declared here"), *related),
            data={"family": stem, "count": str(needed)},
        )
    more = f", nor any other `{stem}` register that this function uses" if unknown.several else ""
    return Report(
        "undeclared",
        mark,
        f"`{name}` is not declared{more}",
        default_severity("undeclared"),
        related=related,
        data={"name": name, "highest": highest},
    )


def _families(body: Body) -> dict[str, Symbol]:
    """The register families that a function can use: its own, and those above it in the module."""
    found = {stem: symbols[0] for stem, symbols in body.scope.families.items()}
    begin = place(body.opening)
    for stem, symbols in (body.scope.parent or body.scope).families.items():
        if place(symbols[0].mark) < begin:
            found.setdefault(stem, symbols[0])
    return found


def _is_unknown_word(statement: Statement) -> bool:
    """Whether a statement begins with a word that is no opcode: it may have been meant to declare something."""
    return isinstance(statement, Instruction) and statement.opcode.text not in opcodes()


def note_doubt(part: FunctionPart, statement: Statement, source: BlockText, *, lost: bool) -> None:
    """Note the names that a statement with a mistake may have been meant to declare; `MEMBERS` if it is unknown which.

    A header that lacks a name may declare all that are not registers: `PARAMETERS`. `lost` is true if what is reported
    about a declaration may be the reason why it declares other names: its own ones may be unfinished.
    """
    declares = isinstance(statement, Broken | Directive | Declaration | FunctionHeader)
    if not (declares or _is_unknown_word(statement)):
        return
    mark = source.mark(statement.start, statement.start + 1)
    text = source.text
    before, colon, after = text[statement.start : statement.end].lstrip('"').partition(":")
    if colon and not after.startswith(":") and _NOT_BEFORE_LABELS.isdisjoint(before):
        found = NAMES.findall(before)
        part.lost_labels.append(frozenset((*found, "".join(found))) if found else frozenset())
    names = NAMES.findall(text, statement.start, statement.end)
    if isinstance(statement, FunctionHeader):
        names += [PARAMETERS] * _lacks_names(statement, text)
    elif isinstance(statement, Declaration):
        names += [name.rstrip(DIGITS) + _UNFINISHED for name in names if lost] if statement.declarators else [MEMBERS]
    elif text[statement.start] == ".":
        names.append(MEMBERS)
    for name in names:
        stem = name.rstrip(DIGITS)
        part.doubtful.setdefault(stem, mark)
        part.doubtful.setdefault(stem + MEMBERS, mark)


def _lacks_names(header: FunctionHeader, text: str) -> bool:
    """Whether a header has fewer names than parameters and results, divided ones, or no whole list of them."""
    cursor = Cursor(text, header.start, header.end)
    while cursor.kinds[-1:] != [END]:
        cursor.read_batch()
    words = [cursor.word(at) for at in range(len(cursor.kinds))]
    if header.name is None or "(" not in words or ")" not in words[words.index("(") :]:
        return True
    inside = range(words.index("("), len(words) - words[::-1].index(")"))
    names = {words[at] for at in inside if cursor.kinds[at] == NAME and cursor.starts[at] != header.name.start}
    wanted = [words[at] for at in inside if words[at] in OF_PARAMETERS]
    if any(words[at] == "," and words[at + 1] in names and words[at + 2] in (",", ")") for at in inside):
        return True  # the two parts of a name with a comma in it
    return len(names) < max(len(wanted), 1 + sum(words[at] == "," for at in inside))


def meant_names(statement: Declaration, root: Scope, source: BlockText) -> tuple[Symbol, ...]:
    """What a declaration without a name in its place was meant to declare: a name in it that means nothing else.

    It is outside of functions: `root` is the scope of the module.
    """
    if called := functions_meant(statement, root, source):
        return called
    text, start = source.text, statement.specifiers[0].end if statement.specifiers else statement.start
    for found in islice(NAMES.finditer(text, start, statement.end), MOST_NAMES_TRIED):
        name = found[0]
        if text.count('"', start, found.start()) % 2 == 0 and root.lookup(name) is None:
            return (Symbol(name, SymbolKind.VARIABLE, source.mark(*found.span())),)
    return ()


def named_by_unknown(statement: Directive, root: Scope, source: BlockText) -> tuple[Symbol, ...]:
    """What an unknown directive outside of functions may have been meant to declare: the names after it."""
    words = [argument for argument in statement.arguments if isinstance(argument, Word)]
    return tuple(
        Symbol(word.text, SymbolKind.VARIABLE, source.mark(word.start, word.end))
        for word in words[:MOST_NAMES_TRIED]
        if NAMES.fullmatch(word.text) and root.lookup(word.text) is None
    )


def variables_meant(statement: Statement, root: Scope, source: BlockText) -> tuple[Symbol, ...]:
    """The variable that a broken declaration outside of functions was meant to declare, if it means nothing else."""
    found = _BEFORE_VALUE.search(source.text, statement.start, statement.end)
    if found is None or root.lookup(found[1]) is not None:
        return ()
    return (Symbol(found[1], SymbolKind.VARIABLE, source.mark(*found.span(1))),)


def functions_meant(statement: Statement, root: Scope, source: BlockText) -> tuple[Symbol, ...]:
    """The functions that a broken header was meant to declare: names before a `(` that mean nothing else.

    A header without a name was meant to declare any function that is called.
    """
    found = islice(_BEFORE_LIST.finditer(source.text, statement.start, statement.end), MOST_NAMES_TRIED)
    if isinstance(statement, FunctionHeader) and statement.name is None:
        mark = source.mark(statement.kind.start, statement.kind.end)
        return (Symbol(ANY_CALLED, SymbolKind.FUNCTION, mark, type=MEANT, defined=False),)
    return tuple(
        Symbol(name[1], SymbolKind.FUNCTION, source.mark(*name.span(1)), type=MEANT, defined=False)
        for name in found
        if root.lookup(name[1]) is None
    )


def first_mention(text: str, start: int, symbols: Iterable[Symbol]) -> int | None:
    """The offset of the first mention of one of these names, or of a member of a family, from `start` on."""
    return min((at for symbol in symbols if (at := _mention(text, start, symbol)) is not None), default=None)


def _mention(text: str, start: int, symbol: Symbol) -> int | None:
    name = symbol.name
    at = text.find(name, start)
    while at >= 0:
        if is_mention(text, at, symbol) and "//" not in text[text.rfind("\n", 0, at) + 1 : at]:
            return at
        at = text.find(name, at + len(name))
    return None


def is_mention(text: str, at: int, symbol: Symbol) -> bool:
    """Whether the name at an offset is that of a symbol, or of a member of its family."""
    found = NAMES.match(text, at)
    if found is None or not found[0].startswith(symbol.name):
        return False
    rest = found[0][len(symbol.name) :]
    return rest.isdigit() if symbol.count is not None else not rest


def reported_use(
    below: EditedText, use: int, body: Body, gone: Mapping[str, Symbol], block_at: Callable[[int], Block]
) -> list[Report]:
    """The report of the first mention of one of these names, at an offset, if it is surely one in an instruction.

    `gone` are symbols that a function declares no more, by their names without digits. `block_at` gives the block of a
    line.
    """
    text, begin = below.text, below.text.rfind("\n", 0, use) + 1
    statement, place = LINE.match(text, begin), known_above(below, begin)
    line = below.block.line + text.count("\n", 0, begin)
    holder = block_at(line)
    near = [one for one in holder.reports if one.mark.range.line <= line - holder.line]  # it may belong to a mistake
    if statement is None or near or use >= statement.end(_OPERANDS):
        return []
    if not statement[_OPCODE] or statement[_OPCODE].partition(".")[0] == CALL:
        return []
    if place is None or place.state.body is not body or len(place.state.scopes) > 2:
        return []
    if place.offset != begin and not is_inside(below.text, place.offset, begin):
        return []
    symbol = next(one for one in gone.values() if is_mention(text, use, one))
    uses = list[Undeclared]()
    for found in NAMES.finditer(text, use, statement.end(_OPERANDS)):
        if is_mention(text, found.start(), symbol):
            first, end = (offset - begin for offset in found.span())
            mark = Mark(holder, Range(line - holder.line, first, line - holder.line, end))
            uses.append(Undeclared(body.scope, found[0], mark))
    has_other = any(special_register(one.name) or body.scope.lookup(one.name) not in (None, symbol) for one in uses)
    return [] if has_other else [first_use_in(uses)]


def drop_mentions(part: FunctionPart, found: Instruction, problems: tuple[Problem, ...], end: Mark) -> None:
    """Drop the undeclared name and the label of an instruction that a problem explains; `end` is its place."""
    drop_unfinished_name(found, problems, part.undeclared_names, end)
    drop_unfinished_name(found, problems, part.label_uses, end)
