"""The pages whose examples ptxas judges."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.mdtest.fences import Fence

HERE = Path(__file__).parent

RULES = HERE.parents[1] / "ptx_lsp" / "rules"

PAGES = [*sorted(HERE.glob("*.md")), *sorted(RULES.glob("*.md"))]


def without(fence: Fence, lines: list[int], instead: Mapping[int, str] = MappingProxyType({})) -> str:
    """The module of a fence without some lines of its own text, counted from 0, or with other lines in their place."""
    before, after = fence.frame
    numbered = enumerate(fence.body.split("\n"))
    kept = [instead.get(number, "") if number in lines else line for number, line in numbered]
    return before + "\n".join(kept) + after
