"""What people install: the wheel, what the README's first command gives, and the server inside the extension."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from ptx_lsp import __version__
from tests.editors.conftest import vsix
from tests.patience import PATIENCE, PATIENCE_WITH_TOOLS

pytestmark = pytest.mark.slow

__all__ = ["vsix"]

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = Path(sys.executable).parent
EXAMPLES = sorted((ROOT / "examples").glob("*.ptx"))
MISTAKES = sorted((ROOT / "examples" / "mistakes").glob("*.ptx"))
DATA = {
    path.relative_to(ROOT).as_posix()
    for pattern in ["rules/*.md", "isa/rows/*.isa", "py.typed"]
    for path in (ROOT / "ptx_lsp").glob(pattern)
}
README = (ROOT / "README.md").read_text("utf-8")
INITIALIZE: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}

Command = list[str | Path]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What the README's first command gives: a folder of programs, and how the command ended."""

    programs: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built in a copy: setuptools leaves a build folder beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = copied(folder / "ptx-lsp")
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, copy])
    [built] = folder.glob("*.whl")
    return built


def copied(folder: Path) -> Path:
    """A new folder with what the package is built from."""
    shutil.copytree(ROOT / "ptx_lsp", folder / "ptx_lsp", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ["pyproject.toml", "README.package.md", "LICENSE"]:
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    """A fresh checkout in which the README's first command was run."""
    folder = tmp_path_factory.mktemp("newcomer") / "ptx-lsp"
    left_out = shutil.ignore_patterns("__pycache__", "node_modules", "bundled", "build", "*.egg-info", ".*")
    shutil.copytree(ROOT, folder, ignore=left_out)
    command = next(line for line in README.splitlines() if line.startswith("python3 -m venv .venv "))
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS
    )
    return Newcomer(folder / ".venv" / "bin", done)


@pytest.fixture(scope="module")
def bundled(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked extension."""
    folder = tmp_path_factory.mktemp("vsix")
    with zipfile.ZipFile(vsix) as archive:
        archive.extractall(folder)
    return folder / "extension"


def run(command: Command, codes: tuple[int, ...] = (0,), /, **variables: str) -> str:
    """Runs a command outside of the checkout, so that only what is installed is found; what it printed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT.anchor,
        env=kept | variables,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_WITH_TOOLS,
    )
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def greet(command: Command, **variables: str) -> dict[str, object]:
    """Starts a server, initializes it, ends it: the answer to initialize."""
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": INITIALIZE},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown", "params": None},
        {"method": "exit", "params": None},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0"} | message).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    done = subprocess.run(
        command, input=sent, capture_output=True, timeout=PATIENCE, cwd=ROOT.anchor, env=os.environ | variables
    )
    assert done.returncode == 0, done.stderr.decode()
    received = done.stdout
    while received:
        head, _, rest = received.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length:")[1].split(b"\r\n")[0])
        answer = json.loads(rest[:length])
        if answer.get("id") == 1 and "result" in answer:
            result = answer["result"]
            assert isinstance(result, dict)
            return result
        received = rest[length:]
    raise AssertionError(done.stdout)


def test_the_wheel_holds_rule_pages_rows_and_the_type_marker(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert names >= DATA
    assert {name for name in names if name.startswith("tests/")} == set()


def test_the_sdist_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    copy = copied(tmp_path / "ptx-lsp")
    run([sys.executable, "-m", "build", "--outdir", tmp_path / "dist", copy])
    assert [path.name.partition("-")[0] for path in (tmp_path / "dist").glob("*.tar.gz")] == ["ptx_lsp"]
    [built] = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(built) as other:
        assert {each: one.read(each) for each in one.namelist()} == {
            each: other.read(each) for each in other.namelist()
        }


def test_the_description_of_the_package_has_no_relative_links(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        description = archive.read(name).decode("utf-8").partition("\n\n")[2]
    assert description.startswith("# ptx-lsp")
    assert re.findall(r"\]\((?!https?://)", description) == []
    assert "<!--" not in description
    assert "installs ptx-lsp into a virtual environment" in description


def test_the_readme_s_first_command_checks_the_examples(newcomer: Newcomer) -> None:
    assert newcomer.done.returncode == 0, newcomer.done.stdout + newcomer.done.stderr
    assert f"in {len(EXAMPLES)} files" in newcomer.done.stdout


def test_the_installed_command_finds_mistakes(newcomer: Newcomer) -> None:
    program = newcomer.programs / "ptx-lsp"
    assert __version__ in run([program, "--version"])
    lines = run([program, "check", "--format", "json", *MISTAKES], (1,)).splitlines()
    assert {Path(json.loads(line)["path"]).name for line in lines} == {path.name for path in MISTAKES}
    assert json.loads(run([program, "eval", "--format", "json", "(1 << 5) - 1"]))["value"] == "0x000000000000001f"


def test_the_installed_package_has_its_pages_and_rows(newcomer: Newcomer) -> None:
    python = newcomer.programs / "python"
    assert "operand-type" in run([python, "-m", "ptx_lsp", "rules"])
    assert "# " in run([python, "-m", "ptx_lsp", "explain", "operand-type"])
    assert "add" in run([python, "-m", "ptx_lsp", "isa", "add"])


def test_the_installed_library_checks_a_text(newcomer: Newcomer) -> None:
    code = "import sys, ptx_lsp; print([f.code for f in ptx_lsp.check(open(sys.argv[1]).read())])"
    operands = ROOT / "examples" / "mistakes" / "operands.ptx"
    assert "operand-type" in run([newcomer.programs / "python", "-c", code, operands])


def test_the_installed_server_answers(newcomer: Newcomer) -> None:
    answer = greet([newcomer.programs / "ptx-lsp", "server", "--stdio"])
    assert answer["serverInfo"] == {"name": "ptx-lsp", "version": __version__}


def test_pip_installs_the_wheel_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    programs = tmp_path / "environment" / "bin"
    run([sys.executable, "-m", "venv", "--without-pip", programs.parent])
    run([sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", wheel])
    assert run([programs / "ptx-lsp", "check", EXAMPLES[0]]) == "no findings in 1 file\n"


def test_pipx_installs_and_runs_the_wheel(wheel: Path, tmp_path: Path) -> None:
    folders = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    pipx: Command = [PROGRAMS / "pipx"]
    run([*pipx, "install", wheel], **folders)
    assert __version__ in run([tmp_path / "bin" / "ptx-lsp", "version"])
    ran = run([*pipx, "run", "--spec", wheel, "ptx-lsp", "check", EXAMPLES[0]], **folders)
    assert ran == "no findings in 1 file\n"


def test_uvx_runs_the_wheel(wheel: Path, tmp_path: Path) -> None:
    settings = {"UV_CACHE_DIR": str(tmp_path), "UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
    # uv does not read the configuration of pip, which on some machines names the only index that can be reached
    for name, option in (("global.index-url", "UV_DEFAULT_INDEX"), ("global.find-links", "UV_FIND_LINKS")):
        configured = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", name],
            capture_output=True,
            text=True,
            timeout=PATIENCE_WITH_TOOLS,
        )
        if configured.returncode == 0:
            settings[option] = configured.stdout.strip()
    ran = run([PROGRAMS / "uvx", "--from", wheel, "ptx-lsp", "check", EXAMPLES[0]], **settings)
    assert ran == "no findings in 1 file\n"


def test_the_extension_holds_the_server_and_all_that_it_imports(bundled: Path) -> None:
    libs = bundled / "bundled" / "libs"
    assert {name for name in DATA if not (libs / name).is_file()} == set()
    assert list(libs.rglob("*.so")) + list(libs.rglob("*.pyd")) == []
    command: Command = [
        sys.executable,
        "-P",
        "-S",
        "-m",
        "ptx_lsp",
        "server",
        "--stdio",
        f"--clientProcessId={os.getpid()}",
    ]
    answer = greet(command, PYTHONPATH=str(libs))
    assert answer["serverInfo"] == {"name": "ptx-lsp", "version": __version__}
    checked: Command = [sys.executable, "-P", "-S", "-m", "ptx_lsp", "check", EXAMPLES[0]]
    assert "no findings" in run(checked, PYTHONPATH=str(libs))


def test_the_extension_holds_what_its_manifest_names(bundled: Path) -> None:
    manifest = json.loads((bundled / "package.json").read_text("utf-8"))
    contributes = manifest["contributes"]
    named = [manifest["main"], *(each["configuration"] for each in contributes["languages"])]
    named += [each["path"] for each in contributes["grammars"]]
    named += [each["url"] for each in contributes["tomlValidation"]]
    steps = [step for each in contributes["walkthroughs"] for step in each["steps"]]
    named += [manifest["icon"], *(step["media"]["image"] for step in steps)]
    assert [name for name in named if not (bundled / name).is_file()] == []
    assert [path.name for path in bundled.glob("node_modules")] == []


def test_the_extension_is_small(vsix: Path) -> None:
    assert vsix.stat().st_size < 3_000_000


def test_the_gallery_has_what_it_shows(bundled: Path) -> None:
    manifest = json.loads((bundled / "package.json").read_text("utf-8"))
    icon = (bundled / manifest["icon"]).read_bytes()
    assert icon.startswith(b"\x89PNG")
    assert struct.unpack(">II", icon[16:24]) == (256, 256)  # the gallery wants 128 x 128 or more
    assert {"Programming Languages", "Linters", "Formatters"} <= set(manifest["categories"])
    assert len((bundled / "readme.md").read_text("utf-8")) > 1000


def test_the_walkthrough_names_only_commands_that_exist(bundled: Path) -> None:
    manifest = json.loads((bundled / "package.json").read_text("utf-8"))
    own = {each["command"] for each in manifest["contributes"]["commands"]}
    steps = [step for each in manifest["contributes"]["walkthroughs"] for step in each["steps"]]
    assert len(steps) >= 4
    texts = [step["description"] for step in steps]
    named = {found for text in texts for found in re.findall(r"\(command:(ptx\.\w+)\)", text)}
    named |= {found for step in steps for event in step.get("completionEvents", ())
              for found in re.findall(r"onCommand:(ptx\.\w+)", event)}  # fmt: skip
    assert named
    assert named <= own
