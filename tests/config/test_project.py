"""Configuration files: which one holds, what it may say, and each mistake as a finding at its place."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.config import globs
from ptx_lsp.config.globs import matches
from ptx_lsp.config.project import LARGEST, Project
from ptx_lsp.config.project_file import read_project
from ptx_lsp.config.schema import SETTINGS
from ptx_lsp.config.search import Projects, may_have_our_table
from ptx_lsp.config.settings import Settings, combined, settings_of
from ptx_lsp.config.toml_places import MOST_KEYS, places
from ptx_lsp.findings.finding import Severity
from ptx_lsp.text.lines import line_starts
from tests.config.everything import EVERYTHING


def read(text: str, path: str = "/p/ptx-lsp.toml") -> Project:
    project = read_project(text, path)
    assert project is not None
    return project


def marked(text: str, project: Project) -> list[tuple[str, str]]:
    """The message of each mistake, and the text that it is at."""
    starts = line_starts(text)
    found = []
    for problem in project.problems:
        place = problem.range
        assert problem.severity is Severity.ERROR
        start, end = starts[place.line] + place.column, starts[place.end_line] + place.end_column
        found.append((problem.message, text[start:end]))
    return found


def test_every_setting_that_a_file_may_have() -> None:
    project = read(EVERYTHING)
    assert project.problems == ()
    assert set(project.values) == {row.name for row in SETTINGS if row.project}
    found = settings_of(project.values)
    assert found.maximum_version == (8, 4)
    assert (found.targets, found.authority, found.hints.operand_names) == (("sm_90a",), "isa", "off")
    assert {name: value for name, value in asdict(found.hints).items() if value} == {"operand_names": "off"}
    assert found.severity["constant-wraps"] is None
    assert found.severity["constant-cast"] is Severity.ERROR
    assert found.ignored("/p/generated/a/b.ptx") >= {"unused-label", "unused-registers", "never-written"}
    assert found.ignored("/p/sub/old.ptx") == {"*"}
    assert found.ignored("/q/generated/b.ptx") == frozenset()


def test_a_shared_file_has_a_table() -> None:
    text = '[tool.ptx-lsp]\ntarget = "sm_80"\nseverity = {"x-y" = "off"}\n'
    project = read(text, "/p/pyproject.toml")
    assert project.values == {"target": "sm_80", "severity": {}}
    assert marked(text, project) == [("there is no code `x-y`", '"x-y"')]
    assert read_project('[tool.other]\na = "ptx-lsp"\n', "/p/pyproject.toml") is None
    assert read_project("[tool.other\n", "/p/pyproject.toml") is None


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ('targt = "sm_90"', "there is no setting `targt`, did you mean `target`?", "targt"),
        ("\n[hints]\nhex-floats = 1", "`hints.hex-floats` takes true or false", "hex-floats"),
        ("hints.hex-float = true", "there is no setting `hints.hex-float`, did you mean `hints.hex-floats`?", None),
        ("maximumVersion = '8.4'", "there is no setting `maximumVersion`, did you mean `maximum-version`?", None),
        ('maximum-version = "eight"', "`maximum-version` takes a PTX ISA version such as `8.4`, or nothing", None),
        ('target = "turing"', "`target` takes targets such as `sm_90` or `sm_90a, sm_120a`, or nothing", "target"),
        ('ignore = ["unused", "unusd"]', "there is no code `unusd`, did you mean `unused`?", '"unusd"'),
        ('[ignore]\n"a/**" = "unused"', "`a/**` takes a list of codes", '"a/**"'),
        ('ignore."a\\u002fb" = [\n  "unused",\n  7, # seven\n]', "there is no code `7`", "7"),
        ('severity.unused-label = "loud"', "severity of `unused-label` is not one of", "unused-label"),
        ('[server]\npath = "/bin/evil"', "`server.path` is a setting of the editor only", "path"),
        ("[diagnostics]\nmaximum = 7", "`diagnostics.maximum` is a setting of the editor only", "maximum"),
        ("select = 3", "`select` takes a list of codes and families", "select"),
        ("a = 1\nb = [\n", "this is not TOML: ", None),
        ("target = sm_90", "this is not TOML: invalid value", "s"),
    ],
)
def test_a_mistake_is_a_finding_at_its_place(text: str, message: str, at: str | None) -> None:
    project = read(text)
    assert len(project.problems) == 1, project.problems
    ((found, place),) = marked(text + "\n", project)
    assert message in found
    if at is not None:
        assert place == at
    assert settings_of(project.values) == Settings() or "unus" in text


def test_the_other_settings_hold_in_spite_of_a_mistake() -> None:
    project = read('target = 7\nmaximum-version = "8.4"\n')
    assert len(project.problems) == 1
    assert settings_of(project.values).maximum_version == (8, 4)


KEYS = st.sampled_from(["a", "b-c", "'d e'", '"f\\ng"', "1"])
SCALARS = st.sampled_from(["1", "true", '"x # y"', "'z'", '"""a\n"b" ]"""', "'''c\n'd' ='''", "1979-05-27", "1.5e3"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3).map(lambda each: "[" + ", # x\n".join(each) + "\n]"),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.lists(KEYS, min_size=1, max_size=2), VALUES), max_size=4))
def test_every_key_and_element_of_a_toml_text_has_its_place(pairs: list[tuple[list[str], str]]) -> None:
    text = "".join(f"{' . '.join(key)} = {value}\n" for key, value in pairs)
    try:
        root = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # a key occurs twice
    found = places(text)

    def look(path: tuple[str | int, ...], value: object) -> None:
        if path:
            start, end = found[path]
            written = text[start:end]
            if isinstance(path[-1], int):
                assert tomllib.loads(f"x = {written}")["x"] == value
            else:
                assert tomllib.loads(f"{written} = 1") == {path[-1]: 1}
        inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
        for key, each in inner:
            look((*path, key), each)

    look((), root)


# --- which file ------------------------------------------------------------------------------------------------------


class Disk:
    """Files in memory; counts what is read."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.read_paths: list[str] = []

    def read(self, path: str, limit: int) -> bytes | None:
        self.read_paths.append(path)
        if path not in self.files:
            raise FileNotFoundError(path)
        data = self.files[path].encode()
        return data if len(data) <= limit else None


def test_the_nearest_file_upwards_counts() -> None:
    projects = Projects(
        Disk(
            {
                "/ptx-lsp.toml": "",
                "/p/pyproject.toml": "[tool.ptx-lsp]",
                "/p/a/pyproject.toml": "[tool.black]",
                "/p/b/ptx-lsp.toml": "",
                "/p/b/pyproject.toml": "[tool.ptx-lsp]",
            }
        ).read
    )
    paths = {path: project.path for path in ALL if (project := projects.of(path)) is not None}
    assert paths == {
        "/k.ptx": "/ptx-lsp.toml",
        "/q/k.ptx": "/ptx-lsp.toml",
        "/p/k.ptx": "/p/pyproject.toml",
        "/p/a/k.ptx": "/p/pyproject.toml",
        "/p/a/c/d/k.ptx": "/p/pyproject.toml",
        "/p/b/k.ptx": "/p/b/ptx-lsp.toml",
        "/p/b/c/k.ptx": "/p/b/ptx-lsp.toml",
    }


TOO_DEEP = "its values are nested too deeply"
ALL = ["/k.ptx", "/q/k.ptx", "/p/k.ptx", "/p/a/k.ptx", "/p/a/c/d/k.ptx", "/p/b/k.ptx", "/p/b/c/k.ptx"]


def test_each_file_is_read_once_until_it_is_forgotten() -> None:
    files = Disk({"/p/ptx-lsp.toml": 'target = "sm_80"'})
    projects = Projects(files.read)
    for _ in range(3):
        for path in ("/p/a/k.ptx", "/p/a/l.ptx", "/p/b/k.ptx"):
            assert projects.of(path) is not None
    assert len(files.read_paths) == len(set(files.read_paths))
    assert len(list(projects.known())) == 1
    del files.files["/p/ptx-lsp.toml"]
    projects.forget()
    assert projects.of("/p/a/k.ptx") is None


def test_a_file_that_is_too_large_is_not_read() -> None:
    project = Projects(Disk({"/p/ptx-lsp.toml": "#" * (LARGEST + 1)}).read).of("/p/k.ptx")
    assert project is not None
    assert [problem.message for problem in project.problems] == ["it is not read, because it is larger than 256 KiB"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.ptx-lsp]", True),
        ("[tool]\nptx-lsp = {}", True),
        ("[ tool ]\n'ptx-lsp'.target = ''", True),
        ("tool.ptx-lsp.target = ''", True),
        ("tool = { ptx-lsp = {} }", True),
        ('[project]\nname = "ptx-lsp"\n[tool.black]\n', False),
        ("[tool.black]", False),
    ],
)
def test_a_shared_file_without_our_table_is_not_parsed(text: str, expected: bool) -> None:
    assert may_have_our_table(text.encode()) is expected
    assert expected is (read_project(text, "/p/pyproject.toml") is not None)


# --- a stranger's file -----------------------------------------------------------------------------------------------


def test_a_file_may_have_every_setting_of_the_hints() -> None:
    assert all(row.project for row in SETTINGS if row.name.startswith("hints."))


def test_a_file_cannot_set_what_runs_reads_or_writes_something() -> None:
    forbidden = {row.name for row in SETTINGS if not row.project}
    assert forbidden >= {"server.path", "server.interpreter", "server.arguments", "diagnostics.workspaceFiles"}
    for row in SETTINGS:
        if not row.project:
            project = read(f"{row.toml_key} = 'x'")
            assert len(project.problems) == 1
            assert project.values == {}


HOSTILE = ["**/" * 200 + "x", "*a" * 300 + "b", "{a,a}" * 150 + "b", "[!x]" * 200 + "[!y]", "?" * 400 + "**", "{" * 400]


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda pattern: pattern[:6])
def test_matching_takes_steps_in_proportion_to_the_pattern_and_the_path(pattern: str) -> None:
    """Counts the tests of single characters: at most one for each character of the path and each state."""
    graph = globs._compiled.__wrapped__(pattern)
    if graph is None:
        assert not matches(pattern, "a/b")
        return
    count = 0

    def counted(test: Callable[[str], object]) -> Callable[[str], bool]:
        """A test of one character."""

        def run(character: str) -> bool:
            nonlocal count
            count += 1
            return bool(test(character))

        return run

    graph._steps = [[(counted(test), end) for test, end in steps] for steps in graph._steps]
    for length in (100, 200, 400):
        count = 0
        assert not graph.accepts("a/" * (length // 2) + "y")
        assert count <= (length + 1) * 2 * len(pattern)


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 100_000, "[" * 100_000, "a = " + "{a=" * 50_000, "'" * LARGEST],
    ids=lambda text: text[:8],
)
def test_a_hostile_text_gives_a_finding_and_ends(text: str) -> None:
    assert read(text[:LARGEST]).problems


@pytest.mark.parametrize("parts", [MOST_KEYS + 2, LARGEST // 2])
def test_a_key_with_very_many_parts_is_not_given_to_the_parser(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser takes time with the square of the number of parts: 4 minutes for the largest file."""
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("parsed"))
    assert [problem.message for problem in read(".".join("a" * parts)).problems] == [TOO_DEEP]
    assert [problem.message for problem in read("x = {" + ".".join("a" * parts)).problems] == [TOO_DEEP]


def test_a_path_of_very_many_keys_is_refused() -> None:
    assert [problem.message for problem in read("a = " + "{a = " * 70 + "1" + "}" * 70).problems] == [TOO_DEEP]
    many_dots = "x = [" + "0.5, " * 500 + '] # ....\ny = "' + "." * 500 + '"\n'
    assert len(read(many_dots).problems) == 2  # two settings that do not exist


# --- precedence: docs/configuration.md has the same table -------------------------------------------------------------

LAYERS = ["project", "editor", "command line"]


@pytest.mark.parametrize("present", [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], ids=str)
def test_the_last_layer_that_has_a_value_counts(present: tuple[int, ...]) -> None:
    values = [{"target": f"sm_8{layer}"} if layer in present else {} for layer in range(3)]
    assert settings_of(combined(*values)).targets == ((f"sm_8{max(present)}",) if present else ())


@pytest.mark.parametrize("name", ["severity", "ignore"])
def test_tables_are_combined_entry_by_entry(name: str) -> None:
    low, high = ("error", "hint") if name == "severity" else (("unused",), ("calls",))
    layers = [{name: {"never-written": low, "alias": low}}, {name: {"alias": high}}]
    assert combined(*layers)[name] == {"never-written": low, "alias": high}
