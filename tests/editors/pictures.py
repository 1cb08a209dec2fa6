"""What the pictures of the documentation show: a file, what a user does in it, and what VS Code must show then."""

from pathlib import Path
from typing import NamedTuple

from tests.editors import places
from tests.editors.codeserver import Step

EXAMPLES = places.ROOT / "examples"
HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n\n"
CONSTANTS = (
    HEAD
    + """.global .s64 first = (-1 | 0) >> 63;
.global .f32 turn = 0f40490FDB;
.const .u32 sizes[3] = { 4 * (32 + 1), 1 << 12, WARP_SZ - 1 };
"""
)
TRANSPOSE = (EXAMPLES / "tile_transpose.ptx").read_text("utf-8")
LATE: dict[str, Step] = {
    "tile_transpose.ptx": {"wait": ".codelens-decoration", "text": "loop of"},
    "typing.ptx": {"wait": ".codelens-decoration", "text": "loop of"},
    "constants.ptx": {"wait": ".view-line", "text": "4096"},
}
"""What comes last in a file: a hint or lens that comes later would end a hover, and keys do nothing before the server
has announced its features."""

FILES: dict[str, str] = {
    "tile_transpose.ptx": TRANSPOSE,
    "tensor_core.ptx": (EXAMPLES / "tensor_core.ptx").read_text("utf-8"),
    "mistake.ptx": TRANSPOSE.replace("add.u32 %row, %row, 8;", "add.u32 %row, %row, %valeu;", 1),
    "typing.ptx": TRANSPOSE.replace("    bar.sync 0;\n", "    \n"),
    "constants.ptx": CONSTANTS,
}


class Picture(NamedTuple):
    """A picture of the documentation.

    `at` is a text of the file: the cursor is put after it. `do` is what the user does there, `shows` what is waited
    for. `box` is the part of the window in CSS pixels: left, top, width, height.
    """

    name: str
    file: str
    at: str
    do: list[Step]
    shows: list[Step]
    box: tuple[int, int, int, int] = (0, 0, 1000, 400)


HOVER = ".monaco-hover-content"


def hovered(word: str, shown: str) -> tuple[list[Step], list[Step]]:
    """The mouse over a word, and what its hover must show."""
    return [], [{"hover": ".view-line span span", "text": word, "shows": {"wait": HOVER, "text": shown}}]


SUGGESTION = ".suggest-widget .monaco-list-row"
PALETTE = ".quick-input-widget input"

PICTURES = [
    Picture("hover", "tile_transpose.ptx", "load:", *hovered("mad", "Multiplies")),
    Picture("constants", "constants.ptx", ".version", *hovered(">>", "Table 5")),
    Picture("hints", "tensor_core.ptx", "wgmma.fence", [], [{"wait": ".view-line", "text": "imm-scale-a"}]),
    Picture(
        "completion",
        "typing.ptx",
        "@%more bra load;\n\n    ",
        [{"type": "shfl."}, {"press": "Control+Space"}],
        [{"wait": SUGGESTION, "text": ".sync"}],
    ),
    Picture(
        "signature",
        "typing.ptx",
        "@%more bra load;\n\n    ",
        [{"type": "mad.wide.u32 %at,"}, {"press": "Escape"}, {"type": " "}],
        [{"wait": ".parameter-hints-widget", "text": "mad.wide"}],
    ),
    Picture(
        "references",
        "tile_transpose.ptx",
        "st.shared.f32 [%ce",
        [{"press": "Shift+F12"}],
        [{"wait": ".zone-widget .monaco-list-row", "text": "cell"}],
        (0, 0, 1000, 600),
    ),
    Picture(
        "rename", "tile_transpose.ptx", "\nlo", [{"press": "F2"}], [{"wait": ".rename-box input", "state": "visible"}]
    ),
    Picture(
        "outline",
        "tile_transpose.ptx",
        "bar.sync",
        [{"press": "Control+Shift+o"}],
        [{"wait": ".quick-input-list .monaco-list-row", "text": "transpose"}],
    ),
    Picture(
        "symbols",
        "tile_transpose.ptx",
        "bar.sync",
        [{"press": "Control+t"}, {"wait": PALETTE}, {"type": "scal"}],
        [{"wait": ".quick-input-list .monaco-list-row", "text": "scale"}],
    ),
    Picture("lenses", "tile_transpose.ptx", "bar.sync", [], [{"wait": ".codelens-decoration", "text": "loop of"}]),
    Picture(
        "fix",
        "mistake.ptx",
        "%row, %row, %va",
        [{"wait": ".squiggly-error"}, {"press": "Control+."}],
        [{"wait": ".action-widget", "text": "%value"}],
    ),
]


def steps_of(picture: Picture, target: Path) -> list[Step]:
    """The steps that open a file, act in it, wait, and take the picture."""
    text = FILES[picture.file]
    before = text[: text.index(picture.at) + len(picture.at)]
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    left, top, width, height = picture.box
    clip = {"x": left, "y": top, "width": width, "height": height}
    return [
        {"press": "Control+Shift+e"},
        {"click": ".explorer-folders-view .monaco-list-row", "text": picture.file},
        {"wait": ".tab.active", "text": picture.file},
        {"press": "Control+b"},
        {"click": ".tab.active"},
        {"press": "Control+g"},
        {"wait": PALETTE},
        {"type": place},
        {"wait": ".quick-input-list .monaco-list-row", "text": f"line {place.partition(':')[0]} "},
        {"press": "Enter"},
        {"wait": "[id='status.editor.selection']", "text": f"Ln {place.replace(':', ', Col ')}"},
        *([LATE[picture.file]] if picture.file in LATE else []),
        *picture.do,
        *picture.shows,
        {"screenshot": str(target), "clip": clip},
    ]
