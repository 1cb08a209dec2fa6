"""Fixes for vectors: another number of elements, and an access that is made in two parts."""

import re
from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix
from ptx_lsp.fixes.opcodes import modifiers_of
from ptx_lsp.fixes.verification import Site, errors_in, fits
from ptx_lsp.isa.opcode_sets import VECTOR_ACCESSES
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.symbols import DIGITS
from ptx_lsp.syntax.tree import Instruction, Word

MOST_BYTES = 16
"""The bytes of the largest access that every target has."""

COUNTS = (2, 4, 8)
"""The numbers of elements of vectors in memory."""

MOST_DIGITS = 9
"""Numbers of registers are shorter."""

_COUNT = re.compile(r"\.(?:[vx][0-9]+|[1-5]d)")
_ADDRESS = re.compile(r"\[\s*(?P<base>[%$\w]+)\s*(?:\+\s*(?P<offset>[0-9]+)\s*)?\]")
_ELEMENTS = re.compile(r"\{(?P<elements>[^{}]*)\}")
_SIZE = re.compile(r"\.v([0-9]+)")


def other_size(finding: Finding, site: Site) -> Iterator[Fix]:
    """`.v2` for `.v4`, `.x4` for `.x2`, `.1d` for `.2d`: the size with which the vector is right."""
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction):
        return
    for word in statement.modifiers:
        for other in _sizes_like(word.text, statement.opcode.text):
            if fits(site, word.start - first, word.end - first, other):
                edit = site.edit(word.start - first, word.end - first, other)
                yield Fix(f"write `{other}` for `{word.text}`, for the number of elements that are written", (edit,))


def following_registers(finding: Finding, site: Site) -> Iterator[Fix]:
    """`{%f1, %f2, %f3, %f4}` for `%f1`, where a vector is wanted and the registers after the named one are declared."""
    stem = site.marked.rstrip(DIGITS)
    digits = site.marked[len(stem) :]
    if not stem.startswith("%") or not digits or len(digits) > MOST_DIGITS:
        return
    for count in COUNTS:
        names = [f"{stem}{int(digits) + number}" for number in range(count)]
        text = f"{{{', '.join(names)}}}"
        if not errors_in(site.changed(site.start, site.end, text), site.located):
            yield Fix(f"write `{text}`, the registers from `{site.marked}` on", (Edit(finding.range, text),))
            return


def _sizes_like(word: str, opcode: str) -> list[str]:
    if _COUNT.fullmatch(word) is None:
        return []
    alike = (other for other in modifiers_of(opcode) if _COUNT.fullmatch(other) is not None)
    return [other for other in alike if other != word and (other[1] == word[1] or other[-1] == word[-1] == "d")]


def split_access(finding: Finding, site: Site) -> Iterator[Fix]:
    """Several accesses of sizes that the target has: `.v2` and a scalar for `.v3`, twice `.v4` for `.v8`."""
    statement, first = site.located.statement, site.located.statement.start
    if not isinstance(statement, Instruction) or statement.opcode.text not in VECTOR_ACCESSES:
        return
    size = next((word for word in statement.modifiers if _SIZE.fullmatch(word.text)), None)
    vector, address = _ELEMENTS.search(site.text), _ADDRESS.search(site.text)
    types = [TYPES[word.text] for word in statement.modifiers if word.text in TYPES]
    if size is None or vector is None or address is None or not types:
        return
    elements = [text.strip() for text in vector["elements"].split(",")]
    if address["base"] in elements or str(len(elements)) != size.text[2:]:
        return  # the first load would change the address of the second one
    texts = []
    for start, count in _parts(len(elements), types[-1].bits // 8):
        offset = int(address["offset"] or 0) + start * types[-1].bits // 8
        texts.append(_access(site, size, elements[start : start + count], address["base"], offset, first))
    text = " ".join(texts)
    if not errors_in(text, site.located):
        title = f"write `{text}`: {len(texts)} accesses"
        yield Fix(title, (site.edit(0, len(site.text), text),))


def _parts(count: int, width: int) -> Iterator[tuple[int, int]]:
    """The first element and the number of elements of each access of at most 16 bytes; the largest come first."""
    start = 0
    while start < count:
        part = next(n for n in (4, 2, 1) if n <= count - start and (n * width <= MOST_BYTES or n == 1))
        yield start, part
        start += part


def _access(site: Site, size: Word, elements: list[str], base: str, offset: int, first: int) -> str:
    """One access to some elements, with the opcode, guard and modifiers of the statement."""
    word = f".v{len(elements)}" if len(elements) > 1 else ""
    text = site.changed(size.start - first, size.end - first, word)
    operand = f"{{{', '.join(elements)}}}" if len(elements) > 1 else elements[0]
    text = _ELEMENTS.sub(lambda _: operand, text, count=1)
    address = f"[{base}+{offset}]" if offset else f"[{base}]"
    return _ADDRESS.sub(lambda _: address, text, count=1)
