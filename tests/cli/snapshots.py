"""What `check` prints for the fences of `rendered.md`: the output follows each module in a fence of its own.

    python -m tests.cli.snapshots

writes all outputs again. A person reads the difference before it is committed.
"""

import re
from pathlib import Path

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.text import render
from tests.mdtest.comparison import findings
from tests.mdtest.fences import Fence, read_fences

PAGE = Path(__file__).with_name("rendered.md")
NAME = "kernel.ptx"
_OUTPUT = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_MODULE = re.compile(r"^```ptx[^\n]*\n.*?^```$", re.M | re.S)


def printed(fence: Fence) -> str:
    """What `check` prints for the module in a fence, without colours, 80 columns wide."""
    lines = fence.text.split("\n")
    return render(CheckedFile(NAME, findings(fence.text), lines.__getitem__), Style(width=80))


def snapshots(page: Path = PAGE) -> list[tuple[Fence, str]]:
    """Every module of the page with the output that follows it. Raises ValueError if one has no output."""
    outputs = _OUTPUT.findall(page.read_text("utf-8"))
    fences = read_fences(page)
    if len(outputs) != len(fences):
        raise ValueError(f"{page.name} has {len(fences)} modules and {len(outputs)} outputs")
    return list(zip(fences, outputs, strict=True))


def rewritten(page: Path = PAGE) -> str:
    """The text of the page with every output as it is now."""
    text = _OUTPUT.sub("", page.read_text("utf-8"))
    prints = iter([printed(fence) for fence in read_fences(page)])
    text = _MODULE.sub(lambda module: f"{module[0]}\n\n```console\n{next(prints)}```", text)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(rewritten(), "utf-8")
