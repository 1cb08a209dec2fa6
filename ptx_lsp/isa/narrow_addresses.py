"""The opcodes that need 64-bit global and generic addresses: the rows of `rows/narrow_addresses.isa`."""

from functools import cache
from typing import NamedTuple

from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.versions import Version
from ptx_lsp.package_data import read_text


class Narrow(NamedTuple):
    """An opcode whose global and generic addresses cannot be 32-bit registers, except with a modifier of `unless`.

    Every ptxas that knows the version `since` refuses them, older ones compile them. None: every ptxas refuses them.
    """

    unless: frozenset[str]
    since: Version | None


def narrow(opcode: str) -> Narrow | None:
    """The row of an opcode, `ld`; None if it has none: then it has no such address, or takes 32-bit registers too."""
    return _rows().get(opcode)


@cache
def _rows() -> dict[str, Narrow]:
    lines = read_text("isa", "rows", "narrow_addresses.isa").splitlines()
    return dict(_read(line) for line in lines if line and not line.startswith("//"))


def _read(row: str) -> tuple[str, Narrow]:
    opcode, modifiers, first = (part.strip() for part in row.split("|"))
    since = read_version(first)
    if first and since is None:
        raise ValueError(f"not a version: {row}")
    return opcode, Narrow(frozenset(modifiers.split()), since)
