"""Known functions are used again only where they are fine: with and without them, findings and symbols are the same."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import body_memory
from ptx_lsp.quick.function_memory import FoundFunction
from ptx_lsp.reading import known_functions, reader
from ptx_lsp.semantics.symbols import Mark, Scope, Symbol
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.calls import noted_calls
from tests.quick.functions import AROUND, CONTROL, HEAD, PARAMETERS, function
from tests.quick.line_parts import DECLARATIONS

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ptx"))
SHORT = (
    "\t.global .align 4 .b32 data_{n};\n"
    "// the kernel kernel{n}\n"
    ".visible .entry kernel{n}(\n\t.param .u64 kernel{n}_param_0,\n\t.param .u32 kernel{n}_param_1\n)\n{{\n"
    "\t.reg .pred \t%p<2>;\n\t.reg .b32 \t%r<4>;\n\t.reg .b64 \t%rd<3>;\n\n"
    "\tld.param.u64 \t%rd1, [kernel{n}_param_0];\n\tld.param.u32 \t%r1, [kernel{n}_param_1];\n"
    "\tsetp.eq.s32 \t%p1, %r1, 0;\n\t@%p1 bra \t$L__BB{n}_2;\n"
    "\tmov.u64 \t%rd2, data_{n};\n\tst.u64 \t[%rd1], %rd2;\n\n"
    "$L__BB{n}_2:\n\tret;\n\n}}\n"
)


REPORTED = (
    "\t.global .align 4 .b32 data_{n};\n"
    ".visible .entry kernel{n}(\n\t.param .u64 kernel{n}_param_0\n) .reqntid 128\n{{\n"
    "\t.reg .b32 \t%r<14>;\n\t.reg .b64 \t%rd<4>;\n\t.reg .b16 \t%never<2>;\n\n"
    "\tmov.b64 \t%rd1, data_{n}; add.s32 \t%r2, %r10, %r1;\n"
    "\tld.param.u64 \t%rd2, [kernel{n}_param_0]; setmaxnreg.dec.sync.aligned.u32 \t40;\n"
    "unused:\n\tst.b32 \t[%rd2], %r2;\n\tst.b64 \t[%rd2], %rd1;\n\tret;\n\n}}\n"
)


def found_in(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Module, list[FoundFunction]]:
    """The module of a text, and the functions that were known as a whole."""
    with monkeypatch.context() as patch:
        calls = noted_calls(patch, known_functions, "known_function")
        module = analysed(text)
    return module, [call.result for call in calls if call.result is not None]


def symbols(module: Module) -> list[object]:
    """All functions of a module, with their symbols, labels, branches, names and places."""
    found: list[object] = []
    parts = [part for block in module.block_map.blocks for part in block.parts]
    for body in module.bodies():
        own = [part for part in parts if part.body is body]
        scope = body.scope
        tables = (scope.members, scope.families, scope.labels, scope.limited)
        declared = [sorted(map(shown, symbols)) for table in tables for symbols in table.values()]
        labels = sorted((label.name, label.mark.resolved()) for part in own for label in part.labels)
        branches = sorted((use.name, use.mark.resolved()) for part in own for use in part.label_uses)
        read = {name for part in own for name in f"{part.read} {part.written}".split()}
        written = {name for part in own for name in part.written.split()}
        inner = {name for part in own for name in part.inner}
        places = body.opening.resolved(), body.closing and body.closing.resolved()
        found += [shown(body.symbol), places, sorted(declared), labels, branches, read, written, inner]
        assert all(use.scope is scope or use.scope.parent is not None for part in own for use in part.label_uses)
    return found


def shown(symbol: Symbol) -> tuple[str, Range, str]:
    return symbol.name, symbol.mark.resolved(), repr(symbol)


def unremembered(text: str, monkeypatch: pytest.MonkeyPatch) -> Module:
    """The module of a text, of which no body and no function is known."""
    with monkeypatch.context() as patch:
        patch.setattr(known_functions, "known_function", lambda *_: None)
        patch.setattr(body_memory, "known_body", lambda *_: None)
        return analysed(text)


def parsed(text: str, monkeypatch: pytest.MonkeyPatch) -> Module:
    """The module of a text without recognisers."""
    with monkeypatch.context() as patch:
        patch.setattr(reader, "RECOGNISERS", False)
        return analysed(text)


def test_a_repeated_function_is_known_and_has_its_own_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    first, later = (HEAD + "".join(SHORT.format(n=n) for n in range(at, at + 9)) for at in (0, 95))
    found_in(first, monkeypatch)
    module, found = found_in(later, monkeypatch)
    assert len(found) == 9
    assert [each.names.function for each in found] == [f"kernel{n}" for n in range(95, 104)]
    assert module.findings() == []
    assert symbols(module) == symbols(unremembered(later, monkeypatch))


def test_names_in_a_header_of_one_line_have_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    one = ".func (.param .b32 out) {0} (.param .b32 {0}_param_0, .param .b32 {0}_param_1) {{\n\tret;\n}}\n"
    first, later = (HEAD + "".join(map(one.format, names)) for names in (("f", "gg", "hhh"), ("longer", "l", "k")))
    found_in(first, monkeypatch)
    module, found = found_in(later, monkeypatch)
    assert len(found) == 3
    assert symbols(module) == symbols(unremembered(later, monkeypatch))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("data_9;\n\tst", "data;\n\tst"),  # not declared
        ("data_9;\n\tst", "%r1;\n\tst"),  # not the address of a variable
        ("data_9;\n\tst", "kernel9;\n\tst"),  # a function
        (".align 4 .b32 data_9", ".b32 other;\n.shared .b64 data_9"),
        ("$L__BB9_2:", "$L__BB8_2:"),
        ("kernel9_param_1];", "kernel9_param_0];"),
        (".u32 kernel9_param_1", ".u64 kernel9_param_1"),
        ("entry kernel9(", "func kernel9("),
        ("entry kernel9(", "entry kernel8("),
        (".global .align 4 .b32 data_9", ".reg .b32 %r1;\n.global .align 4 .b32 data_9"),
        (".global .align 4 .b32 data_9", ".reg .b32 %r<2>;\n.global .align 4 .b32 data_9"),
        ("\tret;\n\n}\n", "\tret;\n\n}\n\tret;\n}\n"),
        ("kernel9", "ret"),
        ("data_9", "kernel9_param_0"),
    ],
)
def test_a_function_that_differs_from_its_template_is_read(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    found_in(HEAD + "".join(SHORT.format(n=n) for n in range(4)), monkeypatch)
    text = HEAD + "".join(SHORT.format(n=n) for n in (7, 8)) + SHORT.format(n=9).replace(old, new)
    module, found = found_in(text, monkeypatch)
    assert len(found) >= 2
    assert module.findings() == parsed(text, monkeypatch).findings()
    assert symbols(module) == symbols(unremembered(text, monkeypatch))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_functions_of_the_examples_stay_the_same_when_they_are_known(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_all()
    text = path.read_text("utf-8")
    for _ in range(4):
        module, _ = found_in(text, monkeypatch)
    assert module.findings() == parsed(text, monkeypatch).findings()
    assert symbols(module) == symbols(unremembered(text, monkeypatch))


def test_random_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    forget_all()
    for _ in range(60):
        bodies = ["\n\t".join(chance.choices(CONTROL, k=chance.randint(1, 2))) for _ in range(2)]
        around, declarations = chance.choice(AROUND), chance.choice(DECLARATIONS[:2])
        functions = [
            function(chance.choice(("k", "a", "f", "_k_1", "ret")) + str(n), p, declarations, chance.choice(bodies))
            for n, p in enumerate(chance.choices(PARAMETERS, k=6))
        ]
        text = HEAD + around + "".join(functions)
        wanted, same = parsed(text, monkeypatch), unremembered(text, monkeypatch)
        for _ in range(3):
            module, _ = found_in(text, monkeypatch)
            assert module.findings() == wanted.findings()
            assert symbols(module) == symbols(same)


def test_an_edit_in_a_known_function_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    text = HEAD + "".join(SHORT.format(n=n) for n in range(9))
    found_in(text, monkeypatch)
    module, found = found_in(text, monkeypatch)
    assert len(found) == 9
    line = text[: text.index("st.u64", text.index("kernel5"))].count("\n")
    module.edit(Range(line, 0, line, 0), "\tbra $L__BB4_2;\n")
    module.work()
    assert [finding.code for finding in module.findings()] == ["undefined-label"]
    module.edit(Range(line, 0, line + 1, 0), "")
    module.work()
    assert module.findings() == []
    assert symbols(module) == symbols(unremembered(text, monkeypatch))


def test_a_repeated_function_with_reports_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    head = HEAD.replace("sm_90", "sm_90a")
    first, later = (head + "".join(REPORTED.format(n=n) for n in range(at, at + 9)) for at in (0, 95))
    found_in(first, monkeypatch)
    module, found = found_in(later, monkeypatch)
    assert len(found) == 9
    other = unremembered(later, monkeypatch)
    assert module.findings() == other.findings()
    codes = sorted(finding.code for finding in module.findings())
    each = ("never-written", "never-written", "register-count", "unused-label", "unused-registers")
    assert codes == sorted(9 * each)
    assert symbols(module) == symbols(other)
    assert traces(module) == traces(other)
    assert len(traces(module)) == 9


def traces(module: Module) -> list[object]:
    """The traces of all functions, with their places."""
    parts = [part for block in module.block_map.blocks for part in block.parts]
    return [(trait, value, mark.resolved()) for part in parts for trait, value, mark in part.traces]


def test_reports_move_with_an_edit_above(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    head = HEAD.replace("sm_90", "sm_90a")
    text = head + "".join(REPORTED.format(n=n) for n in range(9))
    found_in(text, monkeypatch)
    module, found = found_in(text, monkeypatch)
    assert len(found) == 9
    line = text.count("\n", 0, text.index("data_5"))
    module.edit(Range(line, 0, line, 0), "// a comment\n")
    module.work()
    lines = text.splitlines(keepends=True)
    expected = unremembered("".join((*lines[:line], "// a comment\n", *lines[line:])), monkeypatch)
    assert module.findings() == expected.findings()


RECURSIVE = (
    "{before}.func (.param .b32 r) self_{n}(\n\t.param .b32 self_{n}_param_0\n)\n{{\n"
    "\t.reg .b32 \t%r<4>;\n\n\tld.param.b32 \t%r1, [self_{n}_param_0];\n"
    "\t{{\n\t.param .b32 p;\n\tst.param.b32 \t[p], %r1;\n\t.param .b32 back;\n"
    "\tcall.uni (back), self_{n}, (p);\n\tld.param.b32 \t%r2, [back];\n\t}}\n"
    "\tst.param.b32 \t[r], %r2;\n\tret;\n\n}}\n"
)
PROTOTYPES = (
    "",
    ".func (.param .b32 r) self_{n}(.param .b32 self_{n}_param_0);\n",
    ".func (.param .b32 other) self_{n}(.param .b32 given);\n",
    ".func (.param .b32 r) self_{n}(.param .b64 self_{n}_param_0);\n",
    ".extern .func (.param .b32 r) self_{n}(.param .b32 self_{n}_param_0);\n",
    ".global .b32 self_{n};\n",
)


def test_a_function_whose_name_is_in_a_position_only(monkeypatch: pytest.MonkeyPatch) -> None:
    body = ".func {0}()\n{{\n\t.loc 1 2 3, function_name {0}, inlined_at 1 2 3\n\tret;\n}}\n"
    text = ".version 8.0\n.target sm_80\n.address_size 64\n" + "".join(map(body.format, ("L1", "K2", "M3")))
    forget_all()
    found = analysed(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    parsed = analysed(text)
    assert found.findings() == parsed.findings()
    assert [finding.code for finding in parsed.findings()].count("inlined-function") == 3


@pytest.mark.parametrize("first", range(len(PROTOTYPES)))
def test_a_recursive_function_means_what_its_first_declaration_says(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_all()
    text = HEAD + "".join(RECURSIVE.format(n=n, before=PROTOTYPES[first].format(n=n)) for n in range(4))
    found_in(text, monkeypatch)
    module, found = found_in(text, monkeypatch)
    assert PROTOTYPES[first] or len(found) == 4
    for number, before in enumerate(PROTOTYPES):
        one = HEAD + RECURSIVE.format(n=10 + number, before=before.format(n=10 + number))
        module, found = found_in(one, monkeypatch)
        other = unremembered(one, monkeypatch)
        assert module.findings() == other.findings()
        assert symbols(module) == symbols(other)


def test_a_repeated_function_that_never_returns_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    function = ".weak .func f{0}(\n\t.param .b64 f{0}_param_0\n)\n.noreturn\n{{\n\t.reg .b64 \t%rd<2>;\n\n"
    function += "\tld.param.b64 \t%rd1, [f{0}_param_0];\n\tst.b64 \t[%rd1], %rd1;\n\ttrap;\n\n}}\n"
    first, later = (HEAD + "".join(map(function.format, range(at, at + 9))) for at in (0, 95))
    found_in(first, monkeypatch)
    module, found = found_in(later, monkeypatch)
    assert len(found) == 9
    assert all(symbol.signature is not None and symbol.signature.noreturn for symbol in module.symbols())
    assert symbols(module) == symbols(unremembered(later, monkeypatch))


def test_a_function_that_begins_inside_of_another_one_of_its_name_has_its_own_header() -> None:
    forget_all()
    begin = ".visible .entry k()\n{\n\t.reg .b32 \t%r<3>;\n\tmov.u32 \t%r1, 1;\n"
    inside = (
        begin.replace("k()\n", "k(\n\t.param .u32 \t.ptr k_param_0\n)\n") + "\tret;\n\n}\n"
    )  # only the parser reads it
    texts = [HEAD + inside.replace("k", name) for name in ("a", "b", "k")]
    broken = HEAD + begin + "\tclz.b32 \t%r2, %r1" + inside
    for text in texts:
        Module(text).work()
    first = findings_of(broken)
    assert "unclosed-brace" in {finding.code for finding in first}
    assert findings_of(broken) == first
    assert findings_of(broken) == first


def findings_of(text: str) -> list[Finding]:
    """The findings of a text, with what the process has remembered so far."""
    module = analysed(text)
    return module.findings()


class CountedTable(dict[str, list[Symbol]]):
    """A table of names that counts how often something looks at all of them."""

    looks = 0

    def __iter__(self) -> Iterator[str]:
        CountedTable.looks += 1
        return super().__iter__()


def looks_at_all_names(functions: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the names of the module are looked at one by one, while its equal functions are read."""
    forget_all()
    begin = Scope.__init__

    def counted(self: Scope, parent: Scope | None = None, opening: Mark | None = None) -> None:
        begin(self, parent, opening)
        if parent is None:
            self.members = CountedTable()

    with monkeypatch.context() as patch:
        patch.setattr(Scope, "__init__", counted)
        text = HEAD + "".join(SHORT.format(n=n) for n in range(functions))
        found_in(text, monkeypatch)
        CountedTable.looks = 0
        _, found = found_in(text, monkeypatch)
    assert len(found) == functions
    return CountedTable.looks


def test_a_known_function_is_not_compared_with_every_name_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks_at_all_names(60, monkeypatch) == looks_at_all_names(20, monkeypatch)


def test_nothing_is_made_to_see_whether_known_functions_show_something(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    module, found = found_in(HEAD + "".join(SHORT.format(n=n) for n in range(12)), monkeypatch)
    made: list[known_functions.Contents] = []
    monkeypatch.setattr(known_functions.Contents, "fill", made.append)
    known = [part for block in module.block_map.blocks for part in block.parts if part.is_known]
    assert len(known) == len(found) > 0
    assert {part.shown() for part in known} == {(each.names.function,) for each in found}
    assert made == []
