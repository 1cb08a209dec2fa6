"""The configurations of the editors that no test drives: they can be read, and start the server."""

import json
import os
import plistlib
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ptx_lsp import __version__
from tests.editors import places
from tests.patience import PATIENCE

EDITORS = places.ROOT / "editors"
COMMAND = ["ptx-lsp", "server"]
STUBS = {
    "lsp.vim": """
function! lsp#register_server(server) abort
  call writefile([json_encode([a:server.name, a:server.cmd({}), a:server.allowlist, a:server.root_uri({})])], $RESULT)
endfunction
""",
    "lsp/utils.vim": """
function! lsp#utils#get_buffer_path() abort
  return expand('%:p')
endfunction
function! lsp#utils#find_nearest_parent_file_directory(path, marks) abort
  return fnamemodify(finddir(a:marks[0], fnamemodify(a:path, ':h') . ';'), ':p:h:h')
endfunction
function! lsp#utils#path_to_uri(path) abort
  return a:path
endfunction
""",
    "ale/linter.vim": """
function! ale#linter#Define(type, linter) abort
  let root = a:linter.project_root(bufnr('%'))
  call writefile([json_encode([a:linter.name, [a:linter.executable, a:linter.command], [a:type], root])], $RESULT)
endfunction
""",
}


def test_helix() -> None:
    languages = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text("utf-8"))
    server = languages["language-server"]["ptx-lsp"]
    assert [server["command"], *server["args"]] == COMMAND
    assert languages["language"][0]["language-servers"] == ["ptx-lsp"]


def test_helix_takes_the_lines_for_inline_ptx() -> None:
    """They are comments: who wants them removes the signs."""
    _, _, lines = (EDITORS / "helix" / "languages.toml").read_text("utf-8").partition("# Inline PTX")
    languages = tomllib.loads("\n".join(line.removeprefix("#").strip() for line in lines.splitlines()[1:]))["language"]
    servers = {language["name"]: language["language-servers"] for language in languages}
    assert servers["cuda"] == ["clangd", "ptx-lsp"]
    [ours] = [server for server in servers["python"] if isinstance(server, dict)]
    assert ours["name"] == "ptx-lsp"
    inside = {"diagnostics", "hover", "completion", "signature-help", "code-action", "inlay-hints"}
    assert set(ours["only-features"]) == inside


def test_zed() -> None:
    extension = tomllib.loads((EDITORS / "zed" / "extension.toml").read_text("utf-8"))
    language = tomllib.loads((EDITORS / "zed" / "languages" / "ptx" / "config.toml").read_text("utf-8"))
    assert extension["language_servers"]["ptx-lsp"]["languages"] == [language["name"]]
    assert language["path_suffixes"] == ["ptx"]
    package = tomllib.loads((EDITORS / "zed" / "Cargo.toml").read_text("utf-8"))
    assert package["lib"]["crate-type"] == ["cdylib"]
    assert package["package"]["version"] == extension["version"] == __version__
    source = (EDITORS / "zed" / "src" / "lib.rs").read_text("utf-8")
    assert all(source.count(opened) == source.count(closed) for opened, closed in ("()", "[]", "{}"))
    assert all(f'"{word}"' in source for word in COMMAND)


def test_sublime_text() -> None:
    settings = json.loads((EDITORS / "sublime" / "LSP-ptx.sublime-settings").read_text("utf-8"))
    grammar = plistlib.loads((EDITORS / "sublime" / "PTX.tmLanguage").read_bytes())
    client = settings["clients"]["ptx-lsp"]
    assert client["command"] == COMMAND
    assert client["selector"] == grammar["scopeName"]
    assert {each["include"].removeprefix("#") for each in grammar["patterns"]} <= set(grammar["repository"])
    assert grammar["fileTypes"] == ["ptx"]


def test_kate() -> None:
    server = json.loads((EDITORS / "kate" / "settings.json").read_text("utf-8"))["servers"]["ptx"]
    language = ElementTree.parse(EDITORS / "kate" / "ptx.xml").getroot()
    assert server["command"] == COMMAND
    assert server["highlightingModeRegex"] == f"^{language.get('name')}$"
    styles = {item.get("name") for item in language.iter("itemData")}
    used = {each.get("attribute") for each in language.iter() if each.get("attribute")}
    assert used == styles
    contexts = {each.get("name") for each in language.iter("context")}
    named = {each.get("context") for each in language.iter() if each.get("context")}
    assert {name for name in named if name and not name.startswith("#")} <= contexts


@pytest.mark.parametrize(("file", "then"), [("vim-lsp.vim", "doautocmd User lsp_setup"), ("ale.vim", "set filetype?")])
def test_vim(file: str, then: str, tmp_path: Path) -> None:
    """Neovim reads the script twice and opens a file of a repository; functions of this test replace the plugins'."""
    for name, text in STUBS.items():
        (tmp_path / "autoload" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "autoload" / name).write_text(text, "utf-8")
    program = tmp_path / "ptx-lsp"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    inner = tmp_path / "project" / "inner"
    inner.mkdir(parents=True)
    (inner.parent / ".git").mkdir()
    (inner / "k.ptx").write_text("", "utf-8")
    result = tmp_path / "result.json"
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"RESULT": str(result), "PATH": path, "XDG_STATE_HOME": str(tmp_path)}
    script = EDITORS / "vim" / file
    sourced = [f"set runtimepath^={tmp_path}", f"source {script}", f"source {script}"]
    commands = ["filetype on", *sourced, f"edit {inner / 'k.ptx'}", then, "qall!"]
    command: list[str | Path] = [places.new_neovim(), "--headless", "-u", "NONE", "-i", "NONE", "-n"]
    for each in commands:
        command += ["-c", each]
    done = subprocess.run(command, timeout=PATIENCE, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    name, started, types, root = json.loads(result.read_text("utf-8"))
    assert name == "ptx-lsp"
    assert " ".join(started).replace("%e ", "") == " ".join(COMMAND)
    assert types == ["ptx"]
    assert Path(root) == inner.parent
