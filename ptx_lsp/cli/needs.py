"""`ptx-lsp needs`: the lowest PTX version and targets that a module needs, and the lines that need them."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ptx_lsp.analysis.module import Module
from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.formats.json import place
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.cli.printable import printable
from ptx_lsp.cli.sources import find_files, read_source, reason, shown_path
from ptx_lsp.features.module_needs import Cause, ModuleNeeds, needs_of, targets_text
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.releases import cuda_release, with_release
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.gates import REQUIREMENTS

SHOWN = 8
"""The lines of each kind that are shown without `--all`."""

_MAY_HIDE = "its errors (`ptx-lsp check`) may hide some of what it needs"


def run(arguments: list[str]) -> int:
    """Print what the modules named in `arguments` need; 0, 1 or 2 as the help says. Raises UsageError."""
    options = read_options(arguments, COMMANDS["needs"].options)
    if not options.rest:
        raise UsageError("which file, or `-` for standard input?")
    files, troubles = find_files(options.rest)
    unreadable = [f"`{trouble.path}`: {trouble.reason}" for trouble in troubles]
    nowhere = False
    for number, path in enumerate(files):
        shown = shown_path(path)
        try:
            module = Module(read_source(path))
        except OSError as error:
            unreadable.append(f"`{shown}`: {reason(error)}")
            continue
        module.work()
        if module.foreign is not None:
            unreadable.append(f"`{shown}`: {module.foreign.message}")
            continue
        needs = needs_of(module)
        nowhere |= needs.version is None
        if options.values.get("--format") == "json":
            print(json.dumps(as_json(shown, needs)))
        else:
            print(("\n" if number and options.flags else "") + _text(shown, needs, module, options.flags), end="")
    for each in unreadable:
        print(f"ptx-lsp needs: cannot read {printable(each)}", file=sys.stderr)
    return 2 if unreadable else int(nowhere)


def _text(path: str, needs: ModuleNeeds, module: Module, flags: frozenset[str]) -> str:
    shown, broken = printable(path), _has_errors(module)
    if not flags:
        return as_answer(shown, needs, broken)
    return as_text(shown, needs, None if "--all" in flags else SHOWN, broken)


def _has_errors(module: Module) -> bool:
    return any(f.severity is Severity.ERROR and f.code not in REQUIREMENTS for f in module.findings())


# --- for programs -------------------------------------------------------------------------------------------------


def as_json(path: str, needs: ModuleNeeds) -> dict[str, object]:
    """What a module needs, as one JSON object; the version is a text, None if no known target accepts the module."""
    written = needs.written
    return {
        "path": path,
        "version": _text_or_none(needs.version),
        "cuda": cuda_release(needs.version) if needs.version else None,
        "targets": [str(target) for target in needs.targets],
        "written": {"version": _text_or_none(written.version), "target": _text_or_none(written.target)},
        "version_lines": [_place(cause) for cause in needs.version_causes],
        "target_lines": [_place(cause) for cause in needs.target_causes],
        "accepted": {str(target): str(version) for target, version in needs.firsts.items()},
        "refused": [
            {"targets": [str(t) for t in refusal.targets], "lines": [_place(cause) for cause in refusal.causes]}
            for refusal in needs.refusals
        ],
    }


def _text_or_none(value: Version | Target | None) -> str | None:
    return None if value is None else str(value)


def _place(cause: Cause) -> dict[str, object]:
    return {**place(cause.range), "name": cause.name.replace("`", "")}


# --- for people ---------------------------------------------------------------------------------------------------


def as_answer(path: str, needs: ModuleNeeds, broken: bool) -> str:
    """What a module needs, in short: the version and targets, and for each the first line that needs it.

    `broken` is True if the module has errors of other kinds.
    """
    lines = [_summary(path, needs)]
    needed: dict[str, list[str]] = {}  # by the place: one line may need both
    if needs.version is not None and needs.version_causes:
        needed.setdefault(_first_place(path, needs.version_causes), []).append(f"PTX {needs.version}")
    if needs.targets and needs.target_causes:
        needed.setdefault(_first_place(path, needs.target_causes), []).append(targets_text(needs.targets))
    lines += [f"{place} needs {' and '.join(each)}" for place, each in needed.items()]
    if needs.version is None:
        lines += _reasons(path, needs)
    if broken:
        lines.append(_MAY_HIDE)
    return "\n".join(lines) + "\n"


def _reasons(path: str, needs: ModuleNeeds) -> list[str]:
    """If no target accepts the module: each line that is the first one which some targets do not accept, with these."""
    order = list(TARGETS)
    refused: dict[str, list[Target]] = {}
    for refusal in needs.refusals:
        refused.setdefault(_first_place(path, refusal.causes), []).extend(refusal.targets)
    lines = [f"{place} is not in {_runs(sorted(those, key=order.index), order)}" for place, those in refused.items()]
    return lines[-SHOWN:]


def _first_place(path: str, causes: tuple[Cause, ...]) -> str:
    return next(_places(path, (min(causes, key=lambda cause: cause.range),), None))


def as_text(path: str, needs: ModuleNeeds, most: int | None, broken: bool) -> str:
    """What a module needs and why, for people.

    At most `most` lines of each kind are shown (None: all). `broken` is True if the module has errors of other kinds.
    """
    lines = [_summary(path, needs)]
    if broken:
        lines.append(_MAY_HIDE)
    if needs.version is not None and needs.version_causes:
        lines += ["", f"PTX {with_release(needs.version)}, for", *_places(path, needs.version_causes, most)]
    if needs.target_causes:
        lines += ["", f"{targets_text(needs.targets)}, for", *_places(path, needs.target_causes, most)]
    if later := _later(needs):
        lines += ["", "lower targets, with a later version", *later]
    if needs.refusals:
        lines += ["", "refused by", *_refusals(path, needs, most)]
    return "\n".join(lines) + "\n"


def _summary(path: str, needs: ModuleNeeds) -> str:
    written = needs.written
    own = [f"PTX {written.version}" if written.version else "", str(written.target or "")]
    said = "; it is written for " + " and ".join(filter(None, own)) if any(own) else ""
    if needs.version is None:
        return f"{path}: no known target has everything in it{said}"
    return f"{path}: needs PTX {with_release(needs.version)} and {targets_text(needs.targets)}{said}"


def _places(path: str, causes: tuple[Cause, ...], most: int | None) -> Iterator[str]:
    """The first position of each cause and the number of its other positions; all positions if `most` is None."""
    counts = Counter(cause.name for cause in causes)
    first = {cause.name: cause for cause in reversed(causes)}
    shown = causes if most is None else sorted(first.values(), key=lambda cause: cause.range)[:most]
    for cause in shown:
        others = counts[cause.name] - 1 if most is not None else 0
        more = f" and {others} more of it" if others else ""
        yield f"  {path}:{cause.range.line + 1}:{cause.range.column + 1}: {cause.name}{more}"
    if most is not None and len(first) > most:
        yield f"  and {len(first) - most} others"


def _later(needs: ModuleNeeds) -> list[str]:
    """The targets below the lowest ones that accept the module too, but only in a later version of PTX."""
    if not needs.targets:
        return []
    lower = [target for target in needs.firsts if target < needs.targets[0]]
    return [f"  {target}: PTX {with_release(needs.firsts[target])}" for target in lower]


def _refusals(path: str, needs: ModuleNeeds, most: int | None) -> Iterator[str]:
    order = list(TARGETS)
    for refusal in needs.refusals:
        yield f"  {_runs(refusal.targets, order)}"
        yield from ("  " + line for line in _places(path, refusal.causes, most))


def _runs(targets: Sequence[Target], order: list[Target]) -> str:
    """Targets as text; more than two that follow each other in `order` are written as the first to the last."""
    runs = [[targets[0]]]
    for one, other in pairwise(targets):
        if order.index(other) == order.index(one) + 1:
            runs[-1].append(other)
        else:
            runs.append([other])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
