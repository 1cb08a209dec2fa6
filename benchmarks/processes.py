"""The cost of processes: processor time, wall time and memory of a command that runs to its end."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.assembler import find_assembler

_STARTER = Path(__file__).with_name("starter.py")  # it starts each command and measures it


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time (user and system) and of wall time, the maximum memory in bytes, and the exit code."""

    cpu: float
    wall: float
    memory: int
    code: int


def environment() -> dict[str, str]:
    """The environment for our processes: modules are compiled once, as in an installed package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "ptx-lsp-benchmarks"))}


def run(command: Sequence[str]) -> Cost:
    """Run a command to its end and discard its output."""
    starter = [sys.executable, "-I", "-S", str(_STARTER), *command]
    answer = subprocess.run(starter, stdout=subprocess.PIPE, check=True, env=environment())
    cpu, wall, kibibytes, code = json.loads(answer.stdout)
    return Cost(cpu, wall, kibibytes * 1024, code)


def assemble(path: Path, target: str = "compute_90") -> list[str]:
    """The command with which ptxas parses and checks a file for a target. Raises FileNotFoundError without ptxas."""
    ptxas = find_assembler()
    if ptxas is None:
        raise FileNotFoundError("ptxas: install the development dependencies, or name it in $PTXAS")
    return [str(ptxas), f"-arch={target}", str(path), "-o", os.devnull]


def check(path: Path) -> list[str]:
    """The command with which ptx-lsp checks a file."""
    return [sys.executable, "-m", "ptx_lsp", "check", "--jobs", "1", str(path)]


def best(costs: Sequence[Cost], by: Callable[[Cost], float]) -> Cost:
    """The cheapest of several runs: other work of the machine can only make a run more expensive."""
    return min(costs, key=by)


def side_by_side(path: Path, runs: int, target: str = "compute_90") -> tuple[Cost, Cost]:
    """`ptx-lsp check` and ptxas on one file, alternately: the cheapest run of each."""
    pairs = [(run(check(path)), run(assemble(path, target))) for _ in range(runs)]
    return best([ours for ours, _ in pairs], _cpu), best([theirs for _, theirs in pairs], _cpu)


def _cpu(cost: Cost) -> float:
    return cost.cpu
