"""The configuration for Emacs, in Emacs with eglot: the file's mode, a finding while typing, a hover."""

import json
import os
import subprocess
from pathlib import Path

from tests.editors import places
from tests.editors.test_neovim import MISTAKEN_SUM, SAMPLE, SUM, server


def test_eglot_shows_a_finding_and_a_hover(tmp_path: Path) -> None:
    sample = tmp_path / "sample.ptx"
    sample.write_bytes(SAMPLE.read_bytes())
    result = tmp_path / "result.json"
    setup = places.ROOT / "editors" / "emacs" / "ptx-lsp.el"
    variables = {"SETUP": setup, "FILE": sample, "OLD": SUM, "NEW": MISTAKEN_SUM, "RESULT": result, "HOME": tmp_path}
    environment = os.environ | {name: str(value) for name, value in variables.items()} | {"HOVER": "0f3FB8AA3B"}
    environment["PATH"] = f"{server(tmp_path)}{os.pathsep}{os.environ['PATH']}"
    command: list[str | Path] = [places.program("emacs"), "--batch", "-l", str(places.HERE / "scenario.el")]
    subprocess.run(command, check=True, timeout=120, env=environment, cwd=tmp_path, capture_output=True)
    found = json.loads(result.read_text("utf-8"))
    assert "error" not in found, found
    assert [each["text"] for each in found["findings"]] == ["%f9"]
    assert "`%f9` is `.f32`" in found["findings"][0]["message"]
    assert "1.44269" in found["hover"]
    names = found["names"]
    assert names["definitions"] == [names["label"]]
    assert len(names["references"]) == 2
    assert names["label"] in names["references"]
    assert "gaussian_param_0" in names["menu"]
    assert names["renamed"] == 2
    assert names["formatted"] == 1
    assert "shfl" in found["opcodes"]
    assert ".sync" in [label.strip() for label in found["modifiers"]]
    assert "%r7" in [label.strip() for label in found["registers"]]
