"""`ptx-lsp eval` as people and scripts call it."""

import io
import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from ptx_lsp.cli.evaluate import run
from ptx_lsp.cli.options import UsageError
from tests.patience import PATIENCE


def answers(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = run(["--format", "json", *arguments])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_leading_minus_is_part_of_the_expression(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = answers(capsys, "-1+2", "--1")
    assert code == 0
    assert [line["text"] for line in lines] == ["1", "1"]


def test_the_keys_of_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = answers(capsys, "((-1 % 2) - 5) / 2", "0f3FB8AA3B", "1/0")
    assert code == 1
    assert lines[0] == {
        "expr": "((-1 % 2) - 5) / 2",
        "ok": True,
        "type": "u64",
        "value": "0x7ffffffffffffffe",
        "text": "9223372036854775806",
        "notes": ["ISA Table 5: -2 (.s64)"],
    }
    assert (lines[1]["type"], lines[1]["value"], lines[1]["text"]) == ("f32", "0x000000003fb8aa3b", "1.442695")
    assert set(lines[2]) == {"expr", "ok", "error"}
    assert lines[2]["ok"] is False


def test_the_authority_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert answers(capsys, "--authority=isa", "((-1 % 2) - 5) / 2")[1][0]["text"] == "-2"
    assert answers(capsys, "--authority", "isa", "1 ? 1.5 : 2.5")[1][0]["text"] == "1.5"


def test_text_underlines_the_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["64 / (2 - 2)"]) == 1
    assert capsys.readouterr().out == "error: the divisor of `/` is zero\n  64 / (2 - 2)\n       ^^^^^^^\n"


def test_wrong_arguments() -> None:
    with pytest.raises(UsageError, match="text or json"):
        run(["--format", "xml", "1"])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_prompt_explains(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("1 + 2 * 3\n0f3FB8AA3B\n1 +\n\n"))
    assert run([]) == 0
    out = capsys.readouterr().out
    assert "2 * 3 = 6 (.s64)" in out
    assert "1 + 6 = 7 (.s64)" in out
    assert "exactly 1.44269502162933349609375" in out
    assert "error: " in out


def piped(arguments: Sequence[str], text: bytes) -> tuple[int, list[bytes]]:
    command = [sys.executable, "-m", "ptx_lsp", "eval", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, check=False, timeout=PATIENCE)
    assert done.stderr == b""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("arguments", [["--format", "json", "-"], ["--format=json"]])
def test_each_line_of_input_gives_a_line_of_output(arguments: list[str]) -> None:
    code, lines = piped(arguments, b"1+1\r\n\n0x\xff\n2")
    assert code == 1
    assert [json.loads(line)["ok"] for line in lines] == [True, False, False, True]
    assert json.loads(lines[0])["expr"] == "1+1"


def test_nothing_of_the_server_is_loaded() -> None:
    program = (
        "import sys; from ptx_lsp.cli.evaluate import run; run(['1+1']);"
        "print([m for m in sys.modules if m.split('.')[0] in ('pygls', 'lsprotocol', 'attrs', 'asyncio')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "[]"
