"""Shipped outcomes: those of the plain instructions that compilers write most.

The first verdict takes some three milliseconds, most of them for the import of the judge, and each further one a tenth
of a millisecond: a tenth of the time for a file of a thousand lines. Keys in `shipped_outcomes.txt` need no verdict.

`python -m tests.semantics.shipped_outcomes` writes the file. It contains no rule: a test compares it with the judge. A
key with a statement check that is newer than the file is not used, so that a new check is made at once.
"""

from __future__ import annotations

from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, Iterable, NamedTuple, cache, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.package_data import read_data
from ptx_lsp.semantics import statement_checks
from ptx_lsp.semantics.statement_checks import UNGUARDED, StatementCheck

if TYPE_CHECKING:
    from ptx_lsp.judgement.verdict import OperandCheck

CHECKS_ARE = "// Statement checks: "  # begins the second line of the file: the checks when it was written
_APART = 2_048  # bytes between the rows whose offsets are kept
LONGEST_ROW = 512  # bytes that are kept of the beginning of such a row: all of it
MOST_GROUPS = 1_000  # that are remembered
Key = tuple[str, ...]  # of a plain line: opcode text and the kinds of its pieces


class ShippedOutcome(NamedTuple):
    """The outcome of a key: how many names its lines write, and the checks of its literals, by piece.

    `unguarded` is true if its lines must not have a guard.
    """

    written: int
    literals: tuple[tuple[int, OperandCheck], ...] = ()
    unguarded: bool = False


def newer_checks(row: str) -> list[StatementCheck]:
    """The statement checks that are not in the row of the file that has those of its time."""
    known = set(row.removeprefix(CHECKS_ARE).split(", "))
    return [check for check in statement_checks.STATEMENT_CHECKS if check.name not in known]


def has_one_of(key: Key, some: Iterable[StatementCheck]) -> bool:
    """Whether a key has one of some checks."""
    return any(check.is_needed(key[0], operand_kinds(key)) for check in some)


def operand_kinds(key: Key) -> tuple[str, ...]:
    """The kinds of the operands of a key, which has the kinds of the pieces between commas."""
    from ptx_lsp.judgement.fit import split_kind  # only for checks that are newer than the file

    return tuple(filter(None, split_kind(",".join(key[1:]))))


@forgettable
@lru_cache(maxsize=MOST_GROUPS)
def read_group(text: str) -> tuple[Version, Target, ShippedOutcome]:
    """The text of a group: the first version and target, and the outcome.

        ptx 6.0  sm_30  writes 1  unguarded  SHIFT_COUNT at=2 bits=32

    After the number of names come `unguarded`, if the lines must not have a guard, and the checks of literals: the
    kind, which piece, and the numbers of `OperandCheck`.
    """
    since, on, writes, *literals = text.split("  ")
    version, target = read_version(since.removeprefix("ptx ")), read_target(on)
    assert version is not None, text
    assert target is not None, text
    unguarded = literals[:1] == [UNGUARDED]
    answer = ShippedOutcome(int(writes.removeprefix("writes ")), tuple(map(_literal, literals[unguarded:])), unguarded)
    return version, target, answer


def _literal(text: str) -> tuple[int, OperandCheck]:
    from ptx_lsp.judgement.verdict import OperandCheck, OperandCheckKind  # for few keys of a short file

    kind, *fields = text.split(" ")
    given = {name: value for name, _, value in (field.partition("=") for field in fields)}
    low, high, bits, modulo = (int(given.get(name, 0)) for name in ("low", "high", "bits", "modulo"))
    values, other = (tuple(int(v) for v in given.get(name, "").split("|") if v) for name in ("values", "other"))
    step = int(given.get("step", 1))
    check = OperandCheck(OperandCheckKind[kind], (), "", low, high, step, bits, values, modulo, other)
    return int(given["at"]), check


class ShippedRows(NamedTuple):
    """The file as bytes, and the statement checks that are newer than it.

    The rows of the file are sorted. `starts` are the offsets of some of them, and `heads` their beginnings.
    """

    data: bytes
    starts: list[int]
    heads: list[bytes]
    new: list[StatementCheck]


@forgettable
@cache
def shipped_rows() -> ShippedRows:
    """The rows of the file. To divide it into all of them takes longer than to find the few keys of a short text."""
    data = read_data("semantics", "shipped_outcomes.txt")
    starts = [data.rfind(b"\n", 0, at) + 1 for at in range(0, len(data), _APART)]
    second = data.index(b"\n") + 1
    new = newer_checks(data[second : data.index(b"\n", second)].decode("ascii").rstrip("\r"))
    return ShippedRows(data, starts, [data[start : start + LONGEST_ROW] for start in starts], new)


def shipped(group: str, version: Version, target: Target) -> ShippedOutcome | None:
    """The outcome of the keys of a group in a version and target; None if they are not fine."""
    since, on, answer = read_group(group)
    return answer if version >= since and target.number >= on.number else None
