"""The features inside VS Code that the other tests of the window do not use, and the commands of its palette."""

from pathlib import Path

from tests.editors.browser import Step
from tests.editors.codeserver import Editor
from tests.editors.workspaces import PALETTE, SAMPLE, ask, workspace

READ, WRITE = 1, 2
"""`DocumentHighlightKind` as VS Code counts it; 0 is text."""

TEXT = """.version 8.4
.target sm_90
.address_size 64
.file 1 "k.cu"
.global .b32 counter;
// one
// two
.func twice(.reg .b32 x)
{
\tret;
}
.visible .entry k(.param .u64 input)
{
\t.reg .b32 %r<4>;
\t.reg .pred %p<2>;
\tmov.b32 %r1, 0x10+2;
again:
\tadd.s32 %r1, %r1, 1;
\tcall twice, (%r1);
\tsetp.lt.s32 %p1, %r1, 64;
  @%p1   bra again;
\tret;
}
"""
DECLARES = ".version 8.4\n.target sm_90\n.address_size 64\n.extern .func other();\n.func here() { call other; ret; }\n"
DEFINES = ".version 8.4\n.target sm_90\n.address_size 64\n.visible .func other() { ret; }\n"


def test_places_ranges_links_values_and_calls(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "k.ptx").write_text(TEXT, "utf-8")
    (folder / "k.cu").write_text("// source\n", "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "k.ptx"},
        {"do": "symbols"},  # the server has answered
        {"do": "highlights", "at": "%r1, %r1"},
        {"do": "folds"},
        {"do": "selections", "at": "%r1, 1;"},
        {"do": "links"},
        {"do": "values", "at": "mov.b32"},
        {"do": "callees", "at": "k(.param"},
        {"do": "legend"},
        {"do": "everywhere", "query": "counter"},
        {"do": "cursor", "at": "%r1, 64"},
        {"do": "command", "name": "ptx.goToLastWrites"},
        {"do": "selection"},
    ]
    _, _, highlights, folds, selections, links, values, callees, legend, symbols, _, _, written = ask(
        editor, folder, plan
    )
    assert highlights == [[13, 11, 0], [15, 9, WRITE], [17, 9, WRITE], [17, 14, READ], [18, 14, READ], [19, 18, READ]]
    assert [5, 6, 1] in folds
    assert {(start, end) for start, end, _ in folds} >= {(5, 6), (12, 21)}
    assert selections[0] == "%r1"
    assert "add.s32 %r1, %r1, 1;" in selections
    assert selections[-1] == TEXT
    assert links == [["k.cu", "k.cu"]]
    assert ["0x10+2", "0x10+2 = 0x12"] in values
    assert callees == [["twice", 1]]
    types, is_whole = legend
    assert {"function", "keyword", "label", "macro", "modifier", "number", "parameter", "type", "variable"} <= set(
        types
    )
    assert is_whole
    assert ["counter", "k.ptx"] in symbols
    assert written == [17, 9]


def test_declarations_and_definitions_in_other_files(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "declares.ptx").write_text(DECLARES, "utf-8")
    (folder / "defines.ptx").write_text(DEFINES, "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "declares.ptx"},
        {"do": "locations", "provider": "Definition", "at": "other; ret"},
        {"do": "locations", "provider": "Declaration", "at": "other; ret"},
    ]
    _, defined, declared = ask(editor, folder, plan)
    assert defined == [["defines.ptx", 3, 15]]
    assert declared == [["declares.ptx", 3, 14]]


def test_formatting_of_a_document_a_range_and_a_typed_line(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path, {"ptx.format.onType": True})
    untidy, tidy = "  @%p1   bra again;", "\t@%p1 bra \tagain;"
    (folder / "k.ptx").write_text(TEXT, "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "k.ptx"},
        {"do": "symbols"},  # the server has answered
        {"do": "format", "kind": "Range", "at": untidy},
        {"do": "replace", "old": tidy, "text": untidy},
        {"do": "format", "kind": "OnType", "at": untidy, "typed": ";"},
        {"do": "format", "kind": "Document"},
    ]
    _, _, part, _, typed, whole = ask(editor, folder, plan)
    assert part == typed == TEXT.replace(untidy, tidy)
    assert "\tadd.s32 \t%r1, %r1, 1;" in whole
    assert "".join(whole.split()) == "".join(TEXT.split())


MISTAKEN = """.version 8.4
.target sm_90
.address_size 64
.visible .entry k()
{
\t.reg .b32 %r<4>, unused;
\tmov.b32 %r1, 0x10+2;
\tadd.s32 %r2, %r1 1;
\tret;
}
"""


def test_code_actions(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "k.ptx").write_text(MISTAKEN, "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "k.ptx"},
        {"do": "symbols"},
        {"do": "actions", "at": "0x10+2", "kind": "refactor"},
        {"do": "act", "at": "0x10+2", "kind": "refactor.rewrite", "title": ""},
        {"do": "actions", "kind": "source.fixAll"},
        {"do": "actions", "kind": "source.removeUnused.ptx"},
        {"do": "act", "kind": "source.removeUnused.ptx", "title": ""},
        {"do": "replace", "old": ".version 8.4\n.target sm_90\n.address_size 64\n", "text": ".version 8.4\n"},
        {"do": "act", "kind": "source.addHeader.ptx", "title": ""},
    ]
    _, _, rewrites, rewritten, fixes, unused, removed, _, header = ask(editor, folder, plan)
    assert "write `0x12`, the value" in rewrites
    assert "mov.b32 %r1, 0x12;" in rewritten
    assert fixes == ["make 1 safe fix"]
    assert unused == ["remove unused registers and labels"]
    assert "unused" not in removed
    assert ".target" in header


def test_the_palette_offers_the_command_that_fits_the_document(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "plain.cu").write_text("int x;\n", "utf-8")
    row = ".quick-input-list .monaco-list-row"
    of_line, source = "PTX: Show PTX of This Line", "PTX: Show Source"
    steps: list[Step] = []
    for name, language, shown, hidden in (
        (SAMPLE.name, "PTX", source, of_line),
        ("plain.cu", "CUDA", of_line, source),
    ):
        steps += [
            {"click": ".explorer-folders-view .monaco-list-row", "text": name},
            {"wait": "[id='status.editor.mode']", "text": language},
            {"click": ".view-lines"},
            {"press": "F1", "until": PALETTE},
            {"type": "PTX: Show", "into": PALETTE},
            {"wait": row, "text": shown},
            {"wait": row, "text": hidden, "state": "hidden"},
            {"press": "Escape"},
        ]
    assert len(editor.perform(folder, steps)) == len(steps)
