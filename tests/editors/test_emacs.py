"""The configuration for Emacs, in Emacs with eglot: the file's mode, a finding while typing, a hover."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.editors import places
from tests.editors.samples import CUDA, MISTAKEN_SUM, SAMPLE, SUM, server
from tests.patience import PATIENCE

CONFIGURATION = places.ROOT / "editors" / "emacs" / "ptx-lsp.el"


def scenario(setup: Path, sample: Path, mistake: tuple[str, str], hover: str, **more: str) -> dict[str, Any]:
    """Runs the scenario on a file: the first text of `mistake` becomes the second one. Returns what eglot knows."""
    folder = sample.parent
    result = folder / "result.json"
    variables = {"SETUP": setup, "FILE": sample, "OLD": mistake[0], "NEW": mistake[1], "RESULT": result, "HOME": folder}
    environment = os.environ | {name: str(value) for name, value in variables.items()} | {"HOVER": hover} | more
    environment["PATH"] = f"{server(folder)}{os.pathsep}{os.environ['PATH']}"
    command: list[str | Path] = [places.program("emacs"), "--batch", "-l", str(places.HERE / "scenario.el")]
    subprocess.run(command, check=True, timeout=PATIENCE, env=environment, cwd=folder, capture_output=True)
    found = json.loads(result.read_text("utf-8"))
    assert isinstance(found, dict)
    assert "error" not in found, found
    return found


def test_inline_ptx_of_cuda_in_eglot(tmp_path: Path) -> None:
    """The lines of the configuration that are comments, for those who want them, are tried as code."""
    [lines] = re.findall(r"^((?:;; \(add-to-list .*\n)+)", CONFIGURATION.read_text("utf-8"), re.M)
    setup = tmp_path / "setup.el"
    setup.write_text(f'(load "{CONFIGURATION}")\n{lines.replace(";; ", "")}', "utf-8")
    sample = tmp_path / "sample.cu"
    sample.write_text(CUDA, "utf-8")
    found = scenario(setup, sample, ('"f"(y)', '"d"(y)'), "fma.rn", OUTSIDE="float r")
    assert [each["text"] for each in found["findings"]] == ["%2"]
    assert '`%2` (`"d"(y)`) is `.f64`' in found["findings"][0]["message"]
    assert "fma" in found["hover"]
    assert ".rn" in [label.strip() for label in found["items"]]
    assert found["outside"] is None
    assert found["items_outside"] == []


def test_eglot_shows_a_finding_and_a_hover(tmp_path: Path) -> None:
    sample = tmp_path / "sample.ptx"
    sample.write_bytes(SAMPLE.read_bytes())
    found = scenario(CONFIGURATION, sample, (SUM, MISTAKEN_SUM), "0f3FB8AA3B")
    assert [each["text"] for each in found["findings"]] == ["%f9"]
    assert "`%f9` is `.f32`" in found["findings"][0]["message"]
    assert "1.44269" in found["hover"]
    names = found["names"]
    assert names["definitions"] == [names["label"]]
    assert len(names["references"]) == 2
    assert names["label"] in names["references"]
    assert "gaussian_param_0" in names["menu"]
    assert names["writes"] == [names["written"]]
    assert names["renamed"] == 2
    assert names["formatted"] == 1
    assert "shfl" in found["opcodes"]
    assert ".sync" in [label.strip() for label in found["modifiers"]]
    assert "%r7" in [label.strip() for label in found["registers"]]
