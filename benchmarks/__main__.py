"""`python -m benchmarks [--short] [--page FILE] [--corpus FOLDER] [FILE ...]`; also `--profile WHAT`."""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import (
    checking,
    editing,
    folders,
    hostile,
    judging,
    kinds,
    long_documents,
    profiling,
    random_edits,
    requests,
)
from benchmarks.material import EXAMPLES, Source, choose, collect, read_source
from benchmarks.page import page, this_machine
from benchmarks.plan import Plan
from benchmarks.table import Row, show, show_head

MEASUREMENTS: dict[str, Callable[[Plan], Iterator[Row]]] = {
    "machine": kinds.machine,
    "start-up": checking.start_up,
    "cold-start": editing.cold_start,
    "check": checking.lengths,
    "kinds": kinds.kinds,
    "check-findings": checking.many_findings,
    "files": folders.many_files,
    "open": editing.opening,
    "typing": editing.typing,
    "random-edits": random_edits.random_edits,
    "requests": requests.requests,
    "long-documents": long_documents.long_documents,
    "judging": judging.judging,
    "findings": editing.many_findings,
    "inline": editing.inline_ptx,
    "paste": editing.pasting,
    "hover": editing.hovering,
    "function": editing.long_function,
    "table": editing.long_table,
    "hostile": checking.hostile,
    "patterns": hostile.patterns,
}


def main() -> None:
    """Run the chosen measurements and print the table."""
    options = _options()
    files = _files(options)
    if options.profile:
        profiling.profile(options.profile, _ordinary(files))
        return
    with tempfile.TemporaryDirectory() as folder:
        plan = _plan(files, tuple(options.corpus), Path(folder), options.short)
        show_head()
        rows: list[Row] = []
        for name, measure in MEASUREMENTS.items():
            if not options.only or name in (*options.only, "machine"):
                for row in measure(plan):
                    show(row)
                    rows.append(row)
    if options.page:
        options.page.write_text(page(this_machine(options.short), rows), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="PTX files to make longer files of; default: the examples")
    parser.add_argument(
        "--corpus",
        type=Path,
        action="append",
        default=[],
        help="a folder with PTX files to use instead; may be repeated",
    )
    parser.add_argument("--short", action="store_true", help="under a minute: shorter texts, fewer runs")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, help="only this measurement; may be repeated")
    parser.add_argument("--page", type=Path, help="write the page of the documentation with the results to this file")
    parser.add_argument("--profile", choices=profiling.PROFILES, help="profile this instead, and print the slow calls")
    return parser.parse_args()


def _files(options: argparse.Namespace) -> list[Path]:
    if options.files:
        return list(options.files)
    files = [path for folder in options.corpus or [EXAMPLES] for path in folder.rglob("*.ptx")]
    if not options.corpus:  # only the examples that a compiler made
        files = [path for path in files if path.with_suffix(".cu").exists()]
    return sorted(files, key=lambda path: (-path.stat().st_size, path))  # the longest are the most varied


def _ordinary(files: list[Path]) -> Source:
    collected = collect(files)
    return collected if collected.names else read_source(choose(files, False))


def _plan(files: list[Path], corpora: tuple[Path, ...], folder: Path, short: bool) -> Plan:
    plain = _ordinary(files)
    debug: Source | None
    try:
        debug = read_source(choose(files, True))
    except ValueError:
        debug = None
    if short:
        return Plan(
            plain,
            debug,
            folder,
            lengths=(10_000,),
            runs=2,
            edits=40,
            opened=10_000,
            long=50_000,
            function=50_000,
            hostile=40_000,
            files=100,
            kind=10_000,
            corpora=corpora,
        )
    return Plan(
        plain,
        debug,
        folder,
        lengths=(10_000, 100_000, 1_000_000),
        runs=5,
        edits=400,
        opened=100_000,
        long=1_000_000,
        function=700_000,
        hostile=4_000_000,
        files=4000,
        kind=100_000,
        corpora=corpora,
    )


if __name__ == "__main__":
    main()
