"""Code lenses on `.version` and `.target`: the lowest that the module could have, and the causes."""

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.features.module_needs import Cause, ModuleNeeds, targets_text
from ptx_lsp.isa.releases import with_release
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above a directive: `range` is the directive's argument, `causes` are the places in the text."""

    range: Range
    title: str
    causes: tuple[Cause, ...]


def code_lenses(needs: ModuleNeeds) -> list[Lens]:
    """The lenses of a module, from its needs; no lens for a directive that is missing or cannot be read."""
    written = needs.written
    found = []
    if written.version is not None and written.version_range is not None and needs.version is not None:
        title = f"needs PTX {with_release(needs.version)}{_reason(needs.version_causes)}{_own(needs, needs.version)}"
        found.append(Lens(written.version_range, title, needs.version_causes))
    if written.target is not None and written.target_range is not None:
        found.append(_target_lens(needs, written.target, written.target_range))
    return found


def _own(needs: ModuleNeeds, lowest: Version) -> str:
    """The version that the module's own target needs, if it is not the lowest; else empty."""
    target = needs.written.target
    own = needs.firsts.get(target) if target is not None else None
    return "" if own is None or own == lowest else f"; on {target} PTX {with_release(own)}"


def _target_lens(needs: ModuleNeeds, own: Target, range_: Range) -> Lens:
    if not needs.targets:
        refusal = next((r for r in needs.refusals if own in r.targets), None)
        causes = refusal.causes if refusal is not None else ()
        return Lens(range_, f"no known target has everything{_reason(causes)}", causes)
    return Lens(range_, f"needs {targets_text(needs.targets)}{_reason(needs.target_causes)}", needs.target_causes)


def _reason(causes: tuple[Cause, ...]) -> str:
    """The cause: the first one by name, and the number of the others."""
    names = list(dict.fromkeys(_plain(causes)))
    if not names:
        return ""
    others = len(names) - 1
    more = f" and {others} other{'' if others == 1 else 's'}" if others else ""
    return f", for {names[0]}{more}"


def _plain(causes: tuple[Cause, ...]) -> Iterator[str]:
    # a lens is plain text
    return (cause.name.replace("`", "") for cause in causes)
