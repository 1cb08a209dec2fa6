"""Writes `ptx_lsp/analysis/foregone.txt` anew: `python -m tests.analysis.foregone FILE ...`.

Its keys are those that it had and those of the plain lines of the given files, as far as they are fine from one version
and one target on.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from ptx_lsp.analysis import foregone, lines, scan
from ptx_lsp.analysis.foregone import Key
from ptx_lsp.analysis.module import Module
from ptx_lsp.analysis.pieces import Unclear
from ptx_lsp.isa.releases import NEWEST, RELEASES
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement import judge
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.text.document import Document

PLACE = Path(foregone.__file__).with_suffix(".txt")
HEAD = "// Outcomes known beforehand. Written by `python -m tests.analysis.foregone FILE ...`, never by hand.\n"
_NAMED = re.compile(r"[^{}\[\]|,+!]+")
Domain = tuple[Version, Target, int]  # from which version and target on, and how many names are written


def operands(key: Key) -> list[str]:
    """The kinds of the operands that the pieces of a key are parts of."""
    found: list[str] = []
    depth = 0
    for piece in filter(None, key[1:]):
        if depth:
            found[-1] += f",{piece}"
        else:
            found.append(piece)
        depth += piece.count("{") + piece.count("[") - piece.count("}") - piece.count("]")
    return found


def written(key: Key, version: Version, target: Target) -> int | None:
    """How many names a line of this key writes, None unless it is surely fine; as the judge has it, and nobody else."""
    kinds = operands(key)
    texts = [_NAMED.sub("%r", kind) for kind in kinds]
    judge._memory.clear()  # it would be filled with answers for every version and target
    try:
        count, literals = scan.outcome_of(key[0], texts, kinds, Profile(version, target))
    except Unclear:
        return None
    return None if literals else count


def domain(key: Key) -> Domain | None:
    """From which version and target on a key is fine; None where that is not so simple."""
    newest = {target: written(key, NEWEST, target) for target in TARGETS}
    refused = [target.number for target, count in newest.items() if count is None]
    fitting = [target for target in TARGETS if not target.suffix and target.number > max(refused, default=0)]
    if not fitting:
        return None
    lowest, first = min(fitting), NEWEST
    for version in reversed(RELEASES):
        if any(written(key, version, target) is None for target in TARGETS if target.number >= lowest.number):
            break
        first = version
    count = newest[lowest]
    return None if count is None else (first, lowest, count)


def keys_of(files: Iterable[Path]) -> list[Key]:
    """The keys of the plain lines in some files."""
    found: list[Key] = []

    def note(opcode: str, texts: list[str], kinds: Iterable[str], profile: Profile) -> scan.Outcome:
        whole = list(kinds)
        found.append((opcode, *",".join(whole).split(",")))
        return scan.outcome_of(opcode, texts, whole, profile)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "outcome_of", note)
        for path in files:
            Module(Document(path.read_text("utf-8", "surrogateescape"))).work()
    return found


def table(keys: Iterable[Key]) -> str:
    """The text of `foregone.txt` with these keys."""
    groups: dict[Domain, list[Key]] = defaultdict(list)
    for key in set(keys):
        where = domain(key)
        if where is not None:
            groups[where].append(key)
    parts = [HEAD]
    for (version, target, count), members in sorted(groups.items()):
        rows = "".join(f"  {' '.join(key).rstrip()}\n" for key in sorted(members))
        parts.append(f"ptx {version}  {target}  writes {count}\n{rows}")
    return "\n".join(parts)


def main() -> None:
    """Write the file."""
    had = {key for _, _, _, keys in foregone.groups() for key in keys} if PLACE.exists() else set()
    PLACE.write_text(table(had | set(keys_of(map(Path, sys.argv[1:])))), "utf-8")


if __name__ == "__main__":
    main()
