"""`ptx-lsp check`: findings for files, folders and standard input."""

import atexit
import gc
import sys
from collections import Counter
from collections.abc import Iterable

from ptx_lsp.cli.check_text import Style, summary
from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.examination import Examination, Order, examine, host_of
from ptx_lsp.cli.options import Options, UsageError, read_options, whole_number
from ptx_lsp.cli.sources import STANDARD_INPUT, STANDARD_INPUT_SHOWN, Unreadable, find_files, is_ptx_file
from ptx_lsp.findings.codes import SEVERITIES, rule
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import NamedTuple, TextIO

OBJECTS_BETWEEN_COLLECTIONS = 200_000
LONGEST_VERSION = 20


def run(arguments: list[str]) -> int:
    """Check the files that `arguments` name and print the findings; the exit code, as the help says.

    Raises UsageError for a wrong call.
    """
    options = read_options(arguments, COMMANDS["check"].options)
    if not options.rest:
        raise UsageError("which files, folders or `-` for standard input?")
    # at the end of the process Python would search all objects once more: a third of the time of a long file
    atexit.register(gc.freeze)
    order = _order(options)
    files, troubles = find_files(options.rest, _is_wanted if "--embedded" in options.flags else is_ptx_file)
    # an analysis makes many objects and almost no garbage: searching for it costs a tenth of the time
    if len(files) > 1:
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    else:
        gc.disable()
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    total = _report(_examinations(files, order, options), order)
    checked = len(files) - total.unreadable
    if order.format == "text" and checked:
        print(summary(total.counts, checked, total.fixed), end="", file=_stream(order, files[-1]))
    if troubles or total.unreadable or total.foreign:
        return 2
    return 1 if total.counts[Severity.ERROR] else 0


def _order(options: Options) -> Order:
    colour = options.values.get("--color", "auto")
    on_terminal = sys.stdout.isatty()
    style = Style(colour == "always" or (colour == "auto" and _wants_colour()), _width() if on_terminal else 120)
    severities = _severities(options.values.get("--severity", ""))
    maximum = _maximum(options.values.get("--maximum-version"))
    hints, unsafe = "--hints" in options.flags, "--unsafe-fixes" in options.flags
    fix = unsafe or "--fix" in options.flags
    host, targets = options.values.get("--host", ""), _targets(options.values.get("--target", ""))
    shape = options.values.get("--format", "text")
    return Order(shape, style, fix, severities, maximum, hints, unsafe, host, targets)


def _is_wanted(name: str) -> bool:
    return is_ptx_file(name) or host_of(name) is not None


def _targets(given: str) -> tuple[Target, ...]:
    found: list[Target] = []
    for name in filter(None, (each.strip() for each in given.split(","))):
        from ptx_lsp.isa.targets import TARGETS, read_target

        target = read_target(name)
        if target not in TARGETS or target is None:
            raise UsageError(f"`--target` takes targets such as sm_90a, not `{name}`")
        found.append(target)
    return tuple(found)


def _maximum(given: str | None) -> Version | None:
    version = read_version(given) if given is not None and len(given) < LONGEST_VERSION else None
    if given is not None and version is None:
        raise UsageError(f"`--maximum-version` takes a PTX ISA version such as 8.4, not `{given}`")
    return version


def _severities(given: str) -> dict[str, Severity | None]:
    chosen: dict[str, Severity | None] = {}
    for pair in filter(None, given.split(",")):
        code, equals, level = pair.partition("=")
        if not equals or (level != "off" and level not in SEVERITIES):
            raise UsageError(
                f"`--severity` takes CODE=LEVEL with error, warning, information, hint or off, not `{pair}`"
            )
        if rule(code) is None:
            raise UsageError(f"there is no rule `{code}`; `ptx-lsp rules` lists them all")
        chosen[code] = SEVERITIES.get(level)
    return chosen


def _wants_colour() -> bool:
    from os import environ

    return sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def _width() -> int:
    from shutil import get_terminal_size

    return max(get_terminal_size().columns - 8, 40)


def _examinations(files: list[str], order: Order, options: Options) -> Iterable[Examination]:
    """The examinations of the files, in their order, by one process or several."""
    from ptx_lsp.cli import workers

    given = options.values.get("--jobs")
    jobs = whole_number(given) if given is not None else None
    if given is not None and not jobs:
        raise UsageError(f"`--jobs` takes a number from 1, not `{given}`")
    processes = min(jobs, len(files), workers.MOST_PROCESSES) if jobs else workers.worthwhile_processes(files)
    if processes > 1 and STANDARD_INPUT not in files and len(files) > 1:
        return workers.examine_all(files, order, processes)
    return workers.with_progress((examine(path, order) for path in files), len(files))


def _stream(order: Order, path: str) -> TextIO:
    """The stream for findings: standard error if the fixed text of standard input uses standard output."""
    return sys.stderr if order.fix and path in (STANDARD_INPUT, STANDARD_INPUT_SHOWN) else sys.stdout


class Total(NamedTuple):
    """Counts: of findings by severity, of files that cannot be read, of files that are not PTX, of fixed findings."""

    counts: Counter[Severity]
    unreadable: int
    foreign: int
    fixed: int


def _report(examinations: Iterable[Examination], order: Order) -> Total:
    """Print the findings of each file as soon as it is examined, and count them."""
    counts: Counter[Severity] = Counter()
    unreadable = foreign = fixed = 0
    for examined in examinations:
        if examined.trouble:
            print(Unreadable(examined.path, examined.trouble), file=sys.stderr)
            unreadable += 1
        _stream(order, examined.path).write(examined.output)
        counts.update(examined.counts)
        foreign += examined.foreign
        fixed += examined.fixed
    return Total(counts, unreadable, foreign, fixed)
