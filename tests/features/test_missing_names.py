"""Statements in which a name is missing or empty: they are reported, and every request about them has an answer."""

import pytest

from ptx_lsp.features.document_symbol import document_symbols
from ptx_lsp.features.hover import hover
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.findings.finding import Severity
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
USES = "\tadd.s32 %r1, %r2, r3; mov.b32 %r77, foo;\n"
KERNEL = ".entry k()\n{\n\t.reg .b32 %r<4>;\n"
STATEMENTS = (
    *(".reg .b32 <4>;", ".reg .b32 , a;", '.reg .b32 "";', ".reg .b32 $;", ".reg .b32 é;", ".param .b32 , .b32;"),
    *(".global .b32 [4];", ".global .b32 = 1;", ".shared .b8 <3>[4];"),
    *(".func (.param .b32 ) f() { ret; }", ".func () { ret; }", '.entry "" () { ret; }'),
    *(": ret;", ".alias , f;", ".alias f, ;", "call ;", "call (), , ();", "x: .branchtargets , ;"),
    *("mov.b32 %, $;", 'mov.b32 "", "";', "ld.global.b32 , [];", "@ bra ;", 'bra "";'),
)


@pytest.mark.parametrize("inside", [False, True], ids=["module", "body"])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_without_a_name_is_reported_and_breaks_no_request(statement: str, inside: bool) -> None:
    body = KERNEL + (statement + "\n" if inside else "") + USES + "\tret;\n}\n"
    module = analysed(HEAD + ("" if inside else statement + "\n") + body)
    line = 6 if inside else 3
    found = module.findings()
    assert line in {f.range.line for f in found if f.severity is Severity.ERROR}
    for finding in found:
        fixes(finding, module)
    for column in range(len(module.document.line(line)) + 1):
        hover(module, Position(line, column))
    hover(module, Position(7 if inside else 8, 10))
    inlay_hints(module, Range(0, 0, module.document.line_count, 0))
    document_symbols(module)
