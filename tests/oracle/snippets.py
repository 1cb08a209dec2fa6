"""Inline assembly of other people's programs: our verdict on each snippet compared with the recorded one of ptxas.

    python -m tests.oracle.snippets FILE [--ptxas] [--out FILE]

FILE has one JSON object per line: `template` (with the escapes of its language), `host`, `operands` (each with its
`constraint`), `ptxas` (`ok`, `target`, and `n`: the value for immediates with unknown values) and `class`. Each snippet
is in a kernel of its own, with a register for each operand. We must report no error on rows that ptxas accepts, and
an error on rows of the class `real-mistake`. With `--ptxas` the recorded verdicts are checked again.
"""

import argparse
import json
import re
import sys
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS
from tests.analysed import analysed
from tests.oracle.assembler import Assembler
from tests.oracle.rendering import arch_of
from tests.oracle.statements import COMPILED_ONLY

REGISTERS = {"h": ".b16", "r": ".b32", "l": ".b64", "q": ".b128", "f": ".f32", "d": ".f64", "b": ".pred"}
RUST = {"reg16": ".b16", "reg32": ".b32", "reg64": ".b64"}
DOLLAR = frozenset(("llvm-ir", "mlir", "triton", "cute-dsl/mlir-python"))
MISTAKE = "real-mistake"

_PERCENT = re.compile(r"%(?:([%{}|=])|(\d+))")
_DOLLAR = re.compile(r"\$(?:(\$)|(\d+)|\{(\d+)(?::\w+)?\}|\{:uid\})")
_BRACES = re.compile(r"\{\{|\}\}|\{(\d*)\}")


class Row(NamedTuple):
    """One snippet: its origin, its module, the `-arch` for it, and the recorded verdict."""

    name: str
    text: str
    arch: str
    accepted: bool
    mistake: bool


def read_row(data: dict[str, Any]) -> Row | None:
    """A line of the file; None if it has no verdict to compare with."""
    verdict = data["ptxas"]
    accepted, mistake = bool(verdict["ok"]), data["class"] == MISTAKE
    if not (accepted or mistake):
        return None
    target = next(t for t in TARGETS if str(t) == verdict["target"])
    constraints = [operand["constraint"] for operand in data["operands"]]
    value = "1" if verdict.get("n") is None else str(verdict["n"])
    template = decoded(data["template"], data["host"], constraints, value)
    registers = [declared(number, constraint, constraints) for number, constraint in enumerate(constraints)]
    version = next(reversed(RELEASES))
    top = f".version {version}\n.target {target}\n.address_size 64\n.entry k() {{\n{''.join(registers)}"
    name = f"{data['repo']}/{data['path']}:{data['line']}"
    return Row(name, f"{top}{{\n{template}\n}}\nret;\n}}\n", arch_of(target), accepted, mistake)


def declared(number: int, constraint: str, constraints: list[str]) -> str:
    """The declaration of an operand's register, `%3`; empty for an immediate."""
    letter = constraint.lstrip("=+&")
    if letter.isdecimal():
        return declared(number, constraints[int(letter)], constraints)
    inside = re.search(r'\("?(\w+)"?\)', constraint)
    kind = inside[1] if inside else letter
    type_ = RUST.get(kind) or REGISTERS.get(kind) or (".b32" if inside else "")
    return f".reg {type_} %{number};\n" if type_ else ""


def decoded(template: str, host: str, constraints: list[str], value: str) -> str:
    """The template as ptxas gets it, with operands named `%0`, `%1` and `value` for immediates."""
    numbers = count()

    def operand(number: int) -> str:
        known = number < len(constraints) and constraints[number] in ("n", "i")
        return value if known else f"%{number}"

    def percent(found: re.Match[str]) -> str:
        sign, number = found.groups()
        return operand(int(number)) if number else {"=": "1", "|": ""}.get(sign, sign)

    def dollar(found: re.Match[str]) -> str:
        number = found[2] or found[3]
        return "$" if found[1] else operand(int(number)) if number else "1"

    def braces(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        return operand(int(found[1]) if found[1] else next(numbers))

    if host == "rust":
        return _BRACES.sub(braces, template)
    if host in DOLLAR:
        return _DOLLAR.sub(dollar, template)
    return _PERCENT.sub(percent, template) if constraints else template


def our_errors(text: str) -> list[str]:
    """The errors that we report on a module, except those that only a full compile finds."""
    errors = [f for f in analysed(text).findings() if f.severity is Severity.ERROR and f.code not in COMPILED_ONLY]
    return [f"[{f.code}] {f.message}" for f in errors]


def measure(rows: list[Row], assembler: Assembler | None, out: Path) -> bool:
    """Print the counts and write the failures; returns whether there are none."""
    errors = [our_errors(row.text) for row in rows]
    false = [(row, found[0]) for row, found in zip(rows, errors, strict=True) if row.accepted and found]
    missed = [(row, "") for row, found in zip(rows, errors, strict=True) if row.mistake and not found]
    print(f"accepted {sum(r.accepted for r in rows)}, with an error from us {len(false)}")
    print(f"mistakes {sum(r.mistake for r in rows)}, without an error from us {len(missed)}")
    changed = [(r, "ptxas judges it otherwise") for r in rows if assembler and _asked(r, assembler) != r.accepted]
    if assembler:
        print(f"judged otherwise by ptxas than recorded: {len(changed)}")
    wrong = [*false, *missed, *changed]
    out.write_text("".join(f"{row.name}\t{said}\n{row.text}\n" for row, said in wrong), "utf-8")
    return not wrong


def _asked(row: Row, assembler: Assembler) -> bool:
    return assembler.module(row.text, row.arch).accepted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--ptxas", action="store_true", help="ask ptxas about every row again")
    parser.add_argument("--out", type=Path, default=Path("snippets.txt"), help="where the wrong ones are written")
    options = parser.parse_args()
    lines = options.file.read_text("utf-8").splitlines()
    rows = [row for row in (read_row(json.loads(line)) for line in lines if line.strip()) if row]
    return 0 if measure(rows, Assembler() if options.ptxas else None, options.out) else 1


if __name__ == "__main__":
    sys.exit(main())
