"""Inline assembly of other people's programs: our verdict on each statement compared with the recorded one of ptxas.

    python -m tests.oracle.embedded FILE [--lints] [--out FILE]

FILE is that of `tests.oracle.snippets`. Unlike there, each row is judged as a statement of its language: with operands
by their constraints, immediates of unknown value, holes, and no target. We must report no error on rows that ptxas
accepts, and an error on rows of the class `real-mistake`. With `--lints` the findings of each code over the accepted
rows are counted.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.inline_statement import EmbeddedOptions, embed
from ptx_lsp.embedded.statement_findings import Placed, embedded_findings
from ptx_lsp.findings.finding import Severity
from ptx_lsp.hosts.source_map import Run, Span
from ptx_lsp.hosts.statement import HOLE, AsmStatement, Dialect, Host, Operand, Piece, PieceKind, Role, Template, Word
from tests.oracle.snippets import MISTAKE

HOSTS = {
    "cuda-c++": (Host.CUDA, Dialect.PERCENT),
    "cuda-in-python": (Host.CUDA, Dialect.PERCENT),
    "opencl": (Host.OPENCL, Dialect.PERCENT),
    "cute-dsl/mlir-python": (Host.PYTHON, Dialect.DOLLAR),
    "triton": (Host.PYTHON, Dialect.DOLLAR),
    "llvm-ir": (Host.LLVM, Dialect.DOLLAR),
    "mlir": (Host.MLIR, Dialect.DOLLAR),
    "julia": (Host.JULIA, Dialect.DOLLAR),
    "rust": (Host.RUST, Dialect.BRACES),
}
_RUST = re.compile(r'(\w+)\("?([^")]*)"?\)')
_RUST_ROLES = {"in": Role.IN, "out": Role.OUT, "lateout": Role.OUT, "inout": Role.INOUT, "inlateout": Role.INOUT}


def statement_of(row: dict[str, Any]) -> AsmStatement:
    """The statement of a row: its source is the decoded template itself."""
    host, dialect = HOSTS[row["host"]]
    text: str = row["template"]
    pieces = []
    at = 0
    for part in re.split(f"({HOLE})", text):
        span = (at, at + len(part))
        if part == HOLE:
            pieces.append(Piece(PieceKind.FIELD, *span, None))
        elif part:
            pieces.append(Piece(PieceKind.LITERAL, *span, part, (Run(0, len(part), *span),)))
        at += len(part)
    operands = tuple(operand_of(number, each) for number, each in enumerate(row["operands"]))
    clobbers = tuple(Word(each, Span(0, 0)) for each in row["clobbers"])
    whole = HOLE not in text and row["how"] in ("single", "adjacent", "literal", "raw")
    volatile = bool(row["volatile"])
    template = Template(tuple(pieces))
    return AsmStatement(
        host, "asm", 0, len(text), template, dialect, operands, clobbers, volatile=volatile, whole=whole
    )


def operand_of(number: int, row: dict[str, Any]) -> Operand:
    """An operand of a row."""
    constraint: str = row["constraint"]
    rust = _RUST.fullmatch(constraint)
    where = Span(0, 0)
    if rust and rust[1] in _RUST_ROLES:
        return Operand(number, _RUST_ROLES[rust[1]], rust[2], where, row["name"])
    if constraint.startswith("const"):
        return Operand(number, Role.CONST, None, where, row["name"])
    role = {"=": Role.OUT, "+": Role.INOUT}.get(constraint[:1], Role.IN)
    return Operand(number, role, constraint, where, row["name"])


def found_in(row: dict[str, Any]) -> tuple[Placed, ...]:
    """Our findings for a row."""
    text: str = row["template"]
    options = EmbeddedOptions(Checks())
    embedded = embed(statement_of(row), lambda start, end: text[start:end], options)
    return embedded_findings(embedded, lambda start, end: text[start:end], options) if embedded is not None else ()


def measure(rows: list[dict[str, Any]], out: Path, lints: bool) -> bool:
    """Print the counts and write the failures; returns whether there are none."""
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    accepted = mistakes = missed = false = 0
    begin = time.perf_counter()
    for row in rows:
        verdict = row["ptxas"]
        if not verdict["ok"] and row["class"] != MISTAKE:
            continue
        found = found_in(row)
        errors = [each.finding for each in found if each.finding.severity is Severity.ERROR]
        name = f"{row['repo']}/{row['path']}:{row['line']}"
        if verdict["ok"]:
            accepted += 1
            counts.update({each.finding.code for each in found})
            if errors:
                false += 1
                wrong.append(f"{name}\t[{errors[0].code}] {errors[0].message}\n{row['template']}\n")
        else:
            mistakes += 1
            if not errors:
                missed += 1
                wrong.append(f"{name}\tmissed: {verdict['error']}\n{row['template']}\n")
    print(f"accepted {accepted}, with an error from us {false}")
    print(f"mistakes {mistakes}, without an error from us {missed}")
    print(f"{(time.perf_counter() - begin) * 1000 / max(1, accepted + mistakes):.2f} ms a statement")
    for code, count in counts.most_common() if lints else ():
        print(f"{count:6} {count / accepted:7.2%}  {code}")
    out.write_text("\n".join(wrong), "utf-8")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lints", action="store_true", help="count the findings of each code over the accepted rows")
    parser.add_argument("--out", type=Path, default=Path("embedded.txt"), help="where the wrong ones are written")
    options = parser.parse_args()
    lines = options.file.read_text("utf-8").splitlines()
    return 0 if measure([json.loads(line) for line in lines if line.strip()], options.out, options.lints) else 1


if __name__ == "__main__":
    sys.exit(main())
