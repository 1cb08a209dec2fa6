"""Recognises runs of whole lines: runs of remembered lines, and plain instructions, branches, labels and positions."""

from __future__ import annotations

from itertools import chain, repeat, takewhile

from ptx_lsp.isa.opcode_sets import BRANCH
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, Sequence, bisect_left, insort
from ptx_lsp.patterns import re
from ptx_lsp.quick.declarations import other_registers, plain_registers, register_symbols
from ptx_lsp.quick.effect import (
    BLOCK_LABEL,
    NOTHING,
    PARAMETER,
    POSITION,
    WORDS,
    Effect,
    LineEffect,
    begins_call,
    calls_among,
    effects_around,
    inline_among,
    outside,
    own_form,
    without_scope,
)
from ptx_lsp.quick.instructions import instruction, is_predicate, with_undeclared
from ptx_lsp.quick.known import View, inside_of_call, repeated_call
from ptx_lsp.quick.statements import call_sequence, inline_assembly, is_plain_pragma
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.syntax.plain_text import (
    INDENTED_LOCATION,
    LINE,
    LIST_MAY_FOLLOW,
    LOC_MAY_CONTINUE,
    RESERVED,
    STARTS_STATEMENT,
    Groups,
)

if TYPE_CHECKING:
    from ptx_lsp.quick import debug_sections, line_shapes, text_shapes
    from ptx_lsp.quick.line_shapes import ShapedLines
    from ptx_lsp.quick.text_shapes import Jumps
else:
    debug_sections = late_module("ptx_lsp.quick.debug_sections")
    line_shapes = late_module("ptx_lsp.quick.line_shapes")
    text_shapes = late_module("ptx_lsp.quick.text_shapes")

BLANKS = " \t"
# For fewer unknown lines, or for more known ones for each unknown one, the shapes cost more than the lines.
FEWEST_SHAPED = 6
_MOST_KNOWN = 16
_REGISTERS = ".reg"


class Lines:
    """The lines of a text from the line `first` (from 0) to `stop` (exclusive; None: to the end).

    Places count from `first`. `starts` are the offsets of all lines of the text. If `by_shape` is true, lines that
    differ only in their numbers from known ones are not remembered before they occur again; if also `read_once` is
    true, because these lines are hardly read again, that must be usual in the module. Otherwise all are.
    """

    __slots__ = (
        *("_confirmed_to", "_declaring", "_fine_from", "_groups", "_read_once", "_jumps", "_scopes", "_shaped"),
        *("_text", "_unconfirmed_to", "_view", "effects", "first", "lines", "starts", "unknown"),
    )

    def __init__(
        self,
        text: str,
        lines: list[str],
        starts: Sequence[int],
        first: int,
        view: View,
        stop: int | None = None,
        by_shape: bool = False,
        read_once: bool = False,
    ) -> None:
        self._text = text
        self._read_once = read_once
        self.lines = lines = lines[first:stop] if first or stop is not None else lines
        self.starts = starts
        self.first = first
        self._view = view
        # the place of the last line of the scope of a call, or of inline assembly, by that of its first line
        inside = text[starts[first] : self._next_start(len(lines) - 1)] if by_shape else ""
        self._scopes = calls = calls_among(inside, lines, starts, first) if by_shape else {}
        # the places of the lines that are not known, nor between these, and of those among them that may declare
        # something for the lines below; both lists end with the number of lines
        self.effects, self.unknown = effects_around(calls, lines, view.known.lines)
        braces = {*calls, *calls.values()}
        self._shaped: ShapedLines | None = None
        self._jumps: Jumps | None = None
        if by_shape and len(self.unknown) >= FEWEST_SHAPED:
            if inline := inline_among(inside, lines, calls, self.unknown):
                self._scopes, self.unknown = {**calls, **inline}, outside(inline, self.unknown)
            self._find_shaped()
            self._find_positions()
            self._find_jumps()
        new = list({lines[place] for place in self.unknown})
        found = LINE.findall("\n".join(new)) if new else []
        self._groups: dict[str, Groups] = dict(zip(new, found, strict=True))
        self._declaring = [place for place in self.unknown if self._groups[lines[place]][-1] and place not in braces]
        self.unknown.append(len(lines))
        self._declaring.append(len(lines))
        # Known lines from `_fine_from` to `_confirmed_to` are fine; those before `_unconfirmed_to` are confirmed alone.
        self._fine_from = self._confirmed_to = self._unconfirmed_to = 0

    def _find_shaped(self) -> None:
        lines = self.lines
        places = [place for place in self.unknown if "%" in (line := lines[place]) and BRANCH not in line]
        if len(places) < max(FEWEST_SHAPED, len(lines) // _MOST_KNOWN):
            return
        self._shaped = shaped = line_shapes.find_shaped(lines, places, self._view.known, self._view.table.function)
        if shaped is not None and shaped.places:
            for place in shaped.places:
                self.effects[place] = line_shapes.SHAPED
            self.unknown = [place for place in self.unknown if self.effects[place] is None]

    def _find_positions(self) -> None:
        lines, effects, count = self.lines, self.effects, len(INDENTED_LOCATION)
        # `startswith` takes three times as long
        places = [place for place in self.unknown if lines[place][:count] == INDENTED_LOCATION]
        if places:
            debug_sections.find_positions(lines, places, effects, self._view.known)
            self.unknown = [place for place in self.unknown if effects[place] is None]

    def _find_jumps(self) -> None:
        lines, effects = self.lines, self.effects
        places = [place for place in self.unknown if "$" in (line := lines[place]) or BLOCK_LABEL in line]
        if len(places) < FEWEST_SHAPED:
            return
        self._jumps = text_shapes.find_jumps(lines, places, effects, self.first, self._continued_labels)
        self.unknown = [place for place in self.unknown if effects[place] is None]

    def groups(self, at: int) -> Groups:
        """The groups of `LINE` for a line."""
        line = self.lines[at]
        return self._groups.get(line) or LINE.findall(line)[0]

    def run(self, at: int, stop: int, view: View) -> Effect:
        """The effect of the longest run of lines from the place `at` on, and before `stop`, that are certainly fine.

        Its count is 0 if the first line is not known and not plain. Known lines are confirmed again if the view is
        another one, because something may have been declared, or if a run begins again above lines that are not fine.
        """
        if view is not self._view or at < self._fine_from:
            self._view, self._fine_from, self._confirmed_to, self._unconfirmed_to = view, 0, 0, 0
        if self._scopes and None in self.effects[at : self.unknown[bisect_left(self.unknown, at)]]:
            # the parser has read the first line of the scope, and perhaps more of it
            self._look_into(*next(scope for scope in self._scopes.items() if scope[0] < at < scope[1]))
        effect = Effect()
        first, at = at, self._walk(at, stop, effect)
        effect.count = at - first
        if effect.scopes and effect.labels and (hidden := effect.hidden_scope()) >= 0:
            return self.run(first, hidden - self.first, view)
        fine = self._add_guards(first, at, effect) and self._add_shaped(first, at, effect)
        return effect if fine else self.run(first, stop, view)

    def _walk(self, at: int, stop: int, effect: Effect) -> int:
        """Add the effects of the lines from a place on; returns the place of the end of the run."""
        effects, jumps, noted = self.effects, self._jumps, at
        while at < stop:
            if effects[at] is not None and (end := self._known_until(at)) > at:
                effect.lines += filter(WORDS, effects[at:end])  # type: ignore[arg-type]  # known; not the empty ones
                at = end
                continue
            groups = self.groups(at)
            if "{" in groups[-1] and (after := self._scope(at, stop, effect)) > at:
                at = after
                continue
            if groups[-1] and jumps is not None and noted < at:
                jumps.add(noted, at, effect)  # a declaration may not be fine after a label of the run
                noted = at
            if not self._recognise(at, groups, effect):
                # it may be fine once the run has been applied
                effect.stopped_at = () if effect.labels and _REGISTERS in groups[-1] else groups
                break
            at += 1
            if effect.declares:
                at = self._more_registers(at, stop, effect)
                break
        if jumps is not None and noted < at:
            jumps.add(noted, at, effect)
        return at

    def _add_guards(self, first: int, end: int, effect: Effect) -> bool:
        """Add the guards of the branches between two places; False if some branches were taken out for them."""
        jumps = self._jumps
        if jumps is not None and (guards := jumps.guards_of(first, end)):
            if wrong := {guard for guard in guards if not is_predicate(guard, self._view.table)}:
                self._take_out(jumps.take_out(first, wrong))
                return False
            effect.lines.append(LineEffect((), guards, (), ()))
        return True

    def _add_shaped(self, first: int, end: int, effect: Effect) -> bool:
        """Add the effect of the shaped lines between two places; False if some were taken out for their names."""
        shaped = self._shaped
        begin, stop = shaped.numbers(first, end) if shaped is not None else (0, 0)
        if shaped is None or begin == stop:
            return True
        known = self._view.known
        found = line_shapes.effect_of(shaped, begin, stop, self._view.table, known)
        if isinstance(found, LineEffect):
            effect.lines.append(found)
            if not self._read_once or known.shapes.seen.mostly_repeat(self.lines, shaped.places[begin:stop]):
                line_shapes.remember_repeated(shaped, begin, stop, self.lines, known)
            return True
        self._take_out(line_shapes.take_out(shaped, begin, stop, found))
        return False

    def _take_out(self, places: list[int]) -> None:
        for place in places:
            self.effects[place] = None
            insort(self.unknown, place)

    def _known_until(self, at: int) -> int:
        """The place of the end of the run of known lines that begins at a place and is fine in the present view."""
        end = self._end_of_known(at)
        if at >= self._confirmed_to:
            if at >= self._unconfirmed_to:
                # the kinds of names do not change until something is declared
                bar = self._declaring[bisect_left(self._declaring, at)]
                if self._are_fine(filter(None, self.effects[at:bar])):
                    self._fine_from = at if self._unconfirmed_to > self._confirmed_to else self._fine_from
                    self._confirmed_to = bar
                else:
                    self._unconfirmed_to = bar
            if at >= self._confirmed_to:
                end = min(end, at + 1)
                if not self._are_fine(filter(None, self.effects[at:end])):
                    return at
        return end

    def _end_of_known(self, at: int) -> int:
        end = last = self.unknown[bisect_left(self.unknown, at)]
        while last > at and self.effects[last - 1] is NOTHING:
            last -= 1
        if last > at and self.effects[last - 1] is POSITION and not self._position_ends(last - 1):
            return last - 1
        return end

    def _are_fine(self, chosen: Iterable[LineEffect]) -> bool:
        words = chain.from_iterable(filter(None, map(WORDS, chosen)))
        return self._view.shallow and self._view.table.confirm(set(words))

    # --- single lines: add to an effect, and return False if a line is not surely fine --------------------------------

    def _recognise(self, at: int, groups: Groups, effect: Effect) -> bool:
        guard, target, opcode, operands, label, position, inlined, other = groups
        if opcode:
            return self._instruction(at, guard, opcode, operands, effect)
        if target:
            return self._branch(at, guard, target, effect)
        if label:
            return self._label(at, label, effect)
        if position:
            return self._position(at, inlined)
        if other:
            return other != "}" and (self._registers(at, effect) or self._pragma(at, effect))
        self._view.known.lines[self.lines[at]] = NOTHING
        return True

    def _instruction(self, at: int, guard: str, opcode: str, operands: str, effect: Effect) -> bool:
        line, table, known = self.lines[at], self._view.table, self._view.known
        if PARAMETER in operands:
            own = own_form(line, table.function)
            remembered = known.lines.get(own) if own else None
            if remembered is not None and self._are_fine((remembered,)):
                effect.lines.append(remembered)
                return True
        found = instruction(guard, opcode, operands, table, known, line)
        if found is not None:
            effect.lines.append(found[0])
            if found[1]:
                effect.loads.append(NamePlace(found[1], self.first + at, line.rindex(found[1], 0, line.index(";"))))
            elif self._shaped is not None and at in self._shaped.new:
                self._learn(self._shaped, at, guard, opcode, operands)
            return True
        partly = with_undeclared(guard, opcode, operands, table, known, line)
        if partly is None:
            return False
        effect.lines.append(partly[0])
        effect.undeclared += [NamePlace(name, self.first + at, column) for name, column in partly[1]]
        return True

    def _learn(self, shaped: ShapedLines, at: int, guard: str, opcode: str, operands: str) -> None:
        for place in line_shapes.learn(shaped, at, guard, opcode, operands, self._view.table, self._view.known):
            self.effects[place] = line_shapes.SHAPED
            del self.unknown[bisect_left(self.unknown, place)]

    def _branch(self, at: int, guard: str, target: str, effect: Effect) -> bool:
        if guard:
            if not is_predicate(guard, self._view.table):
                return False
            effect.lines.append(LineEffect((), (guard,), (), ()))
        line = self.lines[at]
        effect.branches.append(NamePlace(target, self.first + at, line.rindex(target, 0, line.index(";"))))
        return True

    def _label(self, at: int, name: str, effect: Effect) -> bool:
        if name in RESERVED or self._continues(at, LIST_MAY_FOLLOW):
            return False
        effect.labels.append(NamePlace(name, self.first + at, self.lines[at].index(name)))
        return True

    def _position(self, at: int, inlined: str) -> bool:
        profile = self._view.known.profile
        if inlined and not debug_sections.has_inlined(profile):
            return False
        line = self.lines[at]
        if (" 0" in line or "\t0" in line) and any(word[0] == "0" and word != "0" for word in line.split()):
            return False  # octal, which has no digits 8 and 9
        self._view.known.lines[line] = POSITION
        return self._position_ends(at)

    def _registers(self, at: int, effect: Effect) -> bool:
        # a label of the run may have the same name: it is not in the scope before the run is applied
        view = self._view
        if effect.labels or not (registers := plain_registers(self.lines[at], view.scope, view.known.profile)):
            return False
        effect.declares = register_symbols(registers, self.starts[self.first + at], view.mark)
        return True

    def _scope(self, at: int, stop: int, effect: Effect) -> int:
        """Add the call or inline assembly whose scope begins at a place and ends before `stop`; the place after it.

        Returns `at` if it is not known, or not surely fine.
        """
        last = self._scopes.get(at, 0)
        place = self.first + at
        inside = inside_of_call(self._text, self.starts, place, self.first + last) if last < stop else ""
        if inside and (known := repeated_call(inside, self._view)):
            effect.lines.append(known)
            effect.scopes.append((place, known))
            return last + 1
        if begins_call(self.lines, at):
            found = call_sequence(self._text, self.starts[place], self._view, inside)
            after = bisect_left(self.starts, found.end) - self.first if found is not None else at
        else:
            found = inline_assembly(self.lines, at, self._view)
            after = at + found.count if found is not None else at
        # without its end, the lines inside are among those that were found by their shapes
        by_shape = self._shaped is not None or self._jumps is not None
        if found is None or after > stop or (by_shape and after - 1 not in (at, last)):
            self._look_into(at, last)
            return at
        if self._shaped is not None and at in self._shaped.new and after == at + 1:
            guard, _, opcode, operands, *_ = LINE.findall(without_scope(self.lines[at]))[0]
            self._learn(self._shaped, at, guard, opcode, operands)
        effect.lines += found.lines
        effect.inner_labels += found.inner_labels
        effect.scopes += zip(repeat(place), found.lines)
        return after

    def _look_into(self, first: int, last: int) -> None:
        """Let the lines between these two be recognised one by one: their scope is not known as a whole."""
        self.effects[first + 1 : last] = map(self._view.known.lines.get, self.lines[first + 1 : last])
        inside = [place for place in range(first + 1, last) if self.effects[place] is None]
        for places in (self.unknown, self._declaring):
            places[bisect_left(places, first + 1) : bisect_left(places, last)] = inside

    def _more_registers(self, at: int, stop: int, effect: Effect) -> int:
        """Add the declarations of registers from a place on to an effect that ends with one; returns their end."""
        places = takewhile(lambda n: self.effects[n] is None and _REGISTERS in self.groups(n)[-1], range(at, stop))
        for registers in other_registers(map(self.lines.__getitem__, places), effect.declares, self._view):
            effect.declares += register_symbols(registers, self.starts[self.first + at], self._view.mark)
            at += 1
        return at

    def _pragma(self, at: int, effect: Effect) -> bool:
        if not is_plain_pragma(self.lines[at], self._view.known.profile):
            return False
        effect.lines.append(self._view.known.lines.setdefault(self.lines[at], LineEffect((), (), (), ())))
        return True

    def _continued_labels(self, places: list[int]) -> set[int]:
        """Those of these places, which are of labels, where a list or a prototype follows."""
        match, text, below = STARTS_STATEMENT.match, self._text, self.first + 1
        starts = [*self.starts[below : below + len(self.lines)], len(text)]  # of the lines below each line
        # a call for each label takes three times as long, and files with debug data have many
        unsure = [place for place in places if not match(text, starts[place])]
        return {place for place in unsure if self._continues(place, LIST_MAY_FOLLOW)}

    def _position_ends(self, at: int) -> bool:
        """Whether the `.loc` of a line does not continue in the next line."""
        return not self._continues(at, LOC_MAY_CONTINUE)

    def _continues(self, at: int, continuation: re.Pattern[str]) -> bool:
        after = self._next_start(at)
        ends = after < len(self._text) and STARTS_STATEMENT.match(self._text, after)
        return not ends and continuation.match(self._text, after) is not None  # also at the end of the text

    def _next_start(self, at: int) -> int:
        number = self.first + at + 1
        return self.starts[number] if number < len(self.starts) else len(self._text)
