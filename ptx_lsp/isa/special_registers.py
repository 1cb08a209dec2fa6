"""The special registers: predefined, read-only, read by `mov` and `cvt`; and the constant `WARP_SZ`."""

from __future__ import annotations

from ptx_lsp.light_classes import TYPE_CHECKING, NamedTuple, cache
from ptx_lsp.package_data import read_rows

if TYPE_CHECKING:
    from ptx_lsp.isa.forms import Needs


WARP_SIZE = "WARP_SZ"
"""The reserved word for a constant: the number of threads of a warp. Source: PTX ISA, #integer-constants."""
THREADS_PER_WARP = 32
"""Its value, on every target."""


class SpecialRegister(NamedTuple):
    """One special register, `%tid`.

    `type` is that of the whole register, or of an element if `vector` is true (the elements are .x .y .z .w).
    `widths` are the other widths with which ptxas lets an instruction read it, as `/16`: those that earlier versions
    gave it (observed: ptxas 13.5). `anchor` is NVIDIA's documentation anchor.
    """

    name: str
    type: str
    vector: bool
    meaning: str
    anchor: str
    conditions: str
    widths: str = ""

    @property
    def kind(self) -> str:
        """The kind of the whole register as an operand: `%.u64/32/16`, `%.v4.u32/16`."""
        return ("%.v4" if self.vector else "%") + self.type + self.widths

    @property
    def element_kind(self) -> str:
        """The kind of an element, as an operand."""
        return f"%{self.type}{self.widths}"

    @property
    def needs(self) -> Needs:
        """Where it exists. Every version and target has it if `conditions`, which is their text, is empty."""
        from ptx_lsp.isa.clauses import read_needs  # here and below: most short files need no other module

        return read_needs(self.conditions)

    @property
    def url(self) -> str:
        """NVIDIA's page about it."""
        from ptx_lsp.isa.manual import page_url

        return page_url(self.anchor)


def special_register(name: str) -> SpecialRegister | None:
    """The special register with that name, with its `%` and without an element; None if there is no such register."""
    if not name.startswith("%"):
        return None
    row = _rows().get(name)
    return _register(name, row) if row is not None else None


@cache
def special_registers() -> dict[str, SpecialRegister]:
    """Every special register by its name, in the order of the manual."""
    return {name: _register(name, row) for name, row in _rows().items()}


@cache
def _rows() -> dict[str, str]:
    # most short files need no more than the names
    found = {}
    for row in read_rows("isa", "rows", "special_registers.isa"):
        for name in _members(row.partition(" ")[0]):
            found["%" + name] = row
    return found


@cache
def _register(name: str, row: str) -> SpecialRegister:
    head, needs, anchor, meaning = (part.strip() for part in row.split("|"))
    type_, slash, widths = head.split()[1].partition("/")
    vector, element = type_.startswith(".v4"), type_.removeprefix(".v4")
    page = f"special-registers-{anchor}" if anchor else "special-registers"
    return SpecialRegister(name, element, vector, meaning, page, needs, slash + widths)


def _members(pattern: str) -> list[str]:
    """`pm4-7` is pm4, pm5, pm6 and pm7; a suffix may follow the range (`pm0-7_64`)."""
    if "-" not in pattern:
        return [pattern]
    before, after = pattern.split("-")
    digits = len(before) - len(before.rstrip("0123456789"))
    stem, first = before[:-digits], int(before[-digits:])
    last = after[: len(after) - len(after.lstrip("0123456789"))]
    return [f"{stem}{number}{after[len(last) :]}" for number in range(first, int(last) + 1)]
