"""The house rules that a machine can check: what a room may import, and the sizes and purposes of modules."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.package_sources import PACKAGE, ROOT, parsed, sources
from tests.patience import PATIENCE

FLOORS = {
    "findings": 0,
    "text": 0,
    "hosts": 0,
    "rules": 0,
    "prepared_patterns": 0,
    "config": 1,
    "isa": 2,
    "syntax": 3,
    "outline": 4,
    "constants": 4,
    "judgement": 5,
    "semantics": 6,
    "quick": 7,
    "reading": 8,
    "analysis": 9,
    "occurrences": 10,
    "fixes": 11,
    "layout": 12,
    "explanations": 12,
    "rewrites": 13,
    "candidates": 13,
    "features": 14,
    "embedded": 15,
    "server": 16,
    "cli": 17,
}
LIBRARY = FLOORS["analysis"]
LONGEST = 400
LONGEST_FUNCTION = 50
MOST_MODULES = 16  # of each of the three rooms that analyse
# What features and fixes may import of these three rooms.
PUBLIC_FACE = frozenset(
    f"ptx_lsp.{module}" for module in ("analysis.module", "reading.statement_context", "reading.state")
)
VAGUE = re.compile(r"^(utils?|helpers?|misc|common|managers?)$")
# What only the two upper floors may touch: the core also runs where there are no files, threads or processes.
UPPER_ONLY = re.compile(
    r"^(os|pathlib|socket|subprocess|threading|multiprocessing|concurrent|asyncio|shutil|tempfile)\b"
)
# The rest of the server also runs where there are no threads, processes or sockets; see `server/stepped_server.py`.
PROCESS_PART = PACKAGE / "server" / "process"
PROCESS_ONLY = re.compile(
    r"^(os|pathlib|signal|select|selectors|socket|ssl|subprocess|threading|_thread|multiprocessing|concurrent|shutil"
    r"|tempfile|ptx_lsp\.server\.process)\b"
)
PROCESS_CALLS = frozenset(
    [
        "run_in_executor",
        "to_thread",
        "create_server",
        "start_server",
        "create_connection",
        "open_connection",
        "connect_read_pipe",
        "connect_write_pipe",
        "create_subprocess_exec",
        "create_subprocess_shell",
        "add_signal_handler",
        "add_reader",
        "add_writer",
        "thread_pool",
        "run_until_complete",
        "run_forever",
        "call_soon_threadsafe",
        "run_coroutine_threadsafe",
    ]
)
PROTOCOL = re.compile(r"^(pygls|lsprotocol)\b")
HEAVY = {"lsprotocol", "pygls", "attrs", "cattrs", "asyncio"}


def other_sources() -> list[Path]:
    """Every other module: tests, measurements, and what writes the pages and the files of the editors."""
    made = {"node_modules", "bundled"}
    paths = (path for folder in ("benchmarks", "docs", "editors", "tests") for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in paths if not made & set(path.parts))


def name(path: Path) -> str:
    """A path as the reader of a failure wants it."""
    return path.relative_to(ROOT).as_posix()


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """What a module imports, by its full name, wherever in the module; True where a type checker alone does it."""
    return list(_imports(parsed(path), path))


def _imports(tree: ast.Module, path: Path) -> Iterator[tuple[str, bool]]:
    typing_only = {
        id(node) for test in ast.walk(tree) if is_typing_only(test) for line in test.body for node in ast.walk(line)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in typing_only) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)} imports relatively"
            module = node.module or ""
            yield module, id(node) in typing_only
            if module == "ptx_lsp":
                yield from ((f"ptx_lsp.{alias.name}", id(node) in typing_only) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "late_module":
            yield ast.unparse(node.args[0]).strip("\"'"), False


def is_typing_only(node: ast.AST) -> TypeGuard[ast.If]:
    """Whether this is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def room(module: str) -> str | None:
    """The room of a module of ours; None for the package itself and for all other modules."""
    parts = module.split(".")
    return parts[1] if parts[0] == "ptx_lsp" and len(parts) > 1 and parts[1] in FLOORS else None


def test_every_folder_of_the_package_is_a_room() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(FLOORS)


def faulty(faults: Callable[[Path], list[str]], paths: Iterable[Path] | None = None) -> dict[str, list[str]]:
    """The modules that have faults, by name, with their faults. Without `paths`, all modules of the package."""
    return {name(path): found for path in paths or sources() if (found := faults(path))}


def test_arrows_run_downward() -> None:
    assert faulty(upward_imports) == {}


def upward_imports(path: Path) -> list[str]:
    """What a module imports from a room that it must not know."""
    here = path.relative_to(PACKAGE).parts[0]
    if here not in FLOORS:
        return []
    upward = [
        module
        for module, _ in imports(path)
        if (there := room(module)) and there != here and FLOORS[there] > FLOORS[here]
    ]
    # The rooms of the ground floor: a finding has a range, a text knows nothing of findings, hosts know only texts.
    upward += [module for module, _ in imports(path) if here == "text" and room(module) == "findings"]
    upward += [module for module, _ in imports(path) if here == "hosts" and room(module) not in (None, "hosts", "text")]
    upward += [module for module, _ in imports(path) if here in ("findings", "text") and room(module) == "hosts"]
    return upward


def test_no_module_imports_itself_by_way_of_others() -> None:
    """In a room too, one module is below the other; an import inside a function or for the types alone counts."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in sources()
    }
    below = {each: [module for module, _ in imports(path) if module in modules] for each, path in modules.items()}
    assert len(list(TopologicalSorter(below).static_order())) == len(modules)  # or a `CycleError`, which names them


def test_features_and_fixes_know_the_public_face_of_the_analysis_only() -> None:
    assert faulty(inner_imports) == {}


def inner_imports(path: Path) -> list[str]:
    """What a feature or fix imports from the rooms that analyse, except their public face."""
    rooms = ("candidates", "explanations", "features", "fixes", "layout", "rewrites")
    if path.relative_to(PACKAGE).parts[0] not in rooms:
        return []
    inside = [module for module, _ in imports(path) if room(module) in ("quick", "reading", "analysis")]
    return [module for module in inside if module not in PUBLIC_FACE]


@pytest.mark.parametrize("folder", ["analysis", "reading", "quick"])
def test_the_rooms_of_the_analysis_stay_small(folder: str) -> None:
    modules = [path for path in (PACKAGE / folder).glob("*.py") if path.stem != "__init__"]
    assert len(modules) <= MOST_MODULES
    assert faulty(long_functions, modules) == {}


def long_functions(path: Path) -> list[str]:
    """The functions of a module that have too many lines."""
    functions = [each for each in ast.walk(parsed(path)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [each.name for each in functions if (each.end_lineno or 0) - each.lineno >= LONGEST_FUNCTION]


def test_only_the_upper_floors_touch_the_machine_and_the_protocol() -> None:
    assert faulty(imports_for_upper_floors) == {}


def imports_for_upper_floors(path: Path) -> list[str]:
    """What a module imports that only the floors above it may."""
    floor = FLOORS.get(path.relative_to(PACKAGE).parts[0], FLOORS["cli"])
    names = [module for module, typing_only in imports(path) if not typing_only]
    if floor < FLOORS["server"]:
        return [module for module in names if UPPER_ONLY.match(module) or PROTOCOL.match(module)]
    return [module for module in names if floor == FLOORS["cli"] and PROTOCOL.match(module)]


def test_only_the_process_part_of_the_server_uses_threads_processes_sockets_and_files() -> None:
    modules = [path for path in (PACKAGE / "server").rglob("*.py") if PROCESS_PART not in path.parents]
    assert len(modules) > 20
    assert faulty(uses_of_the_process, modules) == {}


def uses_of_the_process(path: Path) -> list[str]:
    """What a module imports or calls that only the process part of the server may."""
    imported = [each for each, typing_only in imports(path) if PROCESS_ONLY.match(each) and not typing_only]
    attributes = {node.attr for node in ast.walk(parsed(path)) if isinstance(node, ast.Attribute)}
    return imported + sorted(attributes & PROCESS_CALLS)


def test_what_tests_share_is_in_modules_of_its_own() -> None:
    """No module imports a test module: what several tests need is in a module whose name says what it is."""
    assert faulty(imported_tests, other_sources()) == {}


def imported_tests(path: Path) -> list[str]:
    """The test modules that a module imports."""
    return [module for module, _ in imports(path) if module.rpartition(".")[2].startswith("test_")]


def test_no_import_hides_from_this_test() -> None:
    assert faulty(hidden_imports) == {}


def hidden_imports(path: Path) -> list[str]:
    """The calls of a module that import another one by a text."""
    if path.parent.name in ("cli", "server") or path.name in ("__main__.py", "late_modules.py"):
        return []  # commands are imported by name there, from a table of constants; late modules are seen by `imports`
    text = path.read_text("utf-8")
    return [word for word in ("import_module", "__import__") if word in text]


@pytest.mark.parametrize("command", ["check", "eval", "rules"])
def test_the_command_line_starts_without_the_protocol(command: str) -> None:
    arguments = {"check": [str(ROOT / "examples" / "softmax.ptx")], "eval": ["1+1"], "rules": []}[command]
    code = (
        "import sys\nfrom ptx_lsp.cli.main import main\nmain(sys.argv[1:])\n"
        f"print(sorted(set(sys.modules) & {HEAVY!r}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, command, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_modules_are_of_a_readable_size_and_have_a_purpose() -> None:
    assert faulty(faults_of_size_and_purpose) == {}


def test_tests_and_tools_are_of_a_readable_size_and_have_a_purpose() -> None:
    assert faulty(faults_of_size_and_purpose, other_sources()) == {}
    assert faulty(long_functions, other_sources()) == {}


def faults_of_size_and_purpose(path: Path) -> list[str]:
    """What is wrong with the length of a module, its name, and its docstring."""
    lines = path.read_text("utf-8").count("\n")
    found = [f"it has {lines} lines: it answers more than one question"] if lines > LONGEST else []
    found += ["its name says nothing"] if VAGUE.match(path.stem) else []
    silent = path.stat().st_size and not ast.get_docstring(parsed(path))
    return [*found, "it does not say what it is for"] if silent else found
