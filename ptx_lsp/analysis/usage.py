"""What a function as a whole does with its registers and labels: those that nothing writes, reads or branches to."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from ptx_lsp.analysis.blocks import Body, Part
from ptx_lsp.analysis.reports import Mark, Report
from ptx_lsp.analysis.symbols import DIGITS, Symbol, SymbolKind
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag

TOLD_AT_MOST = 100  # of registers that nothing writes: where there are more, their writers are about to be typed

_NAMES = re.compile(r"(?<![\w$%])[%$_a-zA-Z][\w$]*", re.A)
# labels that compilers make for debuggers
_FOR_DEBUGGERS = re.compile(r"(?:\$?L|\$)?_*(?:tmp|func_begin|func_end|sec_end|info_string|cfi|debug)", re.I)

Find = Callable[[Part, str], Mark | None]


def stems(text: str) -> set[str]:
    """The names in a text without the digits at their ends: what families they may belong to."""
    return {name.rstrip(DIGITS) for name in _NAMES.findall(text)}


class Ledger:
    """How many parts of one function read, write or branch to each name, counted part by part.

    `pending` are the parts that are still to be counted: until there are none, the sums tell nothing.
    """

    __slots__ = ("_families", "_labels", "_read", "_targets", "_written", "pending")

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self.pending: dict[Part, None] = dict.fromkeys(parts)
        self._read: Counter[str] = Counter()  # by parts that do not write it themselves
        self._written: Counter[str] = Counter()
        self._families: Counter[str] = Counter()
        self._targets: Counter[str] = Counter()
        self._labels: dict[str, list[Symbol]] = {}

    def count(self, part: Part) -> None:
        """A part is there."""
        self.pending.pop(part, None)
        self._read.update(set(_NAMES.findall(part.read)))
        self._written.update(set(_NAMES.findall(part.written)))
        self._families.update(part.families.split())
        if part.label_uses:
            self._targets.update({use.name for use in part.label_uses})
        for label in part.labels:
            self._labels.setdefault(label.name, []).append(label)

    def discount(self, part: Part) -> None:
        """A part is there no more, or is about to be another."""
        if part in self.pending:
            del self.pending[part]
            return
        _take_away(self._read, set(_NAMES.findall(part.read)))
        _take_away(self._written, set(_NAMES.findall(part.written)))
        _take_away(self._families, part.families.split())
        _take_away(self._targets, {use.name for use in part.label_uses})
        for label in part.labels:
            left = [other for other in self._labels.get(label.name, ()) if other is not label]
            if left:
                self._labels[label.name] = left
            else:
                self._labels.pop(label.name, None)

    def never_written(self) -> set[str]:
        """The names that are read and not written: registers among others."""
        return self._read.keys() - self._written.keys()

    def uses_family(self, stem: str) -> bool:
        """Whether a name is mentioned that may belong to the register family."""
        return stem in self._families or stem.rstrip(DIGITS) in self._families

    def unused_labels(self) -> list[Symbol]:
        """The labels that nothing branches to, in no order."""
        return [label for name in self._labels.keys() - self._targets.keys() for label in self._labels[name]]


def _take_away(counts: Counter[str], names: Iterable[str]) -> None:
    for name in names:
        if counts[name] > 1:
            counts[name] -= 1
        else:
            del counts[name]


def conclude_usage(body: Body, parts: list[Part], ledger: Ledger, find: Find) -> list[Report]:
    """Registers that nothing writes, families and labels that nothing uses.

    `parts` are all of the function, in source order, `ledger` has counted them; `find` gives the first place at which
    a part mentions a name.
    """
    return _never_written(body, parts, ledger, find) + _unused_families(body, ledger) + _unused_labels(ledger)


def _never_written(body: Body, parts: list[Part], ledger: Ledger, find: Find) -> list[Report]:
    given = body.symbol.signature.parameters if body.symbol.signature is not None else ()
    found: list[Report] = []
    for name in sorted(ledger.never_written()):
        symbol = body.scope.own(name)
        if symbol is None or symbol.kind is not SymbolKind.REGISTER or symbol in given:
            continue
        where = next((m for part in parts if name in part.read and (m := find(part, name)) is not None), None)
        if where is not None:
            found.append(_never_written_report(name, where, symbol))
        if len(found) == TOLD_AT_MOST:
            break
    return found


def _never_written_report(name: str, where: Mark, symbol: Symbol) -> Report:
    return Report(
        "never-written",
        where,
        f"`{name}` is read here, but nothing in this function writes it",
        default_severity("never-written"),
        related=((symbol.mark, f"`{symbol.name}` is declared here"),),
    )


def _unused_families(body: Body, ledger: Ledger) -> list[Report]:
    return [
        Report(
            "unused-registers",
            symbols[0].mark,
            f"no member of `{stem}<{symbols[0].count}>` is used in this function",
            default_severity("unused-registers"),
            tags=(Tag.UNNECESSARY,),
        )
        for stem, symbols in body.scope.families.items()
        if not ledger.uses_family(stem)
    ]


def _unused_labels(ledger: Ledger) -> list[Report]:
    return [
        Report(
            "unused-label",
            label.mark,
            f"nothing branches to `{label.name}`",
            default_severity("unused-label"),
            tags=(Tag.UNNECESSARY,),
        )
        for label in ledger.unused_labels()
        if not _FOR_DEBUGGERS.match(label.name)
    ]
