"""The modules of the package and their syntax trees, for tests of the house rules."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "ptx_lsp"


def sources() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def in_package(path: Path) -> str:
    """A path as the lists of exceptions name it: relative to the package, with slashes."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a module, which many tests need."""
    return ast.parse(path.read_text("utf-8"))
