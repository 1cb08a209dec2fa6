"""The prepared expressions are those that Python compiles, for each version of Python that has them."""

import json
import marshal
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp import patterns
from tests.patience import PATIENCE
from tests.prepared_patterns import FOLDER

ROOT = FOLDER.parents[1]
SHORT = (
    ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, 4;\n\tret;\n}\n"
)


def in_a_process(program: str, *arguments: str) -> str:
    command = [sys.executable, "-S", "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=PATIENCE).stdout


def made() -> list[tuple[str, int]]:
    """The expressions that the modules of the analysis make."""
    program = "import json; from tests.prepared_patterns import expressions; print(json.dumps(sorted(expressions())))"
    return [(source, flags) for source, flags in json.loads(in_a_process(program))]


def test_prepared_expressions_are_what_python_compiles() -> None:
    """Two compiled expressions are equal if their sources, flags and codes are.

    Another patch of the same version of Python may compile other code for the same engine.
    """
    file = FOLDER / patterns.file_of_prepared()
    if not file.exists():
        assert patterns.prepared("a", 0) is None
        return
    same_python = marshal.loads(file.read_bytes())[1] == platform.python_version()
    for source, flags in made():
        found, expected = patterns.prepared(source, flags), re.compile(source, flags)
        assert found is not None
        assert found == expected or not same_python, f"run python -m tests.prepared_patterns: {source}"
        assert found.groupindex == expected.groupindex
        if names := list(expected.groupindex):
            assert [found.groupindex[name] for name in names] == [expected.groupindex[name] for name in names]


def test_every_file_has_exactly_the_expressions_of_the_analysis() -> None:
    expected = made()
    files = sorted(FOLDER.glob("*.marshal"))
    assert {"cpython-311.marshal", "cpython-312.marshal", "cpython-313.marshal"} <= {file.name for file in files}
    for file in files:
        _, _, found = marshal.loads(file.read_bytes())
        assert list(found) == expected, f"{file.name}: python -m tests.prepared_patterns"


def test_last_groups_have_their_names() -> None:
    """`lastgroup` reads the names by number, which equality does not compare."""
    for source, flags in made():
        found = patterns.prepared(source, flags)
        if found is not None and found.groups:
            match = found.search("%r1 .u32 0x1f \t//")
            expected = re.compile(source, flags).search("%r1 .u32 0x1f \t//")
            assert (match and match.lastgroup) == (expected and expected.lastgroup)


def test_a_file_for_another_interpreter_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    data = marshal.dumps(((20010101, 4, "little"), "3.1", {("a", 0): (32, 0, {}, bytes(4))}))
    monkeypatch.setattr(patterns, "read_data", lambda *place: data)
    monkeypatch.setattr(patterns, "_prepared", None)
    assert patterns.prepared("a", 0) is None
    match = patterns.lazy_pattern("(a)").match("a")
    assert match is not None
    assert match[1] == "a"


def test_a_short_check_compiles_no_expression(tmp_path: Path) -> None:
    path = tmp_path / "short.ptx"
    path.write_text(SHORT)
    program = "import sys; from ptx_lsp.cli.main import main; main(['check', sys.argv[1]]); print('re' in sys.modules)"
    expected = not (FOLDER / patterns.file_of_prepared()).exists()
    assert in_a_process(program, str(path)).splitlines() == ["no findings in 1 file", str(expected)]


ROWS_AND_TEMPLATES = r"""
import sys
from ptx_lsp import check
from ptx_lsp.isa.instructions import instruction, opcodes
for opcode in opcodes():
    instruction(opcode)
function = ".func (.reg .b32 %r0) {0}(.reg .b32 {0}_param_0)\n{{\n\tmov.b32 \t%r0, {0}_param_0;\n\tret;\n}}\n"
found = check(".version 8.5\n.target sm_90\n.address_size 64\n" + "".join(map(function.format, "abcdef")))
print(len(found), "re" in sys.modules)
"""


def test_the_rows_and_repeated_functions_compile_no_expression() -> None:
    expected = not (FOLDER / patterns.file_of_prepared()).exists()
    assert in_a_process(ROWS_AND_TEMPLATES) == f"0 {expected}\n"
