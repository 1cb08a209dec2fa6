"""The check of a file as a library function: the same findings as `ptx-lsp check`, by the same configuration."""

from ptx_lsp.analysis.module import Checks, Module, checks_of
from ptx_lsp.cli.project_files import PROJECTS, absolute, settings_for
from ptx_lsp.cli.sources import read_source
from ptx_lsp.findings.codes import EVERY_CODE
from ptx_lsp.findings.finding import Finding


def check_file(path: str) -> list[Finding]:
    """The findings of a file, sorted by place. Raises OSError if it cannot be read."""
    text = read_source(path)
    PROJECTS.forget()  # the program may run for long, and the configuration may have changed
    settings = settings_for(path, None, {})
    ignored = settings.ignored(absolute(path)) if settings is not None else frozenset()
    if EVERY_CODE in ignored:
        return []
    module = Module(text, checks_of(settings, ignored) if settings is not None else Checks())
    module.work()
    return module.findings()
