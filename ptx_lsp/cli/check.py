"""`ptx-lsp check`: findings for files, folders and standard input."""

import gc
import os
import sys

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.examination import Examination, Order, examine, host_of, render
from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.table import FORMATS
from ptx_lsp.cli.options import Options, UsageError, read_options, whole_number
from ptx_lsp.cli.project_files import project_of
from ptx_lsp.cli.report import Total, Verbosity, by_severity, report
from ptx_lsp.cli.sources import STANDARD_INPUT, find_files, is_ptx_file, reason
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterable, Iterator, TextIO

if TYPE_CHECKING:
    from ptx_lsp.config.project import Project

OBJECTS_BETWEEN_COLLECTIONS = 200_000
_BEFORE_SOURCE = 8  # columns: the number of a line, a bar, and the blanks around them


def run(arguments: list[str]) -> int:
    """Check the files that `arguments` name and print the findings; the exit code, as the help says.

    Raises UsageError for a wrong call.
    """
    options = read_options(arguments, COMMANDS["check"].options)
    if not options.rest:
        raise UsageError("which files, folders or `-` for standard input?")
    order, verbosity = _order(options), _verbosity(options)
    text_on_output = order.fix and not order.diff and STANDARD_INPUT in options.rest
    file = _output(options.values.get("--output-file"))
    try:
        stream = file or (sys.stderr if text_on_output else sys.stdout)
        if "--watch" in options.flags:
            from ptx_lsp.cli.watch import watch

            if STANDARD_INPUT in options.rest or FORMATS[order.format].document:
                raise UsageError("`--watch` takes files and folders, and a format with one line for each finding")
            return watch(options.rest, _wanted(options), order, verbosity, stream)
        return _check(options, order, verbosity, stream)
    finally:
        if file is not None:
            file.close()


def _output(path: str | None) -> TextIO | None:
    """The file for the findings, None without a path. Raises UsageError if it cannot be written."""
    if path is None:
        return None
    try:
        return open(path, "w", encoding="utf-8", errors="surrogateescape")  # `run` closes it
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {reason(error)}") from None


def _check(options: Options, order: Order, verbosity: Verbosity, stream: TextIO) -> int:
    files, troubles = find_files(options.rest, _wanted(options))
    # an analysis makes many objects and almost no garbage: searching for it costs a tenth of the time
    if len(files) > 1:
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    else:
        gc.disable()
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    total = report(_examinations(files, order, options, verbosity), order, verbosity, stream)
    if verbosity.statistics:
        from ptx_lsp.cli.statistics import statistics

        stream.write(statistics(total, order.format == "json"))
    checked = total.files - len(total.troubles)
    if FORMATS[order.format].for_people and checked and not verbosity.quiet:
        from ptx_lsp.cli.formats.text import summary, summary_of_fixes

        if order.diff:
            print(summary_of_fixes(total.fixed, checked), end="", file=sys.stderr)
        else:
            print(summary(by_severity([total.counts]), checked, total.fixed), end="", file=stream)
    return _exit_code(total, bool(troubles), "--exit-zero" in options.flags)


def _exit_code(total: Total, missing: bool, exit_zero: bool) -> int:
    """The exit code, as the help says; `missing`: true if a path of the command line does not exist."""
    if missing or total.troubles or total.foreign:
        return 2
    return 1 if (total.errors or total.changed) and not exit_zero else 0


def _verbosity(options: Options) -> Verbosity:
    flags = options.flags
    verbosity = Verbosity("--quiet" in flags, "--verbose" in flags, "--statistics" in flags)
    if verbosity.statistics and not FORMATS[options.values.get("--format", "text")].statistics:
        raise UsageError("`--statistics` is printed as text or json only")
    return verbosity


def _order(options: Options) -> Order:
    flags = options.flags
    colour = options.values.get("--color", "auto")
    on_terminal = sys.stdout.isatty() and "--output-file" not in options.values
    coloured = colour == "always" or (colour == "auto" and on_terminal and _wants_colour())
    unsafe, diff = "--unsafe-fixes" in flags, "--diff" in flags
    values, configuration = _settings(options)
    return Order(
        format=options.values.get("--format", "text"),
        style=Style(coloured, _width()) if on_terminal else Style(coloured),
        values=values,
        configuration=configuration,
        fix=unsafe or diff or "--fix" in flags,
        unsafe_fixes=unsafe,
        diff=diff,
        hints="--hints" in flags,
        stdin_name=options.values.get("--stdin-filename", ""),
        host=options.values.get("--host", ""),
    )


def _settings(options: Options) -> tuple[dict[str, object], str | None]:
    """The settings on the command line, and the configuration file that it names."""
    if not options.values and not options.flags:
        return {}, None
    from ptx_lsp.cli.selection import chosen_configuration, values_of

    return values_of(options), chosen_configuration(options)


def _wanted(options: Options) -> Callable[[str], bool]:
    """Whether a file in a folder is checked, by its name."""
    return _may_have_ptx if "--embedded" in options.flags else is_ptx_file


def _may_have_ptx(name: str) -> bool:
    return is_ptx_file(name) or host_of(name) is not None


def _wants_colour() -> bool:
    from os import environ

    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def _width() -> int:
    from shutil import get_terminal_size

    return max(get_terminal_size().columns - _BEFORE_SOURCE, 40)


def _examinations(files: list[str], order: Order, options: Options, verbosity: Verbosity) -> Iterator[Examination]:
    """The findings in the configuration files, then the examinations of the files by one process or several."""
    yield from _configurations(files, order, verbosity)
    yield from _of_files(files, order, options)


def _configurations(files: list[str], order: Order, verbosity: Verbosity) -> Iterator[Examination]:
    """An examination of each configuration file that has a mistake."""
    found: dict[str, Project] = {}
    # the configuration depends on the folder alone
    folders = {name[: name.rfind(os.sep) + 1] or os.path.dirname(name): name for name in map(order.file_name, files)}
    for path in folders.values():
        project = project_of(path, order.configuration)
        if project is not None:
            found.setdefault(project.path, project)
    for project in found.values():
        if verbosity.verbose:
            print(f"configuration: {project.path}", file=sys.stderr)
        if project.problems:
            yield _of_configuration(project, order)


def _of_configuration(project: "Project", order: Order) -> Examination:
    from ptx_lsp.cli.sources import read_source

    path = os.path.relpath(project.path)
    try:
        lines = read_source(path).split("\n")
    except OSError:  # the problem of the configuration says why
        lines = []
    file = CheckedFile(path, list(project.problems), lambda line: lines[line] if line < len(lines) else "")
    return Examination(path, render(file, order), file.counts())


def _of_files(files: list[str], order: Order, options: Options) -> Iterable[Examination]:
    given = options.values.get("--jobs")
    jobs = whole_number(given) if given is not None else None
    if given is not None and not jobs:
        raise UsageError(f"`--jobs` takes a number from 1, not `{given}`")
    if len(files) == 1:
        return (examine(path, order) for path in files)
    from ptx_lsp.cli import workers

    processes = min(jobs, len(files), workers.MOST_PROCESSES) if jobs else workers.worthwhile_processes(files)
    if processes > 1 and STANDARD_INPUT not in files and len(files) > 1:
        return workers.examine_all(files, order, processes)
    return workers.with_progress((examine(path, order) for path in files), len(files))
