"""Plain lines one by one: instructions, branches, labels, positions, and what inline assembly puts in one line."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import chain
from typing import Any

from ptx_lsp.analysis import plain
from ptx_lsp.analysis.blocks import Part
from ptx_lsp.analysis.braces import DEEPEST
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.known import (
    INNER_BRACES,
    NOTHING,
    PARAMETER,
    POSITION,
    WORDS,
    Fact,
    keep,
    learn,
    of_own,
)
from ptx_lsp.analysis.missing import undeclared_only
from ptx_lsp.analysis.pieces import Unclear, names_of, pieces
from ptx_lsp.analysis.scan import (
    APART,
    END_OF_LINE,
    LINE,
    LINE_CARRIED_ON,
    LIST_MAY_FOLLOW,
    PIECE,
    Groups,
    outcome_of,
    split,
    values_fit,
)
from ptx_lsp.analysis.sequences import is_local_load, is_returned
from ptx_lsp.semantics.parameter_access import ADDRESS as PARAMETER_ADDRESS
from ptx_lsp.semantics.parameter_access import is_plainly_within
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.requirements import since
from ptx_lsp.semantics.surroundings import LabelUse
from ptx_lsp.text.ranges import Range

INLINED_SINCE = since("`function_name` and `inlined_at`")


class Lines:
    """The lines of a block from the line `first` (from 0) on, and what is known of them; places count from there."""

    __slots__ = ("_bars", "_gaps", "_groups", "_sure", "_unsure", "facts", "first", "known", "lines")

    def __init__(self, fold: Fold, first: int) -> None:
        self.known = known = fold.known
        self.lines = lines = fold.lines[first:] if first else fold.lines
        self.first = first
        self.facts: list[Any] = list(map(known.get, lines))  # Fact, or None
        # the lines that are not known, and those of them that may declare something; both end with the end of the lines
        self._gaps = [place for place, fact in enumerate(self.facts) if fact is None]
        new = list({lines[place] for place in self._gaps})
        self._groups: dict[str, Groups] = {}
        if new:
            self._groups.update(zip(new, LINE.findall("\n".join(new)), strict=True))
        self._bars = [place for place in self._gaps if self._groups[lines[place]][-1]]
        self._gaps.append(len(lines))
        self._bars.append(len(lines))
        # up to where known lines are fine, and up to where it must be seen which of them are
        self._sure = self._unsure = 0

    def groups(self, at: int) -> Groups:
        """What `LINE` makes of a line."""
        line = self.lines[at]
        return self._groups.get(line) or LINE.findall(line)[0]

    def doubt(self) -> None:
        """Something has been declared, perhaps: what the names in known lines mean is to be looked at again."""
        self._sure = self._unsure = 0

    def known_until(self, fold: Fold, part: Part, at: int) -> int:
        """Take the known lines from a place on, where one is, that are fine here; where the others begin."""
        facts = self.facts
        end = self._end_of_run(fold, at)
        if at >= self._sure:
            if at >= self._unsure:
                # names do not change their kinds before something is declared
                bar = self._bars[bisect_left(self._bars, at)]
                if _are_fine(fold, filter(None, facts[at:bar])):
                    self._sure = bar
                else:
                    self._unsure = bar
            if at >= self._sure:
                end = min(end, at + 1)
                if not _are_fine(fold, facts[at:end]):
                    return at
        part.known += facts[at:end]
        return end

    def _end_of_run(self, fold: Fold, at: int) -> int:
        facts = self.facts
        end = behind = self._gaps[bisect_left(self._gaps, at)]
        while behind > at and facts[behind - 1] is NOTHING:
            behind -= 1
        if behind > at and facts[behind - 1] is POSITION and not _stands_apart(fold, self.first + behind - 1):
            return behind - 1
        return end

    def is_known(self, fold: Fold, part: Part, text: str) -> bool:
        """Take lines that are known together, if they are fine here."""
        fact = self.known.get(text)
        return fact is not None and _take_fact(fold, part, fact)


def _are_fine(fold: Fold, chosen: Iterable[Fact]) -> bool:
    words = set(chain.from_iterable(map(WORDS, chosen)))
    return len(fold.scopes) <= DEEPEST - INNER_BRACES and fold.table.confirm(words)


def _take_fact(fold: Fold, part: Part, fact: Fact) -> bool:
    if not _are_fine(fold, (fact,)):
        return False
    part.known.append(fact)
    return True


def take_lines(fold: Fold, part: Part, lines: Lines, at: int, stop: int) -> int:
    """Take the lines from a place on, up to the place `stop`, while they are plain and fine: known ones in runs.

    Returns the place of a line that must go the full way; or `stop`, or behind it.
    """
    known_until, facts, texts, groups, first = lines.known_until, lines.facts, lines.lines, lines.groups, lines.first
    while at < stop:
        if facts[at] is not None and (end := known_until(fold, part, at)) > at:
            at = end
        elif _take_line(fold, part, texts[at], groups(at), first + at):
            at += 1
        else:
            break
    return at


def _take_line(fold: Fold, part: Part, line: str, groups: Groups, number: int) -> bool:
    # `groups` are those of `LINE`; `number` is that of the line in the block, from 0
    guard, target, opcode, operands, label, position, inlined, other = groups
    if opcode:
        if PARAMETER in operands and _is_known_of_own(fold, part, of_own(line, part.body.symbol.name)):
            return True
        if _fine(fold, part, guard, opcode, operands, line):
            return True
        return undeclared_only(fold, guard, opcode, operands, fold.starts[number])
    if target:
        return _branch(fold, part, guard, target, line, number)
    if label:
        return _label(fold, part, label, line, number)
    if position:
        return _plain_position(fold, inlined, line, number)
    if other:
        return plain.declare_registers(fold, line, number)
    keep(fold.known, line, NOTHING)
    return True


def _is_known_of_own(fold: Fold, part: Part, text: str) -> bool:
    fact = fold.known.get(text) if text else None
    return fact is not None and _take_fact(fold, part, fact)


def _fine(fold: Fold, part: Part, guard: str, opcode: str, operands: str, line: str = "") -> bool:
    """Whether a plain instruction of a function is fine, as far as that is known of it or can be learned.

    `line` is its line, if it has one for itself.
    """
    kinds, texts, fine = fold.table, pieces(operands), fold.outcomes
    try:
        if guard and kinds[guard] != ".pred":
            return False
        key = (opcode, *map(kinds.__getitem__, texts))
        outcome = fine.get(key)
        if outcome is None:
            whole = split(operands)
            outcome = fine[key] = outcome_of(opcode, whole, map(kinds.kind, whole), fold.profile)
    except Unclear:
        return False
    written, literals, unguarded = outcome
    if guard and unguarded:
        return False
    if literals and not values_fit(literals, texts):
        return False
    names = names_of(operands)
    given = names[:written]
    parameter = next((at for at in (-1, 1) if key[at].startswith(PARAMETER_ADDRESS)), 0) if len(key) > 1 else 0
    if parameter:
        if not is_plainly_within(opcode, texts[0 if parameter == 1 else -1], fold.scopes[-1]):
            return False
        if "[]" in key[parameter]:
            line = ""  # it depends on the size of the array whether such a line is fine
    if is_local_load(opcode, key[-1]):
        if not is_returned(part, fold.scopes[-1], names[-1]):
            return False
        line = ""  # it depends on the calls above it whether such a line is fine
    if guard:
        names.append(guard)
    part.mentions += names
    part.writes += given
    if line:
        learn(fold.known, line, kinds, names, given)
    return True


def _branch(fold: Fold, part: Part, guard: str, target: str, line: str, number: int) -> bool:
    if fold.buried:
        return True
    if guard:
        if fold.table.get(guard) != ".pred" and not _is_predicate(guard, fold):
            return False
        part.mentions.append(guard)
    column = line.rindex(target, 0, line.index(";"))
    mark = Mark(fold.block, Range(number, column, number, column + len(target)))
    part.label_uses.append(LabelUse(fold.scopes[-1], target, mark))
    return True


def _is_predicate(guard: str, fold: Fold) -> bool:
    try:
        return fold.table[guard] == ".pred"
    except Unclear:
        return False


def _label(fold: Fold, part: Part, name: str, line: str, number: int) -> bool:
    after = fold.starts[number + 1] if number + 1 < len(fold.starts) else len(fold.text)
    if after >= len(fold.text) or not (APART.match(fold.text, after) or not LIST_MAY_FOLLOW.match(fold.text, after)):
        return False  # the label of a prototype or a list may be parted from it by a line end
    column = line.index(name)
    fold.declare_label(name, Mark(fold.block, Range(number, column, number, column + len(name))), part)
    return True


def _plain_position(fold: Fold, inlined: str, line: str, number: int) -> bool:
    # a `.loc` that looks plain may need a later version
    if inlined and (fold.profile.version < INLINED_SINCE or fold.profile.maximum is not None):
        return False
    keep(fold.known, line, POSITION)
    return _stands_apart(fold, number)


def _stands_apart(fold: Fold, number: int) -> bool:
    """Whether a `.loc` that is plain, in the line `number` (from 0) of the block, does not go on in the next lines."""
    after = fold.starts[number + 1] if number + 1 < len(fold.starts) else len(fold.text)
    if after >= len(fold.text):
        return False
    return APART.match(fold.text, after) is not None or LINE_CARRIED_ON.match(fold.text, after) is None


def take_pieces(fold: Fold, offset: int) -> tuple[int, bool]:
    """Take what stands in one line from `offset` on: plain statements and braces, which may go on below.

    Gives the offset of what is not plain and False, or where the next line begins and True.
    """
    text = fold.text
    while True:
        after = _piece(fold, offset)
        if not after:
            return offset, False
        if text[after - 1] == "\n":
            return after, True  # a call takes the end of its line
        offset = after
        end = END_OF_LINE.match(text, offset)
        if end is not None:
            return end.end(), True


def _piece(fold: Fold, offset: int) -> int:
    """Take one plain statement or brace. Returns where it ends, 0 where it is not so plain."""
    part = fold.part
    if part is None:
        return plain.declare_global(fold, offset) or plain.header(fold, offset)
    match = PIECE.match(fold.text, offset)
    if match is None:
        return 0 if fold.buried else plain.call(fold, offset)
    opens, closes, dot, guard, opcode, operands = match.groups("")
    if dot:
        return plain.declare(fold, offset)
    if opens:
        fold.open_scope(match.start(1))
    elif closes:
        fold.close_scope()
        if len(fold.scopes) == 1:
            fold.end_body(match.start(2))
    elif fold.buried or not _fine(fold, part, guard, opcode, operands):
        return 0
    return match.end()
