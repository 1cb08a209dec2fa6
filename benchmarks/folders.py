"""`ptx-lsp check` on a folder of many files, with one process and with the default number of processes."""

import sys
from collections.abc import Iterator

from benchmarks.material import EXAMPLES, read_source, repeated
from benchmarks.plan import Plan
from benchmarks.processes import run
from benchmarks.table import Row, milliseconds, ratio

LINES = 200  # of each file; with longer files the time would depend on their contents, not on their number


def many_files(plan: Plan) -> Iterator[Row]:
    """Files of a few functions each, in one command."""
    folder = plan.folder / "many"
    folder.mkdir()
    text = repeated(read_source(EXAMPLES / "gaussian.ptx"), LINES)
    for number in range(plan.files):
        (folder / f"{number:04}.ptx").write_text(text, "utf-8", "surrogateescape", newline="")
    command = [sys.executable, "-m", "ptx_lsp", "check", str(folder)]
    alone, together = run([*command, "--jobs", "1"]), run(command)
    what = f"check, {plan.files:,} files of {text.count(chr(10)):,} lines in one call, wall"
    yield Row(what, milliseconds(together.wall), f"1 job: {milliseconds(alone.wall)}", ratio(together.wall, alone.wall))
