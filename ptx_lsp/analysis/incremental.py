"""The incremental analysis of one document: reads the edited blocks, and updates all results that depend on them."""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.analysis import module_checks
from ptx_lsp.analysis.block_map import BY_INDEX, GATHERED, BlockMap, Move, WorkQueue, gathered_at_once
from ptx_lsp.analysis.function_checks import FunctionChecks
from ptx_lsp.analysis.invalidation import Invalidation, agrees, hand_over, is_suspect, keep_scopes, keeps_scopes
from ptx_lsp.analysis.module_checks import Collected, InlinedPositions, Suggestions, at_end, until_read
from ptx_lsp.findings.suppression import MARKER
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING
from ptx_lsp.reading.block import Block, Results
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.braces import EARLY_BRACE
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import Below, state_at_begin
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import EVERYTHING, Scope
from ptx_lsp.text.document import LINES_PER_CHUNK, Document
from ptx_lsp.text.ranges import EditEffect, Range

if TYPE_CHECKING:
    from ptx_lsp.analysis.comments import OpenComments
    from ptx_lsp.analysis.earlier_reports import EarlierReports
    from ptx_lsp.analysis.long_sections import RowsAhead
    from ptx_lsp.semantics.environment import Environment

LOOKED_AT = 32  # lines: the edited line of a longer block is looked at before what is above it is read
LONG = 160  # lines: a longer block that mentions a changed name is divided, so that its first part is read at once
FEW_BLOCKS = 64  # and chunks of a block: the rows of sections in a longer text are looked at before they are read
MOST_LOOKS = 4  # early looks at the findings after an edit; each may take a millisecond


class IncrementalAnalysis:
    """The analysis of a document, block by block, and the work that is still to be done.

    The analysis is `settled` if no block must be read and every function has been checked except for its usage; then
    the reports are those of the present text. `reaches_far` is true if an edit since the last fresh analysis changed
    more than the inside of one block. `edited` is true after the first edit. How blocks are read is in ARCHITECTURE.md.
    """

    def __init__(
        self,
        document: Document,
        maximum: Version | None,
        environment: Environment | None = None,
        compiled_for: Target | None = None,
    ) -> None:
        """`maximum` is the highest PTX ISA version that the user's tools accept, None if there is no limit.

        `compiled_for` is the target that the user compiles for, None if it is the one of `.target`.
        `environment` is given for a fragment, None for a module.
        """
        self.document = document
        self.root = Scope()
        self.block_map = BlockMap(document)
        self.functions = FunctionChecks(self.block_map)
        self._positions = InlinedPositions(self.block_map)
        self._earlier: EarlierReports | None = None  # made for the first function that is read again
        self._of_module: list[Report] = []  # about the whole module, as they were found last
        self.settled = self.reaches_far = self.edited = self._news = False
        self.queue = WorkQueue(self.block_map, self.block_map.blocks)
        self._before: BlockReader | None = None  # the reader of the block that was read last
        self.invalidation, self.suggestions = Invalidation(), Suggestions(self.root, document)
        self._comments: OpenComments | None = None  # made for the first comment that is not closed in its block
        self._divided: Block | None = None  # the block that the last edit has divided: it is the first piece now
        self._ahead: tuple[tuple[Block, ...], EditEffect, tuple[str, str]] | None = None  # until the first look at it
        self._foreseen: list[Report] = []  # by that look; shown until the analysis is settled
        self._awaited: Block | None = None  # the block with the begin of the last edit, until it has been read
        self._looks = 0  # how often reading may still pause because there is news
        self._taken: dict[Block, int] = {}  # blocks of which the block that is read has taken text, with their lines
        self._rows: RowsAhead | None = None  # made for the first section of a long text
        self._hides_sections = False  # a comment may: it has no end, or blocks have come into one or out of one
        self._reporting: set[Block] = set()  # the few blocks that have reports or suppressions or change the profile
        first = self.block_map.blocks[0]
        first.entry = state_at_begin(self.root, first, maximum, environment, compiled_for)

    def edit(self, range_: Range, new_text: str) -> None:
        """Replace the text of a range; nothing is read before `settle` is called."""
        self.edited = True
        block = self.block_map.at_line(range_.line)
        rows = None
        if block.sections:
            from ptx_lsp.analysis.long_sections import relabelled, rows_at  # few texts have sections

            rows = rows_at(self.block_map, range_)
        removed = "" if range_[:2] == range_[2:] else self.document.text(range_)
        had_other_scopes = self.functions.was_edited(removed + new_text)
        self.invalidation.was_edited()
        edit = self.document.edit(range_, new_text)
        if rows is not None and (change := relabelled(self.block_map, rows, edit)) is not None:
            self._positions.was_relabelled(change)
            return
        self._before, self._rows, self.settled, self._foreseen = None, None, False, []
        if self._comments is not None:
            self._comments.endless = None
        block, gone, new = self.block_map.edited(edit)
        self.reaches_far |= bool(gone or (new and (edit.lines > LINES_PER_CHUNK or not keeps_scopes(block))))
        self._news = self._move_reports(Move({one: one.line for one in (block, *gone)}, (block, *new), edit))
        for other in gone:
            other.index = block.index  # its declarations were in this block
            self._drop(other)
        self._looks, self._divided = MOST_LOOKS, block if new else None
        looks = (new or block.lines > LOOKED_AT) and not (gone or block.stale or had_other_scopes)
        self._ahead = ((block, *new), edit, (removed, new_text)) if looks else None
        self._positions.was_withdrawn(block)
        self.queue.add_edited(block, new)
        self.queue.add(self.block_map.looking_at(block))
        self._awaited = self.block_map.at_line(edit.range.line)

    def _move_reports(self, move: Move) -> bool:
        """Keep the reports of blocks whose text is in other blocks now, to be read; True if edited lines had some."""
        bodies = self.functions.moved(move, self._earlier.bodies if self._earlier is not None else ())
        move.share()
        has_gone = bool(move.gone)
        self._positions.moved(move)
        self._of_module, self._foreseen = move.reports(self._of_module), move.reports(self._foreseen)
        if self._comments is not None:
            self._comments.moved(move)
        if self._earlier is not None or move.has_other_blocks or EARLY_BRACE in map(CODE, move.gone):
            self._earlier_reports().moved(move, bodies)
        self._reporting.update(piece for piece in move.pieces if piece.reports or piece.suppressions)
        return has_gone

    @property
    def has_news(self) -> bool:
        """True if findings have probably changed since the last look at them, and the last edit has been read."""
        return self._news and self._awaited is None

    def settle(self, deadline: float | None, visible: tuple[int, int] | None) -> bool:
        """Read until the analysis is settled; False if time ran out.

        The lines `visible` (from 0, the last one included) are read first where their entry state is known.
        """
        if visible is not None and not self.settled:
            self.queue.add_shown(*visible)
        while not self.settled:
            is_read = self.functions.unconcluded is not None or self._drain(deadline)
            if not (is_read and self._conclude_round(deadline)):
                self.functions.gather_reports()
                return False
        return True

    def _drain(self, deadline: float | None) -> bool:
        """Read the blocks in the queue; False if time ran out."""
        if deadline is not None and self._ahead is not None and self._look_ahead(*self._ahead):
            return False
        while (following := self.queue.next()) is not None:
            block, first = following
            if block.entry is not None and (block.stale or is_suspect(block, self.block_map)):
                is_long = len(self.block_map.blocks) + block.chunks > FEW_BLOCKS
                if deadline is not None and is_long and not self._rows_are_known(block, deadline):
                    self.queue.add((block,), stale=False)
                    return False
                self.queue.reads(block, first)
                if not first and block.exit is None and self._before is not None and self._before.is_plain:
                    # a text that is read for the first time is read in larger blocks
                    chunks = GATHERED if deadline is not None else gathered_at_once(block, self.edited)
                    self._move_taken(block, {one: one.line for one in self.block_map.gather(block, chunks)})
                elif deadline is not None and self._looks and block.lines > LONG and not block.stale:
                    new = self.block_map.divide(block)  # what is found in its first part is shown before the rest
                    self._move_reports(Move({block: block.line}, (block, *new), None))
                    self.queue.add(new[::-1])
                was_read = block.exit if block is not self._divided else None
                before = Results(was_read, block.reports, block.parts, block.declared)
                self._read(block, deadline is not None)
                if is_edited := block is self._awaited:
                    self._awaited = None
                more = self.queue.has_more or block.declared != before.declared  # then there is another round
                if deadline is not None and self._looks and more and self._shows_news(block, before, is_edited):
                    return False
            if deadline is not None and perf_counter() >= deadline:
                return False
        return True

    def _look_ahead(self, pieces: tuple[Block, ...], edit: EditEffect, texts: tuple[str, str]) -> bool:
        """Look at the edited line of a divided block first; whether there is something to show."""
        from ptx_lsp.analysis.foreseen.edited_piece import look_ahead  # not for a text that is read once

        self._ahead, piece = None, self._awaited
        if piece is None or (found := look_ahead(pieces, edit, texts, self._news, self.block_map)) is None:
            return False
        self._reporting.add(piece)
        self._foreseen, self._news, self._awaited = found, True, None
        return True

    def _rows_are_known(self, block: Block, deadline: float) -> bool:
        """Look at the rows of the long sections that begin in a block before it is read; False if time ran out."""
        from ptx_lsp.analysis.long_sections import RowsAhead  # not for a short text

        self._rows = self._rows or RowsAhead(self.document)
        return self._rows.are_known(block, deadline)

    def _shows_news(self, block: Block, before: Results, is_edited: bool) -> bool:
        """Whether there is news after reading a block, which had these results before and may have the last edit."""
        self._news |= before.look_different(block)
        if not self._news and self._awaited is None and self.edited:
            from ptx_lsp.analysis.foreseen.below_edit import foreseen  # not for a text that is read once

            found = foreseen(block, before, is_edited, self.functions, self._of_module, self.block_map)
            self._foreseen += found or ()
            self._news = found is not None
        self._looks -= self.has_news
        return self.has_news

    def _conclude_round(self, deadline: float | None) -> bool:
        """Every block has been read: find those to be read again for a changed name. False if time ran out."""
        invalidation = self.invalidation
        if self.functions.unconcluded is None:
            if not self.functions.look_for_labels(deadline):
                return False
            if (again := invalidation.affected(self.block_map, deadline)) is None:
                return False
            if invalidation.redeclared:
                self.suggestions.forget()  # the declared names have changed, so other names may be meant
            self.reaches_far |= invalidation.renamed
            self.queue.add(again, stale=False)
        if not self.functions.conclude(invalidation.unlabelled, deadline):
            return False
        invalidation.unlabelled = set()
        self.settled = not self.queue.has_more
        if self.settled:
            self._earlier, self._ahead, self._foreseen = None, None, []
            self.functions.settled()
        self._before = None
        return True

    @property
    def has_slow_checks(self) -> bool:
        """True if `finish` has work to do."""
        return self.functions.usage_pending or self._positions.pending

    def finish(self, deadline: float | None) -> bool:
        """Do what may take long after the analysis is settled; False if time ran out."""
        if not self.functions.count(deadline):
            return False
        self._news |= self._positions.pending
        is_done = self._positions.find_missing(deadline, (block.reports for block in self._reporting))
        if self._positions.are_compared:
            self._hides_sections = self._comments is not None and self._comments.at_end(self.settled) is not None
        return is_done

    # --- one block --------------------------------------------------------------------------------------------------

    def _read(self, block: Block, sliced: bool) -> None:
        if self.edited and any(kept := until_read(block)):
            self._earlier_reports().keep(*kept)
        self._withdraw(block)
        before, self._before, self.root.horizon.index = self._before, None, block.index
        continues = before is not None and before.block.exit is block.entry
        text, split = self.block_map.lines(block) if self.edited else (self.block_map.text(block), None)
        reader = BlockReader(block, text, before=before if continues else None, split=split)
        del before  # the memory of its lines is used again for those of this block
        reader.may_end_early = sliced
        take, ends, look = self._take_following, self.block_map.comment_ends_below, self.block_map.look_below
        take_more, look_at = lambda most: take(block, most), lambda lines: look(block, lines)
        read(reader, Below(take_more, lambda: ends(block), look_at))
        self.root.horizon.index = EVERYTHING
        self._move_taken(block, self._taken)
        if reader.ended_early:
            from ptx_lsp.analysis.long_sections import divide_below  # only broken text of many lines

            self.queue.add((rest := divide_below(self.block_map, block, reader.source.text))[::-1])
            if self.edited:
                self._move_reports(Move({block: block.line}, (block, *rest), None))
        block.stale, block.suspicions, block.suppressions, block.generation = False, (), [], block.generation + 1
        block.reports, block.parts, block.declared = reader.reports, reader.parts, reader.declared
        block.exit, block.sections, block.row_runs = reader.exit, reader.sections, reader.row_runs
        block.looks_below = reader.looks_below
        if MARKER in (text := reader.source.text):
            from ptx_lsp.analysis.comments import suppressions_in  # few texts have such comments

            block.suppressions = suppressions_in(block, text)
        shows = block.reports or block.suppressions or block.entry is None or reader.profile is not block.entry.profile
        (self._reporting.add if shows else self._reporting.discard)(block)
        self.reaches_far |= reader.cut_or_resumed and not self.invalidation.loading
        self.invalidation.was_read(block)
        if self._comments is None and block.exit is not None and block.exit.comment is not None:
            from ptx_lsp.analysis.comments import OpenComments  # few texts have such comments

            self._comments = OpenComments(self.block_map)
        if self._comments is not None:
            self._comments.was_read(block, self.edited)
        self._continue_below(block)
        if self._comments is not None and (opener := self._comments.opener_to_be_read(block)) is not None:
            self.queue.add((opener,))
        self.invalidation.adopt(block, self.block_map)
        self.functions.was_read(block, reader.source)
        self._positions.was_read(block, reader)
        self._before = reader

    def _take_following(self, block: Block, most: int) -> str | None:
        """Make the block below, or its first chunk, a part of this one; return its text, or None without one.

        Blocks below it that have not been read become parts too, up to `most` characters.
        """
        if (following := self.block_map.after(block)) is None:
            return None
        from ptx_lsp.analysis.long_sections import take_all, take_first_chunk, unread_from  # not for a short text

        taken = unread_from(following, most, self.block_map)
        if not taken and following.chunks > 1 and following is not self._awaited:
            self._taken.setdefault(following, following.line)
            if following.entry is not None:
                dropped, following = following, self.block_map.replace(following)
                self._drop(dropped)
                dropped.index = block.index
                self.queue.add((following,))
                self._taken[following] = following.line
            return take_first_chunk(block, following, self.document)
        taken = taken or [following]
        for one in taken:
            self._taken.setdefault(one, one.line)
            self._drop(one)
        self._awaited = block if self._awaited in taken else self._awaited
        return take_all(block, taken, self.block_map)

    def _earlier_reports(self) -> EarlierReports:
        from ptx_lsp.analysis.earlier_reports import EarlierReports  # not for a text that is read once

        self._earlier = self._earlier or EarlierReports(self.block_map)
        self.functions.whole = self._earlier.whole
        return self._earlier

    def _move_taken(self, block: Block, taken: dict[Block, int]) -> None:
        """Keep the reports of the blocks below whose text, or its begin, is now in a block, until the rest is read."""
        self._taken, rest = {}, self.block_map.after(block)
        self._reporting.difference_update(taken)
        if taken and self.edited:
            pieces = (block, rest) if rest is not None and rest in taken else (block,)
            self._move_reports(Move({block: block.line} | taken, pieces, None))

    def _drop(self, block: Block) -> None:
        """Forget a block that is no longer part of the document."""
        block.stale, block.suspicions = False, ()
        self._reporting.discard(block)
        self._withdraw(block)

    def _withdraw(self, block: Block) -> None:
        """Withdraw the declarations of a block, before it is read again or because it has been removed."""
        for declared in reversed(block.declared):
            declared.scope.withdraw(declared.symbol)
        if self.edited or block.generation:  # otherwise it has not been read
            self.invalidation.was_withdrawn(block)
            self.functions.was_withdrawn(block)
        self._positions.was_withdrawn(block)

    def _continue_below(self, block: Block) -> None:
        """Set the entry state of the block below to the state at the end of this one."""
        following = self.block_map.after(block)
        if following is None or block.exit is None:
            return
        if following.entry is not None and agrees(block, following, self.invalidation, self.block_map):
            if (again := hand_over(block, following, self.invalidation, self.block_map)) is not None:
                self.reaches_far = True
                self.queue.add((again,))
            return
        known = self.block_map.first_read(following) if following.entry is None and self.edited else None
        if known is not None and known.entry is not None:
            keep_scopes(block, known.entry, self.invalidation, self.block_map)
        if following.entry is not block.exit:
            if following.entry is not None:
                self.reaches_far = self.functions.uncertain_scopes = True
                self._hides_sections |= (following.entry.comment is None) != (block.exit.comment is None)
            following.entry = block.exit
            if not following.stale or following.exit is not None:
                self.queue.add((following,))

    # --- what was found ---------------------------------------------------------------------------------------------

    def collected(self, *, undefined_functions: bool) -> Collected:
        """Every report, also suppressed ones, without suggestions.

        `undefined_functions` is true if functions that the module uses and does not define must be reported.
        """
        self._news = False
        spans, left = ([], []) if self.settled else self.functions.preview()
        if left:
            self._earlier_reports().keep((), (), left)
        unchanged, recent = self.functions.reports()
        reporting = sorted(self._reporting, key=BY_INDEX)
        comment = self._comments.at_end(self.settled) if self._comments is not None else None
        if self.settled:
            self._of_module = at_end(self.block_map, reporting, comment) + self.functions.reports_of_programs()
            if undefined_functions:
                self._of_module += module_checks.undefined_functions(self.block_map, self.root)
        elif self._earlier is not None:
            recent = self._earlier.with_recent(recent, self.functions.touched)
        of_functions = unchanged + recent
        of_comments = self._comments.reports(comment, self.settled) if self._comments is not None else []
        others = module_checks.without_repeated(self._of_module + self._foreseen, [*of_functions, of_comments])
        others += of_comments
        of_blocks = [block.reports for block in reporting if block.reports]
        others += self._positions.reports(of_blocks, without_labels=self._hides_sections or comment is not None)
        if spans or self._earlier is not None:
            of_blocks = self._earlier_reports().without_displaced(of_blocks, spans)
        return Collected(of_blocks, of_functions, others, [one for block in reporting for one in block.suppressions])
