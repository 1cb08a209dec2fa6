"""The opcodes that need 64-bit global and generic addresses: the rows of `rows/narrow_addresses.isa`."""

from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import NamedTuple, cache
from ptx_lsp.package_data import read_rows


class Narrow(NamedTuple):
    """An opcode whose global and generic addresses cannot be 32-bit registers, except with a modifier of `unless`.

    Every ptxas that knows the version `since` refuses them, older ones compile them. None: every ptxas refuses them.
    """

    unless: frozenset[str]
    since: Version | None


def narrow(opcode: str) -> Narrow | None:
    """The row of an opcode, `ld`; None if it has none: then it has no such address, or takes 32-bit registers too."""
    return _accesses().get(opcode)


def narrow_types(opcode: str) -> tuple[str, ...]:
    """The types with which an opcode converts or moves a 32-bit address, `.u32` for `cvta`; empty for most opcodes."""
    return _types().get(opcode, ())


@cache
def _accesses() -> dict[str, Narrow]:
    return dict(_read(line) for line in _lines() if "|" in line)


@cache
def _types() -> dict[str, tuple[str, ...]]:
    rows = (line.partition(" of ") for line in _lines() if "|" not in line)
    return {opcode: tuple(types.split()) for opcode, _, types in rows}


def _lines() -> list[str]:
    return read_rows("isa", "rows", "narrow_addresses.isa")


def _read(row: str) -> tuple[str, Narrow]:
    opcode, modifiers, first = (part.strip() for part in row.split("|"))
    since = read_version(first)
    if first and since is None:
        raise ValueError(f"not a version: {row}")
    return opcode, Narrow(frozenset(modifiers.split()), since)
