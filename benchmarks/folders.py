"""`ptx-lsp check` on a folder of many files, with one process and with two, and on one file of as many lines."""

import sys
from collections.abc import Iterator

from benchmarks.material import EXAMPLES, read_source, repeated
from benchmarks.plan import Plan
from benchmarks.processes import check, run
from benchmarks.table import Row, milliseconds, ratio

LINES = 200  # of each file; with longer files the time would depend on their contents, not on their number


def many_files(plan: Plan) -> Iterator[Row]:
    """Files of a few functions each, in one command."""
    folder = plan.folder / "many"
    folder.mkdir()
    source = read_source(EXAMPLES / "gaussian.ptx")
    text = repeated(source, LINES)
    for number in range(plan.files):
        (folder / f"{number:04}.ptx").write_text(text, "utf-8", "surrogateescape", newline="")
    command = [sys.executable, "-m", "ptx_lsp", "check", str(folder)]
    alone, together = run([*command, "--jobs", "1"]), run([*command, "--jobs", "2"])
    lines = text.count("\n")
    what = f"check, {plan.files:,} files of {lines:,} lines in one call"
    yield Row(what + ", wall", milliseconds(together.wall), f"1 job: {milliseconds(alone.wall)}",
              ratio(together.wall, alone.wall))  # fmt: skip
    long = run(check(plan.file("as_long.ptx", repeated(source, lines * plan.files))))
    yield Row(what + " and 2 jobs, cpu", milliseconds(together.cpu), f"one long file: {milliseconds(long.cpu)}",
              ratio(together.cpu, long.cpu), "1.5 x")  # fmt: skip
