"""Reports that need a whole function: labels, undeclared names, braces, and registers that are not written or used."""

from itertools import chain

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterable, Iterator, attrgetter, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.quick.body_text import BEGINS_LABEL
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.braces import brace_reports, brace_too_deep
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report, ScopedUse, may_be_hidden
from ptx_lsp.semantics.symbols import DIGITS, Mark, Symbol, SymbolKind

if TYPE_CHECKING:
    from collections import Counter

    from ptx_lsp.analysis.block_map import BlockMap

MOST_REPORTED = 100
"""Reports about registers that are never written, and about labels without a branch.

More usually means that the user is in the middle of an edit.
"""
FEW = 8  # parts; the sets of at most this many are kept and joined at each request, those of more parts are counted
OFTEN_USED = 24  # first members of a family; if a family is used, one of these nearly always is
_CUT, _ENDS, _TOO_DEEP = map(attrgetter, ("cut", "ends", "too_deep"))  # a function may have a thousand parts
_NAME, _MISSING, _RESUMED_AT, _UNDECLARED = map(attrgetter, ("name", "missing", "resumed_at", "undeclared"))
_NO_DIGITS = dict.fromkeys(map(ord, DIGITS))

Registers = tuple[set[str], set[str]]  # the names that a part reads only, and those that it writes
Find = Callable[[FunctionPart, str], Mark | None]


def parts_of(body: Body, block_map: "BlockMap") -> list[FunctionPart]:
    """All parts of a function, in source order; none if the block of its opening brace has been read without it."""
    found: list[FunctionPart] = []
    for number in range(block_map.place(body.opening.holder), len(block_map.blocks)):
        block = block_map.blocks[number]
        here = block.parts
        if len(here) == 1 and here[0].body is body:
            found.append(here[0])
        else:
            found += [part for part in here if part.body is body]
        if block.exit is None or (block.exit.body is not body and block.exit.closed is not body):
            break
    return found


def whole_functions(block: Block) -> dict[Body, list[FunctionPart]]:
    """The parts of each function that begins and ends in a block and that no block below can continue."""
    found: dict[Body, list[FunctionPart]] = {}
    for part in block.parts:
        if part.body.opening.holder is block:
            found.setdefault(part.body, []).append(part)
    if block.exit is not None:
        for last in (block.exit.body, block.exit.closed):
            if last is not None:
                found.pop(last, None)
    return found


def conclude_names(
    body: Body,
    parts: list[FunctionPart],
    text_of: Callable[[Block], str],
    *,
    early: bool = False,
    may_continue: bool = False,
    whole: bool = False,
) -> list[Report]:
    """Reports of missing labels, undeclared names and braces; `parts` are all parts of the function, in source order.

    `early`: some may have to be read again. `may_continue`: more parts may follow the end. `whole`: its braces match.
    """
    ends = parts and (parts[-1].ends or body.is_given) and not parts[-1].cut
    labels = _labels(parts) if ends and not may_continue else []
    found = [*map(brace_too_deep, filter(None, map(_TOO_DEEP, parts)))][:1]
    if parts and (body.is_given or parts[-1].cut is not None or any(map(_RESUMED_AT, parts))):
        found += brace_reports(body, parts, text_of)
    found += labels
    if any(map(_UNDECLARED, parts)):
        from ptx_lsp.reading.undeclared import conclude_undeclared  # few texts have such names

        found += conclude_undeclared(body, parts, damaged(parts, whole), early=early)
    return found


def damaged(parts: list[FunctionPart], whole: bool = False) -> bool:
    """True unless the function ends with its one closing brace (`whole`: as is known); its scopes are uncertain then.

    The function around a fragment has none.
    """
    if parts and parts[0].body.is_given:
        return any(part.ends for part in parts)
    return not parts or any(map(_CUT, parts)) or not (whole or parts[-1].ends) or any(map(_ENDS, parts[:-1]))


def look_for_labels(part: FunctionPart) -> None:
    """Look up the labels that a part branches to, and keep the uses of missing and hidden ones in `missing`."""
    part.labels_checked = True
    part.missing = [use for use in part.label_uses if use.scope.label(use.name) is None]
    if part.label_uses and may_be_hidden(part.label_uses):
        from ptx_lsp.semantics.missing_labels import is_hidden  # few labels have the name of something else

        part.missing = [use for use in part.label_uses if use.scope.label(use.name) is None or is_hidden(use)]


def _labels(parts: list[FunctionPart]) -> list[Report]:
    unchecked = [part for part in parts if not part.labels_checked]
    for part in (part for part in parts if not part.labels_checked or part.missing):
        look_for_labels(part)
    if not any(map(_MISSING, parts)):
        return []
    # others may branch to these labels too, which an edit has removed
    new = {use.name for part in unchecked for use in part.missing}
    for part in parts if new else ():
        if not new.isdisjoint(map(_NAME, part.label_uses)):
            look_for_labels(part)
    seen: dict[tuple[int, str], list[ScopedUse]] = {}
    for use in (use for part in parts for use in part.missing):
        seen.setdefault((id(use.scope), use.name), []).append(use)
    if seen and damaged(parts):
        # in a damaged function, the scope of a label is uncertain
        astray = {label.name for part in parts for label in part.labels}
        seen = {key: uses for key, uses in seen.items() if key[1] not in astray}
    from ptx_lsp.semantics.missing_labels import missing_labels  # few functions have them

    return missing_labels(list(seen.values()), parts)


# --- the counts of what a function reads, writes and branches to ------------------------------------------------------


class _Balance:
    """Counts of names that are needed and of names that are provided, to find the needed ones that are not provided."""

    __slots__ = ("_needed", "_open", "_provided")

    def __init__(self) -> None:
        from collections import Counter  # here and below: only for functions of many parts

        self._needed: Counter[str] = Counter()
        self._provided: Counter[str] = Counter()
        self._open: set[str] | None = None  # made at the first request: there may be many thousands of names

    def add(self, asked: set[str], given: set[str]) -> None:
        """Count the names that a part needs and those that it provides."""
        self._needed.update(asked)
        self._provided.update(given)
        if self._open is not None:
            self._open.update(name for name in asked if name not in self._provided)
            self._open -= given

    def take_away(self, asked: set[str], given: set[str]) -> None:
        """Take back what `add` counted for a part with these names."""
        _lower(self._needed, asked)
        _lower(self._provided, given)
        if self._open is not None:
            self._open.update(name for name in given if name in self._needed and name not in self._provided)
            self._open.difference_update(name for name in asked if name not in self._needed)

    def knows(self, name: str) -> bool:
        """Whether a part needs or provides a name."""
        return name in self._needed or name in self._provided

    def provides(self, name: str) -> bool:
        """Whether a part provides a name."""
        return name in self._provided

    def not_provided(self) -> set[str]:
        """The names that a part needs and no part provides. The caller must not change the set."""
        if self._open is None:
            self._open = self._needed.keys() - self._provided.keys()
        return self._open


def _lower(counts: "Counter[str]", names: Iterable[str]) -> None:
    for name in names:
        left = counts[name] - 1
        if left > 0:
            counts[name] = left
        else:
            counts.pop(name, None)  # `del` of a Counter is written in Python, and an edit needs ten of them


class _Sums:
    """The sums of the counts of the parts of one function."""

    __slots__ = ("families", "labels", "labels_by_name", "registers")

    def __init__(self, parts: Iterable[FunctionPart]) -> None:
        self.registers = _Balance()
        self.labels = _Balance()
        self.families: Counter[str] | None = None  # their stems, counted since the first request
        self.labels_by_name: dict[str, list[Symbol]] = {}  # the written labels by name
        for part in parts:
            self.add(part)

    def add(self, part: FunctionPart, registers: Registers | None = None) -> None:
        self.registers.add(*(registers or _registers(part)))
        self.labels.add(*_label_names(part))
        if self.families is not None:
            self.families.update(_stems(part))
        for label in _written_labels(part):
            self.labels_by_name.setdefault(label.name, []).append(label)

    def take_away(self, part: FunctionPart) -> None:
        self.registers.take_away(*_registers(part))
        self.labels.take_away(*_label_names(part))
        if self.families is not None:
            _lower(self.families, _stems(part))
        written = _written_labels(part)
        gone = set(map(id, written))
        for name in {label.name for label in written}:
            left = [other for other in self.labels_by_name[name] if id(other) not in gone]
            if left:
                self.labels_by_name[name] = left
            else:
                del self.labels_by_name[name]


class UsageCounts:
    """The number of parts of one function that read, write or branch to each name, counted part by part.

    `pending` are the parts that must still be counted: the counts are complete if there are none. `first_reads` are the
    places found for names that are never written, None for no place, until a part that reads the name is counted again.
    """

    __slots__ = ("_counted", "_sums", "first_reads", "pending")

    def __init__(self) -> None:
        self.pending: dict[FunctionPart, None] = {}
        # the counted parts, with the names that they read and write as long as there are few parts
        self._counted: dict[FunctionPart, Registers | None] = {}
        self._sums: _Sums | None = None  # of many parts
        self.first_reads: dict[str, Mark | None] = {}

    def expect(self, parts: Iterable[FunctionPart]) -> None:
        """Set the parts of the function that must be counted."""
        self.pending = {part: None for part in parts if part not in self._counted}

    def count(self, part: FunctionPart, registers: Registers | None = None) -> None:
        """Count a part; `registers` are the names that it reads and writes, if the caller has them."""
        self.pending.pop(part, None)
        self._forget_reads(part)
        if self._sums is not None:
            self._counted[part] = None
            self._sums.add(part, registers)
            return
        self._counted[part] = registers or _registers(part)
        if len(self._counted) > FEW:
            self._sums = _Sums(self._counted)
            self._counted = dict.fromkeys(self._counted)

    def discount(self, part: FunctionPart) -> None:
        """Subtract the counts of a part that is withdrawn."""
        self.pending.pop(part, None)
        self._forget_reads(part)
        if part not in self._counted:
            return
        del self._counted[part]
        if self._sums is not None:
            self._sums.take_away(part)

    def _forget_reads(self, part: FunctionPart) -> None:
        for name in part.read.split() if self.first_reads else ():
            self.first_reads.pop(name, None)

    def _few(self) -> tuple[Registers, ...]:
        return tuple(filter(None, self._counted.values()))

    def never_written(self) -> set[str]:
        """The names that are read and never written; not all of them are registers."""
        if self._sums is not None:
            return self._sums.registers.not_provided()
        few = self._few()
        read = set[str]().union(*(names for names, _ in few))
        return read.difference(*(names for _, names in few))

    def uses_family(self, stem: str) -> bool:
        """Whether a part mentions a name that may belong to the register family."""
        first = _first_members(stem)
        sums = self._sums
        if sums is None:
            for read, written in self._few():
                if not (first.isdisjoint(written) and first.isdisjoint(read)):
                    return True
            return any(stem.translate(_NO_DIGITS) in _stems(part) for part in self._counted)
        if any(map(sums.registers.knows, first)):
            return True
        if sums.families is None:
            from collections import Counter

            sums.families = Counter(chain.from_iterable(map(_stems, self._counted)))
        return stem.translate(_NO_DIGITS) in sums.families

    def branches_to(self, label: str) -> bool:
        """Whether a part branches to a label of this name; True as long as that is not known."""
        if self.pending:
            return True
        if self._sums is not None:
            return self._sums.labels.provides(label)
        return any(use.name == label for part in self._counted for use in part.label_uses)

    def unused_labels(self, parts: list[FunctionPart]) -> Iterator[list[Symbol]]:
        """The labels that a person has written without a branch to them, in groups: each is above the next one."""
        if self._sums is not None and len(unused := self._sums.labels.not_provided()) <= MOST_REPORTED:
            yield [label for name in unused for label in self._sums.labels_by_name[name]]
            return
        written = list(filter(None, map(_written_labels, parts)))
        targets = {use.name for part in parts for use in part.label_uses} if written else set[str]()
        for labels in written:
            yield [label for label in labels if label.name not in targets]


def _registers(part: FunctionPart) -> Registers:
    return set(part.read.split()), set(part.written.split())


@forgettable
@lru_cache(maxsize=1024)
def _first_members(stem: str) -> frozenset[str]:
    return frozenset(f"{stem}{number}" for number in range(OFTEN_USED))


def _stems(part: FunctionPart) -> set[str]:
    return set(f"{part.read} {part.written}".translate(_NO_DIGITS).split())


def _label_names(part: FunctionPart) -> tuple[set[str], set[str]]:
    return {label.name for label in _written_labels(part)}, {use.name for use in part.label_uses}


def _written_labels(part: FunctionPart) -> list[Symbol]:
    """The labels of a part that a person has written; others are never reported as unused."""
    others = [label for label in part.labels if not label.name.startswith(BEGINS_LABEL)]
    if others:
        from ptx_lsp.semantics.compiler_labels import is_generated  # few files have other labels

        others = [label for label in others if not is_generated(label.name)]
    return others


def conclude_usage(body: Body, parts: list[FunctionPart], counts: UsageCounts, find: Find) -> list[Report]:
    """Reports of registers that are never written, and of families that are never used.

    `parts` are all parts of the function, in source order, and `counts` has counted them. `find` returns the first
    place at which a part mentions a name.
    """
    return [*filter(None, never_written(body, parts, counts, find)), *_unused_families(body, counts)]


def never_written(body: Body, parts: list[FunctionPart], counts: UsageCounts, find: Find) -> Iterator[Report | None]:
    """The reports of registers that are never written; None for a name that nothing reads."""
    given = body.symbol.signature.parameters if body.symbol.signature is not None else ()
    reported = 0
    for name in sorted(counts.never_written()):
        symbol = body.scope.own(name)
        if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol in given:
            continue
        if name not in counts.first_reads:
            where = next((m for part in parts if name in part.read and (m := find(part, name)) is not None), None)
            counts.first_reads[name] = where
        where = counts.first_reads[name]
        yield _never_written_report(name, where, symbol) if where is not None else None
        reported += where is not None
        if reported == MOST_REPORTED:
            break


def _never_written_report(name: str, where: Mark, symbol: Symbol) -> Report:
    return Report(
        "never-written",
        where,
        f"`{name}` is read here, but nothing in this function writes it",
        default_severity("never-written"),
        related=((symbol.mark, f"`{symbol.name}` is declared here"),),
    )


def _unused_families(body: Body, counts: UsageCounts) -> list[Report]:
    return [
        Report(
            "unused-registers",
            symbols[0].mark,
            f"no member of `{stem}<{symbols[0].count}>` is used in this function",
            default_severity("unused-registers"),
            tags=(Tag.UNNECESSARY,),
        )
        for stem, symbols in body.scope.families.items()
        if not counts.uses_family(stem)
    ]
