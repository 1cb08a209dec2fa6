"""The verdict on the PTX of one statement: by all targets that it may be written for, remembered by its text.

What fails for one target and not for another may be code for one architecture (`#if __CUDA_ARCH__`): only what fails
for all candidate targets is reported.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks, Module
from ptx_lsp.embedded.refitting import refitted
from ptx_lsp.embedded.targets import CANDIDATES, worth_trying
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.releases import NEWEST
from ptx_lsp.isa.versions import Target
from ptx_lsp.judgement.gates import REQUIREMENTS, UNAVAILABLE
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.environment import Environment, OperandRole, OuterSymbol
from ptx_lsp.steps import result_of
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Position, Range

UNCLOSED = "unclosed-bracket"
NAMES = frozenset(
    [
        "undeclared",
        "undeclared-function",
        "undefined-label",
        "label-expected",
        "never-written",
        "unused-label",
        "unused-registers",
        "unmatched-brace",
        "unclosed-brace",
        "missing-brace",
        "early-brace",
        "outside-function",
        "misplaced-directive",
        UNCLOSED,
        "duplicate-declaration",
        "duplicate-label",
        "duplicate-definition",
        "unterminated-comment",
        "label-as-operand",
        "call-operands",
        "call-prototype",
    ]
)
"""Codes of findings about names and braces, which need the text around a statement too."""
_OF_SCOPES = frozenset(("unclosed-brace", "unmatched-brace"))
OF_FUNCTIONS = frozenset(("register-count",))
"""Codes of findings that depend on the kind of the function around, kernel or not, which is not known."""
OF_VALUES = frozenset(("immediate-type", "operand-kind", "operand-type", "vector-size", "sink"))
"""Codes of findings about a constant that do not depend on its value."""
# What is wrong with the text alone is wrong for every target.
_FOR_EVERY_TARGET = NAMES.union(
    [
        "missing-semicolon",
        "missing-comma",
        "extra-comma",
        "expected-operand",
        "unknown-opcode",
        "stray-token",
        "invalid-character",
        "malformed-number",
        "unknown-directive",
        "bad-guard",
        "percent-name",
        "unknown-modifier",
        "missing-modifier",
        "modifier-order",
        "duplicate-modifier",
        "instruction-type",
        "expected-constant",
        "expected-name",
        "unterminated-string",
        "negative-offset",
        "operand-arithmetic",
    ]
)
_MOST_REMEMBERED = 20_000  # fragments
NEVER_WRITTEN = "never-written"
UNWRITTEN = "asm-output-unwritten"
_FIRST_OPERAND = lazy_pattern(r"(?:^|[;{}\n])[ \t]*(?:@!?[^\s;{}@]+[ \t]+)?[\w.:]+\s+\{?\s*([%$]\d+)")


class FragmentOperand(NamedTuple):
    """An operand as the verdict sees it: its name in the text, its register type (empty: not known), its role."""

    name: str
    type: str
    role: OperandRole


class Fragment(NamedTuple):
    """All that the verdict on a statement depends on. Two statements with equal fragments have equal verdicts.

    `unknown` are the offsets (begin and end) of immediates whose value is not known. `complete` is False if a part of
    the text is not known, or its braces do not match: then names and braces are not judged. `targets` are the targets
    that it may be written for, in the order in which they are tried. `whole` is True if no part of the text is unknown.
    """

    text: str
    operands: tuple[FragmentOperand, ...]
    unknown: tuple[tuple[int, int], ...]
    complete: bool
    targets: tuple[Target, ...] = CANDIDATES
    whole: bool = False


class Judged(NamedTuple):
    """The verdict: findings at positions of the text, and the target that accepts it or has the fewest errors.

    A related place on the line `-2 - n` is operand number `n` of the fragment. `written` are the places (begin and end
    as offsets of the text) where an instruction writes an input, each with the number of the operand.
    """

    findings: tuple[Finding, ...]
    target: Target
    written: tuple[tuple[int, int, int], ...] = ()


_SLICE = 0.005  # seconds of the analysis of a long fragment between two pauses
_judged: Memo[tuple[Fragment, object], Judged] = Memo(_MOST_REMEMBERED)


def judge_fragment(fragment: Fragment, checks: Checks) -> Judged:
    """The verdict on a fragment; it is remembered."""
    return result_of(judge_steps(fragment, checks))


def judge_steps(fragment: Fragment, checks: Checks) -> Generator[None, None, Judged]:
    """The same in steps between which the caller may pause: the analysis for each target, and each of its findings."""
    key = fragment, (frozenset(checks.severities.items()), *checks[1:])
    known = _judged.get(key)
    if known is None:
        known = _judged[key] = yield from _judge(fragment, checks)
    return known


def environment_of(fragment: Fragment, target: Target) -> Environment:
    """The surroundings in which a fragment is analysed for one target."""
    symbols = tuple(
        OuterSymbol(operand.name, operand.type, operand.role, declared=Range(-2 - number, 0, -2 - number, 0))
        for number, operand in enumerate(fragment.operands)
    )
    return Environment(NEWEST, target, symbols)


def _judge(fragment: Fragment, checks: Checks) -> Generator[None, None, Judged]:
    best: Judged | None = None
    for target in worth_trying(fragment.text, fragment.targets):
        judged = yield from _judge_for(fragment, target, checks)
        if best is None or _failures(judged) < _failures(best):
            best = judged
        errors = [each.code for each in judged.findings if each.severity is Severity.ERROR]
        if _FOR_EVERY_TARGET.issuperset(errors) or (not target.suffix and UNAVAILABLE.isdisjoint(errors)):
            break  # also if there is no error
        yield
    assert best is not None, "a fragment has a target"
    return best


def _failures(judged: Judged) -> tuple[int, int, int]:
    """A sort key: the best target has the fewest errors, then the fewest about versions and targets, further down."""
    errors = [each for each in judged.findings if each.severity is Severity.ERROR]
    requirements = sum(each.code in REQUIREMENTS for each in errors)
    first = min((each.range.start for each in errors), default=None)
    return len(errors), requirements, -first.line if first else 0


def _judge_for(fragment: Fragment, target: Target, checks: Checks) -> Generator[None, None, Judged]:
    module = Module(fragment.text, checks, environment_of(fragment, target))
    while not module.work(_SLICE):
        yield
    yield
    findings = []
    for finding in _findings(fragment, module):
        findings.append(finding)
        yield
    return Judged(tuple(findings), target, tuple(_written_inputs(fragment, module)))


def _written_inputs(fragment: Fragment, module: Module) -> Iterator[tuple[int, int, int]]:
    inputs = {each.name: number for number, each in enumerate(fragment.operands) if each.role is OperandRole.INPUT}
    lines = LineIndex(fragment.text)
    for found in _FIRST_OPERAND.finditer(fragment.text):
        number = inputs.get(found[1], -1)
        context = module.statement_at(lines.position(found.start(1))) if number >= 0 else None
        if context is None or context.verdict is None or context.examined is None or 0 not in context.verdict.assigned:
            continue
        nodes = context.examined.reading.nodes
        node = nodes.get((0,))
        at = context.offset(lines.position(found.start(1)))
        if node is not None and node.start <= at < node.end:
            yield *found.span(1), number


def _findings(fragment: Fragment, module: Module) -> Iterator[Finding]:
    lines = LineIndex(fragment.text)
    unknown = [lines.range(*each) for each in fragment.unknown]
    operands = {operand.name: operand for operand in fragment.operands}
    text = fragment.text.rstrip()
    last = None if text.endswith(";") else lines.position(len(text))
    for finding in module.findings():
        if finding.code in OF_FUNCTIONS or (finding.code in NAMES and not _is_judged(finding, fragment, last)):
            continue
        if finding.code not in OF_VALUES and any(_touch(finding.range, each) for each in unknown):
            continue
        operand = operands.get(module.document.text(finding.range))
        if finding.code == NEVER_WRITTEN and operand is not None:
            finding = finding._replace(code=UNWRITTEN, message=f"`{operand.name}` is an output, and nothing writes it")
        yield refitted(finding, module, operand.type) if operand is not None else finding


def _is_judged(finding: Finding, fragment: Fragment, last: Position | None) -> bool:
    """Whether a finding about a name or a brace is right for the fragment alone.

    `last` is where the fragment ends, None if it ends with a `;`. The bracket of an operand closes in no other
    statement, unless a text without holes ends inside of it. The brace of a scope does not match if no other statement
    of the file has its partner.
    """
    if fragment.complete or not fragment.whole:
        return fragment.complete
    return finding.code in _OF_SCOPES or (finding.code == UNCLOSED and finding.range.end != last)


def _touch(one: Range, other: Range) -> bool:
    return one.start < other.end and other.start < one.end
