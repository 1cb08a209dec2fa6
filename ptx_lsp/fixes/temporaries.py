"""Fixes that put a statement into a block, with a register for a value that the statement cannot take as it is.

Examples: a variable in memory that must be loaded, the sum of two registers as an address, an integer as a guard.
"""

import re
from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix
from ptx_lsp.fixes.registers import with_symbols
from ptx_lsp.fixes.verification import Site, declared_as, errors_in, helps
from ptx_lsp.isa.opcode_sets import MOVE
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Instruction

_GUARD = re.compile(r"@\s*!?\s*[%$\w]+\s*")
_NOT = re.compile(r"@\s*(!?)\s*")
_LOAD = re.compile(r"load its value with `(ld[.\w:]+)` first")
_SUM = re.compile(
    r"\[\s*(?P<base>[%$\w]+)\s*\+\s*(?P<index>%[$\w]+)\s*(?:\*\s*(?P<scale>\d+)\s*)?(?:\+\s*(?P<offset>\d+)\s*)?\]"
)
_INDEXED = re.compile(r"(?P<base>%[$\w]+)\s*\[\s*(?P<index>\d+)\s*\]")
_BY_NAME = re.compile(r"\[\s*(?P<base>[A-Za-z_$][$\w]*)")


class Temporary(NamedTuple):
    """A register for the new block: its name and type, the statements that write it, and the statement that reads it.

    `title` is the title of the fix.
    """

    name: str
    type: str
    writes: tuple[str, ...]
    statement: str
    title: str


def load_first(finding: Finding, site: Site) -> Iterator[Fix]:
    """A variable that is loaded into a register before the instruction, which cannot read memory."""
    found = _LOAD.search(finding.message)
    if found is not None:
        address = site.marked if site.marked.endswith("]") else f"[{site.marked}]"
        yield from _first_right(finding, site, _loads(site, address, [found[1]]))
    elif "does not read memory" in finding.message:
        opcodes = list(_loading_opcodes(site))
        yield from _load_instead(site, opcodes)
        yield from _first_right(finding, site, _loads(site, site.marked, opcodes))


def _load_instead(site: Site, opcodes: list[str]) -> Iterator[Fix]:
    """`ld.param.u32` for `mov.u32`, whose source is an address in brackets."""
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction) or statement.opcode.text != MOVE:
        return
    last = statement.modifiers[-1].end if statement.modifiers else statement.opcode.end
    span = statement.opcode.start - first, last - first
    for opcode in opcodes:
        if not errors_in(site.changed(*span, opcode), site.located):
            yield Fix(f"write `{opcode}`, which loads the value", (site.edit(*span, opcode),))
            return


def _loading_opcodes(site: Site) -> Iterator[str]:
    """The loads that can read the marked address: from the space of the variable, else from global or any memory."""
    types = _types(site)
    name = _BY_NAME.match(site.marked)
    symbol = site.located.surroundings.scope.lookup(name["base"]) if name is not None else None
    if symbol is not None and symbol.space:
        yield from (f"ld{symbol.space}{type_}" for type_ in dict.fromkeys([*types, symbol.type]))
    elif symbol is None:
        yield from (f"ld{space}{type_}" for space in (".global", "") for type_ in types)


def _types(site: Site) -> list[str]:
    statement = site.located.statement
    words = statement.modifiers if isinstance(statement, Instruction) else ()
    return [word.text for word in words if word.text in TYPES and TYPES[word.text].declarable]


def _loads(site: Site, address: str, opcodes: list[str]) -> Iterator[Temporary]:
    name = _unused("%value", site)
    statement = site.changed(site.start, site.end, name)
    guard = _guard(site)
    for opcode in opcodes:
        for type_ in dict.fromkeys([*_types(site), "." + opcode.rsplit(".", 1)[1]]):
            title = f"load `{address}` into a register first, in a block"
            yield Temporary(name, type_, (f"{guard}{opcode} {name}, {address};",), statement, title)


def add_first(finding: Finding, site: Site) -> Iterator[Fix]:
    """A register that is added to an address before the instruction: an address takes only a constant."""
    found = next((f for f in _SUM.finditer(site.text) if f.start() <= site.start < f.end()), None)
    if found is None:
        return
    name = _unused("%address", site)
    offset = f"+{found['offset']}" if found["offset"] else ""
    statement = site.changed(*found.span(), f"[{name}{offset}]")
    title = f"add `{found['index']}` to the address first, in a block"
    sums = (Temporary(name, type_, writes, statement, title) for type_, writes in _sums(found, name, _guard(site)))
    yield from _first_right(finding, site, sums)


def _sums(found: re.Match[str], name: str, guard: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The ways to calculate the address in the register `name`: its type, and the statements."""
    base, index, scale = found["base"], found["index"], found["scale"]
    for bits in ("64", "32"):
        # a variable is no operand of `add`: its address is moved first
        moved = () if base.startswith("%") else (f"{guard}mov.u{bits} {name}, {base};",)
        source = name if moved else base
        if scale is None:
            sums = [f"add.s{bits} {name}, {source}, {index};"]
        else:
            sums = [f"mad.lo.s{bits} {name}, {index}, {scale}, {source};"]
            sums += [f"mad.wide.s32 {name}, {index}, {scale}, {source};"] if bits == "64" else []
        for text in sums:
            yield f".b{bits}", (*moved, guard + text)


def index_as_offset(finding: Finding, site: Site) -> Iterator[Fix]:
    """`[%rd2+16]` for `%rd2[4]`: a register is no array, and an offset counts bytes."""
    found = _INDEXED.fullmatch(site.marked)
    types = _types(site)
    if found is None or not types:
        return
    size = TYPES[types[-1]].bits // 8
    text = f"[{found['base']}+{int(found['index'][:9]) * size}]"
    if helps(site, site.start, site.end, text):
        title = f"write `{text}`, {found['index']} elements of {size} bytes from the address"
        yield Fix(title, (Edit(finding.range, text),))


def test_first(finding: Finding, site: Site) -> Iterator[Fix]:
    """A predicate that is true where the register is not 0, as the guard."""
    guard = _NOT.match(site.text)
    symbol = site.located.surroundings.scope.lookup(site.marked)
    type_ = TYPES.get(symbol.type) if symbol is not None and symbol.kind is SymbolKind.REGISTER else None
    if guard is None or type_ is None:
        return
    name = _unused("%test", site)
    statement = f"@{guard[1]}{name}{site.text[site.end :]}"
    title = f"test first whether `{site.marked}` is not 0, in a block"
    types = (f".f{type_.bits}", f".b{type_.bits}") if type_.letter == "f" else (f".b{type_.bits}",)
    tests = (f"setp.ne{each} {name}, {site.marked}, {'0.0' if each[1] == 'f' else '0'};" for each in types)
    yield from _first_right(finding, site, (Temporary(name, ".pred", (test,), statement, title) for test in tests))


def _first_right(finding: Finding, site: Site, offered: Iterator[Temporary]) -> Iterator[Fix]:
    """The first of these that is right, as a fix of the whole statement."""
    for each in offered:
        located = with_symbols(site.located, [_symbol(each, finding)])
        texts = (*each.writes, each.statement)
        if not any(errors_in(text, located) for text in texts):
            block = f"{{ .reg {each.type} {each.name}; {' '.join(texts)} }}"
            yield Fix(each.title, (site.edit(0, len(site.text), block),))
            return


def _symbol(temporary: Temporary, finding: Finding) -> Symbol:
    return declared_as(temporary.name, temporary.type, finding)


def _guard(site: Site) -> str:
    found = _GUARD.match(site.text)
    return found[0].rstrip() + " " if found is not None else ""


def _unused(name: str, site: Site) -> str:
    """The name, or the name with a number, that the statement does not use itself."""
    names = chain((name,), (f"{name}_{number}" for number in count(1)))
    return next(each for each in names if each not in site.text)
