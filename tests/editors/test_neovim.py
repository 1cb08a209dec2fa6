"""The configurations for Neovim, in Neovim: 0.11 negotiates UTF-8 with the server, 0.7 UTF-16."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.editors import places
from tests.editors.samples import CUDA, MISTAKEN_SUM, SAMPLE, SUM, server
from tests.patience import PATIENCE

NEOVIM = places.ROOT / "editors" / "neovim"
SETUP = f"vim.opt.runtimepath:append('{NEOVIM}')\nvim.lsp.enable('ptx_lsp')\n"


def run(neovim: Path, setup: Path, folder: Path, **more: str) -> dict[str, Any]:
    """Runs the scenario on PTX; a character outside the basic plane before the mistake shows a wrong encoding."""
    sample = folder / "sample.ptx"
    text = SAMPLE.read_text("utf-8")
    sample.write_text(text.replace("add.s32 \t%r8", "/* \N{PEACH} */ add.s32 \t%r8"), "utf-8")
    return scenario(neovim, setup, sample, (SUM, MISTAKEN_SUM), folder / "result.json", **more)


def scenario(
    neovim: Path, setup: Path, sample: Path, mistake: tuple[str, str], result: Path, **more: str
) -> dict[str, Any]:
    """Runs the scenario on a file: the first text of `mistake` becomes the second one. Returns what Neovim knows."""
    folder = sample.parent
    variables = {"SETUP": setup, "FILE": sample, "OLD": mistake[0], "NEW": mistake[1], "RESULT": result, **more}
    environment = os.environ | {name: str(value) for name, value in variables.items()}
    environment |= {"HOVER": "0f3FB8AA3B", "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    environment["PATH"] = f"{server(folder)}{os.pathsep}{os.environ['PATH']}"
    script = places.HERE / "scenario.lua"
    command: list[str | Path] = [neovim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {script}"]
    subprocess.run(command, check=True, timeout=PATIENCE, env=environment, cwd=folder, stdin=subprocess.DEVNULL)
    found = json.loads(result.read_text("utf-8"))
    assert isinstance(found, dict)
    assert "error" not in found, found
    return found


def is_right(found: dict[str, Any]) -> None:
    """One finding, on the register that was typed, and a hover with value and type."""
    assert [(each["text"], each["severity"], each["code"]) for each in found["findings"]] == [
        ("%f9", 1, "operand-type")
    ]
    assert "`%f9` is `.f32`" in found["findings"][0]["message"]
    assert "1.44269" in found["hover"]
    assert ".f32" in found["hover"]


def test_neovim_0_11_with_the_file_in_lsp(tmp_path: Path) -> None:
    setup = tmp_path / "setup.lua"
    setup.write_text(SETUP, "utf-8")
    page = (places.ROOT / "docs" / "editors" / "neovim.md").read_text("utf-8")
    *_, evaluate = re.findall(r"^```lua\n(.*?)^```$", page, re.S | re.M)
    found = run(places.new_neovim(), setup, tmp_path, EVALUATE=evaluate)
    is_right(found)
    assert found["encoding"] == "utf-8"
    names = found["names"]
    assert names["definition"] == "$L__BB0_2:"
    assert names["references"] == ["\t@%p1 bra \t$L__BB0_2;", "$L__BB0_2:"]
    assert names["symbols"][:2] == ["[Function] gaussian", "[Variable] gaussian_param_0"]
    assert names["fold"] == 1
    assert names["token"] == "parameter"
    assert names["evaluated"] == "31"
    assert names["writes"] == ["\tdiv.rn.f32 \t%f9, %f8, %f7;"]
    assert names["renamed"] == ["\t@%p1 bra \tskip;", "skip:"]
    assert "1.442695" in [hint["label"].strip(" =") for hint in found["hints"] if "%f10" in hint["line"]]
    assert found["modifiers"] == [".sync"]
    assert "%r7" in found["registers"]


def test_inline_ptx_of_cuda_in_neovim_0_11(tmp_path: Path) -> None:
    setup = tmp_path / "setup.lua"
    setup.write_text(SETUP, "utf-8")
    sample = tmp_path / "sample.cu"
    sample.write_text(CUDA, "utf-8")
    result = tmp_path / "result.json"
    found = scenario(places.new_neovim(), setup, sample, ('"f"(y)', '"d"(y)'), result, FILETYPE="cuda")
    assert [(each["text"], each["severity"], each["code"]) for each in found["findings"]] == [
        ("%2", 1, "asm-constraint")
    ]
    assert '`%2` (`"d"(y)`) is `.f64`' in found["findings"][0]["message"]
    assert "1.44269" in found["hover"]
    assert [hint["label"].strip(" =") for hint in found["hints"]] == ["1.442695"]


def test_an_older_neovim_with_the_file_for_older_ones(tmp_path: Path) -> None:
    """That of Debian 12 is 0.7, which knows UTF-16 only; that of Debian 13 is 0.10."""
    neovim = places.program("nvim")
    done = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True, timeout=PATIENCE)
    version = re.match(r"NVIM v0\.(\d+)\.", done.stdout)
    if version is None or not 7 <= int(version[1]) <= 10:
        places.missing(f"`nvim` on PATH is {done.stdout.splitlines()[0]}, no Neovim 0.7 to 0.10")
    found = run(neovim, NEOVIM / "before-0.11.lua", tmp_path)
    is_right(found)
    assert version is not None
    assert found["encoding"] in (("utf-16",) if version[1] == "7" else ("utf-8", "utf-16"))
