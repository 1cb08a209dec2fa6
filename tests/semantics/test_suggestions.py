"""What was meant by undeclared names: the same after any edits, at module level too, and cheap in long texts."""

import pytest
from hypothesis import given, strategies

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.semantics import suggestions
from ptx_lsp.semantics.suggestions import bare_name, is_typo
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import DIGITS
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.calls import noted_calls

NAMES = r"%?[abT]{1,5}_?[12]{0,2}"
HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"


def messages(module: Module) -> list[str]:
    return [finding.message for finding in module.findings() if finding.severity is Severity.ERROR]


def kernel(body: str) -> str:
    return f".entry kernel()\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n{body}\nret;\n}}\n"


def test_a_called_function_is_suggested() -> None:
    declared = ".func square(.reg .b32 x) { ret; }\n.global .b32 sqare_x;\n"
    found = messages(analysed(HEADER + declared + kernel("mov.b32 %r1, 0;\ncall sqare, (%r1);")))
    assert found == ["`sqare` is not declared above this call: did you mean `square`?"]


def test_a_function_of_c_says_what_to_do() -> None:
    found = messages(analysed(HEADER + kernel("call printf;")))
    assert found[0].startswith("`printf` is not declared above this call: call the function `vprintf`")


def test_a_name_at_module_level_is_suggested() -> None:
    found = messages(analysed(HEADER + ".global .b32 counter;\n.global .u64 pointer = conter;\n"))
    assert found == ["`conter` is not declared above this line: did you mean `counter`?"]


@pytest.mark.parametrize("filler", [0, 2000])
def test_a_renamed_declaration_changes_the_suggestion(filler: int) -> None:
    body = "mov.b32 %r1, 0;\n" * filler + "mov.b64 %rd1, countr;\nst.global.b64 [%rd1], %rd1;\ncall conter, (%r1);"
    text = HEADER + ".global .b32 counter;\n.func conter2(.reg .b32 x) { ret; }\n" + kernel(body)
    module = analysed(text)
    assert any("`counter`" in message for message in messages(module))
    module.edit(Range(3, 13, 3, 20), "county")
    module.edit(Range(4, 6, 4, 13), "counters")
    module.work()
    fresh = analysed(module.document.whole())
    assert messages(module) == messages(fresh)
    assert not any("`counter`" in message for message in messages(module))


def test_the_order_of_declarations_counts_and_not_that_of_edits() -> None:
    text = HEADER + ".global .b32 tabler;\n.global .b32 tablet;\n" + kernel("ld.global.b32 %r1, [table];\n")
    module = analysed(text)
    module.edit(Range(3, 0, 3, 0), "// ")
    module.work()
    module.edit(Range(3, 0, 3, 3), "")
    module.work()
    assert messages(module) == messages(analysed(text))
    assert "`tabler`" in messages(module)[0]


def test_only_the_first_names_of_a_text_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def suggest(report: Report, *more: object) -> None:
        asked.append(report.data["name"])

    monkeypatch.setattr(suggestions, "suggest", suggest)
    names = [f"%name_{number}_x" for number in range(3 * suggestions.MOST_SUGGESTED)]
    half = len(names) // 2
    functions = [kernel("\n".join(f"mov.b32 %r1, {name};" for name in part)) for part in (names[:half], names[half:])]
    module = analysed(HEADER + functions[0] + functions[1].replace("kernel", "second"))
    assert len(module.findings()) == len(names)
    assert asked == names[: suggestions.MOST_SUGGESTED]
    asked.clear()
    module.findings()
    assert asked == [], "what is known is not looked for again"


def test_the_declaration_below_is_shown_at_its_present_place() -> None:
    declaration = ".func later() { ret; }\n"
    module = analysed(HEADER + kernel("call later;") + "\n" * 300 + declaration)
    assert messages(module) == ["`later` is declared below this line: write its header, with a `;` at its end, above"]
    for added in ("\n", ".global .b32 other;\n", "// comment\n"):
        module.edit(Range(200, 0, 200, 0), added)
        module.work()
        fresh = analysed(module.document.whole())
        assert module.findings() == fresh.findings()
        finding = next(found for found in module.findings() if found.severity is Severity.ERROR)
        assert module.document.whole().split("\n")[finding.related[0].range.start.line].startswith(".func later")


def test_a_declaration_below_that_is_removed_is_not_shown() -> None:
    module = analysed(HEADER + kernel("call later;") + ".func later() { ret; }\n")
    module.edit(Range(10, 0, 11, 0), "")
    module.work()
    assert messages(module)[0].startswith("`later` is not declared above this call")
    assert not any(finding.related for finding in module.findings() if finding.severity is Severity.ERROR)


def plainly_near(name: str, names: list[str]) -> str:
    """What `near_name` finds, by its description: a name of another case, then one with one wrong letter."""
    same = [other for other in names if bare_name(other) == bare_name(name)]
    return next(
        iter(
            [
                *same,
                *(other for other in names if is_typo(bare_name(name), bare_name(other))),
            ]
        ),
        "",
    )


@given(strategies.from_regex(NAMES, fullmatch=True), strategies.lists(strategies.from_regex(NAMES, fullmatch=True)))
def test_the_near_name_is_the_first_of_the_best(name: str, names: list[str]) -> None:
    assert suggestions.near_name(name, names) == plainly_near(name, names)


def test_a_missing_label_is_not_compared_with_labels_of_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = noted_calls(monkeypatch, suggestions, "is_typo")
    labels = "".join(f"$L__tmp{number}:\nadd.s32 %r1, %r1, 1;\n" for number in range(2000))
    found = messages(analysed(HEADER + kernel(f"mov.b32 %r1, 0;\nbra $L_tmp1999;\n{labels}")))
    assert found == ["there is no label `$L_tmp1999` in this scope or around it: did you mean `$L__tmp1999`?"]
    assert len(compared) < 10


@given(strategies.lists(strategies.from_regex(r"[$a]?[L_é]?[0-9]{0,3}", fullmatch=True), min_size=1, max_size=12))
def test_names_that_may_be_meant_are_the_same_among_many(names: list[str]) -> None:
    few = suggestions.without_other_digits(names[0], names)
    many = suggestions.without_other_digits(names[0], names * 300)
    assert many == few * 300
    assert names[0] in few or not names[0]
    assert all(other.rstrip(DIGITS) == other or other[-1] == names[0][-1] for other in few)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("ld.param.b64 %rd1, [p2];", "`p2` is not declared"),
        ("ld.global.b32 %r1, [ f2 + 4];", "`f2` is not declared"),
        ("ld.global.b32 %r1, [rd2];", "`rd2` is not declared: did you mean `%rd2`?"),
        ("setp.eq.and.b32 p2, %r1, 0, %p1;", "`p2` is not declared: did you mean `%p2`?"),
        ("@!p2 mov.b32 %r1, 0;", "`p2` is not declared: did you mean `%p2`?"),
        ("@ r2 mov.b32 %r1, 0;", "`r2` is not declared"),
        ("@%laneids mov.b32 %r1, 0;", "`%laneids` is not declared"),
    ],
)
def test_a_name_whose_kind_cannot_be_there_is_not_suggested(statement: str, message: str) -> None:
    text = HEADER + kernel(f".reg .pred %p<4>;\n.reg .f32 %f<4>;\n{statement}")
    assert messages(analysed(text)) == [message]


@pytest.mark.parametrize(("before", "after"), [("", "["), ("[", ""), ("", "@!"), ("@", "")])
def test_the_suggestion_is_that_of_the_place_after_an_edit(before: str, after: str) -> None:
    module = analysed(HEADER + kernel(f".reg .pred %p<4>;\n{before}p2 mov.b32 %r1, 0;"))
    module.edit(Range(8, 0, 8, len(before)), after)
    module.work()
    assert messages(module) == messages(analysed(module.document.whole()))


@pytest.mark.parametrize(
    ("type_", "is_address"),
    [("b64", True), ("s32", True), ("u16", True), ("b128", False), ("f64", False), ("pred", False)],
)
def test_a_register_that_is_no_address_is_not_suggested_in_brackets(type_: str, is_address: bool) -> None:
    """Observed: ptxas 13.5 takes integers and bits of at most 64 bits as addresses."""
    head = HEADER.replace("8.0", "8.3")  # the first version with `.b128`
    body = f".reg .b32 %r;\n.reg .{type_} %pointer;\nld.global.b32 %r, [%ponter];\n"
    (message,) = messages(analysed(f"{head}.entry k()\n{{\n{body}}}\n"))
    assert ("did you mean `%pointer`?" in message) == is_address
