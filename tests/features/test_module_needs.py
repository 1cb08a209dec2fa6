"""The needs of a module, and reports above the configured maximum version; ptxas is the reference for both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Checks, Module
from ptx_lsp.features.module_needs import ModuleNeeds, needs_of, targets_text
from ptx_lsp.findings.finding import Finding
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS, satisfies
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.random_edits import Sizes, chunk_sizes
from tests.oracle.assembler import Assembler, needs_assembler

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ptx"))
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .b16 %h<9>; .reg .pred %p<9>;"


def kernel(statements: str, version: str = "9.4", target: str = "sm_90a", above: str = "") -> str:
    """A kernel with these statements, all below line 8; without `.address_size`, which needs 2.3."""
    return f".version {version}\n.target {target}\n{above}\n.entry k()\n{{\n{REGISTERS}\n\n{statements}\nret;\n}}\n"


def needs(text: str) -> ModuleNeeds:
    return needs_of(analysed(text))


# statements, and the version and target that introduced them according to the manual
BODIES = {
    "add.s32 %r1, %r2, %r3;": ("1.0", "sm_10"),
    "mov.u32 %r1, %laneid;": ("1.3", "sm_10"),
    "fma.rn.f32 %f1, %f2, %f3, %f4;": ("2.0", "sm_20"),
    "mov.u64 %rd1, %clock64;": ("2.0", "sm_20"),
    "popc.b32 %r1, %r2;": ("2.0", "sm_20"),
    "mov.u64 %rd1, %globaltimer;": ("3.1", "sm_30"),
    "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;": ("5.1", "sm_30"),
    "atom.add.f64 %fd1, [%rd1], %fd2;": ("5.0", "sm_60"),
    "redux.sync.add.s32 %r1, %r2, -1;": ("7.0", "sm_80"),
    "cp.async.ca.shared.global [%r1], [%rd1], 16;": ("7.0", "sm_80"),
    "fma.rn.bf16x2 %r1, %r2, %r3, %r4;": ("7.0", "sm_80"),
    "mov.u32 %r1, %cluster_ctarank;": ("7.8", "sm_90"),
    "elect.sync %r1|%p1, -1;": ("8.0", "sm_90"),
    "wgmma.fence.sync.aligned;": ("8.0", "sm_90a"),
    ".reg .b128 %q;": ("8.3", "sm_70"),
    'bra L;\nL:\n.pragma "enable_smem_spilling";': ("8.7", "sm_75"),
}


@pytest.mark.parametrize("statements", BODIES)
def test_the_lowest_version_and_target(statements: str) -> None:
    found = needs(kernel(statements))
    version, target = BODIES[statements]
    assert (str(found.version), str(min(found.firsts))) == (version, target)
    assert found.targets


def test_the_strictest_of_all_statements_decides() -> None:
    found = needs(kernel("redux.sync.add.s32 %r1, %r2, -1;\nadd.s32 %r1, %r2, %r3;\nmov.u32 %r2, %cluster_ctarank;"))
    assert (str(found.version), [str(t) for t in found.targets]) == ("7.8", ["sm_90"])
    assert [(c.name, c.range) for c in found.version_causes] == [("`%cluster_ctarank`", (9, 13, 9, 29))]
    assert [c.name for c in found.target_causes] == ["`%cluster_ctarank`"]


def test_every_cause_is_named() -> None:
    found = needs(kernel("elect.sync %r1|%p1, -1;\nadd.s32 %r1, %r2, %r3;\nelect.sync %r1|%p1, -1;"))
    assert [c.range.line for c in found.version_causes] == [7, 9]
    assert [c.range.line for c in found.target_causes] == [7, 9]


def test_the_modifier_that_causes_a_need_is_named() -> None:
    found = needs(kernel("ld.global.L2::64B.b32 %r1, [%rd1];\nld.global.b32 %r1, [%rd1];"))
    assert [(c.name, c.range.line) for c in found.target_causes] == [("`.L2::64B` of `ld.global.L2::64B.b32`", 7)]


def test_a_module_that_no_target_supports() -> None:
    found = needs(kernel("wgmma.fence.sync.aligned;\ntcgen05.wait::ld.sync.aligned;", target="sm_100a"))
    assert (found.version, found.targets, found.firsts) == (None, (), {})
    assert {t for refusal in found.refusals for t in refusal.targets} == set(TARGETS)
    lacking = {str(t): [c.range.line for c in r.causes] for r in found.refusals for t in r.targets}
    assert lacking["sm_90a"] == [8]
    assert lacking["sm_100a"] == [7]
    assert lacking["sm_80"] == [7, 8]


def test_each_target_accepts_from_some_version_on_or_refuses_for_some_reason() -> None:
    found = needs(kernel("redux.sync.add.s32 %r1, %r2, -1;"))
    refused = {t for refusal in found.refusals for t in refusal.targets}
    assert refused.isdisjoint(found.firsts)
    assert refused | set(found.firsts) == set(TARGETS)
    assert all(satisfies(t, Target(80)) for t in found.firsts)
    assert all(refusal.causes for refusal in found.refusals)
    assert found.firsts[Target(100)] == Version(8, 6), "sm_100 itself came with 8.6"


def test_a_limit_that_a_newer_version_raised() -> None:
    text = ".version 9.4\n.target sm_90\n.entry k(.param .b8 p[300]) { ret; }\n"
    found = needs(text)
    assert found.version == Version(2, 0), "256 bytes of parameters are the most before"
    assert [c.range.line for c in found.version_causes] == [2]


def test_a_module_below_its_own_needs() -> None:
    found = needs(kernel("elect.sync %r1|%p1, -1;", "7.0", "sm_80"))
    assert (str(found.version), [str(t) for t in found.targets]) == ("8.0", ["sm_90"])
    assert (found.written.version, found.written.target) == (Version(7, 0), Target(80))


@pytest.mark.parametrize(
    "text", ["", ".version 9.4\n", ".version 9.4\n.target sm_90\n", "}{", ".version x\n.target y\n"]
)
def test_any_text_has_an_answer(text: str) -> None:
    assert needs(text).version is not None


def moved(module: Module, needs_: ModuleNeeds, version: Version, target: Target) -> str:
    """The module's text with another version and target."""
    written = needs_.written
    assert written.target_range is not None
    assert written.version_range is not None
    copy = Module(module.document.whole())
    copy.edit(written.target_range, str(target))
    copy.edit(written.version_range, str(version))
    return copy.document.whole()


def trials(text: str) -> Iterator[tuple[str, Target, bool]]:
    """Texts, their targets, and whether ptxas should accept them: the minimum, one version and one target below."""
    module = analysed(text)
    found = needs_of(module)
    assert found.version is not None
    for target in found.targets:
        yield moved(module, found, found.version, target), target, True
        earlier = max((v for v in RELEASES if v < found.version), default=None)
        if earlier is not None:
            yield moved(module, found, earlier, target), target, False
    lower = [t for refusal in found.refusals for t in refusal.targets if t < found.targets[0]]
    if lower:
        yield moved(module, found, max(found.version, TARGETS[max(lower)]), max(lower)), max(lower), False


def arch(target: Target) -> str:
    return f"compute_{target.number}{target.suffix}" if target.suffix or target.number > 90 else "compute_90"


@needs_assembler
def test_ptxas_accepts_exactly_the_minimum() -> None:
    sources = [kernel(statements) for statements in BODIES] + [path.read_text("utf-8") for path in EXAMPLES]
    assembler = Assembler()
    wrong = []
    for text, target, right in (trial for source in sources for trial in trials(source)):
        if assembler.module(text, arch(target)).accepted is not right:
            wrong.append((right, text))
    assert wrong == []


# --- the configured maximum version -------------------------------------------------------------------------------


def above(text: str, maximum: str) -> list[Finding]:
    major, minor = maximum.split(".")
    module = analysed(text, Checks(maximum_version=Version(int(major), int(minor))))
    return [f for f in module.findings() if f.code == "above-maximum-version"]


@pytest.mark.parametrize(
    ("statement", "word", "version"),
    [
        ("elect.sync %r1|%p1, -1;", "elect.sync", "8.0"),
        ("mov.u32 %r1, %cluster_ctarank;", "%cluster_ctarank", "7.8"),
        ("@%is_explicit_cluster exit;", "%is_explicit_cluster", "7.8"),
        (".reg .b128 %q;", ".b128", "8.3"),
        ('.pragma "enable_smem_spilling";', '"enable_smem_spilling"', "8.7"),
        ("cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "cvt.rn.bf16x2.f32", "7.0"),
    ],
)
def test_the_part_that_is_above_the_highest_version(statement: str, word: str, version: str) -> None:
    text = kernel(statement, "8.8", "sm_90")
    earlier = max(v for v in RELEASES if str(v) != version and v < Version(*map(int, version.split("."))))
    found = [f for f in above(text, str(earlier)) if f.range.line == 7]
    assert [f.data["version"] for f in found] == [version]
    line = text.split("\n")[7]
    assert line[found[0].range.column : found[0].range.end_column] in word
    assert [f for f in above(text, version) if f.range.line == 7] == []


def test_the_header_is_above_the_highest_version_too() -> None:
    found = above(kernel("add.s32 %r1, %r2, %r3;", "8.8", "sm_100"), "8.4")
    assert [(f.range.line, f.range.column) for f in found] == [(0, 9), (1, 8)]
    assert "8.6" in found[1].message


def test_nothing_is_above_a_version_that_is_high_enough() -> None:
    assert above(kernel("elect.sync %r1|%p1, -1;", "8.0", "sm_90"), "8.0") == []


def test_a_need_above_the_module_and_the_maximum_is_reported_once() -> None:
    module = analysed(kernel("elect.sync %r1|%p1, -1;", "7.8", "sm_90"), Checks(maximum_version=Version(7, 0)))
    reported = [f.code for f in module.findings() if f.range.line == 7]
    assert reported == ["requires-version"]


# --- parts of a module that need a version or target --------------------------------------------------------------


# the module, and its reported needs: all at one place
GATED = [
    (kernel("mov.u64 %rd1, %clock64;", "1.4", "sm_10"), ["2.0", "sm_20"]),
    (kernel("mov.u32 %r1, %cluster_ctaid.x;", "7.7", "sm_80"), ["7.8", "sm_90"]),
    (kernel("@%is_explicit_cluster exit;", "7.8", "sm_80"), ["sm_90"]),
    (kernel("mov.u64 %rd1, f;", "2.0", "sm_20", ".func f() { ret; }"), ["2.1"]),
    (kernel("mov.u64 %rd1, e;", "5.0", "sm_30", ".entry e() { ret; }"), ["sm_35"]),
    (".version 2.1\n.target sm_20\n.entry e() { ret; }\n.global .u64 g = e;\n", ["3.1", "sm_35"]),
    (".version 2.1\n.target sm_10\n.func f() { ret; }\n.global .u64 g = f;\n", ["sm_20"]),
    (".version 9.4\n.target sm_10\n.func f(.param .b32 p) { ret; }\n", ["sm_20"]),
    (".version 1.4\n.target sm_10, texmode_independent\n.entry k() { ret; }\n", ["1.5"]),
]


@pytest.mark.parametrize(("text", "reported"), GATED)
def test_features_and_what_they_need(text: str, reported: list[str]) -> None:
    found = [f for f in analysed(text).findings() if f.code.startswith("requires-")]
    assert sorted(f.data[word] for f in found for word in ("version", "target") if word in f.data) == reported
    assert len({f.range for f in found}) == 1


@needs_assembler
def test_ptxas_refuses_these_too() -> None:
    assembler = Assembler()
    for text, reported in GATED:
        messages = [m.text for m in assembler.module(text).messages if m.refuses]
        assert messages, text
        assert (
            all(any(each in message for message in messages) for each in reported)
            or "illegal state space" in messages[0]
        )


@needs_assembler
def test_special_registers_are_gated_as_ptxas_gates_them() -> None:
    assembler = Assembler()
    for name, type_ in (("%globaltimer", "u64"), ("%lanemask_eq", "u32"), ("%current_graph_exec", "u64")):
        register = "%rd1" if type_ == "u64" else "%r1"
        for version, target in (
            ("1.4", "sm_13"),
            ("2.0", "sm_20"),
            ("3.1", "sm_30"),
            ("3.1", "sm_20"),
            ("8.0", "sm_50"),
        ):
            text = kernel(f"mov.{type_} {register}, {name};", version, target)
            right = assembler.module(text).accepted
            refused = any(f.code.startswith("requires-") for f in analysed(text).findings())
            assert refused is not right, (name, version, target)


def test_targets_as_text() -> None:
    assert targets_text((Target(80),)) == "sm_80 or later"
    assert targets_text((Target(80), Target(90, "a"))) == "sm_80 or later or sm_90a"
    assert targets_text((Target(90, "a"), Target(100, "f"), Target(120, "f"))) == "sm_90a, sm_100f or sm_120f"


def test_a_broken_header_at_the_end_of_a_block_needs_what_it_needs_in_one_block() -> None:
    head = ".version 8.3\n.target sm_90\n\n\n\n.entry k(\n\t.param .u64 p\n)\n.maxntid 256\n{\n"
    body = REGISTERS.replace("; ", ";\n") + "\n\tadd.s32 %r1, %r2, %r3;" * 40
    with chunk_sizes(Sizes(lines=128, characters=4096, edited=8)):
        module = analysed(f"{head}{body}\nret;\n}}\n")
        module.edit(Range(8, 9, 10, 3), ".loc 1 2 3")
        module.work()
    assert module.block_map.at_line(8).looks_below  # the header depends on text below its block
    first, *others = module.needs()
    assert [need.name for need in first] == ["a kernel parameter list", "`.maxntid`"]
    assert others
