"""`.metadata_section` and `trace.mark`, which the manual does not have; ptxas is asked about every row."""

from tests.judgement.verdicts import our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

HEADER = ".version 9.5\n.target sm_107f\n.address_size 64\n"
OLD_HEADER = ".version 9.4\n.target sm_107f\n.address_size 64\n"
OTHER_HEADER = ".version 9.5\n.target sm_90\n.address_size 64\n"
ARCHITECTURE = "compute_107f"

SECTIONS = r"""
- | .metadata_section { }
- | .metadata_section {^}
- | .metadata_section { .metadata_domain 1 }
- | .metadata_section { .metadata_domain 0x1U }
- | .metadata_section { .metadata 1 {"a", "b"} }
- | .metadata_section { .metadata_domain 1 .metadata 1 {"a", "b"} .metadata 0 {"", "b", "c"} }
- | .metadata_section { .metadata 4294967295 {"a", .u32 1, .pred 2, "b", .f32 0x7, .b8 WARP_SZ} }
- | .metadata_section {^.metadata^7^{^"a"^,^"b" // c^}^}^.global .b32 g;
- | .entry k() { ret; } .metadata_section { .metadata 1 {"a", "b"} }
directive-conflict ".metadata_section" 2 | .metadata_section { } .metadata_section { }
directive-conflict "0x1" | .metadata_section { .metadata 1 {"a", "b"} .metadata 0x1 {"c", "d"} }
directive-value "0" | .metadata_section { .metadata_domain 0 }
directive-value "2" | .metadata_section { .metadata_domain 2 }
constant-overflow "4294967296" | .metadata_section { .metadata 4294967296 {"a", "b"} }
constant-overflow "4294967296" | .metadata_section { .metadata 1 {"a", .u64 4294967296} }
missing-brace "1" | .metadata_section { .metadata 1 "a", "b" }
missing-brace "1" | .metadata_section { .metadata 1 }
unclosed-bracket "}" | .metadata_section { .metadata 1 {"a", "b"}
missing-comma ""c"" | .metadata_section { .metadata 1 {"a", "b" "c"} }
unclosed-bracket ".entry" | .metadata_section { .entry k() { ret; }
expected-operand "{" 2 | .metadata_section { .metadata 1 {} }
expected-operand "{"a"}" | .metadata_section { .metadata 1 {"a"} }
expected-operand ".u32" | .metadata_section { .metadata 1 {.u32 1, "a"} }
expected-operand "x" | .metadata_section { .metadata 1 {"a", x} }
expected-operand "1" 2 | .metadata_section { .metadata 1 {"a", 1} }
expected-operand ".foo" | .metadata_section { .metadata 1 {"a", .foo 1} }
extra-comma "," 2 | .metadata_section { .metadata 1 {"a", "b", } }
literal-required "-1" | .metadata_section { .metadata 1 {"a", .s32 -1} }
literal-required "1.0" | .metadata_section { .metadata 1 {"a", .f32 1.0} }
literal-required "1+1" | .metadata_section { .metadata 1+1 {"a", "b"} }
literal-required "x" | .metadata_section { .metadata_domain x }
expected-operand ".metadata" | .metadata_section { .metadata {"a", "b"} }
stray-token "1" | .metadata_section { 1 }
stray-token ".b8" | .metadata_section { .b8 1 }
stray-token ".metadata_domain" | .metadata_section { .metadata 1 {"a", "b"} .metadata_domain 1 }
stray-token ".metadata_domain" 2 | .metadata_section { .metadata_domain 1 .metadata_domain 1 }
stray-token "," | .metadata_section { .metadata_domain 1, .metadata 2 {"a", "b"} }
misplaced-directive ".metadata_section" | .entry k() { .metadata_section { } ret; }
"""

MARKS = """
- | trace.mark 0;
- | trace.mark 4095;
- | trace.mark 1 == 1;
- | trace.mark WARP_SZ;
- | .reg .pred p; @p trace.mark 3;
immediate-range "4096" | trace.mark 4096;
immediate-range "-1" | trace.mark -1;
operand-count "trace.mark" | trace.mark;
operand-count "2" | trace.mark 1, 2;
operand-type "r" 2 | .reg .b32 r; trace.mark r;
immediate-type "1.0" | trace.mark 1.0;
unknown-modifier ".u32" | trace.mark.u32 3;
"""


def test_metadata_sections() -> None:
    assert our_mistakes(SECTIONS, HEADER) == []


@needs_assembler
def test_ptxas_agrees_on_metadata_sections() -> None:
    assert ptxas_mistakes(SECTIONS, HEADER, arch=ARCHITECTURE) == []


def test_trace_marks() -> None:
    assert our_mistakes(MARKS, HEADER + ".entry k() {\n", "\nret; }\n") == []


@needs_assembler
def test_ptxas_agrees_on_trace_marks() -> None:
    assert ptxas_mistakes(MARKS, HEADER + ".entry k() {\n", "\nret; }\n", ARCHITECTURE) == []


OLD = """
requires-version ".metadata_domain" | .metadata_section { .metadata_domain 1 }
requires-version "trace.mark" | .entry k() { trace.mark 3; ret; }
"""
OTHER = """
requires-target ".metadata_domain" | .metadata_section { .metadata_domain 1 }
requires-target "trace.mark" | .entry k() { trace.mark 3; ret; }
"""


def test_first_version_and_target() -> None:
    assert our_mistakes(OLD, OLD_HEADER) == []
    assert our_mistakes(OTHER, OTHER_HEADER) == []


@needs_assembler
def test_ptxas_agrees_on_first_version_and_target() -> None:
    assert ptxas_mistakes(OLD, OLD_HEADER, arch=ARCHITECTURE) == []
    assert ptxas_mistakes(OTHER, OTHER_HEADER) == []
