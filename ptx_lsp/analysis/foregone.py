"""Outcomes known beforehand: those of the plain instructions that compilers write most.

To judge an instruction for the first time takes a tenth of a millisecond, and its rows must have been read: for a file
of a thousand lines that is as much as for all the rest. What `foregone.txt` holds is judged already.

It is written by `python -m tests.analysis.foregone FILE ...`, and a test holds it equal to the judge: no rule is in it.
"""

from functools import cache
from typing import NamedTuple

from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.verdict import Duty, Obligation
from ptx_lsp.package_data import read_text

Key = tuple[str, ...]  # of a plain line: opcode text and the kinds of its pieces


class Answer(NamedTuple):
    """What is known of a key: how many names its lines write, and what the literals among their pieces must show."""

    written: int
    literals: tuple[tuple[int, Obligation], ...] = ()


class Group(NamedTuple):
    """Keys that are fine from a version and a target on, whatever its suffix, with the same answer for all of them."""

    version: Version
    target: Target
    answer: Answer
    keys: tuple[Key, ...]


@cache
def groups() -> list[Group]:
    """The groups of `foregone.txt`. Each begins with a line, and its keys are indented below it.

        ptx 6.0  sm_30  writes 1  SHIFT_COUNT at=2 bits=32

    After the number of names come the obligations of literals: the duty, which piece, and the numbers of `Obligation`.
    """
    return [_group(text) for text in read_text("analysis", "foregone.txt").split("\n\n")[1:]]


def _group(text: str) -> Group:
    head, *keys = text.rstrip("\n").split("\n")
    since, on, writes, *literals = head.split("  ")
    version, target = read_version(since.removeprefix("ptx ")), read_target(on)
    assert version is not None, head
    assert target is not None, head
    answer = Answer(int(writes.removeprefix("writes ")), tuple(map(_literal, literals)))
    return Group(version, target, answer, tuple(map(_key, keys)))


def _literal(text: str) -> tuple[int, Obligation]:
    duty, *fields = text.split(" ")
    numbers = {name: tuple(map(int, value.split("|"))) for name, _, value in (f.partition("=") for f in fields)}
    (at,), values = numbers.pop("at"), numbers.pop("values", ())
    return at, Obligation(Duty[duty], (), "", values=values, **{name: number for name, (number,) in numbers.items()})


def _key(line: str) -> Key:
    opcode, _, kinds = line.strip().partition(" ")
    return (opcode, *kinds.split(" "))


def foregone(version: Version, target: Target) -> list[Group]:
    """The groups that hold for a version and target."""
    return [group for group in groups() if version >= group.version and target.number >= group.target.number]
