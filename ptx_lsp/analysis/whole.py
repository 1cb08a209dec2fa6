"""Functions as wholes: put together from their parts in the blocks, and concluded when all of these have been read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ptx_lsp.analysis.blocks import Block, Body, Part
from ptx_lsp.analysis.conclusion import conclude_names, conclude_usage, damaged
from ptx_lsp.analysis.layout import BY_INDEX, Layout
from ptx_lsp.analysis.reports import Mark, Report
from ptx_lsp.analysis.symbols import Scope
from ptx_lsp.text.document import Edit
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

# of the function that is being edited, what its blocks tell of it is kept between edits if it has no more than this
# many: of a longer one it would cost more memory than reading it again in the background costs time
KEPT_PARTS = 64
KEPT_FUNCTIONS = 4  # an edit may touch two, where one ends and the next begins, and people look back


class Whole:
    """The functions of a module that have been touched and are not concluded yet."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._touched: dict[Body, None] = {}
        # blocks that are read again only for what they hold of these functions
        self._again: dict[Block, set[Body]] = {}
        self._refreshed: set[Body] = set()  # functions for which that has been asked for since all was settled
        self._telling: dict[Body, None] = {}  # the functions that had anything to say: few, of many
        self._kept: dict[Body, None] = {}  # the functions that are being edited
        self._wanting: dict[Body, None] = {}  # the functions of which more must be known than what is kept

    def edited(self, block: Block, gone: list[Block], edit: Edit) -> None:
        """Keep the findings of an edited block in place until it is read again: shifted below the edit."""
        for changed in (block, *gone):
            self._again.pop(changed, None)
        block.reports = _kept(block.reports, block, edit)
        for part in block.parts:
            part.body.names = _kept(part.body.names, block, edit)
            part.body.usage = _kept(part.body.usage, block, edit)

    def was_read(self, block: Block) -> None:
        """A block has been read: its functions are to be concluded, those that end in it now if they are complete."""
        wanted = self._again.pop(block, None)
        last = {part.body: part for part in block.parts}
        for body, part in last.items():
            if wanted is not None and body.concluded and body not in wanted:
                if body not in self._kept:
                    _forget([p for p in block.parts if p.body is body])
                continue
            self._touched[body] = None
            if part.ends and not body.concluded:
                parts = self._parts(body)
                if all(p.used is not None and not p.block.stale for p in parts):
                    del self._touched[body]
                    self._conclude(body, parts)

    def preview(self) -> None:
        """Tell of functions touched what can be told before all of their blocks have been read again."""
        for body in self._touched:
            parts = self._parts(body)
            if parts:
                body.names = conclude_names(body, parts)
                self._has_told(body)

    def conclude(self, again: bool, unlabelled: set[Scope]) -> bool:
        """Conclude every function touched; in the scopes `unlabelled`, labels have gone.

        True where there is more to be told of them that takes longer: see `wanted`. Never unless `again`; what was
        known stays.
        """
        touched, self._touched = self._touched, {}
        if touched:
            self._keep(touched)
        for body in touched:
            parts = self._parts(body)
            if not parts:
                continue
            if unlabelled:
                for part in parts:
                    part.sound = False
            if all(part.used is not None for part in parts):
                self._conclude(body, parts)
            else:
                body.names = conclude_names(body, parts)
                whole = not damaged(parts)  # of other functions nothing more can be told
                body.usage = body.usage if whole else []
                self._has_told(body)
                body.concluded = True
                # once: text in which a function goes on behind its end could keep its blocks waiting for each other
                if whole and again and body not in self._refreshed:
                    self._wanting[body] = None
        if not self._again and not self._wanting:
            self._refreshed.clear()
        return bool(self._again or self._wanting)

    def wanted(self) -> list[Block]:
        """The blocks to be read again for what only whole functions can tell, the last one first."""
        for body in self._wanting:
            self._refreshed.add(body)
            for part in self._parts(body):
                if part.used is None:
                    self._again.setdefault(part.block, set()).add(body)
        self._wanting = {}
        return sorted(self._again, key=BY_INDEX, reverse=True)

    def waits_for(self, block: Block) -> bool:
        """Whether a block is still to be read again for what it holds of a function."""
        return block in self._again and self._layout.holds(block)

    def _keep(self, bodies: Iterable[Body]) -> None:
        kept = self._kept
        for body in bodies:
            kept.pop(body, None)
            kept[body] = None
        while len(kept) > KEPT_FUNCTIONS:
            first = next(iter(kept))
            del kept[first]
            if first.concluded:
                _forget(self._parts(first))

    def _conclude(self, body: Body, parts: list[Part]) -> None:
        body.names = conclude_names(body, parts)
        body.usage = conclude_usage(body, parts, self._find)
        self._has_told(body)
        body.concluded = True
        if body not in self._kept or len(parts) > KEPT_PARTS:
            _forget(parts)

    def _has_told(self, body: Body) -> None:
        if body.names or body.usage:
            self._telling[body] = None
        else:
            self._telling.pop(body, None)

    def _parts(self, body: Body) -> list[Part]:
        layout = self._layout
        place = layout.place(body.opening.holder)
        found: list[Part] = []
        for block in layout.blocks[place:]:
            here = block.parts
            if len(here) == 1 and here[0].body is body:
                found.append(here[0])
            else:
                found += [part for part in here if part.body is body]
            if block.exit is None or (block.exit.body is not body and block.exit.closed is not body):
                break
        return found

    def _find(self, part: Part, name: str) -> Mark | None:
        text = self._layout.text(part.block)
        pattern = re.compile(r"(?<![\w$%])" + re.escape(name) + r"(?![\w$])", re.A)
        match = pattern.search(text, part.start, len(text) if part.stop is None else part.stop)
        if match is None:
            return None
        starts = line_starts(text[: match.end()])
        column = match.start() - starts[-1]
        return Mark(part.block, Range(len(starts) - 1, column, len(starts) - 1, column + len(name)))

    def bodies(self) -> list[Body]:
        """Every function with a body, in source order."""
        found: dict[Body, None] = {}
        for block in self._layout.blocks:
            for part in block.parts:
                found[part.body] = None
        return list(found)

    def reports(self) -> list[Report]:
        """What was concluded of all functions."""
        found: list[Report] = []
        for body in list(self._telling):
            if self._stands(body):
                found += body.names
                found += body.usage
            else:
                del self._telling[body]
        return found

    def _stands(self, body: Body) -> bool:
        opening = body.opening.holder
        place = self._layout.place(opening)
        blocks = self._layout.blocks
        if place >= len(blocks) or blocks[place] is not opening:
            return False
        return any(part.body is body for part in blocks[place].parts)


def _forget(parts: list[Part]) -> None:
    for part in parts:
        part.used = part.written = part.families = None


def _kept(reports: list[Report], block: Block, edit: Edit) -> list[Report]:
    """What is left of reports after an edit of a block: those in the edited lines are gone, those below have moved."""
    kept = []
    for report in reports:
        range_ = report.mark.range
        if report.mark.holder is not block or range_.end_line < edit.range.line - block.line:
            kept.append(report)
        elif range_.line > edit.range.end_line - block.line:
            kept.append(replace(report, mark=Mark(block, range_.shifted(edit.lines))))
    return kept
