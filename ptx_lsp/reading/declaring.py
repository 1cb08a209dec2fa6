"""Declarations, headers, lists and directives that the parser reads: each is checked, and declares its names."""

from ptx_lsp.isa.directive_names import ENTRY, FILE, HEADER, PROTOTYPE
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.call_sequences import note_unknown_results
from ptx_lsp.reading.places import cut_off, may_be_outside, resume
from ptx_lsp.reading.state import EXCUSED
from ptx_lsp.reading.undeclared import functions_meant, meant_names, named_by_unknown, variables_meant
from ptx_lsp.semantics import declarations, directives, functions, structure
from ptx_lsp.semantics.debug import section_word
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.plain_text import RESERVED
from ptx_lsp.syntax.tree import Broken, Declaration, Directive, FunctionHeader, Label, NameList, Section, Statement


def apply_declaration(reader: BlockReader, statement: Declaration) -> None:
    _require_header(reader, statement)
    surroundings = reader.surroundings()
    symbols = declarations.declare(statement, surroundings)
    is_named = statement.declarators or reader.part is not None
    reader.declare(symbols if is_named else meant_names(statement, reader.scopes[0], reader.source))
    reader.report_undeclared(surroundings)


def _require_header(reader: BlockReader, statement: Statement) -> None:
    """Report what is missing above a statement, unless the statement itself is in a wrong place."""
    if reader.body is not None or may_be_outside(statement):
        reader.require_header(statement)


def apply_directive(reader: BlockReader, statement: Directive) -> None:
    name = statement.name.text
    if name in HEADER:
        seen = tuple(reader.header)
        if reader.lost or EXCUSED in seen:
            seen = structure.header_without_reported(name, seen, excused=EXCUSED in seen)
        reader.set_profile(structure.header_directive(statement, reader.profile, seen, reader.surroundings()))
        if reader.header.count(name) < 2:  # only the second one matters, and every block keeps the header
            reader.header.append(name)
        return
    _require_header(reader, statement)
    is_inside = name == FILE and reader.body is not None and len(statement.arguments) > 1
    if is_inside:
        cut_off(reader, statement.start, statement.name.end)
    surroundings, reported = reader.surroundings(), len(reader.reports)
    reader.declare(directives.directive(statement, surroundings))
    if is_inside:
        del reader.reports[reported:]  # that it is inside of a function is all that is reported
    if reader.body is None and name not in SHAPES:
        reader.declare(named_by_unknown(statement, reader.scopes[0], reader.source))
    reader.report_undeclared(surroundings)


def apply_list(reader: BlockReader, statement: NameList | Section) -> None:
    _require_header(reader, statement)
    if isinstance(statement, Section) and reader.body is not None and statement.name.text[0] != "@":
        # sections follow the last function: its brace is missing
        cut_off(reader, statement.start, min(statement.start + len(section_word(statement)), statement.end))
    surroundings = reader.surroundings()
    reader.declare(directives.directive(statement, surroundings))
    reader.report_undeclared(surroundings)


def apply_header(reader: BlockReader, statement: FunctionHeader, broken: bool = False) -> None:
    reader.require_header(statement)
    prototype, is_outside = statement.kind.text == PROTOTYPE, reader.body is None
    if reader.body is not None and (statement.body or statement.kind.text == ENTRY):
        cut_off(reader, statement.start, statement.kind.end)
        reader.nested, reader.outer_names = True, (reader.closed_names, reader.make_closed_names)
        reader.stray_reported = False
    if broken and reader.only_reports:
        symbol = Symbol("", SymbolKind.FUNCTION, reader.source.mark(statement.start, statement.end))
        parameters: tuple[Symbol, ...] = ()
    else:
        symbol, parameters = functions.header(statement, reader.surroundings(), broken)
    if symbol.name:
        reader.declare((symbol,))
    if broken and not prototype:
        reader.declare(functions_meant(statement, reader.scopes[0], reader.source))
    if statement.body:
        brace = statement.end - 1
        reader.begin_body(symbol, parameters, brace, missing=broken and not reader.source.text.startswith("{", brace))
    if is_outside and not prototype:
        reader.closed, reader.nested, reader.stray_reported = None, False, False


def apply_broken(reader: BlockReader, statement: Broken) -> None:
    if reader.body is not None:
        if reader.part is not None and CALL in reader.source.text[statement.start : statement.end]:
            place = reader.source.mark(statement.start, statement.end)
            note_unknown_results(reader.part, reader.scopes[-1], place)
        return
    if reader.source.text[statement.start] == ";":
        return  # the function above may continue: `};` is written as in C
    reader.declare(functions_meant(statement, reader.scopes[0], reader.source))
    reader.declare(variables_meant(statement, reader.scopes[0], reader.source))
    reader.closed, reader.nested, reader.stray_reported = None, False, True


def apply_label(reader: BlockReader, statement: Label) -> None:
    """Declare a label in the innermost scope."""
    if reader.part is None and not resume(reader, statement):
        return
    assert reader.part is not None
    name = statement.name
    if name.text in RESERVED:
        reader.surroundings().report(
            "reserved-name", name.start, name.end, f"`{name.text}` cannot be the name of a label"
        )
    line = reader.source.line_at(name.start)
    reader.declare_labels((NamePlace(name.text, line, name.start - reader.source.starts[line]),), reader.part)
