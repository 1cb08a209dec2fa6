"""Loads and stores of `.param` variables: whether they stay within the variable.

Observed: ptxas 12.9 and 13.5 print an information if a type is too wide for a scalar ("Potential out of bound access"),
12.4 prints nothing, and none of them reports an offset beyond the variable.
"""

from __future__ import annotations

from ptx_lsp.isa.opcode_sets import LOAD, PARAMETER_ACCESSES
from ptx_lsp.isa.types import TYPES
from ptx_lsp.light_classes import TYPE_CHECKING, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.semantics.memory import size_of
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol
from ptx_lsp.syntax.plain_text import NAME_TEXT

if TYPE_CHECKING:
    from ptx_lsp.semantics.operands import Reading
    from ptx_lsp.syntax.tree import Expression, Instruction

CODE = "parameter-bounds"
ADDRESS = "[.param."  # the beginning of the kind of such an address
_VECTOR = lazy_pattern(r"\.v([248])(?![\w:])", re.A)
_PLAIN = lazy_pattern(rf"\s*\[\s*({NAME_TEXT})\s*(?:\+\s*(-?[0-9]+)\s*)?\]\s*", re.A)


@forgettable
@lru_cache(maxsize=512)
def bytes_accessed(opcode: str) -> int:
    """How many bytes a load or store reads or writes, by its opcode text (`ld.param.v2.b32`); 0 if it has no type."""
    words = ["." + word for word in opcode.split(".")[1:]]
    bits = next((TYPES[word].bits for word in reversed(words) if word in TYPES), 0)
    vector = _VECTOR.search(opcode)
    return bits // 8 * (int(vector[1]) if vector else 1)


def accesses_parameter(opcode: str, kinds: tuple[str, ...]) -> bool:
    """Whether a statement of this key loads or stores a `.param` variable."""
    return opcode.partition(".")[0] in PARAMETER_ACCESSES and any(kind.startswith(ADDRESS) for kind in kinds)


def is_within(opcode: str, symbol: Symbol, offset: int) -> bool:
    """Whether an access at an offset in bytes stays within a variable, or the size of the variable is unknown."""
    return _fits(size_of(symbol), opcode, offset)


def _fits(size: int, opcode: str, offset: int) -> bool:
    return not size or 0 <= offset <= size - bytes_accessed(opcode)


def is_plainly_within(opcode: str, address: str, scope: Scope) -> bool:
    """Whether the text of an address, such as `[name+4]`, is an access within the variable; False for other forms."""
    match = _PLAIN.fullmatch(address)
    symbol = scope.lookup(match[1]) if match is not None else None
    return match is not None and symbol is not None and is_within(opcode, symbol, int(match[2] or 0))


def are_within(opcode: str, operands: str, scope: Scope, sizes: dict[str, int]) -> bool:
    """Whether the access of these operands, with one address, is within the variable; False for other forms.

    `sizes` has the sizes in bytes of variables of the scope by name, 0 for unknown ones; that of the variable is added.
    """
    address = operands.partition("[")[2].partition("]")[0]
    name, _, offset = address.partition("+")
    if not offset.isdecimal():
        return is_plainly_within(opcode, f"[{address}]", scope)
    if name not in sizes:
        symbol = scope.lookup(name)
        if symbol is None:
            return False
        sizes[name] = size_of(symbol)
    return _fits(sizes[name], opcode, int(offset))


def check_parameter_access(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Warn of a load or store that goes beyond a `.param` variable."""
    from ptx_lsp.syntax.tree import Value  # here and below: recognisers do not need it

    path = next(((i, 0) for i, kind in enumerate(reading.kinds) if kind.startswith(ADDRESS)), (0, 0))
    node, symbol = reading.nodes.get(path), reading.symbols.get(path)
    offset = _offset(node.expression) if isinstance(node, Value) else None
    if symbol is None or offset is None or node is None or is_within(instruction.text, symbol, offset):
        return
    verb = "reads" if instruction.opcode.text == LOAD else "writes"
    size, wide = size_of(symbol), bytes_accessed(instruction.text)
    message = (
        f"`{instruction.text}` {verb} {_bytes(wide)} at offset {offset} of `{symbol.name}`, which has {_bytes(size)}"
    )
    related = ((symbol.mark, f"`{symbol.name}` is declared here"),)
    surroundings.report(CODE, node.start, node.end, message, related=related)


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


def _offset(expression: Expression) -> int | None:
    """The offset in bytes that an address adds to a name; None if the address has another form."""
    from ptx_lsp.constants.evaluation import evaluate
    from ptx_lsp.semantics.operands import terms_from
    from ptx_lsp.syntax.tree import Expression, TermKind

    root, terms = expression.root, expression.terms
    if root.kind is TermKind.NAME:
        return 0
    if root.kind is not TermKind.BINARY or root.operands != (0, len(terms) - 2) or root.text != "+":
        return None
    value = evaluate(Expression(terms_from(terms, 1), terms[1].start, expression.end)).value
    return value.integer if value is not None and not value.is_float else None
