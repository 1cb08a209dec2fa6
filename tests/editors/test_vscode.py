"""The extension inside VS Code itself: its interfaces through a second extension, and the window as a user sees it."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

from tests.editors import inline, places
from tests.editors.browser import Step
from tests.editors.codeserver import Editor
from tests.editors.conftest import run
from tests.editors.workspaces import SAMPLE, STEADY, ask, to_place, workspace

TILE = "_ZZ8gaussianE4tile"
SUM = "add.s32 \t%r8, %r7, %r6;"
MISTAKEN_SUM = "add.s32 \t%r8, %r7, %f9;"
COMMANDS_OF_WRITES = ["ptx.goToLastWrites", "ptx.lastWrites"]
COMMANDS_OF_SOURCE = ["ptx.fromSource", "ptx.ptxOf", "ptx.showSource", "ptx.sourceOf"]
COMMANDS = [
    "ptx.applyAction",
    "ptx.evaluate",
    "ptx.evaluateSelection",
    "ptx.restartServer",
    "ptx.showLog",
    "ptx.showServerVersion",
]
OLD_PYTHON = "#!/bin/sh\necho 3.9.18\n"
NOTIFICATION = ".notification-list-item-message"
STATUS_ITEM = "[id='status.languageStatus']"
STAGED_SERVER = places.HERE / "staged_server.py"


def test_diagnostics_hover_hints_and_commands(editor: Editor, tmp_path: Path) -> None:
    language, clean, _, found, hover, hints, words, commands, value = ask(
        editor,
        workspace(tmp_path),
        [
            {"do": "open", "file": SAMPLE.name},
            {"do": "diagnostics", "count": 0},
            {"do": "replace", "old": SUM, "text": MISTAKEN_SUM},
            {"do": "diagnostics", "count": 1},
            {"do": "hover", "at": "0f3FB8AA3B"},
            {"do": "hints", "least": 1},
            {"do": "word", "at": "%ntid"},
            {"do": "commands"},
            {"do": "command", "name": "ptx.evaluate", "arguments": [{"text": "(1 << 5) - 1"}]},
        ],
    )
    assert language == {"language": "ptx"}
    assert clean == []
    assert [(each["text"], each["severity"], each["code"]) for each in found] == [("%f9", "Error", "operand-type")]
    assert "`%f9` is `.f32`" in found[0]["message"]
    assert "1.44269" in "\n".join(hover)
    assert ".f32" in "\n".join(hover)
    assert {"line": "mul.f32 \t%f10, %f9, 0f3FB8AA3B;", "label": "1.442695"} in [
        {"line": hint["line"], "label": hint["label"].strip(" =")} for hint in hints
    ]
    assert words == "%ntid"
    assert commands == sorted([*COMMANDS, *COMMANDS_OF_SOURCE, *COMMANDS_OF_WRITES])
    assert (value["type"], value["text"]) == ("s64", "31")


NAMES = """.version 8.4
.target sm_90
.address_size 64
.file 1 "names.cu"
.func twice(.reg .b32 x)
{
\tret;
}
.visible .entry k(.param .u64 input)
{
\t.reg .b32 %r<3>;
\tmov.b32 %r1, 0;
again:
\t.loc 1 80 3
\tadd.s32 %r1, %r1, 1;
\tcall twice, (%r1);
\tbra again;
}
"""


def test_names_calls_and_the_source(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "names.ptx").write_text(NAMES, "utf-8")
    (folder / "names.cu").write_text("".join(f"// line {number}\n" for number in range(1, 121)), "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "names.ptx"},
        {"do": "locations", "provider": "Definition", "at": "again;"},
        {"do": "locations", "provider": "Definition", "at": ".loc 1"},
        {"do": "locations", "provider": "Reference", "at": "%r1, 0"},
        {"do": "symbols"},
        {"do": "callers", "at": "twice("},
        {"do": "lenses", "least": 5},
        {"do": "cursor", "at": "add.s32"},
        {"do": "command", "name": "ptx.showSource"},
        {"do": "shows", "file": "names.cu", "line": 79},
        {"do": "rename", "at": "again;", "to": "loop"},
        {"do": "cursor", "at": "mov.b32"},
        {"do": "focus", "file": "names.cu"},
        {"do": "cursor", "at": "// line 80\n"},
        {"do": "command", "name": "ptx.fromSource"},
    ]
    highlighted: Step = {"wait": ".view-overlays [class*='ced-']", "state": "attached"}
    seen: list[Step] = [{"file": str(folder / "probe-result.json")}, highlighted]
    _, label, source, register, symbols, callers, lenses, _, _, shown, renamed, *_ = ask(editor, folder, plan, seen)
    assert label == [["names.ptx", 12, 0]]
    assert source == [["names.cu", 79, 2]]
    assert register == [
        ["names.ptx", line, column] for line, column in [(10, 11), (11, 9), (14, 9), (14, 14), (15, 14)]
    ]
    assert symbols == [["twice", ["x"]], ["k", ["input", "again"]]]
    assert callers == [["k", 1]]
    assert [4, "1 call"] in lenses
    assert [12, "loop of 3 instructions"] in lenses
    assert [8, "parameters 8 bytes"] in lenses
    assert shown == [["names.cu", True]]
    assert renamed == NAMES.replace("again", "loop")


def test_completion_and_signature_help(editor: Editor, tmp_path: Path) -> None:
    _, _, modifiers, described, registers, labels, signatures = ask(
        editor,
        workspace(tmp_path),
        [
            {"do": "open", "file": SAMPLE.name},
            {"do": "replace", "old": SUM, "text": f"mul24.\n\tadd.s32 \t%r8, %\n\tbra \n\t{SUM}"},
            {"do": "complete", "at": "mul24.", "trigger": "."},
            {"do": "complete", "at": "mul24.", "trigger": ".", "label": ".hi"},
            {"do": "complete", "at": "add.s32 \t%r8, %", "trigger": "%"},
            {"do": "complete", "at": "bra "},
            {"do": "signatures", "at": "add.s32 \t%r8, "},
        ],
    )
    assert [item["label"] for item in modifiers] == [".hi", ".lo"]
    assert {item["replaced"] for item in modifiers} == {"."}
    assert all(item["commits"] == ["."] and item["documentation"] is None for item in modifiers)
    assert "the high 32 bits of the 48-bit product" in described[0]["documentation"]
    assert "%r7" in [item["label"] for item in registers][:5]
    assert {item["replaced"] for item in registers} == {"%"}
    assert [item["label"] for item in labels] == ["$L__BB0_2", "$L__BB0_4"]  # all labels of the file
    assert signatures == {"forms": ["add.s32 d, a, b;"], "operand": 1}


INLINE = places.ROOT / "examples" / "inline"
IN_CUDA = inline.Place("mad.wide", "%%cl", "unsigned row")
IN_PYTHON = inline.Place("add.u8x4", "add.u", "tl.load")
IN_RUST = inline.Place("mul.wide", "mul.wide.", "result: u64")
HOSTS: dict[str, object] = {"ptx.embedded.languages": ["cuda-cpp", "python", "rust"]}
NEIGHBOUR = "a hover of the neighbour"


def test_inline_ptx_in_three_languages_and_beside_another_language_service(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path, HOSTS)
    for name in ("kernel.cu", "kernel.py", "lane.rs"):
        shutil.copy(INLINE / name, folder)
    shutil.copy(INLINE / "kernel.cu", folder / "beside.cu")
    picture = places.ROOT / "docs" / "images" / "inline-ptx.png"
    taken = picture if "PTX_LSP_NEW_SCREENSHOT" in os.environ else tmp_path / picture.name
    whole: list[Step] = [{"do": "symbols", "least": 0}, {"do": "tokens"}]
    plan: list[Step] = [
        *inline.look("beside.cu", 3, IN_CUDA),
        *inline.look("kernel.py", 1, IN_PYTHON),
        *inline.look("lane.rs", 1, IN_RUST),
        {"do": "open", "file": "beside.cu"},
        *whole,
        {"do": "neighbour", "at": "return"},
        *inline.look("beside.cu", 4, IN_CUDA),
        *whole,
        {"do": "open", "file": "kernel.cu"},
    ]
    shows: Step = {"wait": ".monaco-hover-content", "text": "an input"}
    steps: list[Step] = [
        {"file": str(folder / "probe-result.json")},
        {"press": "Control+b"},
        {"wait": ".squiggly-error"},
        {"hover": ".view-line span span", "text": "%3", "shows": shows},
        {"screenshot": str(taken)},
    ]
    found = ask(editor, folder, plan, steps)
    cuda, python, rust = (inline.seen(found[at : at + inline.STEPS]) for at in (0, 8, 16))
    assert [found[at]["language"] for at in (0, 8, 16)] == ["cuda-cpp", "python", "rust"]
    assert cuda.findings == ["%3: asm-constraint", "sun: undeclared", "%%clock: asm-volatile"]
    assert python.findings == ["$3: asm-operand-number"]
    assert rust.findings == ["4: missing-semicolon"]
    assert "Multiplies two integers and adds" in cuda.hover
    assert "Adds two integers" in python.hover
    assert "Multiplies two integers" in rust.hover
    assert [re.split(r"[.{]", each.forms[0])[0] for each in (cuda, python, rust)] == ["mad", "add", "mul"]
    assert cuda.items["%clock"] == "%%clock"
    assert python.items[".u8x4"] == ".u8x4"
    assert rust.items[".u32"] == ".u32"
    assert [each.hover_outside + each.items_outside for each in (cuda, python, rust)] == [[], [], []]
    assert found[25:27] == [[], []]
    beside = inline.seen(found[28 : 28 + inline.STEPS])
    assert beside.findings == [*cuda.findings, "a finding of the neighbour"]
    assert set(beside.hover.split("\n")) == {*cuda.hover.split("\n"), NEIGHBOUR}
    assert beside.items == cuda.items | {"neighbour_item": "neighbour_item"}
    assert (beside.hover_outside, beside.items_outside) == ([NEIGHBOUR], ["neighbour_item"])
    assert found[36:38] == [[], ["neighbour"]]
    assert taken.stat().st_size > 10_000
    assert picture.is_file()


def test_typing_in_the_window_shows_and_accepts_items(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    picture = tmp_path / "completion.png"
    row = ".suggest-widget .monaco-list-row"
    text = SAMPLE.read_text("utf-8")
    steps: list[Step] = [
        {"click": ".explorer-folders-view .monaco-list-row", "text": SAMPLE.name},
        {"wait": "[id='status.editor.mode']", "text": "PTX"},
        {"wait": ".view-line", "text": ".version"},
        *to_place(text[: text.index(SUM)].count("\n") + 1),
        {"wait": ".view-line", "text": "bar.sync"},
        {"press": "End"},
        {"press": "Enter"},
        {"type": "shf"},
        {"press": "Control+Space"},
        {"wait": row, "text": "shfl"},
        {"type": "l."},
        {"wait": row, "text": ".sync"},
        {"type": "sy"},
        {"wait": row, "text": ".sync"},
        {"press": "Tab"},
        {"wait": ".view-line", "text": "shfl.sync"},
        {"type": ".d"},
        {"wait": row, "text": ".down"},
        {"type": "o."},
        {"wait": ".view-line", "text": "shfl.sync.down."},
        {"wait": row, "text": ".b32"},
        {"type": "b32"},
        {"press": "Escape"},
        {"type": " "},
        {"wait": ".parameter-hints-widget", "text": "membermask"},
        {"screenshot": str(picture)},
    ]
    results = editor.perform(folder, steps)
    assert len(results) == len(steps)
    assert picture.stat().st_size > 10_000


def test_an_untitled_document_is_checked(editor: Editor, tmp_path: Path) -> None:
    text = SAMPLE.read_text("utf-8").replace(SUM, MISTAKEN_SUM)
    plan: list[Step] = [{"do": "new", "text": text}, {"do": "diagnostics", "count": 1}]
    opened, found = ask(editor, workspace(tmp_path), plan)
    assert opened == {"scheme": "untitled"}
    assert [each["text"] for each in found] == ["%f9"]


def test_without_a_python_one_message_says_what_to_install_and_no_reload_is_needed(
    editor: Editor, tmp_path: Path
) -> None:
    old = tmp_path / "python3.9"
    old.write_text(OLD_PYTHON, "utf-8")
    old.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    text = SAMPLE.read_text("utf-8").replace(SUM, MISTAKEN_SUM)
    plan: list[Step] = [
        {"do": "new", "text": text},
        {"do": "command", "name": "ptx.showServerVersion"},
        {"do": "setting", "name": "ptx.server.interpreter", "value": sys.executable},
        {"do": "diagnostics", "count": 1},
        {"do": "command", "name": "ptx.showServerVersion"},
    ]
    seen: list[Step] = [{"wait": NOTIFICATION, "text": "needs Python 3.11 or newer"}]
    settings: dict[str, object] = {"ptx.server.interpreter": str(old), "ptx.server.path": ""}
    _, lacking, _, found, recovered = ask(editor, workspace(folder, settings), plan, seen)
    assert "Python 3.9.18" in lacking
    assert [each["text"] for each in found] == ["%f9"]
    assert recovered.startswith("ptx-lsp 0.")


WAITS = "The PTX server starts when an open document needs it."


def test_the_server_starts_when_a_document_needs_it(editor: Editor, tmp_path: Path) -> None:
    """Not for Python without inline PTX, also after a change of the settings; a command that needs it says so."""
    folder = workspace(tmp_path)
    (folder / "plain.py").write_text("value = 1\n", "utf-8")
    plan: list[Step] = [
        {"do": "open", "file": "plain.py"},
        {"do": "command", "name": "ptx.showServerVersion"},
        {"do": "setting", "name": "ptx.embedded.languages", "value": ["python", "rust"]},
        {"do": "command", "name": "ptx.showServerVersion"},
        {"do": "command", "name": "ptx.fromSource"},
        {"do": "open", "file": SAMPLE.name},
        {"do": "hints", "least": 1},
        {"do": "command", "name": "ptx.showServerVersion"},
    ]
    offer: Step = {"wait": ".notification-list-item-buttons-container", "text": "Restart Server"}
    _, before, _, after, _, _, _, started = ask(editor, folder, plan, [offer])
    assert (before, after) == (WAITS, WAITS)
    assert started.startswith("ptx-lsp 0.")


def test_the_window(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    picture = places.ROOT / "docs" / "images" / "window.png"
    taken = picture if "PTX_LSP_NEW_SCREENSHOT" in os.environ else tmp_path / picture.name
    text = SAMPLE.read_text("utf-8")
    value = {"wait": ".monaco-hover-content", "text": "1.44269"}
    steps: list[Step] = [
        {"click": ".explorer-folders-view .monaco-list-row", "text": SAMPLE.name},
        {"wait": "[id='status.editor.mode']", "text": "PTX"},
        {"wait": ".view-line", "text": ".version"},
        {"press": "Control+b"},
        {"press": "Control+Shift+m"},
        {"wait": ".markers-panel", "text": "No problems"},
        *to_place(text[: text.index(SUM)].count("\n") + 1),
        {"wait": ".view-line", "text": "bar.sync"},
        {"press": "End"},
        {"press": "ArrowLeft"},
        {"press": "Backspace"},
        {"press": "Backspace"},
        {"type": "f9"},
        {"press": "Escape"},
        {"wait": ".squiggly-error"},
        {"wait": ".view-line", "text": "1.442695"},
        {"wait": ".markers-panel", "text": "`%f9` is `.f32`"},
        # the colours of the server: the grammar does not know that a name is a variable
        {"styles": [], "settled": {"word": [TILE, TILE], "fontWeight": "700"}},
        {"hover": ".view-line span span", "text": "0f3FB8AA3B", "shows": value},
        {"screenshot": str(taken)},
    ]
    results = editor.perform(folder, steps)
    assert "PTX" in str(results[1])
    assert taken.stat().st_size > 10_000
    assert picture.is_file()


def test_the_status_item_shows_starting_analysing_and_a_failure(editor: Editor, tmp_path: Path) -> None:
    stages = tmp_path / "stages"
    stages.mkdir()
    server = stages / "staged"
    server.write_text(f'#!/bin/sh\nPTX_LSP_STAGES="{stages}" exec "{sys.executable}" "{STAGED_SERVER}" "$@"\n', "utf-8")
    server.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    workspace(folder)
    settings = STEADY | {"ptx.server.path": str(server)}
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings), "utf-8")
    steps: list[Step] = [
        {"click": ".explorer-folders-view .monaco-list-row", "text": SAMPLE.name},
        {"wait": "[id='status.editor.mode']", "text": "PTX"},
        {"wait": STATUS_ITEM},
        seen("ptx-lsp is starting"),
        {"screenshot": str(tmp_path / "starting.png")},
        {"write": str(stages / "answer"), "text": ""},
        {"write": str(stages / "analysing"), "text": "four files are left"},
        seen("ptx-lsp 0.0-staged is analysing"),
        seen("four files are left"),
        {"screenshot": str(tmp_path / "analysing.png")},
        {"write": str(stages / "quiet"), "text": ""},
        seen("ptx-lsp 0.0-staged"),
        {"write": str(stages / "failed"), "text": "the log has the details"},
        seen("ptx-lsp 0.0-staged: an analysis failed"),
        seen("the log has the details"),
        {"wait": f"{STATUS_ITEM}.error-kind, {STATUS_ITEM} .codicon-bracket-error"},
        {"screenshot": str(tmp_path / "failed.png")},
    ]
    shown = [str(result) for result in editor.perform(folder, steps) if result is not None]
    assert [text for text in ("is starting", "is analysing", "an analysis failed") if text not in "".join(shown)] == []


def seen(text: str) -> Step:
    """The mouse rests on the status item until its menu holds the text."""
    return {"hover": STATUS_ITEM, "shows": {"wait": ".hover-language-status", "text": text}}


def test_the_grammar_distinguishes_words(vsix: Path) -> None:
    run("npm", "run", "--silent", "test:grammar")


def test_the_grammars_of_inline_ptx_colour_templates_only(vsix: Path) -> None:
    extensions = places.code_server().parents[2] / "lib" / "vscode" / "extensions"
    grammars = sorted(path for host in ("cpp", "python", "rust") for path in extensions.glob(f"{host}/syntaxes/*.json"))
    given = [word for path in grammars for word in ("-g", str(path))]
    run("npx", "vscode-tmgrammar-test", *given, "syntaxes/test/inline/*")


def test_the_started_process_and_the_status_item(vsix: Path) -> None:
    run("npm", "run", "--silent", "test:unit")
