"""Completion of directives, their values, and what follows in a header or a declaration."""

import pytest

from tests.features.completed import found_in, labels, labels_in
from tests.features.modules import in_body


def test_alignments() -> None:
    assert labels(".local .align ¦")[:5] == ["1", "2", "4", "8", "16"]
    assert labels(".local .align 1¦") == ["1", "16", "128"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".visible ¦", ".entry"),
        (".visible .entry f(¦", ".param"),
        (".visible .entry f(.param .u64 a,\n\t¦", ".param"),
        (".func (¦", ".param"),
        (".func f(¦", ".param"),
        (".visible .entry f(.param ¦", ".align"),
        (".visible .entry f(.param .u64 a, .param ¦", ".align"),
        (".visible .entry f(.param .u64 ¦", "f_param_0"),
        (".visible .entry f(.param .u64 f_param_0, .param .u32 ¦", "f_param_1"),
        (".visible .entry f()\n¦", ".maxnreg"),
    ],
)
def test_what_follows_in_a_header(text: str, expected: str) -> None:
    found = found_in(f".version 8.4\n.target sm_90\n.address_size 64\n{text}")
    assert found is not None
    assert found.items[0].label == expected


def test_the_targets_that_the_version_knows_come_first() -> None:
    """PTX ISA 8.5 has no target after `sm_90a`: release notes of the ISA."""
    found = found_in(".version 8.5\n.target ¦")
    assert found is not None
    assert [item.label for item in found.items][:2] == ["sm_90a", "sm_90"]
    assert "sm_120" in [item.label for item in found.items]


def test_a_directive_with_numbers_is_not_followed_by_names() -> None:
    assert found_in(".version 8.4\n.target sm_90\n.address_size 64\n.entry f()\n.maxntid ¦") is None
    aligned = found_in(".version 8.4\n.target sm_90\n.address_size 64\n.global .align 4 .¦")
    assert aligned is not None
    assert ".align" not in [item.label for item in aligned.items]


def test_a_declaration_without_a_type_gets_one_before_its_name() -> None:
    assert labels(".reg ¦")[:3] == [".pred", ".b16", ".b32"]
    assert ".b8" in labels(".local .align 4 ¦")
    assert labels(".reg .b32 ¦")[0].startswith("%")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (".ver¦", ".version"),
        (".version 8¦", "8.5"),
        (".version 8.0\n.target sm_9¦", "sm_90a"),
        (".version 8.0\n.target sm_90, ¦", "texmode_independent"),
        (".version 8.0\n.target sm_90\n.address_size ¦", "64"),
        (".version 8.0\n.target sm_90\n.visible .¦", ".entry"),
        (".version 8.0\n.target sm_90\n.entry k()\n.max¦", ".maxntid"),
        (".version 8.0\n.target sm_90\n.entry k(.param .u¦", ".u64"),
        (".version 8.0\n.target sm_90\n.global .¦", ".b32"),
        (in_body(".reg .¦"), ".pred"),
        (in_body('.pragma "no¦'), "nounroll"),
        (in_body(".sh¦"), ".shared"),
    ],
)
def test_directives_and_their_arguments(text: str, label: str) -> None:
    found = found_in(text)
    assert found is not None
    assert label in [item.label for item in found.items]


def test_a_directive_of_a_header_is_not_offered_in_a_body() -> None:
    assert labels(".maxnt¦") == []


def test_the_usual_directives_come_first_and_deprecated_ones_last() -> None:
    assert labels(".¦")[:3] == [".reg", ".shared", ".local"]
    header = ".version 8.5\n.target sm_90\n.address_size 64\n"
    found = [label for label in labels_in(f"{header}¦") if label.startswith((".", "@"))]
    assert found[:4] == [".visible", ".entry", ".func", ".global"]
    assert set(found[-3:]) == {".version", ".target", ".address_size"}
    assert {"@@dwarf", ".tex"} <= set(found[-6:])
    assert labels_in(".version 8.5\n.¦")[:2] == [".target", ".address_size"]
    in_header = labels_in(f"{header}.entry k() .¦")
    assert in_header.index(".minnctapersm") < in_header.index(".maxnctapersm")


def test_a_declaration_has_one_linkage() -> None:
    assert labels_in(".version 8.5\n.target sm_90\n.visible ¦") == [".entry", ".func", ".global", ".shared", ".const"]


@pytest.mark.parametrize("header", [".entry .max¦", ".func (.reg .b32 r) .no¦"])
def test_a_directive_of_a_header_is_not_offered_before_the_name_of_the_function(header: str) -> None:
    assert found_in(f".version 8.0\n.target sm_90\n{header}") is None


def test_what_is_replaced_begins_on_the_line_of_the_cursor() -> None:
    found = found_in(".version 9.4\n.target sm_90\n.func f(\n\t.param .b32 f_param_0\n¦)\n{\n\tret;\n}\n")
    assert found is not None
    assert [found.range.line, found.range.column] == [4, 0]
    found = found_in(".version 9.4\n.target sm_90\n.func f(\n\t.param .b32 f_param_0,\n\t.param .b32 f¦)\n{\n}\n")
    assert found is not None
    assert [found.range.line, found.range.column] == [4, 13]


LOCATED = """.version 8.4
.target sm_90
.address_size 64
.file 1 "first.cu"
.entry k()
{
\t.loc 7 3 1
\tret;
\t.loc 2 5 1, function_name $L__info_string0, inlined_at 1 9 3
\t{}
\tret;
}
.file 2 "second.cuh", 1700000000, 512
.file 7 "seventh.h"
{}
"""


@pytest.mark.parametrize(
    ("body", "below", "expected"),
    [
        (".loc ¦", "", [("2", "second.cuh"), ("7", "seventh.h"), ("1", "first.cu")]),
        (".loc 7¦", "", [("7", "seventh.h")]),
        (".loc 1 ¦", "", []),
        (".loc 1 2 3, ¦", "", [("function_name", ""), ("inlined_at", "")]),
        (".loc 1 2 3, function_name ¦", "", [("$L__info_string0", "")]),
        (".loc 1 2 3, function_name $L__info_string0, ¦", "", [("inlined_at", "")]),
        (".loc 1 2 3, function_name $L__info_string0, inlined_at ¦", "", [("1", "first.cu"), ("2", "second.cuh")]),
        ("", ".file ¦", [("3", "the next file")]),
        ("", '.file 3 "third.h", ¦', []),
    ],
)
def test_the_arguments_of_source_positions(body: str, below: str, expected: list[tuple[str, str]]) -> None:
    found = found_in(LOCATED.replace("{}", body, 1).replace("{}", below))
    assert [(item.label, item.detail) for item in (found.items if found else ())][: len(expected) or 1] == expected
