"""The colours of words in VS Code's default themes, as the browser computes them."""

import colorsys
import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.editors import places
from tests.editors.browser import Step
from tests.editors.codeserver import Editor, running
from tests.editors.workspaces import STEADY, workspace

COLOURS = places.HERE / "colours.ptx"
THEMES = {
    "Default Dark Modern": "dark_modern",
    "Default Light Modern": "light_modern",
    "Default High Contrast": "hc_black",
    "Default High Contrast Light": "hc_light",
}
WORDS = {
    "opcode": ("mul.rn.ftz", "mul"),
    "directive": (".visible .entry", ".visible"),
    "type": ("ld.global.nc", ".f32"),
    "modifier": ("mul.rn.ftz", ".ftz"),
    "register": ("ld.global.nc", "%f1"),
    "special register": ("mov.u32", "%tid"),
    "parameter": ("ld.param.u64", "input"),
    "variable": ("st.shared.f32", "tile"),
    "label": ("bra again", "again"),
    "function": ("call.uni", "half_of"),
}
MAY_BE_EQUAL = ({"parameter", "variable"}, {"directive", "opcode"})
MORE_MODIFIERS = {
    "state space": ("ld.global.nc", ".global"),
    "rounding": ("mul.rn.ftz", ".rn"),
    "comparison": ("setp.lt.s32", ".lt"),
    "uniform": ("call.uni", ".uni"),
}


@pytest.fixture(scope="module")
def editor(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """VS Code with the extension alone."""
    folder = tmp_path_factory.mktemp("code-server")
    with running(folder, [vsix]) as started:
        yield started


def test_each_kind_of_word_has_its_own_colour_in_every_default_theme(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / COLOURS.name).write_bytes(COLOURS.read_bytes())
    settings = folder / ".vscode" / "settings.json"
    steps: list[Step] = [
        {"click": ".explorer-folders-view .monaco-list-row", "text": COLOURS.name},
        {"wait": "[id='status.editor.mode']", "text": "PTX"},
        {"press": "Control+b"},
    ]
    for theme, file in THEMES.items():
        chosen = json.loads(settings.read_text("utf-8")) | STEADY | {"workbench.colorTheme": theme}
        steps += [
            {"write": str(settings), "text": json.dumps(chosen | {"editor.fontSize": 13})},
            {"wait": f".monaco-workbench[class*='themes-{file}-json']"},
            # the analysis knows that a name in brackets is a parameter, the grammar does not
            {"styles": [*WORDS.values(), *MORE_MODIFIERS.values()], "settled": {"word": WORDS["parameter"]} | BOLD},
            {"screenshot": str(tmp_path / f"{file}.png")},
        ]
    found = [result for result in editor.perform(folder, steps) if isinstance(result, list)]
    problems = [f"{theme}: {each}" for theme, styles in zip(THEMES, found, strict=True) for each in wrong(styles)]
    assert problems == []
    for file in THEMES.values():
        assert (tmp_path / f"{file}.png").stat().st_size > 10_000


BOLD = {"fontWeight": "700"}


def wrong(styles: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the styles of `WORDS` and `MORE_MODIFIERS` in one theme."""
    assert not [style for style in styles if "missing" in style]
    kinds = dict(zip(WORDS, styles, strict=False))
    equal = [
        f"{one} and {other} look the same: {kinds[one]}"
        for one, other in combinations(kinds, 2)
        if kinds[one] == kinds[other] and {one, other} not in MAY_BE_EQUAL
    ]
    modifiers = dict(zip(MORE_MODIFIERS, styles[len(WORDS) :], strict=True)) | {"modifier": kinds["modifier"]}
    return equal + [f"the {kind} is red: {style}" for kind, style in modifiers.items() if is_red(style["color"])]


def is_red(colour: str) -> bool:
    """Whether a CSS colour is red: saturated, and less than 30 degrees from red in the colour circle."""
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    return saturation > 0.25 and min(hue, 1 - hue) < 30 / 360


def test_red_is_recognised() -> None:
    assert is_red("rgb(229, 0, 0)")
    assert is_red("rgb(181, 32, 13)")
    assert not is_red("rgb(86, 156, 214)")
    assert not is_red("rgb(59, 59, 59)")
