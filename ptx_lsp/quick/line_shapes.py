"""Recognises unknown lines by their shapes: a line is fine if another one is that differs from it in numbers alone.

Compilers write few kinds of lines, with other numbers each time: of 60,000 instructions that differ, 500 differ in more
than the numbers of their registers and literals. The shape of a line is its opcode and the rest of it, where each
number is `0`, and one with 19 digits the largest of an `int64`. A shape is learnt from its text if the outcome of its
kinds is known, otherwise from a line that has been recognised as every line is. What the shape does not show is checked
for all lines of a run at once, by the set of their names and literals.

A shape holds for one kind of each name: `%r0` means every member of `%r`, while a name without numbers, such as `%SP`
or `%tid.x`, means itself. A name that is no register is that of a variable: it may be any one of the same kind. It is
sound because a name of a line has that kind, or the line is taken out; and because no other text of a line was changed.
"""

from __future__ import annotations

from itertools import accumulate, compress, repeat
from sys import intern

from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.isa.types import TYPES
from ptx_lsp.light_classes import NamedTuple, bisect_left, itemgetter
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.body_text import VARYING_MARK
from ptx_lsp.quick.effect import PARAMETER, LineEffect, parameters_among, without_scope
from ptx_lsp.quick.instructions import NotYet, always_fits, is_width, literals_fit, outcome_of_widths
from ptx_lsp.quick.known import MOST_SEEN, MOST_SHAPE_LITERALS, DigitsKey, Known, LineShape, Outcome, ShapeKey, Variable
from ptx_lsp.quick.operand_kinds import KindTable, typed
from ptx_lsp.quick.operand_text import (
    NAMES,
    SEPARATORS,
    Unclear,
    begins_as_name,
    is_literal,
    move_guards,
    pieces,
    same_in_all,
    with_whole_floats,
    with_zeros,
    without_numbers,
    words_of,
)
from ptx_lsp.semantics.parameter_access import are_within
from ptx_lsp.semantics.symbols import DIGITS

_WRITTEN, _VARIABLE = itemgetter(1), itemgetter(3)  # of `LineShape`
SHAPED = LineEffect((), (), (), ())  # of a line whose shape is known; compared by identity
# of lines that are recognised one by one; compared by identity. Only a shape with checks is looked at again
_ONE_BY_ONE = LineShape(False, b"", ((0, None, set()),), None)  # type: ignore[arg-type]  # the check is never made

_ODD_BLANKS = "\v\f\x1c\x1d\x1e\x1f"  # `str.split` takes these for blanks, as it does some that are not in ASCII
_FAMILY = lazy_pattern(r"(\.\w++)[ \t]++(%[a-z_]++)<[0-9]++>;[ \t]*+", re.A)  # what follows after `.reg`
# a name that is no register, in the rest of a line
_OTHER_NAME = lazy_pattern(r"(?<![\w$%.])(?:[a-zA-Z]|[_$](?=[\w$]))[\w$]*+", re.A)
# the opcode text, after `@` if there is a guard, a line end, and the operands, as a line has them
_LINE_OF_KEY = lazy_pattern(r'@?([a-z][\w.:]*+)\n([^;"/\r\f()@]*+);[ \t]*+', re.A)
_REGISTERS, _PREDICATE, _PARAMETER = ".reg", ".pred", ".param"
_FINE, _WITHIN, _UNCLEAR = "fine", "fine within the parameter", "unclear"  # an access to a variable
_LOCAL = ".param.local"  # its loads are compared with the calls before them
FEWEST_LINES = 8  # of one shape: to learn it costs as much as some ten lines of known shapes save
LINES_FOR_VERDICTS = 32  # of one shape, to learn it with verdicts; a verdict costs as much as ten lines save


class ShapedLines(NamedTuple):
    """The lines of a text whose shape is known, in order, and those whose shape is not known yet.

    The former have their place, their rest, which is the guard and the text after the opcode, and their shape in three
    lists. `new` has the key of the shape of the others by place, and `waiting` has the places and rests by key.
    """

    places: list[int]
    rests: list[str]
    shapes: list[LineShape]
    new: dict[int, ShapeKey]
    waiting: dict[ShapeKey, list[tuple[int, str]]]

    def note(self, number: int, key: ShapeKey) -> None:
        """Note that the shape of a line is not known, which has this number and key."""
        self.new[self.places[number]] = key
        self.waiting.setdefault(key, []).append((self.places[number], self.rests[number]))

    def numbers(self, first: int, end: int) -> tuple[int, int]:
        """The numbers of the lines from one place to another: of the first, and of the one after the last."""
        begin = bisect_left(self.places, first)
        return begin, bisect_left(self.places, end, begin)


def find_shaped(lines: list[str], unknown: list[int], known: Known, function: str) -> ShapedLines | None:
    """The lines of known shapes among those at these places; None if the lines have characters that are not plain.

    `function` is the name of the function that they are in.
    """
    text = "\n".join(picked := [lines[place] for place in unknown])
    if not text.isascii() or any(blank in text for blank in _ODD_BLANKS):
        return None
    if ";}" in text or "; }" in text:
        picked = [without_scope(line) if line[-1] == "}" else line for line in picked]
    # this is done for every new line: `map` and `zip` take less time than comprehensions
    split, places = list(map(str.split, picked, repeat(None), repeat(1))), list(unknown)
    if min(map(len, split), default=0) < 2:
        places = [place for place, part in zip(unknown, split, strict=True) if len(part) == 2]
        split = [part for part in split if len(part) == 2]
    heads, rests = map(list, zip(*split, strict=True)) if split else ([], [])
    if "@" in text:
        move_guards(heads, rests)
    keys = list(zip(heads, with_zeros(same_in_all(rests, function + PARAMETER, text)), strict=True))
    shapes = list(map(known.shapes.by_digits.get, keys))
    found = ShapedLines(places, rests, shapes, {}, {})  # type: ignore[arg-type]  # those without a shape are taken out
    if None in shapes:
        _find_new(found, keys, known)
    for number in reversed([n for n, shape in enumerate(shapes) if shape is None or shape.literals]):
        shape = shapes[number]
        if shape is not None and shape is not _ONE_BY_ONE:
            if _fits(rests[number], shape):
                continue
            if shape.variable is None and any(map(is_width, shape.literals)):
                found.note(number, (heads[number], *without_numbers([keys[number][1]])))
        del places[number], rests[number], shapes[number]
    return found


def _find_new(found: ShapedLines, keys: list[DigitsKey], known: Known) -> None:
    """Find the shapes of the lines without one by what is known of their names and outcomes, or note their keys."""
    table, by_digits, rare = known.shapes.table, known.shapes.by_digits, known.shapes.rare
    made: dict[ShapeKey, ShapeKey] = {}  # a key without the name of a variable, for a key with it
    new: dict[DigitsKey, list[int]] = {}
    for number in [number for number, shape in enumerate(found.shapes) if shape is None]:
        new.setdefault(keys[number], []).append(number)
    for digits, rest in zip(new, without_numbers([rest for _, rest in new]), strict=True):
        key = digits[0], rest
        if key not in table:
            key = made.get(key) or made.setdefault(key, _without_variable(key, known))
            if key[0] == _REGISTERS:
                table[key] = None
                _learn_family(found.rests[new[digits][0]], known)
            elif key not in table and key not in rare:
                _learn_by_key(key, known)
        shape = table.get(key)
        if shape is not None:
            shape = by_digits[digits] = shape if shape.variable else _of_digits(shape, digits[1])
        elif key in table:
            shape = by_digits[digits] = _ONE_BY_ONE
        for number in new[digits]:
            if shape is not None:
                found.shapes[number] = shape
            else:
                found.note(number, key)


def _without_variable(key: ShapeKey, known: Known) -> ShapeKey:
    """A key with a mark in place of the name of a variable, if it has one name that may be a variable."""
    names = _OTHER_NAME.findall(key[1])
    if len(names) != 1 or names[0] == WARP_SIZE:
        return key
    without = key[0], key[1].replace(names[0], VARYING_MARK)
    return key if known.shapes.table.get(without, SHAPED) is None else without


def _of_digits(shape: LineShape, rest: str) -> LineShape:
    """A shape for all lines with this rest, in which each digit is a zero: without the checks that all of them pass."""
    parts = _pieces(rest, shape) if shape.literals else []
    return shape._replace(literals=tuple([e for e in shape.literals if not always_fits(e, parts)])) if parts else shape


def _fits(rest: str, shape: LineShape) -> bool:
    return not shape.literals or literals_fit(shape.literals, _pieces(rest, shape))


def _pieces(rest: str, shape: LineShape) -> list[str]:
    text = rest.partition(";")[0]
    return pieces(text.partition(" ")[2] if shape.guarded else text)


# --- the names of a run -----------------------------------------------------------------------------------------------


def effect_of(shaped: ShapedLines, begin: int, end: int, table: KindTable, known: Known) -> LineEffect | set[str]:
    """The effect of the shaped lines with the numbers `begin` to `end`, or the names in them that are not as they must.

    Such a name is not a register of the kind that its shape was learnt with, or it is a literal that is not plain.
    """
    shapes = shaped.shapes[begin:end]
    text = "\n".join(shaped.rests[begin:end]).translate(SEPARATORS)
    words = text.split()
    names = set(words) - known.shapes.literals
    variables = _variables(shaped.rests[begin:end], shapes, words, table, known) if any(map(_VARIABLE, shapes)) else {}
    registers = names.difference(variables) if variables else names
    wrong = {name for name, kind in variables.items() if not kind} or table.not_of_kinds(
        registers, known.shapes.kinds, known.shapes.pieces.special
    )
    if wrong:
        literals = set(filter(is_literal, wrong))
        if wrong != literals:
            return wrong - literals
        if len(known.shapes.literals) > MOST_SHAPE_LITERALS:
            known.shapes.literals.clear()
        known.shapes.literals.update(literals)
        names -= literals
    if "." in text:
        elements = {name for name in known.shapes.kinds if "." in name} & names
        names = (names - elements).union([name.partition(".")[0] for name in elements])
    parameters = parameters_among(variables, table.function) if variables else {}
    names.difference_update(parameters)
    written = set(compress(words, b"".join(map(_WRITTEN, shapes))))
    return LineEffect(tuple(parameters.values()), names, written, ())


def _variables(
    rests: list[str], shapes: list[LineShape], words: list[str], table: KindTable, known: Known
) -> dict[str, str]:
    """The variables of lines with these rests, shapes and words, with their kinds; empty if a line may not have it."""
    found: dict[str, str] = {}
    sizes: dict[str, int] = {}  # of the variables, in bytes; 0 if it is unknown
    variables = list(map(_VARIABLE, shapes))
    firsts = accumulate(map(len, map(_WRITTEN, shapes)), initial=0)
    for rest, shape, first, variable in compress(zip(rests, shapes, firsts, variables, strict=False), variables):
        name = words[first + variable.at]
        kind = table.get(name) or table.of_name(name)
        access = variable.kinds.get(kind)
        if access is None:
            access = variable.kinds[kind] = _access(shape, variable.opcode, rest, kind, table, known)
        fine = access is _FINE or (access is _WITHIN and are_within(variable.opcode, rest, table.scope, sizes))
        found[name] = kind if fine and found.get(name) != "" else ""
    return found


def _access(shape: LineShape, opcode: str, rest: str, kind: str, table: KindTable, known: Known) -> str:
    """Whether lines with a shape and a variable of this kind are fine; one of them has this rest."""
    if ":" not in kind or kind.startswith(_LOCAL):
        return _UNCLEAR
    operands = rest.partition(";")[0]
    operands = operands.partition(" ")[2] if shape.guarded else operands
    try:
        outcome = outcome_of_widths(opcode, operands, table, known)
    except (Unclear, NotYet):
        return _UNCLEAR
    if outcome is None or outcome != (sum(shape.written), shape.literals, shape.guarded and outcome[2]):
        return _UNCLEAR
    if not kind.startswith(_PARAMETER) or "[" not in operands:
        return _FINE
    if "[]" in kind or "+" in operands:
        return _WITHIN
    return _FINE if are_within(opcode, operands, table.scope, {}) else _UNCLEAR


def take_out(shaped: ShapedLines, begin: int, end: int, words: set[str]) -> list[int]:
    """Take the lines with one of these words out of those with the numbers `begin` to `end`; returns their places."""
    gone = []
    for number in reversed(range(begin, end)):
        if not words.isdisjoint(shaped.rests[number].translate(SEPARATORS).split()):
            gone.append(shaped.places[number])
            del shaped.places[number], shaped.rests[number], shaped.shapes[number]
    return gone


def remember_repeated(shaped: ShapedLines, begin: int, end: int, texts: list[str], known: Known) -> None:
    """Remember the lines with the numbers `begin` to `end` that occur again: known lines cost a fifth of shaped ones.

    `texts` are the lines of the text by place. The names of the shaped lines are as they must.
    """
    memory, seen, kinds = known.lines, known.shapes.seen, known.shapes.kinds
    hashes = [hash(texts[place]) for place in shaped.places[begin:end]]
    if not seen.isdisjoint(hashes):
        for number, hashed in enumerate(hashes, begin):
            shape = shaped.shapes[number]
            if hashed in seen and shape.variable is None:
                words = shaped.rests[number].translate(SEPARATORS).split()
                named = list(filter(begins_as_name, words))
                names = tuple([intern(word.partition(".")[0]) for word in named])
                with_kinds = tuple(map(typed, names, [kinds[word.rstrip(DIGITS)] for word in named]))
                written = tuple(map(intern, compress(words, shape.written)))
                memory[texts[shaped.places[number]]] = LineEffect(with_kinds, names, written, ())
    if len(seen) > MOST_SEEN:
        seen.clear()
    seen.update(hashes)


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
    shapes, rare = known.shapes.table, known.shapes.rare
    rare[key] = count = rare.get(key, 0) + len(same)
    # a shape that is known already may be that of lines with wider integers too
    if count < FEWEST_LINES and VARYING_MARK not in key[1] and key not in shapes:
        return []
    try:
        named, variable = _names(key, guard, opcode, operands)
        if not _have_kinds(named, table, known):
            raise Unclear
        outcome = outcome_of_widths(opcode, operands, table, known, table if count >= LINES_FOR_VERDICTS else None)
        shape = _shape(guard, operands, outcome, variable)
    except Unclear:
        shape = None
    except NotYet:
        return []
    if shape is None:
        shapes.setdefault(key, None)
        return []
    shapes[key] = shape
    added = [(place, rest) for place, rest in same if place > at and _fits(rest, shape)]
    for place, rest in added:
        number = bisect_left(shaped.places, place)
        shaped.places.insert(number, place)
        shaped.rests.insert(number, rest)
        shaped.shapes.insert(number, shape)
    return [place for place, _ in added]


def _learn_family(rest: str, known: Known) -> None:
    """Take the kind of a declared register family for that of all shapes, if they have none yet."""
    family = _FAMILY.fullmatch(rest)
    if family is not None and family[1] in TYPES:
        known.shapes.learn_family(family[2], family[1])


def _learn_by_key(key: ShapeKey, known: Known) -> None:
    """Learn the shape of a key without a line, if the kinds of its names and its outcome are known.

    The text of the key is that of a line.
    """
    shapes = known.shapes
    head, rest = key
    shapes.rare[key] = 0
    if VARYING_MARK in rest or "0" not in rest:
        return  # without a number, all lines of the shape have the same text, which is remembered as that of one line
    rest = with_whole_floats(rest)
    guard = ""
    if head[0] == "@":
        guard, _, rest = rest.removeprefix("!").partition(" ")
    line = _LINE_OF_KEY.fullmatch(f"{head}\n{rest}")
    if line is None or (guard and shapes.kinds.get(guard.rstrip(DIGITS)) != _PREDICATE):
        return
    opcode, operands = line.groups()
    try:
        shape = _shape(guard, operands, outcome_of_widths(opcode, operands, shapes.pieces, known), None)
    except (Unclear, NotYet):
        return
    if shape is not None:
        shapes.table[key] = shape


def _names(key: ShapeKey, guard: str, opcode: str, operands: str) -> tuple[set[str], Variable | None]:
    """The registers of a line with this key, guard, opcode and operands, also with an element; and its variable.

    Raises `Unclear` if the lines with this key must be recognised one by one.
    """
    if "/" in key[1] or not operands or key[0] != ("@" + opcode if guard else opcode):
        raise Unclear
    words = words_of(guard, operands)
    named = {word for word in words if not is_literal(word)}
    names = NAMES.findall(operands) + ([guard] if guard else [])
    if {word.partition(".")[0] for word in named} != set(names):
        raise Unclear
    if VARYING_MARK not in key[1]:
        return named, None
    others = _OTHER_NAME.findall(operands)
    if len(others) != 1:
        raise Unclear
    return named.difference(others), Variable(words.index(others[0]), opcode, {})


def _have_kinds(words: set[str], table: KindTable, known: Known) -> bool:
    """Whether these names, or elements of special registers, have the kinds that all shapes have for them.

    A name that no shape has yet gets its kind from the table.
    """
    for word in words:
        stem, kind = word.rstrip(DIGITS), table[name := word.partition(".")[0]]
        # the shape does not show the digits before the number of a register
        if "0" in with_zeros([stem])[0] or not begins_as_name(name) or kind[0] not in ".%" or ":" in kind:
            return False
        if not known.shapes.agrees(stem, kind):
            return False
    return True


def _shape(guard: str, operands: str, outcome: Outcome | None, variable: Variable | None) -> LineShape | None:
    if outcome is None or (guard and outcome[2]):
        return None
    written = (b"\0" * bool(guard) + b"\1" * outcome[0]).ljust(len(words_of(guard, operands)), b"\0")
    return LineShape(bool(guard), written, outcome[1], variable)
