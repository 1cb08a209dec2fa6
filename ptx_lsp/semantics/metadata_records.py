"""The records of a `.metadata_section`, which the manual does not have (observed: ptxas 13.5)."""

from ptx_lsp.isa.directive_names import METADATA_DOMAIN, METADATA_SECTION
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Word

_DOMAIN = 1  # the only one


def check_metadata_section(section: Section, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Check the only section of this kind in a module; return the symbol under which the module remembers it."""
    name = section.name
    mark = surroundings.mark(name.start, name.end)
    before = surroundings.scope.own(METADATA_SECTION)
    if before is not None:
        message = f"a module has one `{METADATA_SECTION}`"
        related = ((before.mark, "the first one is here"),)
        surroundings.report("directive-conflict", name.start, name.end, message, related=related)
        return ()
    numbers: dict[int, Expression | Word] = {}
    for record in section.data:
        if record.name.text == METADATA_DOMAIN:
            _check_domain(record, surroundings)
        elif record.items:
            _check_record(record, numbers, surroundings)
    return (Symbol(METADATA_SECTION, SymbolKind.TARGETS, mark, type=METADATA_SECTION),)


def _check_domain(record: SectionData, surroundings: Surroundings) -> None:
    name = record.name
    require(METADATA_DOMAIN, name.start, name.end, surroundings)
    for number in record.items:
        if literal(number, "a domain of metadata", surroundings) not in (None, _DOMAIN):
            message = f"the only domain of metadata is {_DOMAIN}"
            surroundings.report("directive-value", number.start, number.end, message)


def _check_record(record: SectionData, numbers: dict[int, Expression | Word], surroundings: Surroundings) -> None:
    """Check a record. `numbers` has those of the records before it, and gets its own."""
    index = record.items[0]
    number = literal(index, "the number of a record", surroundings)
    if number is not None:
        first = numbers.setdefault(number, index)
        if first is not index:
            message = f"there is a record with the number {number} already"
            related = ((surroundings.mark(first.start, first.end), "the first one is here"),)
            surroundings.report("directive-conflict", index.start, index.end, message, related=related)
    for value in record.items[1:]:
        if isinstance(value, Expression):
            literal(value, "a number in a record", surroundings)
