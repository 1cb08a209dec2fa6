"""Labels in sections of debug data: their definition and references. Expected are the places of their text."""

import pytest

from ptx_lsp.features.definition import definition
from ptx_lsp.features.references import references
from ptx_lsp.occurrences.section_labels import section_label_steps
from ptx_lsp.text.document import Document
from tests.features.modules import marked, shown

TEXT = """.version 8.0
.target sm_90
.address_size 64
.file 1 "k.cu"
.entry k()
{
text:
\t.loc 1 2 3
\t.loc 1 4 5, function_name name3, inlined_at 1 2 3
\tret;
}
.section .debug_info
{
.b64 text
.b32 .debug_str, begin
.b32 end-begin // begin
begin:
.b8 0
end:
}
.section .debug_str
{
name3: .b8 102,0
}
"""


def at(text: str) -> str:
    """TEXT with the cursor before the last name of a text."""
    start = TEXT.index(text) + text.rfind(" ") + 1
    return f"{TEXT[:start]}¦{TEXT[start:]}"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (".debug_str, begin", "«begin»:"),
        ("\nbegin:", "«begin»:"),
        ("function_name name3", "«name3»: .b8 102,0"),
        (["name3:", ".b8"][0], "«name3»: .b8 102,0"),
        (".b64 text", "«text»:"),
    ],
)
def test_the_definition(text: str, wanted: str) -> None:
    module, position = marked(at(text) if not text.startswith("\n") else TEXT.replace(text, "\n¦" + text[1:]))
    assert shown(module, definition(module, position)) == [wanted]


def test_the_references() -> None:
    module, position = marked(at(".debug_str, begin"))
    every = [each for some in references(module, position, True) for each in some]
    uses = [each for some in references(module, position, False) for each in some]
    wanted = [".b32 .debug_str, «begin»", ".b32 end-«begin» // begin", "«begin»:"]
    assert shown(module, every) == wanted
    assert shown(module, uses) == wanted[:2]
    module, position = marked(at("function_name name3"))
    assert len([each for some in references(module, position, True) for each in some]) == 2


def test_what_is_no_label_of_a_section_has_no_place() -> None:
    for text in (".b8 102,0", "// begin", "ret;", '.file 1 "k.cu"'):
        module, position = marked(at(text))
        assert definition(module, position) == []


def test_a_label_that_many_locations_name_is_found_in_steps_and_not_looked_up_in_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    locations = "\t.loc 1 4 5, function_name name3, inlined_at 1 2 3\n" * 5_000
    module, position = marked(at("function_name name3").replace("\tret;", f"{locations}\tret;"))
    looked_at: list[int] = []
    line = Document.line

    def noted(document: Document, number: int) -> str:
        looked_at.append(number)
        return line(document, number)

    monkeypatch.setattr(Document, "line", noted)
    steps = section_label_steps(module, position)
    assert len(list(steps)) == module.document.chunk_count - 1
    assert len(looked_at) == 2
