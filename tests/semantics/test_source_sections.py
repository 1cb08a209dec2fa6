"""`.nv_intermediate_source_section`, whose texts hold anything; ptxas is asked about every row."""

from tests.judgement.verdicts import our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

BEFORE = '.version 9.4\n.target sm_90\n.address_size 64\n.file 1 "a"\n.file 2 "b"\n'

SECTIONS = r"""
- | SECTION { }
- | SECTION {^.code_block {^.ir_name: "tile ir"^.sourceFileName: 1^.source_begin^x^.source_end^}^}^
- | SECTION {.code_block{.ir_name:^"" .sourceFileName: 0x2 .source_begin^ { "a /* ' ; .entry^ .source_end^}}
- | SECTION {BLOCK 2/**/.source_begin ^ .source_end x^	.source_end ^}}
- | SECTION {BLOCK 2 .source_begin^.source_begin^.source_end^}}^.entry k() { ret; }
- | SECTION {BLOCK 1 .source_begin^^^.source_end^} BLOCK 2 .source_begin^.source_end^}}
- | SECTION {BLOCK 1 .source_begin^.source_end^}} SECTION { }
debug-data "3" | SECTION {BLOCK 3 .source_begin^.source_end^}}
debug-data "3" | SECTION {BLOCK 3 .source_begin^.source_end^}} .file 3 "c"
constant-overflow "4294967296" | SECTION {BLOCK 4294967296 .source_begin^.source_end^}}
literal-required "-1" | SECTION {BLOCK -1 .source_begin^.source_end^}}
literal-required ""a"" | SECTION {BLOCK "a" .source_begin^.source_end^}}
expected-operand ".ir_name" | SECTION {.code_block{.ir_name : "" .sourceFileName: 1 .source_begin^.source_end^}}
expected-operand ".ir_name" | SECTION {.code_block{.ir_name "" .sourceFileName: 1 .source_begin^.source_end^}}
expected-operand ".sourceFileName" | SECTION {.code_block{.sourceFileName: 1 .ir_name: "" .source_begin^.source_end^}}
expected-operand "x" | SECTION {.code_block{.ir_name: x .sourceFileName: 1 .source_begin^.source_end^}}
expected-operand "," | SECTION {.code_block{.ir_name: "", .sourceFileName: 1 .source_begin^.source_end^}}
expected-operand ".source_begin" | SECTION {BLOCK 1 .source_begin x^.source_end^}}
expected-operand ".source" | SECTION {BLOCK 1 .source: "x" }}
expected-operand "1" | SECTION {BLOCK 1 }}
expected-operand "{" 2 | SECTION {.code_block { }}
unclosed-bracket "}" | SECTION {BLOCK 1 .source_begin^.source_end^}
unterminated-string ".source_begin" | SECTION {BLOCK 1 .source_begin^x .source_end^}}
unterminated-string ".source_begin" | SECTION {BLOCK 1 .source_begin^x^.source_end // y^}}
stray-token "foo" | SECTION { foo }
stray-token ".b8" | SECTION { .b8 1 }
"""
SECTIONS = SECTIONS.replace("SECTION", ".nv_intermediate_source_section")
SECTIONS = SECTIONS.replace("BLOCK", '.code_block{.ir_name: "" .sourceFileName:')


def test_source_sections() -> None:
    assert our_mistakes(SECTIONS, BEFORE) == []


@needs_assembler
def test_ptxas_agrees_on_source_sections() -> None:
    assert ptxas_mistakes(SECTIONS, BEFORE) == []
