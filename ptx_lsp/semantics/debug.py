"""Debug information: `.file`, `.loc`, and the data of `.section` (observed: ptxas 13.5)."""

from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.isa.directive_names import METADATA_SECTION, OLD_SECTION_DATA, SECTION, SECTION_DATA, SOURCE_SECTION
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.versions import Version
from ptx_lsp.semantics.debug_symbols import debug_information, file_name, file_symbol
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.syntax.tree import Directive, Expression, Section, SectionData, TermKind, Word

_ADDRESSES = (".b32", ".b64")
_CHECKED_BITS = 32  # wider data are not checked for size
_COMPARED = 1 << 32  # the size of `.b8` and `.b16` is compared with the low 32 bits (observed: ptxas 13.5)
_NO_DWARF = Version(2, 0)
_READS_POSITIONS = Version(4, 0)  # older modules have source positions only with `debug` in `.target`


def check_file(statement: Directive, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Check `.file 1 "a.cu", time, size`, whose number is declared once; return the number as a module symbol."""
    if not statement.arguments:
        return ()
    for what, argument in zip(("time stamp", "size"), statement.arguments[2:], strict=False):
        literal(argument, f"the {what} of a file", surroundings, bits=64)
    if len(statement.arguments) > 2:
        require("a time stamp in `.file`", statement.start, statement.end, surroundings)
    first = statement.arguments[0]
    index = literal(first, "the number of a file", surroundings)
    if index is None:
        return ()
    before = surroundings.scope.own(file_name(index))
    if before is not None:
        message = f"file number {index} is given already"
        related = ((before.mark, "the first one is here"),)
        surroundings.report("duplicate-file", first.start, first.end, message, related=related)
    return (file_symbol(index, surroundings.mark(first.start, first.end)),)


def check_loc(statement: Directive, surroundings: Surroundings) -> None:
    """Check `.loc file line column`, and after it the place that the code was inlined at."""
    if statement.name.text == ".loc_intermediate":
        require(".loc_intermediate", statement.name.start, statement.name.end, surroundings)
    numbers = [a for a in statement.arguments if isinstance(a, Expression) and a.root.kind is not TermKind.NAME]
    for number in numbers:
        if len(number.terms) == 1 and number.root.kind is TermKind.INTEGER and len(number.root.text) > 9:
            literal(number, "a number of a source position", surroundings)
    profile = surroundings.profile
    if len(statement.arguments) > 3 and (profile.version >= _READS_POSITIONS or profile.debug is not None):
        require("a `.loc` with `inlined_at`", statement.start, statement.end, surroundings)


def check_section(section: Section, surroundings: Surroundings) -> tuple[Symbol, ...]:
    """Check the data of a section; return the symbol that records that the module has debug information."""
    if section.name.text.upper() == "@@DWARF":
        _check_dwarf(section, surroundings)
    elif section.name.text == SOURCE_SECTION:
        require(SOURCE_SECTION, section.name.start, section.name.end, surroundings)
        _check_source_files(section, surroundings)
        return ()
    elif section.name.text == METADATA_SECTION:
        from ptx_lsp.semantics.metadata_records import check_metadata_section  # almost no module has one

        return check_metadata_section(section, surroundings)
    else:
        require(SECTION, section.start, section.start + len(SECTION), surroundings)
        _check_labels(section, surroundings)
        for line in section.data:
            if line.items:
                _check_line(line, surroundings)
    return debug_information(surroundings.mark(section.start, section.start + 1))


def _check_source_files(section: Section, surroundings: Surroundings) -> None:
    """Check that a `.file` above declares the number of the file of each block."""
    for block in section.data:
        for number in block.items:
            index = literal(number, "the number of a source file", surroundings)
            if index is not None and surroundings.scope.own(file_name(index)) is None:
                message = f"no `.file` above has the number {index}"
                surroundings.report("debug-data", number.start, number.end, message)


def section_word(section: Section) -> str:
    """The word that a section begins with; it is the name of a section with a directive of its own."""
    name = section.name
    if name.text[0] == "@":
        return "@@DWARF"
    return name.text if name.start == section.start else SECTION


def _check_dwarf(section: Section, surroundings: Surroundings) -> None:
    if surroundings.profile.version >= _NO_DWARF:
        message = "`@@DWARF` lines were removed in PTX 2.0: write debug information in a `.section`"
        surroundings.report("removed-directive", section.name.start, section.name.end, message)


def _check_labels(section: Section, surroundings: Surroundings) -> None:
    seen: dict[str, Word] = {}
    for line in section.data:
        name = line.name
        if name.text.startswith("."):
            continue
        require("a label inside a `.section`", name.start, name.end, surroundings)
        first = seen.setdefault(name.text, name)
        if first is not name:
            related = ((surroundings.mark(first.start, first.end), f"`{name.text}` is defined here first"),)
            message = f"`{name.text}` is already defined in this section"
            surroundings.report("duplicate-label", name.start, name.end, message, related=related)


def _check_line(line: SectionData, surroundings: Surroundings) -> None:
    name = line.name
    if name.text not in SECTION_DATA:
        message = f"`{name.text}` is not a type of section data: write `.b8`, `.b16`, `.b32` and `.b64`"
        surroundings.report("debug-data", name.start, name.end, message)
        return
    bits = TYPES[OLD_SECTION_DATA.get(name.text, name.text)].bits
    for item in line.items:
        if isinstance(item, Word):
            continue
        term = item.terms[0]
        if term.text == WARP_SIZE:
            surroundings.report("literal-required", item.start, item.end, "a datum of a section is a literal number")
        elif len(item.terms) == 1 and term.kind is TermKind.INTEGER:
            if not (term.text.isdecimal() and len(term.text) < 3):
                _check_number(item, bits, name.text, surroundings, single=len(line.items) == 1)
        elif term.kind is TermKind.NAME:
            _check_address(item, name.text, surroundings)
        else:
            _check_number(item, bits, name.text, surroundings, single=len(line.items) == 1)


def _check_number(item: Expression, bits: int, name: str, surroundings: Surroundings, *, single: bool) -> None:
    value = evaluate(item).value
    if value is None:
        if not any(term.kind is TermKind.MALFORMED for term in item.terms):
            surroundings.report("constant-overflow", item.start, item.end, "a datum must fit 64 bits")
        return
    number = value.integer
    if len(item.terms) > 1:  # a sign and its number
        if not require("a negative number in a `.section`", item.start, item.end, surroundings):
            return
        if item.terms[0].text.endswith("U"):
            message = f"a negative number in a `.section` takes no `U`: write `-{item.terms[0].text[:-1]}`"
            surroundings.report("debug-data", item.start, item.end, message)
            return
        magnitude = evaluate(Expression(item.terms[:1], item.start, item.end)).value
        number = -magnitude.bits if magnitude is not None else number
        if not number and single and bits <= _CHECKED_BITS:
            surroundings.report("debug-data", item.start, item.end, "a zero in a `.section` takes no sign")
            return
    if number <= -(1 << 63):
        surroundings.report("constant-overflow", item.start, item.end, "a datum must fit 64 bits")
        return
    above = bits < _CHECKED_BITS and number >= 0 and number % _COMPARED >= 1 << bits
    below = number < -(1 << (bits - 1)) and bits <= _CHECKED_BITS
    if above or below:
        surroundings.report("debug-data", item.start, item.end, f"{number} does not fit `{name}`")


def _check_address(item: Expression, name: str, surroundings: Surroundings) -> None:
    if OLD_SECTION_DATA.get(name, name) not in _ADDRESSES:
        message = f"a label or section needs `.b32` or `.b64`, `{name}` is too narrow"
        surroundings.report("debug-data", item.start, item.end, message)
    elif item.root.kind is TermKind.BINARY:
        difference = item.root.text == "-"
        feature = "a difference of labels in a `.section`" if difference else "a label with an addend in a `.section`"
        require(feature, item.start, item.end, surroundings)
