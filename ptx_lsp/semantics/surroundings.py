"""What a check of one statement sees of the module around it, and how it reports."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import NOTHING, Severity, Tag
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.semantics.demands import Demanding
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.symbols import Scope, Symbol


class Profile(NamedTuple):
    """The module's own statement of what it is written for.

    `version` and `target` are what `.version` and `.target` say, or the newest known where they are missing or
    unreadable; `known` is False where the version is newer than ours, so that unknown words are no errors. `maximum`
    is the highest version that the user's own tools take, None where there is no limit.
    """

    version: Version
    target: Target
    options: frozenset[str] = frozenset()  # of .target: texmode_independent, debug, map_f64_to_f32 ...
    address_size: int = 64
    known: bool = True
    maximum: Version | None = None
    written: Mark | None = None  # where `.version` says the version
    debug: Mark | None = None  # where `.target` says `debug`, if it does

    # where it is said is not part of what is said
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self[:-2] == other[:-2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-2])


class LabelUse:
    """A label named by a branch or a list, or a variable that is looked up later: where, and from which scope."""

    __slots__ = ("mark", "name", "scope")

    def __init__(self, scope: Scope, name: str, mark: Mark) -> None:
        self.scope = scope
        self.name = name
        self.mark = mark


class Undeclared(NamedTuple):
    """A use of a name that nothing declares above it.

    `as_label` is what is wrong with the use if a label of the function has this name, empty if no more is known.
    """

    name: str
    mark: Mark
    as_label: str = ""


class Surroundings(NamedTuple):
    """Handed to every check of a statement.

    `scope` is the innermost scope, already holding every declaration above the statement. `function` is the symbol
    of the function it stands in, None at module level; `depth` counts the open braces (0 at module level).
    `demands`, where it is not None, takes what the statement demands of any module's version and target.
    """

    profile: Profile
    scope: Scope
    function: Symbol | None
    depth: int
    text: str
    mark: Callable[[int, int], Mark]
    reports: list[Report]
    undeclared: list[Undeclared]
    label_uses: list[LabelUse]
    demands: list[Demanding] | None = None

    def report(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        *,
        related: tuple[tuple[Mark, str], ...] = (),
        severity: Severity | None = None,
        tags: tuple[Tag, ...] = (),
        data: Mapping[str, str] = NOTHING,
    ) -> None:
        """Say something about the text from `start` to `end` (offsets as in the statement's nodes)."""
        level = default_severity(code) if severity is None else severity
        if not message.isprintable():
            message = in_one_line(message)
        self.reports.append(Report(code, self.mark(start, end), message, level, related, tags, data))

    def source(self, start: int, end: int) -> str:
        """The text from `start` to `end` as the author wrote it."""
        return self.text[start:end]

    def note_undeclared(self, name: str, start: int, end: int, as_label: str = "") -> None:
        """Remember a use of a name that nothing declares: when the function ends, it is known whether it is a label."""
        self.undeclared.append(Undeclared(name, self.mark(start, end), as_label))

    def note_label_use(self, name: str, start: int, end: int) -> None:
        """Remember a label that a branch or list names; it may stand further down."""
        self.label_uses.append(LabelUse(self.scope, name, self.mark(start, end)))


def in_one_line(message: str) -> str:
    """A message without the line ends, control characters and bytes beyond UTF-8 of the texts that it quotes."""
    return " ".join("".join(c if c.isprintable() else " " if c.isspace() else "?" for c in message).split())
