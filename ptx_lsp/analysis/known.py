"""Lines known to be fine: wherever their names have the same kinds again, they need not be judged again.

Compilers number the registers of every function from one, so that two lines of three of a large module have stood in
it before. What is fine is fine by its text, the kinds of the names in it, version and target: nothing else is asked
of a plain line, nor of inline assembly that leaves behind nothing but what it wrote.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from sys import intern

from ptx_lsp.analysis.pieces import OWN, SPECIAL, Kinds, Unclear, typed
from ptx_lsp.constants.literals import WARP_SIZE
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.semantics.surroundings import Profile

INNER_BRACES = 16  # inline assembly that is remembered has no more
PARAMETER = "_param_"  # compilers put it between the name of a function and the number of its parameter
SHORT = 16  # characters of a name that may well be another one's as well
PROFILES = 8  # so many versions and targets are remembered: while one is typed, it is many
MOST = 50_000  # lines of one version and target; they take some 500 bytes each

# The names in a line with their kinds (`typed`), the names alone, those that it writes, and those that it declares.
Fact = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Facts = dict[str, Fact]
WORDS, NAMES, WRITTEN, DECLARED = map(itemgetter, range(4))
NOTHING: Fact = ((), (), (), ())  # of a blank line or a comment: it is this very object, and the next one is another
POSITION: Fact = (*NOTHING[:3], ())  # of a `.loc`, which may be carried on behind comments


@lru_cache(maxsize=PROFILES)
def facts(profile: Profile) -> Facts:
    """The lines known so far for one version and target: shared by all documents of the process.

    Inline assembly may be several of them, joined by line ends.
    """
    return {}


def learn(known: Facts, line: str, kinds: Kinds, names: Sequence[str], written: Sequence[str]) -> None:
    """Remember that a line is fine which mentions, and writes, these names.

    Without effect where what one of them means is not a matter of its kind, or where one is long and no register by its
    name: variables have the names of their functions in theirs, so that the line will hardly come again. One parameter
    may be among them whose name begins with that of the function: it is remembered for every function.
    """
    words: list[str] = []
    mentioned: list[str] = []
    try:
        for name in names:
            if name[0] != "%" and name.startswith(kinds.function + PARAMETER):
                if line[0] == OWN or ":" not in kinds[name]:
                    return
                words.append(typed(OWN + name[len(kinds.function) :], kinds[name]))
                line = of_own(line, kinds.function)
                if not line:
                    return
            elif name[0] == "%" or len(name) <= SHORT:
                mentioned.append(intern(name))
                words.append(intern(f"{name} {kinds[name]}"))  # `typed` here and now: this is done for every new line
            else:
                return
    except Unclear:
        return
    keep(known, line, (tuple(words), tuple(mentioned), tuple(map(intern, written)), ()))


def of_own(line: str, function: str) -> str:
    """A line as it would be in any function, where it mentions a parameter that has its function's name before its own.

    Empty for other lines.
    """
    at = line.find(function + PARAMETER)
    if at <= 0 or line[at - 1] not in "[ \t,":
        return ""
    return OWN + line[:at] + OWN + line[at + len(function) :]


def learn_inner(
    known: Facts, text: str, kinds: Kinds, names: Sequence[str], written: Sequence[str], inner: Sequence[str]
) -> None:
    """The same of lines that declare the `inner` names for themselves; not of those that others hide behind."""
    words = []
    for name in dict.fromkeys(names):
        try:
            kind = kinds[name]
        except Unclear:
            kind = SPECIAL if special_register(name) is not None or name == WARP_SIZE else ""
        if (name in inner) is (kind != "") or ":" in kind:
            return  # more than the kind of a variable may matter: its size and alignment
        if kind:
            words.append(typed(name, kind))
    mentioned, given, declared = (tuple(map(intern, dict.fromkeys(which))) for which in (names, written, inner))
    keep(known, text, (tuple(words), mentioned, given, declared))


def keep(known: Facts, text: str, fact: Fact) -> None:
    """Remember what is known of a line, or of several."""
    if len(known) >= MOST:
        known.clear()
    known[text] = fact
