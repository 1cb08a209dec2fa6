"""The symbols under which a module remembers its debug information, and the report of a module that has none."""

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.semantics.surroundings import Profile, Report
from ptx_lsp.semantics.symbols import SECTIONS, Mark, Scope, Symbol, SymbolKind


def file_name(index: int | str) -> str:
    """The name under which a module remembers the source file with this number in decimal."""
    return f".file {index}"


def file_symbol(index: int | str, mark: Mark) -> Symbol:
    """The symbol of a source file whose number is at this mark."""
    return Symbol(file_name(index), SymbolKind.TARGETS, mark, type=".file")


def debug_information(mark: Mark) -> tuple[Symbol, ...]:
    """The symbol that records that the module has debug information; every section declares one."""
    return (Symbol(SECTIONS, SymbolKind.TARGETS, mark, type=SECTIONS),)


def missing_debug_information(profile: Profile, module: Scope) -> tuple[Report, ...]:
    """At the end of a module whose `.target` says `debug`: a report if the module has no `.section`.

    `profile` is the module's profile, `module` its scope.
    """
    if profile.debug is None or module.own(SECTIONS) is not None:
        return ()
    code = "missing-debug-information"
    message = "`.target` says `debug`, but the module has no `.section` with debug information"
    return (Report(code, profile.debug, message, default_severity(code)),)
