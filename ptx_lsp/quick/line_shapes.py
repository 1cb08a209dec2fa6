"""Recognises unknown lines by their shapes: a line is fine if another one is that differs from it in numbers alone.

Labels and branches, in which every name differs, are found together too.

Compilers write few kinds of lines, with other numbers each time: of 60,000 instructions that differ, 500 differ in more
than the numbers of their registers and literals. The shape of a line is its opcode and the rest of it, where each
number is `0`. The first line of a shape is recognised as every line is, and then the shape is learnt. What the shape
does not show is checked for all lines of a run at once, by the set of their names and literals.

A shape holds for one kind of each name: `%r0` means every member of `%r`, while a name without numbers, such as `%SP`
or `%tid.x`, means itself. It is sound because a name of a line has that kind, or the line is taken out; and because no
other text of a line was changed.
"""

from __future__ import annotations

from itertools import compress, filterfalse
from sys import intern

from ptx_lsp.isa.opcode_sets import BRANCH
from ptx_lsp.judgement.verdict import OperandCheck, OperandCheckKind
from ptx_lsp.light_classes import Callable, NamedTuple, bisect_left, itemgetter, methodcaller
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.effect import NOTHING, Effect, LineEffect, NamePlace
from ptx_lsp.quick.instructions import known_outcome, literals_fit, outcome_of
from ptx_lsp.quick.known import MOST_SEEN, Known, LineShape, Outcome, ShapeKey
from ptx_lsp.quick.operand_kinds import KindTable, typed
from ptx_lsp.quick.operand_text import NAMES, Unclear, pieces, split
from ptx_lsp.semantics.symbols import DIGITS

_new = tuple.__new__
_PLACE = _FIRST = itemgetter(0)
_FIRST_WORD = methodcaller("split", None, 1)
SHAPED = LineEffect((), (), (), ())  # of a line whose shape is known; compared by identity

_NUMBERS = str.maketrans("123456789ABCDEF", "0" * 15)  # hexadecimal digits too; `add.s32` is not translated
_SEPARATORS = str.maketrans("\t,;[]{}()+!|@\r", " " * 14)
_ODD_BLANKS = "\v\f\x1c\x1d\x1e\x1f"  # `str.split` takes these for blanks, as it does some that are not in ASCII
# every integer is an `int32` or smaller
LITERAL = lazy_pattern(
    r"-?(?:0|[1-9][0-9]{0,8}|1[0-9]{9}|214748364[0-8])|[23][0-9]{9}|0[xX][0-9A-Fa-f]{1,8}"
    r"|0f[0-9a-fA-F]{8}|0d[0-9a-fA-F]{16}|_"
)
_MOST_NAMES = 1_000  # register families, and names without numbers; compilers use twenty
FEWEST_LINES = 8  # of one shape: to learn it costs as much as some ten lines of known shapes save
LINES_FOR_VERDICTS = 32  # of one shape, to learn it with verdicts; a verdict costs as much as ten lines save
_INTEGER = lazy_pattern(r"int(?:8|16|32|64)")
WIDTHS = (8, 16, 32)  # of all integers that `LITERAL` matches


# A line of a known shape: its place, its rest, which is its guard and the text after its opcode, and its shape.
ShapedLine = tuple[int, str, LineShape]


class ShapedLines(NamedTuple):
    """The lines of a text whose shape is known, in order, and those whose shape is not known yet.

    `new` has the key of the shape by place, and `waiting` has the places and rests by key.
    """

    lines: list[ShapedLine]
    new: dict[int, ShapeKey]
    waiting: dict[ShapeKey, list[tuple[int, str]]]


def find_shaped(lines: list[str], unknown: list[int], known: Known) -> ShapedLines | None:
    """The lines of known shapes among those at these places; None if the lines have characters that are not plain."""
    text = "\n".join([lines[place] for place in unknown])
    if not text.isascii() or any(blank in text for blank in _ODD_BLANKS):
        return None
    # comprehensions, because this is done for every new line
    split = [(place, part) for place in unknown if len(part := lines[place].split(None, 1)) == 2]
    heads, rests = [part[0] for _, part in split], [part[1] for _, part in split]
    if "@" in text:
        _move_guards(heads, rests)
    keys = list(zip(heads, _without_numbers(rests), strict=True))
    shapes = list(map(known.shapes.table.get, keys))
    found = ShapedLines(
        [
            (place, rest, shape)
            for (place, _), rest, shape in zip(split, rests, shapes, strict=True)
            if shape is not None and (not shape.literals or _fits(rest, shape))
        ],
        {},
        {},
    )
    if None in shapes:
        for (place, _), rest, key, shape in zip(split, rests, keys, shapes, strict=True):
            if shape is None and key not in known.shapes.table:
                found.new[place] = key
                found.waiting.setdefault(key, []).append((place, rest))
    return found


def _fits(rest: str, shape: LineShape) -> bool:
    text = rest.partition(";")[0]
    return literals_fit(shape.literals, pieces(text.partition(" ")[2] if shape.first else text))


def _move_guards(heads: list[str], rests: list[str]) -> None:
    """Put the guards before the rests of their lines; the heads are then `@` and the opcode."""
    for number, head in enumerate(heads):
        if head[0] == "@":
            opcode, *rest = rests[number].split(None, 1)
            if len(head) > 1 and rest:
                heads[number], rests[number] = "@" + opcode, f"{head[1:]} {rest[0]}"


def _without_numbers(rests: list[str]) -> list[str]:
    if not rests:
        return []
    text = "\n".join(rests).translate(_NUMBERS)
    # a number of up to 16 digits becomes one digit
    return text.replace("0000", "0").replace("00", "0").replace("00", "0").replace("00", "0").split("\n")


# --- labels and branches ----------------------------------------------------------------------------------------------

JUMP = LineEffect((), (), (), ())  # of a label or branch in `Jumps`; compared by identity
_LABELS = lazy_pattern(r"(?:\$[\w$]++:\n|(?!))*+", re.A)
# one match a line; the groups, which are empty for another line, are the guard and the target
_BRANCHES = lazy_pattern(
    r"^(?:[ \t]*+(?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?bra(?:\.uni)?[ \t]++(\$[\w$]++);$)?", re.M | re.A
)
_LINE = itemgetter(1)


class Jumps(NamedTuple):
    """The labels and branches of some lines as compilers write them, with names that begin with a `$`, in order.

    `guards` are those of the branches, with their places. The first line is the line `first` of the block.
    """

    first: int
    labels: list[NamePlace]
    branches: list[NamePlace]
    guards: list[tuple[int, str]]

    def add(self, begin: int, end: int, effect: Effect) -> None:
        """Add the labels and branches from one place to another to the effect of a run."""
        for found, added in ((self.labels, effect.labels), (self.branches, effect.branches)):
            start = bisect_left(found, self.first + begin, key=_LINE)
            stop = bisect_left(found, self.first + end, start, key=_LINE)
            if start < stop:
                added += found[start:stop]
                if len(added) > stop - start:
                    added.sort(key=_LINE)  # some lines were recognised one by one

    def guards_of(self, begin: int, end: int) -> set[str]:
        """The guards of the branches from one place to another."""
        start = bisect_left(self.guards, (begin,))
        stop = bisect_left(self.guards, (end,), start)
        return {name for _, name in self.guards[start:stop]}

    def take_out(self, begin: int, guards: set[str]) -> list[int]:
        """Take out the branches from a place on that have one of these guards; returns their places."""
        gone = {place for place, name in self.guards if place >= begin and name in guards}
        self.guards[:] = [guard for guard in self.guards if guard[0] not in gone]
        self.branches[:] = [branch for branch in self.branches if branch.line - self.first not in gone]
        return sorted(gone)


def find_jumps(
    lines: list[str],
    unknown: list[int],
    effects: list[LineEffect | None],
    first: int,
    label_ends: Callable[[int], bool],
) -> Jumps:
    """The labels and branches among the lines at these places; their effects become `JUMP`.

    `label_ends` says whether a label at a place is a statement of its own.
    """
    found = Jumps(first, [], [], [])
    labels = [place for place in unknown if lines[place][-1] == ":"]
    if not _LABELS.fullmatch("".join([lines[place] + "\n" for place in labels])):
        labels = []
    for place in labels:
        after = effects[place + 1] if place + 1 < len(lines) else None
        if (after is not None and after is not NOTHING) or label_ends(place):
            found.labels.append(_new(NamePlace, (lines[place][:-1], first + place, 0)))  # its constructor costs more
            effects[place] = JUMP
    branches = [place for place in unknown if BRANCH in lines[place]]
    matches = _BRANCHES.findall("\n".join([lines[place] for place in branches])) if branches else []
    for place, (guard, target) in zip(branches, matches, strict=True):
        if target:
            column = len(lines[place]) - len(";") - len(target)
            found.branches.append(_new(NamePlace, (target, first + place, column)))
            effects[place] = JUMP
            if guard:
                found.guards.append((place, guard))
    return found


# --- the names of a run -----------------------------------------------------------------------------------------------


def effect_of(shaped: ShapedLines, begin: int, end: int, table: KindTable, known: Known) -> LineEffect | set[str]:
    """The effect of the shaped lines with the numbers `begin` to `end`, or the names in them that are not as they must.

    Such a name is not a register of the kind that its shape was learnt with, or it is a literal that is not plain.
    """
    lines = shaped.lines[begin:end]
    text = "\n".join([rest for _, rest, _ in lines]).translate(_SEPARATORS)
    words = set(text.split())
    # `difference` would go through all the literals that are known, because they are not a set
    names = set(filterfalse(known.shapes.literals.__contains__, words))
    wrong = table.not_of_kinds(names, known.shapes.kinds)
    if wrong:
        literals = set(filter(LITERAL.fullmatch, wrong))
        if wrong != literals:
            return wrong - literals
        for literal in literals:
            known.shapes.literals[literal] = None
        names -= literals
    if "." in text:
        elements = {name for name in known.shapes.kinds if "." in name} & names
        names = (names - elements).union([name.partition(".")[0] for name in elements])
    rests = text.split("\n")
    lasts = [shape.last for _, _, shape in lines]
    # most lines write one name, which is the first word
    written: set[str] = set(map(_FIRST, map(_FIRST_WORD, compress(rests, map((1).__eq__, lasts)))))
    if max(lasts) > 1:
        for rest, (_, _, shape) in zip(rests, lines, strict=True):
            if shape.last > 1:
                written.update(rest.split(None, shape.last)[shape.first : shape.last])
    return LineEffect((), names, written, ())


def take_out(shaped: ShapedLines, begin: int, end: int, words: set[str]) -> list[int]:
    """Take the lines with one of these words out of those with the numbers `begin` to `end`; returns their places."""
    places = []
    for number in reversed(range(begin, end)):
        if not words.isdisjoint(shaped.lines[number][1].translate(_SEPARATORS).split()):
            places.append(shaped.lines.pop(number)[0])
    return places


def remember_repeated(shaped: ShapedLines, begin: int, end: int, texts: list[str], known: Known) -> None:
    """Remember the lines with the numbers `begin` to `end` that occur again: known lines cost a fifth of shaped ones.

    `texts` are the lines of the text by place. The names of the shaped lines are as they must.
    """
    memory, seen, kinds = known.lines, known.shapes.seen, known.shapes.kinds
    lines = shaped.lines[begin:end]
    hashes = [hash(texts[place]) for place, _, _ in lines]
    if not seen.isdisjoint(hashes):
        for (place, rest, shape), hashed in zip(lines, hashes, strict=True):
            if hashed in seen:
                words = rest.translate(_SEPARATORS).split()
                named = list(filter(_begins_as_name, words))
                names = tuple([intern(word.partition(".")[0]) for word in named])
                with_kinds = tuple(
                    [typed(name, kinds[word.rstrip(DIGITS)]) for name, word in zip(names, named, strict=True)]
                )
                written = tuple(map(intern, words[shape.first : shape.last]))
                memory[texts[place]] = LineEffect(with_kinds, names, written, ())
    if len(seen) > MOST_SEEN:
        seen.clear()
    seen.update(hashes)


def _begins_as_name(word: str) -> bool:
    # a name in a shape: `_` alone is a literal, and a shape has no other name that begins with it, or with `$`
    return word[0] == "%" or word[0].isalpha()


# --- learning ---------------------------------------------------------------------------------------------------------


def learn(
    shaped: ShapedLines, at: int, guard: str, opcode: str, operands: str, table: KindTable, known: Known
) -> list[int]:
    """Learn the shape of the line at a place, which is fine; returns the places of the lines below that have it too.

    The line has this guard, opcode and operands. It may also be learnt that the lines are recognised one by one.
    """
    key = shaped.new[at]
    same = shaped.waiting.pop(key, None)
    if same is None:
        return []
    rare = known.shapes.rare
    rare[key] = count = rare.get(key, 0) + len(same)
    if count < FEWEST_LINES:
        return []
    try:
        shape = _shape(key, guard, opcode, operands, table, known, with_verdicts=count >= LINES_FOR_VERDICTS)
    except _NotYet:
        return []
    known.shapes.table[key] = shape
    if shape is None:
        return []
    added: list[ShapedLine] = [
        (place, rest, shape) for place, rest in same if place > at and (not shape.literals or _fits(rest, shape))
    ]
    shaped.lines[:] = sorted((*shaped.lines, *added), key=_PLACE)
    return [place for place, _, _ in added]


class _NotYet(Exception):
    """A shape cannot be learnt without verdicts."""


def _shape(
    key: ShapeKey, guard: str, opcode: str, operands: str, table: KindTable, known: Known, *, with_verdicts: bool
) -> LineShape | None:
    if "/" in key[1] or not operands or key[0] != ("@" + opcode if guard else opcode):
        return None
    words = {*operands.translate(_SEPARATORS).split(), *([guard] if guard else [])}
    named = [word for word in words if not LITERAL.fullmatch(word)]
    names = NAMES.findall(operands) + ([guard] if guard else [])
    if {word.partition(".")[0] for word in named} != set(names) or not _have_kinds(named, table, known):
        return None
    outcome = _outcome(opcode, operands, table, known, with_verdicts)
    if outcome is None or (guard and outcome[2]):
        return None
    first = 1 if guard else 0
    return LineShape(first, first + outcome[0] if outcome[0] else 0, outcome[1])


def _have_kinds(words: list[str], table: KindTable, known: Known) -> bool:
    """Whether these names, or elements of special registers, have the kinds that all shapes have for them.

    A name that no shape has yet gets its kind from the table.
    """
    kinds = known.shapes.kinds
    for word in words:
        stem, name = word.rstrip(DIGITS), word.partition(".")[0]
        kind = table[name]
        # the shape does not show the digits before the number of a register
        if "0" in stem.translate(_NUMBERS) or not _begins_as_name(name):
            return False
        if kind[0] not in ".%" or ":" in kind:
            return False
        if kinds.setdefault(stem, kind) != kind or len(kinds) > _MOST_NAMES:
            return False
    return True


def _outcome(opcode: str, operands: str, table: KindTable, known: Known, with_verdicts: bool) -> Outcome | None:
    """The outcome of all lines with these kinds and integers up to a width, with a check of that width.

    None if their outcomes differ. Raises `_NotYet` if a verdict is missing, unless `with_verdicts`: to make one takes
    as long as many lines.
    """
    kinds = [table[text] for text in pieces(operands)]
    integers = [index for index, kind in enumerate(kinds) if _INTEGER.search(kind)]
    if not integers:
        return known_outcome((opcode, *kinds), known)
    found: list[Outcome] = []
    for bits in WIDTHS:
        key = (opcode, *(_INTEGER.sub(f"int{bits}", kind) for kind in kinds))
        outcome = known_outcome(key, known) or (_judged(key, operands, table, known, bits) if with_verdicts else None)
        if outcome is None:
            break
        found.append(outcome)
    if not found and not with_verdicts:
        raise _NotYet
    if not found or not all(_is_covered(outcome, found[-1]) for outcome in found):
        return None
    written, literals, unguarded = found[-1]
    if len(found) < len(WIDTHS):
        width = OperandCheck(OperandCheckKind.FITS, (), "", bits=WIDTHS[len(found) - 1])
        literals += tuple((index, width, set[str]()) for index in integers)
    return written, literals, unguarded


def _judged(key: tuple[str, ...], operands: str, table: KindTable, known: Known, bits: int) -> Outcome | None:
    """The outcome of a line with these operands if its integers have this width, remembered; None if it is not fine."""
    try:
        texts = split(operands)
        kinds = [_INTEGER.sub(f"int{bits}", table.kind(text)) for text in texts]
        known.outcomes[key] = outcome = outcome_of(key[0], texts, kinds, known.profile)
    except Unclear:
        return None
    return outcome


def _is_covered(outcome: Outcome, widest: Outcome) -> bool:
    """Whether an outcome is another one, with some of its checks at most."""
    written, literals, unguarded = outcome
    same = written == widest[0] and unguarded == widest[2]
    return same and all(map({_bare(each) for each in widest[1]}.__contains__, map(_bare, literals)))


def _bare(literal: tuple[int, OperandCheck, set[str]]) -> tuple[int, OperandCheck]:
    return literal[0], literal[1]._replace(path=(), role="")
