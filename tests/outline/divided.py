"""Texts that are divided into pieces."""

from ptx_lsp.outline.nesting import Construct, Constructs

PIECES = (
    *("{", "}", ";", ":", "(", ")", '"', "/*", "*/", "//", "\n", "\n", "\r", "\r\n", "\f", ",", "=", "\t", "ü𝄞", "\0"),
    *(".entry k(", ".func f()\n{\n", ".section .debug_str {", "x:", "@%p1 ", ".shared .b32 s[4] = {", '.file 1 "a"'),
    *("// begin inline asm\n", "// end inline asm\n", ".loc 1 2 3\n", ".loc 1 2 3", "::", "mov.b64 {%r1, %r2}, %rd1;"),
    *(
        ".visible ",
        "add.s32 %r1,",
        "{%r1,\n %r2}",
        "// x\n",
        "/* a\n b */",
        ".reg .b32 %r<3>;",
        ".section",
        " .debug_info",
    ),
    *(".global .b8 x[3] = {1,\n2\n};", "\n}\n", ".param .b32 p"),
    *(".nv_intermediate_source_section {", ".code_block {", ".source_begin\n", "\n.source_end\n"),
)

DIVIDED = {  # each text is divided above the lines with `|`
    "directive after a comment": "/*\n|*/.entry f()\n{\n}\n",
    "list after a comment": '""/*\n|*/{\n\n',
    "comment in a declaration": ".shared/*}\n|*/ .b8 x[2];\n",
    "comment in a header": ".entry/*{\n|*/ f() { ret; }\n",
    "comment in a list": "={/*}\n|*/}",
    "header above an unfinished declaration": ".entry f()\n{ .global\n|.b8 x; }\n",
    "list above an unfinished list": "({\n}.shared{\n|{/",
    "declaration without a name above a header": ".visible\n{;.func\n|:",
    "name of a section on the next line": ".section\n|.debug_str {\n}\n",
    "nested list": "r{{\n|}}",
    "brace in a `.loc`": "\n|.loc 1 2 3 {\n}\n",
    "text of another language": ".code_block {\n.source_begin\n{ .entry k()\n|{ /*\n.source_end\n}\n.entry f()\n{\n}\n",
    "begin of a text of another language": "\n.source_begin\n|.entry k()\n{\n  .source_end \n.entry f()\n{\n}\n",
    "section after a comment": "/*\n|*/.section\n.source_begin\n|\n",
    "statement after a `.loc`": "\n|.loc 1 2 3; .func f\n()\n",
}


def as_rows(found: Constructs) -> list[object]:
    """The constructs as values that can be compared."""
    return [*map(_row, found.outline), "", *map(_row, found.braced), *found[2:]]


def _row(construct: Construct) -> tuple[object, ...]:
    parts = construct.kind, construct.name, construct.range, construct.name_range, construct.detail, construct.closed
    return (*parts, construct.open_line, construct.opening, [_row(child) for child in construct.children])
