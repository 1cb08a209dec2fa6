"""The directives of a module's header that it lacks: `.version`, `.target` and `.address_size`, in this order."""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.fixes.header import LONGEST_CHECKED, USUAL_TARGET
from ptx_lsp.isa.directive_names import ADDRESS_SIZE, HEADER, TARGET, VERSION
from ptx_lsp.isa.releases import NEWEST
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Version
from ptx_lsp.rewrites.rewrite import Rewrite, Steps
from ptx_lsp.semantics.address_size import shows_its_size
from ptx_lsp.semantics.surroundings import WIDE
from ptx_lsp.syntax.tree import Directive
from ptx_lsp.text.ranges import Position, Range

_HEADER_LINES = 200
_OTHER_TARGETS = ("sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_120", "sm_120a")
"""The targets that are tried after the usual one: they are those of most of the newer instructions."""


def add_header(module: Module) -> Iterator[Rewrite]:
    """The rewrite that adds the directives that the module lacks."""
    exit_ = module.block_map.blocks[-1].exit
    if module.foreign is not None or exit_ is None or module.document.character_count > LONGEST_CHECKED:
        return
    missing = [name for name in (VERSION, TARGET) if name not in exit_.header]
    if ADDRESS_SIZE not in exit_.header and (VERSION in missing or not shows_its_size(module.profile.version)):
        missing.append(ADDRESS_SIZE)
    if missing:
        shown = " and ".join(f"`{name}`" for name in missing)
        yield Rewrite(f"add {shown}", lambda: _steps(module, missing))


def _steps(module: Module, missing: list[str]) -> Steps:
    """The edits with the first target for which the module has the fewest errors."""
    newest = module.checks.maximum_version or NEWEST
    version = newest if VERSION in missing else module.profile.version
    text = module.document.whole()
    best: tuple[int, list[Edit]] | None = None
    for target in _targets(version) if TARGET in missing else ("",):
        lines = {VERSION: f"{VERSION} {version}", TARGET: f"{TARGET} {target}", ADDRESS_SIZE: f"{ADDRESS_SIZE} {WIDE}"}
        edits = _insertions(module, {name: lines[name] for name in missing})
        errors = _errors(apply_edits(text, edits), module)
        if best is None or errors < best[0]:
            best = errors, edits
        if not errors:
            break
        yield []
    if best is not None:
        yield best[1]


def _targets(version: Version) -> list[str]:
    """The names of the targets that are tried; those that the version does not know are left out."""
    known = {str(target) for target, first in TARGETS.items() if first <= version}
    tried = [name for name in (USUAL_TARGET, *_OTHER_TARGETS) if name in known]
    return tried or [str(max(target for target, first in TARGETS.items() if first <= version))]


def _insertions(module: Module, lines: dict[str, str]) -> list[Edit]:
    """Each line after the directive that precedes it in the order of a header, or else before the first statement."""
    start, ends = _places(module)
    place, is_first = start, True
    edits = []
    for name in HEADER:
        if name in ends:
            place, is_first = ends[name], False
        elif name in lines:
            text = f"{lines[name]}\n" if is_first else f"\n{lines[name]}"
            edits.append(Edit(Range(*place, *place), text))
    return edits


def _places(module: Module) -> tuple[Position, dict[str, Position]]:
    """Where the first statement begins, and where each directive of the header ends."""
    start: Position | None = None
    ends: dict[str, Position] = {}
    for located in module.statements(Range(0, 0, _HEADER_LINES, 0)):
        range_ = located.range(located.statement.start, located.statement.end)
        start = start or _before_blanks(module, range_.start)
        if not isinstance(located.statement, Directive):
            break
        ends.setdefault(located.statement.name.text, range_.end)
    return start or module.document.end(), ends


def _before_blanks(module: Module, position: Position) -> Position:
    """The beginning of the line if only blanks are before the position."""
    before = module.document.line(position.line)[: position.column]
    return position if before.strip() else Position(position.line, 0)


def _errors(text: str, module: Module) -> int:
    changed = Module(text, module.checks)
    changed.work()
    return sum(finding.severity is Severity.ERROR for finding in changed.findings())
