"""Fixes that change the header of the module: a higher `.version`, another `.target`.

They are offered only after a check of the whole module with the new header: a higher version can remove instructions.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.fix import Edit, Fix, Safety, apply_edits
from ptx_lsp.fixes.verification import Site, errors_in, site_steps
from ptx_lsp.isa.releases import RELEASES, cuda_release, read_version
from ptx_lsp.isa.targets import TARGETS, read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

T = TypeVar("T")

USUAL_TARGET = "sm_75"
"""The target of a module that names none: the lowest one that the current ptxas compiles for."""

LONGEST_CHECKED = 1_000_000
"""A module with more characters than this is not checked again only to offer a fix."""

_VERSION = re.compile(r"^[ \t\f]*\.version[ \t]+([0-9]+\.[0-9]+)", re.M)
_TARGET = re.compile(r"^[ \t\f]*\.target[ \t]+((?:sm|compute)_[0-9]+[af]?)(?![ \t]*,[ \t]*(?:sm|compute)_)", re.M)


def raise_version(finding: Finding, module: Module) -> Iterator[Fix | None]:
    """Raise the module's `.version` to the lowest one with the feature that the finding is about."""
    site = yield from site_steps(finding, module)
    named = read_version(finding.data.get("version", ""))
    wanted = named or (_lowest_version(site) if site is not None else None)
    edit = _edit(_VERSION, str(wanted), module) if wanted is not None else None
    if wanted is not None and edit is not None and _is_better(module, (edit,)):
        yield Fix(f"raise `.version` to {wanted}{_release(wanted)}", (edit,), Safety.SAFE)


def change_target(finding: Finding, module: Module) -> Iterator[Fix | None]:
    """Write another `.target` with the feature that the finding is about, and the `.version` that this target needs."""
    site = yield from site_steps(finding, module)
    named = read_target(finding.data.get("target", ""))
    wanted = named or (_nearest_target(site) if site is not None else None)
    edit = _edit(_TARGET, str(wanted), module) if wanted is not None else None
    if wanted is None or edit is None:
        return
    title = f"write `.target {wanted}`"
    edits: tuple[Edit, ...] = (edit,)
    version = _VERSION.search(module.document.whole())
    own = read_version(version[1]) if version is not None else None
    first = _first_version(site, wanted, own) if site is not None and own is not None else None
    if first is not None and own is not None and own < first and (more := _edit(_VERSION, str(first), module)):
        title, edits = f"{title} and `.version {first}`{_release(first)}", (more, edit)
    if _is_better(module, edits):
        yield Fix(title + _consequence(wanted), edits)


def write_header(finding: Finding, module: Module) -> Iterator[Fix]:
    """The directive that a module lacks, in its place; a `.version` that is below `.target` is moved."""
    text = module.document.whole()
    version, target = _VERSION.search(text), _TARGET.search(text)
    start = Range(0, 0, 0, 0)
    if version is not None and target is not None and target.start() < version.start():
        line = text.count("\n", 0, version.start())
        whole = module.document.line(line)
        # what follows the directive on its line stays where it is, unless it is a comment
        rest = whole[_place(text, version.end())[1] :].strip()
        moved = whole.strip() if not rest or rest.startswith("//") else version[0].strip()
        removed = Range(line, 0, line + 1, 0) if moved == whole.strip() else Range(line, 0, line, whole.index(rest))
        yield Fix("move `.version` to the top", (Edit(start, f"{moved}\n"), Edit(removed, "")), Safety.SAFE)
        return
    newest = module.checks.maximum_version or max(RELEASES)
    lines = [] if version is not None else [f".version {newest}"]
    lines += [] if target is not None else [f".target {USUAL_TARGET}"]
    if not lines:
        return
    shown = " and ".join(f"`{line}`" for line in lines)
    place = start if version is None else Range(*_place(text, version.end()) * 2)
    inserted = "".join(f"{line}\n" for line in lines) if version is None else f"\n{lines[0]}"
    yield Fix(f"insert {shown}, which says what the module is written for", (Edit(place, inserted),))


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of the place at an offset."""
    starts = line_starts(text[:offset])
    return len(starts) - 1, offset - starts[-1]


def _lowest_version(site: Site) -> Version | None:
    profile = site.located.surroundings.profile
    newer = (version for version in RELEASES if version > profile.version)
    return next(_that_help(site, ((v, profile._replace(version=v)) for v in newer)), None)


def _nearest_target(site: Site) -> Target | None:
    """The lowest plain target with the feature, which all later ones have too; otherwise an `a` or `f` target."""
    profile = site.located.surroundings.profile
    newest = max(RELEASES)
    ordered = sorted(TARGETS, key=lambda t: (bool(t.suffix), t.number != profile.target.number, t))
    return next(_that_help(site, ((t, profile._replace(version=newest, target=t)) for t in ordered)), None)


def _first_version(site: Site, target: Target, own: Version) -> Version | None:
    """The lowest version from `own` on that knows the target, and in which the statement has fewer errors for it."""
    profile = site.located.surroundings.profile
    known = (version for version in sorted(RELEASES) if version >= max(own, TARGETS.get(target, own)))
    found = next(_that_help(site, ((v, profile._replace(version=v, target=target)) for v in known)), None)
    return found or TARGETS.get(target)


def _that_help(site: Site, profiles: Iterable[tuple[T, Profile]]) -> Iterator[T]:
    """The items under whose profile the statement has fewer errors than now."""
    now = errors_in(site.text, site.located)
    for what, profile in profiles:
        there = site.located._replace(surroundings=site.located.surroundings._replace(profile=profile))
        if errors_in(site.text, there) < now:
            yield what


def _release(version: Version) -> str:
    release = cuda_release(version)
    return f" (CUDA {release})" if release else ""


def _consequence(target: Target) -> str:
    if target.suffix == "a":
        return f": the module then runs on compute capability {target.capability} only"
    return (
        f": the module then runs on the family of compute capability {target.capability} only" if target.suffix else ""
    )


def _edit(directive: re.Pattern[str], wanted: str, module: Module) -> Edit | None:
    text = module.document.whole()
    found = directive.search(text)
    if found is None or found[1] == wanted or len(text) > LONGEST_CHECKED:
        return None
    starts = line_starts(text[: found.end()])
    line, first = len(starts) - 1, starts[-1]
    return Edit(Range(line, found.start(1) - first, line, found.end(1) - first), wanted)


def _is_better(module: Module, edits: tuple[Edit, ...]) -> bool:
    """Whether the module has errors on fewer lines with these edits, and on no line that had none before."""
    changed = Module(apply_edits(module.document.whole(), edits), module.checks)
    changed.work()
    before = {f.range.line for f in module.findings() if f.severity is Severity.ERROR}
    after = {f.range.line for f in changed.findings() if f.severity is Severity.ERROR}
    return after < before
