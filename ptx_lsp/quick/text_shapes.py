"""Recognises texts of several lines that differ from a known one in names: inline assembly, calls, labels and branches.

The text between the registers is the same, and so are the kinds of all names: the text does the same, with other names.
A call is one with the variables of its arguments and results; its function may have another name too, if it has
parameters and results of the same types, and its parts may be those of several known calls. Labels and branches, in
which every name differs, are found together.
"""

from __future__ import annotations

from itertools import repeat

from ptx_lsp.isa.opcode_sets import BRANCH
from ptx_lsp.light_classes import Callable, Iterable, NamedTuple, bisect_left, itemgetter
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.body_text import VARYING_MARK
from ptx_lsp.quick.effect import DECLARED, NAMES, NOTHING, WORDS, WRITTEN, Effect, LineEffect
from ptx_lsp.quick.known import CallKey, InlineShape, Known, View, formals_of, inline_key, may_be_learnt, remember_call
from ptx_lsp.quick.operand_kinds import OWN, KindTable, typed
from ptx_lsp.quick.operand_text import Unclear
from ptx_lsp.semantics.compiler_labels import BLOCK_LABEL_TEXT
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.syntax.plain_text import NAME_TEXT

_new = tuple.__new__  # the constructor of a named tuple takes three times as long

# --- inline assembly --------------------------------------------------------------------------------------------------


def inline_effect(text: str, view: View) -> LineEffect | None:
    """The effect of inline assembly that differs from a known one in its registers alone, if it is fine here."""
    found = inline_key(text, view.table)
    if found is None or not view.shallow:
        return None
    key, names = found
    shape = view.known.shapes.inline.get(key)
    if shape is None or not view.table.confirm(set(shape.fixed.words)):
        return None
    _, fixed, written, declared = shape.fixed
    if _may_declare(declared, names):
        return None
    return LineEffect((), (*fixed, *names), (*written, *map(names.__getitem__, shape.written)), declared)


def learn_inline(text: str, effect: LineEffect, table: KindTable, known: Known) -> None:
    """Learn the shape of inline assembly that is fine and has this effect."""
    found = inline_key(text, table)
    if found is None:
        return
    key, names = found
    words, mentioned, written, declared = effect
    varying = set(names)
    if not varying.issubset(mentioned) or _may_declare(declared, names):
        return
    fixed = LineEffect(
        tuple([word for word in words if word.partition(" ")[0] not in varying]),
        tuple([name for name in mentioned if name not in varying]),
        tuple([name for name in written if name not in varying]),
        declared,
    )
    known.shapes.inline[key] = InlineShape(fixed, tuple([names.index(name) for name in written if name in varying]))


def _may_declare(declared: tuple[str, ...], names: Iterable[str]) -> bool:
    """Whether one of these names may be that of a member of a family that is declared inside."""
    return any(name.startswith(declared) for name in names)


# --- a call with its variables ----------------------------------------------------------------------------------------

_BEGIN = "\n\tcall"
# the begin of a call up to its function, which is the group, and its arguments below a mark for the function
_CALLED = lazy_pattern(rf"\n\tcall(?:\.uni)?\s++(?:\([^(){{}};]*+\)[ \t]*+,\s*+)?({NAME_TEXT})(?![\w$%.])", re.A)
_ARGUMENTS = lazy_pattern(rf"{VARYING_MARK}\s*+(?:,\s*+\(([^();]*+)\)\s*+)?;[^{VARYING_MARK}]*+\Z", re.A)
_LABEL = lazy_pattern(r"^(\$[\w$]++):$", re.M | re.A)
_SINGLE = lazy_pattern(r"(?<= )0f[0-9a-fA-F]{8}(?=;)")
# an argument, or what is added to an address, that is a plain integer or a double: what is before it is the group
_CONSTANT = lazy_pattern(
    r"(\tst\.param\.(?:[bus](?:32|64)[ \t]++\[[\w$+]++\], (?!0d)|f64[ \t]++\[[\w$+]++\], 0d)"
    r"|\tadd\.[us]64[ \t]++%\w++, %\w++, (?!0d))"
    r"(?:(?<=0d)[0-9a-fA-F]{16}|(?<!0d)(?:0|[1-9][0-9]{0,8}))(?=;)",
    re.A,
)
# a line that writes the address of a variable, or a register with such a name: all before the name, and the name
_ADDRESS = lazy_pattern(rf"(\tmov\.[bu](?:32|64)[ \t]++%\w++, )({NAME_TEXT})(?=;)", re.A)


class CallText(NamedTuple):
    """The scope of a call: its key, registers, function, labels, end, and the text inside with marks as in the key.

    `variables` are those whose addresses it writes; in the key they have their kinds only. `written` is the text.
    """

    key: CallKey
    registers: list[str]
    function: str
    variables: list[str]
    labels: list[NamePlace]
    end: int
    inside: str
    written: str


def call_text(text: str, start: int, written: str, view: View) -> CallText | None:
    """The scope of a call with the text `written` inside, at an offset; None unless it is as LLVM writes it."""
    close = start + len(written)
    called = _CALLED.match(text, text.find(_BEGIN, start - 1, close))
    if called is None or not start <= called.start(1) < close:
        return None
    function = called[1]
    formals = formals_of(function, view)
    if formals is None:
        return None
    inside = f"{text[start : called.start(1)]}{VARYING_MARK}{text[called.end(1) : close]}"
    labels: list[NamePlace] = []
    if ":" in inside:
        for found in _LABEL.finditer(text, start, close):
            place = view.mark(*found.span(1)).range
            labels.append(NamePlace(found[1], place.line, place.column))
        inside = _LABEL.sub("$:", inside)
    # a recogniser knows no check of these literals
    if "0f" in inside:
        inside = _SINGLE.sub("0f", inside)
    if inside.count("], ") > inside.count("], %") or "\tadd." in inside:  # otherwise it has none
        inside = _CONSTANT.sub(_with_zero, inside)
    variables: list[str] = []
    if "\tmov." in inside:
        inside, variables = _with_kinds(inside, view.table)
    found_key = inline_key(inside, view.table)
    if found_key is None:
        return None
    key, registers = found_key
    end = text.find("\n", close) + 1 or len(text)  # after the comment
    return _new(CallText, ((key, formals), registers, function, variables, labels, end, inside, written))


def _with_kinds(inside: str, table: KindTable) -> tuple[str, list[str]]:
    """The text of a scope with kinds in place of the variables whose addresses it writes, and these variables."""
    variables: list[str] = []
    for before, name in dict.fromkeys(_ADDRESS.findall(inside)):
        kind = table.of_name(name)
        if ":" in kind and not kind.startswith(".param"):  # of a variable: that of a register has no colon
            inside = inside.replace(f"{before}{name};", f"{before}&{kind};")
            variables.append(name)
    return inside, variables


def _with_zero(constant: re.Match[str]) -> str:
    return f"{constant[1]}0"  # a template, which has a backslash, needs the import of `re`


def known_call(call: CallText, view: View) -> Effect | None:
    """The effect of the scope of a call if one with its key is known and it is fine here."""
    calls = view.known.shapes.calls
    shape = calls.get(call.key)
    if shape is None:
        shape = _joined(call, view)
        if shape is None:
            return None
        calls[call.key] = shape
    words, fixed, written, declared = shape.fixed
    registers, function = call.registers, call.function
    if (words and not view.table.confirm(set(words))) or function.startswith(declared):
        return None
    if call.labels or call.variables:  # as in few calls
        labels = {label.name for label in call.labels}
        if len(labels) < len(call.labels) or _may_declare(declared, [*labels, *call.variables]):
            return None
    effect = Effect(call.end)
    written = (*written, *map(registers.__getitem__, shape.written), function)
    line = _new(LineEffect, ((), (*fixed, *registers, function, *call.variables), written, declared))
    effect.lines.append(line)
    effect.inner_labels = call.labels
    if not (call.labels or call.variables):
        remember_call(call.written, (call.key, function, registers, words, line), view)
    return effect


def learn_call(call: CallText, effect: Effect, view: View) -> None:
    """Learn the scope of a call that is fine and has this effect."""
    words = {word for line in effect.lines for word in WORDS(line)}
    declared = tuple([name for line in effect.lines for name in DECLARED(line)])
    written = {name for line in effect.lines for name in WRITTEN(line)}
    mentioned = {name for line in effect.lines for name in NAMES(line)}
    mentioned.update([word.partition(" ")[0] for word in words])
    varying = {*call.registers, call.function, *call.variables}
    if len(effect.inner_labels) > len(call.labels) or _ARGUMENTS.search(call.inside) is None:
        return  # the key has the names of the other labels, or the call has a prototype
    if not may_be_learnt(call.key[0]) or any(name[0] == "%" for name in declared):
        return  # such a name may be that of a register in another call
    if not varying.issubset(mentioned) or _may_declare(declared, [*varying, *(label.name for label in call.labels)]):
        return
    table = view.table
    try:
        kinds = {name: table[name] for name in mentioned.difference(varying, declared)}
    except Unclear:
        return
    if any(kind[0] not in ".%" or ":" in kind or name[0] == OWN for name, kind in kinds.items()):
        return
    given = tuple([typed(name, kind) for name, kind in kinds.items()])
    fixed = LineEffect(given, tuple(mentioned - varying), tuple(written - varying), declared)
    places = tuple([number for number, name in enumerate(call.registers) if name in written])
    shape = view.known.shapes.calls[call.key] = InlineShape(fixed, places)
    _learn_parts(call, shape, view)


# --- a call that is joined from parts of known ones -------------------------------------------------------------------

# Each argument has a variable, which only its own lines and the list of the call mention: whether those lines are fine
# does not depend on the other arguments. So a few parts make up most calls of a text, which differ as a whole.

_NAME = lazy_pattern(NAME_TEXT, re.A)
_NUMBERED = lazy_pattern(r"param[0-9]{1,3}", re.A)
# how a line begins that declares the variable of an argument, or that sets it: the group is its name
_OF_ARGUMENT = lazy_pattern(rf"\t(?:\.param [^;\[]*?|st\.param[.\w]*+[ \t]++\[)({_NUMBERED.pattern})(?![\w$])", re.A)
# The declaration of a variable, and the stores that set it, each on a line.
_ARGUMENT = lazy_pattern(
    rf"\t\.param (?:\.align [0-9]++ )?\.[a-z]\w*+[ \t]++{VARYING_MARK}(?:\[[0-9]++\])?;\n"
    rf"(?:\tst\.param(?:\.\w++|(?!))*+[ \t]++\[{VARYING_MARK}(?:\+[0-9]++)?\], [^;\n]++;\n|(?!))*+",
    re.A,
)


class _CallParts(NamedTuple):
    """The names of the variables of the arguments, their declarations with the stores that set them, and all the rest.

    A mark replaces its name in the text of an argument, and all names in the list of the call.
    """

    names: tuple[str, ...]
    arguments: list[str]
    frame: str


def _parts(call: CallText) -> _CallParts | None:
    """The parts of a call as LLVM writes it, with variables that are numbered; None for another one."""
    found = _ARGUMENTS.search(call.inside)
    if found is None:
        return None
    names, listed = tuple(_NAME.findall(found[1] or "")), (found[1] or "").strip()
    arguments, frame = dict.fromkeys(names, ""), ""
    is_list = listed in (", \n\t".join(names), ", ".join(names)) and all(map(_NUMBERED.fullmatch, names))
    if not is_list or len(arguments) < len(names):
        return None
    before, begin, after = call.inside.partition(_BEGIN)
    for line in before.split("\n"):
        variable = _OF_ARGUMENT.match(line)
        if variable is not None and variable[1] in arguments:
            arguments[variable[1]] += f"{line[: variable.start(1)]}{VARYING_MARK}{line[variable.end(1) :]}\n"
        else:
            frame += f"{line}\n"
    return _CallParts(names, list(arguments.values()), frame + begin + after.replace(listed, VARYING_MARK, 1))


def _joined(call: CallText, view: View) -> InlineShape | None:
    """The shape of a call whose parts are those of known calls; None if one of them is new."""
    parts, (results, parameters) = _parts(call), call.key[1]
    if parts is None or len(parts.names) != len(parameters):
        return None
    shapes, table = view.known.shapes, view.table
    framed = inline_key(parts.frame, table)
    frame = shapes.frames.get((framed[0], results)) if framed is not None else None
    if frame is None or framed is None:
        return None
    for text, parameter in zip(parts.arguments, parameters, strict=True):
        found = inline_key(text, table)
        if found is None or (found[0], parameter) not in shapes.arguments:
            return None
    fixed = LineEffect(frame.fixed.words, *[(*parts.names, *names) for names in frame.fixed[1:]])
    registers = [framed[1][number] for number in frame.written]
    return InlineShape(fixed, tuple(map(call.registers.index, registers)))


def _learn_parts(call: CallText, shape: InlineShape, view: View) -> None:
    """Learn the parts of a call that is fine, has this shape, and whose arguments mention no names but registers."""
    parts, (results, parameters) = _parts(call), call.key[1]
    if parts is None:
        return
    names, fixed = parts.names, {*shape.fixed.names, *shape.fixed.declared}
    if not set(names).isdisjoint(_NAME.findall(parts.frame)):
        return
    for text in parts.arguments:
        if _ARGUMENT.fullmatch(text) is None or not fixed.isdisjoint(_NAME.findall(text)):
            return
    table, shapes = view.table, view.known.shapes
    framed, *keys = (inline_key(text, table) for text in (parts.frame, *parts.arguments))
    places = [call.registers[number] for number in shape.written]
    if framed is None or not set(framed[1]).issuperset(places):
        return
    for key, parameter in zip(keys, parameters, strict=True):
        if key is not None:
            shapes.arguments[key[0], parameter] = True
    others = [tuple([name for name in of if name not in names]) for of in shape.fixed[1:]]
    frame = LineEffect(shape.fixed.words, *others)
    shapes.frames[framed[0], results] = InlineShape(frame, tuple(map(framed[1].index, places)))


# --- labels and branches ----------------------------------------------------------------------------------------------

JUMP = LineEffect((), (), (), ())  # of a label or branch in `Jumps`; compared by identity
_LABELS = lazy_pattern(rf"(?:{BLOCK_LABEL_TEXT}:(?:\n|\Z)|(?!))*+", re.A)
# one match a line; the groups, which are empty for another line, are the guard and the target
_BRANCHES = lazy_pattern(
    rf"^(?:[ \t]*+(?:@[ \t]*+!?[ \t]*+([%$\w]++)[ \t]++)?bra(?:\.uni)?[ \t]++({BLOCK_LABEL_TEXT});$)?", re.M | re.A
)
_LINE = itemgetter(1)


class Jumps(NamedTuple):
    """The labels and branches of some lines as LLVM and nvcc write them, in order.

    `label_lines` and `branch_lines` are their lines. `guards` are those of the branches, with their places. The first
    line is the line `first` of the block.
    """

    first: int
    labels: list[NamePlace]
    label_lines: list[int]
    branches: list[NamePlace]
    branch_lines: list[int]
    guards: list[tuple[int, str]]

    def add(self, begin: int, end: int, effect: Effect) -> None:
        """Add the labels and branches from one place to another to the effect of a run."""
        both = (self.labels, self.label_lines, effect.labels), (self.branches, self.branch_lines, effect.branches)
        for found, lines, added in both:
            start = bisect_left(lines, self.first + begin)
            stop = bisect_left(lines, self.first + end, start)
            if start < stop:
                added += found[start:stop]
                if len(added) > stop - start and added[start - stop - 1].line > lines[start]:
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
        self.branch_lines[:] = map(_LINE, self.branches)
        return sorted(gone)


def find_jumps(
    lines: list[str],
    unknown: list[int],
    effects: list[LineEffect | None],
    first: int,
    continued: Callable[[list[int]], set[int]],
) -> Jumps:
    """The labels and branches among the lines at these places; their effects become `JUMP`.

    `continued` chooses among the places of labels those where a label is not a statement of its own.
    """
    labels, names = _labels(lines, unknown)
    following = [*effects[1:], None]
    unsure = [place for place in labels if (after := following[place]) is None or after is NOTHING]
    if wrong := continued(unsure):
        names = [name for name, place in zip(names, labels, strict=True) if place not in wrong]
        labels = [place for place in labels if place not in wrong]
    jumps = _branches(lines, unknown)
    targets = [target for _, _, target in jumps]
    columns = [len(lines[place]) - len(target) - len(";") for place, _, target in jumps]
    for place in (*labels, *(place for place, _, _ in jumps)):
        effects[place] = JUMP
    label_lines, branch_lines = [first + place for place in labels], [first + place for place, _, _ in jumps]
    return Jumps(
        first,
        _name_places(names, label_lines, repeat(0)),
        label_lines,
        _name_places(targets, branch_lines, columns),
        branch_lines,
        [(place, guard) for place, guard, _ in jumps if guard],
    )


def _labels(lines: list[str], unknown: list[int]) -> tuple[list[int], list[str]]:
    """The places of the labels among these lines, and their names; none if one of them has another form."""
    labels = [place for place in unknown if lines[place][-1] == ":"]
    text = "\n".join([lines[place] for place in labels])
    return (labels, text[:-1].split(":\n")) if labels and _LABELS.fullmatch(text) else ([], [])


def _branches(lines: list[str], unknown: list[int]) -> list[tuple[int, str, str]]:
    """The places of the branches among these lines, with their guards and targets."""
    branches = [place for place in unknown if BRANCH in lines[place]]
    matches = _BRANCHES.findall("\n".join([lines[place] for place in branches])) if branches else []
    return [(place, guard, target) for place, (guard, target) in zip(branches, matches, strict=True) if target]


def _name_places(names: list[str], lines: list[int], columns: Iterable[int]) -> list[NamePlace]:
    return list(map(_new, repeat(NamePlace), zip(names, lines, columns, strict=False)))
