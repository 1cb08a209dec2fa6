"""What the pictures of the documentation show: a file, what a user does in it, and what VS Code must show then."""

import json
from pathlib import Path
from typing import NamedTuple

from tests.editors import places
from tests.editors.browser import Step
from tests.editors.workspaces import PALETTE, in_palette, to_place

EXAMPLES = places.ROOT / "examples"
HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n\n"
CONSTANTS = (
    HEAD
    + """.global .s64 first = (-1 | 0) >> 63;
.global .f32 turn = 0f40490FDB;
.const .u32 sizes[3] = { 4 * (32 + 1), 1 << 12, WARP_SZ - 1 };
"""
)
CALLS = (
    HEAD
    + """.func (.reg .f32 result) square(.reg .f32 x)
{
    mul.f32 result, x, x;
    ret;
}

.func (.reg .f32 result) length(.reg .f32 x, .reg .f32 y)
{
    .reg .f32 %a, %b;
    call.uni (%a), square, (x);
    call.uni (%b), square, (y);
    add.f32 %a, %a, %b;
    sqrt.rn.f32 result, %a;
    ret;
}

.visible .entry lengths(.param .u64 points)
{
    .reg .f32 %x, %y, %length;
    .reg .b64 %at;
    ld.param.u64 %at, [points];
    ld.global.v2.f32 {%x, %y}, [%at];
    call.uni (%length), length, (%x, %y);
    st.global.f32 [%at], %length;
    ret;
}
"""
)
SOURCE = """__global__ void scale(float *data, float by, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] *= by;
}
"""
COMPILED = (
    HEAD
    + """.visible .entry scale(.param .u64 data, .param .f32 by, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;

    ld.param.u64 %rd1, [data];
    ld.param.f32 %f1, [by];
    ld.param.u32 %r1, [count];
    .loc 1 3 13
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    .loc 1 4 5
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
    .loc 1 5 9
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    mul.f32 %f3, %f2, %f1;
    st.global.f32 [%rd4], %f3;
done:
    .loc 1 6 1
    ret;
}
.file 1 "scale.cu"
"""
)
RAGGED = (
    HEAD
    + """.visible .entry fill( .param .u64 data , .param .u32 value )
{
.reg .b32   %r<3>;
    .reg .b64 %rd<4>;
ld.param.u64 %rd1 , [data];
        ld.param.u32  %r1 , [ value ];
    cvta.to.global.u64 %rd2,  %rd1 ;
mov.u32 %r2, %tid.x ;
    mad.wide.u32 %rd3 , %r2, 4,   %rd2;
    st.global.u32   [ %rd3 ] , %r1 ;
ret ;
}
"""
)
POWERS = (
    HEAD
    + """.visible .entry powers(.param .u64 data)
{
    .reg .b32 %lane, %offset;
    .reg .f32 %x, %y;
    .reg .b64 %data, %at;

    ld.param.u64 %data, [data];
    cvta.to.global.u64 %data, %data;
    mov.u32 %lane, %tid.x;
    and.b32 %lane, %lane, (1 << 5) - 1;
    mul.lo.u32 %offset, %lane, 4 * (WARP_SZ + 1);
    cvt.u64.u32 %at, %offset;
    add.s64 %at, %at, %data;
    ld.global.f32 %x, [%at + 64 * 4];
    mul.f32 %x, %x, 0f3FB8AA3B;
    ex2.approx.f32 %y, %x;
    st.global.f32 [%at], %y;
    ret;
}
"""
)
STOPPED = {
    "type": "probe",  # the debugger of the tests, which stops there and has no variables
    "request": "launch",
    "name": "powers",
    "program": "${workspaceFolder}/powers.ptx",
    "line": POWERS[: POWERS.index("ex2")].count("\n") + 1,
    "internalConsoleOptions": "neverOpen",
}
TRANSPOSE = (EXAMPLES / "tile_transpose.ptx").read_text("utf-8")
LOOP: Step = {"wait": ".codelens-decoration", "text": "loop of"}
KERNEL: Step = {"wait": ".codelens-decoration", "text": "parameters"}
LATE: dict[str, Step] = {
    "tile_transpose.ptx": LOOP,
    "typing.ptx": LOOP,
    "typed.ptx": LOOP,
    "linked.ptx": LOOP,
    "calls.ptx": KERNEL,
    "ragged.ptx": KERNEL,
    "scale.ptx": KERNEL,
    "powers.ptx": KERNEL,
    "constants.ptx": {"wait": ".view-line", "text": "4096"},
}
"""What comes last in a file: a hint or lens that comes later would end a hover, and keys do nothing before the server
has announced its features."""

FILES: dict[str, str] = {
    "tile_transpose.ptx": TRANSPOSE,
    "tensor_core.ptx": (EXAMPLES / "tensor_core.ptx").read_text("utf-8"),
    "mistake.ptx": TRANSPOSE.replace("add.u32 %row, %row, 8;", "add.u32 %row, %row, %valeu;", 1),
    **dict.fromkeys(("typing.ptx", "typed.ptx"), TRANSPOSE.replace("    bar.sync 0;\n", "    \n")),
    "linked.ptx": TRANSPOSE,
    "constants.ptx": CONSTANTS,
    "calls.ptx": CALLS,
    "scale.ptx": COMPILED,
    "scale.cu": SOURCE,
    "powers.ptx": POWERS,
    "ragged.ptx": RAGGED,
    ".vscode/launch.json": json.dumps({"version": "0.2.0", "configurations": [STOPPED]}),
}
"""The files of the folder. One in which a picture types is used by that picture alone."""


class Picture(NamedTuple):
    """A picture of the documentation.

    `at` is a text of the file: the cursor is put after it. `do` is what the user does there, `shows` what is waited
    for. `box` is the part of the window in CSS pixels: left, top, width, height. `theme` is another colour theme. `end`
    ends what the picture has begun.
    """

    name: str
    file: str
    at: str
    do: list[Step]
    shows: list[Step]
    box: tuple[int, int, int, int] = (0, 0, 1000, 400)
    theme: str = ""
    end: tuple[Step, ...] = ()


HOVER = ".monaco-hover-content"


def hovered(word: str, shown: str) -> tuple[list[Step], list[Step]]:
    """The mouse over a word, and what its hover must show."""
    return [], [{"hover": ".view-line span span", "text": word, "shows": {"wait": HOVER, "text": shown}}]


SUGGESTION = ".suggest-widget .monaco-list-row"
COLLAPSED = ".codicon-folding-collapsed"
LINKED = ".linked-editing-decoration"
TALL = (0, 0, 1000, 600)


def chosen(command: str) -> list[Step]:
    """A command of the palette."""
    return in_palette("F1", command, command)


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
        TALL,
    ),
    Picture(
        "signature",
        "typed.ptx",
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
        TALL,
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
        [{"press": "Control+t", "until": PALETTE}, {"type": "scal", "into": PALETTE}],
        [{"wait": ".quick-input-list .monaco-list-row", "text": "scale"}],
    ),
    Picture("lenses", "tile_transpose.ptx", "bar.sync", [], [{"wait": ".codelens-decoration", "text": "loop of"}]),
    Picture(
        "fix",
        "mistake.ptx",
        "%row, %row, %va",
        [{"wait": ".squiggly-error"}, {"press": "Control+."}],
        [{"wait": ".action-widget", "text": "%value"}],
        (0, 0, 1000, 520),
    ),
    Picture(
        "rewrites",
        "constants.ptx",
        "sizes[3] = { 4 * (3",
        [{"press": "Control+."}],
        [{"wait": ".action-widget", "text": "as an expression"}],
    ),
    Picture(
        "calls",
        "calls.ptx",
        "result) squ",
        chosen("Peek Call Hierarchy"),
        [{"wait": ".zone-widget .monaco-list-row", "text": "length"}],
        TALL,
    ),
    Picture(
        "folding",
        "tile_transpose.ptx",
        "\nload",
        [{"press": "Control+k"}, {"press": "Control+0"}],
        [{"wait": COLLAPSED}],
        (0, 0, 1000, 360),
        end=({"press": "Control+k"}, {"press": "Control+j"}, {"wait": COLLAPSED, "state": "detached"}),
    ),
    Picture(
        "selection",
        "tile_transpose.ptx",
        "mad.lo.u32 %cell, %row, (3",
        [{"press": "Shift+Alt+ArrowRight"}] * 3,
        [{"wait": ".selected-text", "state": "attached"}],
    ),
    Picture(
        "linked",
        "linked.ptx",
        "\nload",
        [
            {"wait": LINKED, "state": "attached"},
            {"letter": "i", "until": {"wait": ".view-line", "text": "bra loadi"}},
            {"letter": "n", "until": {"wait": ".view-line", "text": "bra loadin"}},
            {"letter": "g", "until": {"wait": ".view-line", "text": "bra loading"}},
        ],
        [
            {"wait": ".view-line", "text": "loading:"},
            {"wait": ".view-line", "text": "bra loading"},
            {"wait": LINKED, "state": "attached"},
        ],
        TALL,
    ),
    Picture(
        "formatting",
        "ragged.ptx",
        "fill",
        chosen("Format Document"),
        [{"wait": ".view-line", "text": "[%rd3], %r1;"}],
        TALL,
    ),
    Picture(
        "source",
        "scale.ptx",
        "mad.lo.s32",
        chosen("PTX: Show Source"),
        [
            {"wait": ".view-line", "text": "blockIdx.x"},
            {"wait": ".view-overlays [class*='ced-']", "state": "attached"},
        ],
        TALL,
    ),
    Picture(
        "inline-values",
        "powers.ptx",
        ".entry powers",
        [{"press": "F5"}],
        [
            {"wait": ".debug-top-stack-frame-line", "state": "attached"},
            {"wait": ".debug-inline-value", "text": "(1 << 5) - 1 = 0x1f"},
            {"wait": ".debug-inline-value", "text": "0f3FB8AA3B = 1.442695"},
        ],
        (0, 0, 1000, 520),
        end=({"press": "Shift+F5"}, {"wait": ".debug-toolbar", "state": "hidden"}),
    ),
    Picture("colours", "calls.ptx", "lengths", [], [], TALL, theme="Default Light Modern"),
]


AWAY: list[Step] = [
    {"press": "Escape"},
    {"press": "Escape"},
    {"press": "Control+Shift+e"},
    {"wait": ".tab.dirty", "state": "detached"},
    {"press": "Control+k"},
    {"press": "Control+w"},
    {"wait": ".tab", "state": "detached"},
]
"""What ends a picture: nothing is open. Files are saved when the explorer has the focus."""


def steps_of(picture: Picture, target: Path, settings: Path) -> list[Step]:
    """The steps that open a file, act in it, wait, and take the picture. `settings` is the file of the workspace's."""
    text = FILES[picture.file]
    before = text[: text.index(picture.at) + len(picture.at)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    left, top, width, height = picture.box
    clip = {"x": left, "y": top, "width": width, "height": height}
    return [
        *AWAY,
        *(themed(picture.theme, settings) if picture.theme else []),
        {"click": ".explorer-folders-view .monaco-list-row", "text": picture.file},
        {"wait": ".tab.active", "text": picture.file},
        {"press": "Control+b"},
        {"click": ".tab.active"},
        {"rest": [940, 600]},
        *to_place(line, column),
        *([LATE[picture.file]] if picture.file in LATE else []),
        *picture.do,
        *picture.shows,
        {"screenshot": str(target), "clip": clip},
        *picture.end,
    ]


def themed(theme: str, settings: Path) -> list[Step]:
    """The steps that change the colour theme of all windows of a workspace to a light one."""
    values = json.loads(settings.read_text("utf-8")) | {"workbench.colorTheme": theme}
    return [{"write": str(settings), "text": json.dumps(values)}, {"wait": ".monaco-workbench.vs"}]
