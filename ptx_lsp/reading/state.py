"""The state between two statements, such as the state at the beginning and at the end of a block."""

from __future__ import annotations

from ptx_lsp.findings.suppression import SuppressionReach
from ptx_lsp.isa.directive_names import TARGET, VERSION
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, NamedTuple
from ptx_lsp.semantics.surroundings import UNDECLARED_PROFILE, Profile, Report
from ptx_lsp.semantics.symbols import Holder, Mark, Scope, Symbol
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.isa.versions import Target, Version
    from ptx_lsp.semantics.environment import Environment

CHECKED = "checked"  # in State.header, once missing directives of the header have been reported
EXCUSED = "excused"  # the same, once a mistake is reported to which a missing or late directive may belong
COMPLETE = (VERSION, TARGET, CHECKED)  # the header of a fragment
NO_MISTAKE, NO_END, MISTAKE, ROWS = range(4)
"""The values of `State.lost`: `NO_END` after a statement without its `;`, `MISTAKE` after another mistake to which what
follows may belong, until a statement that can be in its place, and `ROWS` after a row of a section that is in none: the
rows below it belong to the same mistake.
"""
_NO_BRACE = Range(0, 0, 0, 0)


class Body:
    """The body of one function.

    `names` are reports about missing labels, undeclared names and braces; `usage` are reports about registers and
    labels that are not written or not used. Both need the whole function. `concluded` is true after they were made.
    `closing` is the brace that closes the body, None before the function is concluded, or if there is no such brace.
    `opening` is the place of the brace that opens it. `is_given` is true if the function is around the whole text,
    which is a fragment: it has no header and no braces.
    """

    __slots__ = ("closing", "concluded", "is_given", "names", "opening", "scope", "symbol", "usage")

    def __init__(self, symbol: Symbol, scope: Scope) -> None:
        assert scope.opening is not None, "only the module's scope has no brace"
        self.symbol = symbol
        self.scope = scope
        self.opening = scope.opening
        self.is_given = scope.opening.range == _NO_BRACE
        self.concluded = False
        self.closing: Mark | None = None
        self.names: list[Report] = []
        self.usage: list[Report] = []

    @property
    def lacks_brace(self) -> bool:
        """Whether no brace opens the body, so that `opening` is empty: it is missing, or the body is given."""
        return self.opening.range.start == self.opening.range.end


class OpenComment(NamedTuple):
    """A `/*` that is not closed in its block.

    `assumed_endless` is true if a statement before it was parsed on the assumption that no `*/` follows below.
    """

    mark: Mark
    assumed_endless: bool


class State(NamedTuple):
    """The state between two statements.

    `scopes` are the open scopes, the module's first. `body` is the function around, None at module level. `closed` is
    the function that the last closing brace ended. `after_end` is true after a brace that ended a function, until the
    next function begins: inside a function, it is true if the function continues after its end. `stray_reported` is
    true while the statements outside of any function belong to a mistake that has been reported. `header` has the
    directives of the module's header so far. `comment` is the open comment around, None outside of comments. `buried`
    is the number of open braces beyond the greatest depth. `lost` says whether what follows may belong to a mistake.
    `nested` is true if the header of a function has cut off `closed`, until the next one outside: statements that
    follow the end of this function belong to `closed`.
    """

    scopes: tuple[Scope, ...]
    body: Body | None
    closed: Body | None
    after_end: bool
    stray_reported: bool
    header: tuple[str, ...]
    profile: Profile
    comment: OpenComment | None = None
    buried: int = 0
    lost: int = NO_MISTAKE
    nested: bool = False


def state_at_begin(
    root: Scope, first: Holder, maximum: Version | None, environment: Environment | None, compiled_for: Target | None
) -> State:
    """The state in which a text begins, whose first block is `first`: a module, or a fragment in an environment."""
    if environment is not None:
        return state_in(environment, root, environment.profile(maximum)._replace(compiled_for=compiled_for), first)
    profile = UNDECLARED_PROFILE
    if maximum is not None or compiled_for is not None:
        profile = profile._replace(maximum=maximum, compiled_for=compiled_for)
    return first_state(root, profile)


def first_state(root: Scope, profile: Profile) -> State:
    """The state in which a module begins."""
    return State((root,), None, None, False, False, (), profile)


def state_in(environment: Environment, root: Scope, profile: Profile, first: Holder) -> State:
    """The state in which a fragment begins, whose first block is `first`."""
    state = first_state(root, profile)._replace(header=COMPLETE)
    if not environment.in_function:
        environment.declare(root)
        return state
    scope = Scope(root, Mark(first, _NO_BRACE))
    return state._replace(scopes=(root, scope), body=Body(environment.declare(scope), scope))


class Suppression(NamedTuple):
    """A comment that suppresses findings: their codes (empty: all), the part of the file, and its place."""

    codes: tuple[str, ...]
    reach: SuppressionReach
    mark: Mark


class Declared(NamedTuple):
    """A name that a block declares in a scope that is open at the end of the block or around it."""

    scope: Scope
    symbol: Symbol


class Cut(NamedTuple):
    """The end of a function without its brace: the open brace, and the directive that belongs outside of functions.

    `explained` is true if the last statement is a mistake that is reported, which may be in the place of the brace.
    """

    opening: Mark | None
    noticed: Mark
    directive: str
    explained: bool = False


class PlainRows:
    """The rows of a section that a recogniser has read: the lines from `first` to `end` (exclusive) of a block.

    `profile` is that of the section. `labels` are those of the section, None until they are known.
    """

    __slots__ = ("end", "first", "labels", "profile")

    def __init__(self, first: int, end: int, profile: Profile) -> None:
        self.first = first
        self.end = end
        self.profile = profile
        self.labels: set[str] | None = None


class Next(NamedTuple):
    """The offset at which reading continues.

    `grown` is true if the text of the block has become longer since the lines were split; then the statement at the
    offset may have been parsed in the shorter text, but it has not been applied.
    """

    offset: int
    grown: bool = False


def with_first_words(text: str) -> str:
    """A text up to the end of its first line that is not blank."""
    blanks = len(text) - len(text.lstrip(" \t\r\n"))
    return text[: text.find("\n", blanks) + 1] or text


def is_in_comment(state: State | None) -> bool:
    """Whether a `/* */` comment is open in a state; False for a state that is not known."""
    return state is not None and state.comment is not None


def begins_with_dot(text: str) -> bool:
    """Whether a text begins with a dot, after blanks."""
    return text.lstrip(" \t\r\n")[:1] == "."


class Below(NamedTuple):
    """The text below a block.

    `take` makes the next chunk a part of the block and returns its text, or None at the end of the text; it may take
    more chunks up to a number of characters. `ends_comment` is true if a `*/` is in any chunk below. `look` returns the
    text of at most this number of lines, empty at the end of the text.
    """

    take: Callable[[int], str | None]
    ends_comment: Callable[[], bool]
    look: Callable[[int], str]


NOTHING_BELOW = Below(lambda _: None, lambda: False, lambda _: "")
