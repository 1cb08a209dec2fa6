"""Writes the order in which modules are loaded: `python -m tests.loading_order`, after a change of imports.

Each row of the file has a module that a command imports when it needs it, and the modules of this package that are
loaded until its import ends, if those of the rows above it are there. A module that is missing in it is imported as
any other one.
"""

import subprocess
import sys
from pathlib import Path

from ptx_lsp import module_finder

PLACE = Path(module_finder.__file__).with_name(module_finder.ORDER)
IMPORTING = (
    *("cli.chosen_command", "cli.check"),
    *("quick.debug_sections", "judgement.judge", "reading.parsed_statements", "semantics.instructions"),
)
"""What is imported by every command, by `check`, for debug information, and by the first judgement and parsing."""

_PRINTED = """
import sys
for name in sys.argv[1:]:
    before = frozenset(sys.modules)
    __import__(f"ptx_lsp.{name}")
    loaded = [each[8:] for each in sys.modules if each.startswith("ptx_lsp.") and each not in before]
    print(name, " ".join(each for each in loaded if each != name), sep=": ")
"""


def table() -> str:
    """The text of the file."""
    command = [sys.executable, "-c", f"import ptx_lsp.cli.main{_PRINTED}", *IMPORTING]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    PLACE.write_text(table(), "utf-8")
