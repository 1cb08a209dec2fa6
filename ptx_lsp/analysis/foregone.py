"""Outcomes known beforehand: those of the plain instructions that compilers write most.

To judge an instruction for the first time takes a tenth of a millisecond, and its rows must have been read: for a file
of a thousand lines that is as much as for all the rest. What `foregone.txt` holds is judged already.

It is written by `python -m tests.analysis.foregone FILE ...`, and a test holds it equal to the judge: no rule is in it.
"""

from functools import cache

from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.package_data import read_text

Key = tuple[str, ...]  # of a plain line: opcode text and the kinds of its pieces
Group = tuple[Version, Target, int, tuple[Key, ...]]  # from which version and target on, how many names are written


@cache
def groups() -> list[Group]:
    """The groups of `foregone.txt`: a line `ptx 6.0  sm_30  writes 1`, and indented below it the keys, which are fine
    from that version and that target on, whatever its suffix, and write so many names of their line.
    """
    found = []
    for group in read_text("analysis", "foregone.txt").split("\n\n")[1:]:
        head, *keys = group.rstrip("\n").split("\n")
        _, first, on, _, written = head.split()
        version, target = read_version(first), read_target(on)
        assert version is not None, head
        assert target is not None, head
        found.append((version, target, int(written), tuple(map(_key, keys))))
    return found


def _key(line: str) -> Key:
    opcode, _, kinds = line.strip().partition(" ")
    return (opcode, *kinds.split(" "))


def foregone(version: Version, target: Target) -> dict[Key, int]:
    """The keys that are fine for a version and target, with the number of names that they write."""
    found: dict[Key, int] = {}
    for first, on, written, keys in groups():
        if version >= first and target.number >= on.number:
            found.update(dict.fromkeys(keys, written))
    return found
