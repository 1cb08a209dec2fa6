"""The parts of rows other than forms and operands: lists of words, requirements and conditions."""

from ptx_lsp.isa.forms import Condition, ConditionTerm, Needs, Removal, Requirement
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import cache
from ptx_lsp.patterns import lazy_pattern

Groups = dict[str, tuple[str, ...]]

_OR = lazy_pattern(r"\s+or\s+")
_TERM = lazy_pattern(r"\.([\w:]+)\(([^()]*)\)|\.\{([^{}]*)\}|\.([\w:]+)")


class NotationError(ValueError):
    """A row that does not follow the notation; the message names the row and the reason."""


def read_words(names: list[str], groups: Groups) -> tuple[str, ...]:
    """Words with their dots; each group is replaced by its words."""
    dotted = [name if name.startswith(".") else "." + name for name in names]
    if len(dotted) == 1:
        return groups.get(dotted[0], (dotted[0],))
    return tuple(dict.fromkeys(word for name in dotted for word in groups.get(name, (name,))))


@cache
def read_needs(text: str) -> Needs:
    """The needs in `ptx 8.0 sm_90 or ptx 8.8 sm_100f removed 9.0 sm_120`. Raises NotationError."""
    alternatives: list[Requirement] = []
    removed: list[Removal] = []
    deprecated = None
    for part in _OR.split(text.strip()):
        version, targets = None, []
        words = iter(part.split())
        word = next(words, None)
        while word is not None:
            following = next(words, None)
            if word == "ptx":
                version, following = _version(following), next(words, None)
            elif word == "deprecated":
                deprecated, following = _version(following), next(words, None)
            elif word == "removed":
                since, following = _version(following), next(words, None)
                gone_on = read_target(following) if following else None
                removed.append(Removal(since, gone_on))
                following = next(words, None) if gone_on else following
            elif target := read_target(word):
                targets.append(target)
            else:
                raise NotationError(f"not a requirement: {text}")
            word = following
        if version or targets:
            alternatives.append(Requirement(version, tuple(targets)))
    return Needs(tuple(alternatives), tuple(removed), deprecated)


def _version(text: str | None) -> Version:
    version = read_version(text or "")
    if version is None:
        raise NotationError(f"not a version: {text}")
    return version


def read_condition(text: str, groups: Groups) -> Condition:
    """The terms of `.a.{b,c}.group(.d)`; the name of a group alone means any of its words."""
    terms, at = [], 0
    while at < len(text):
        found = _TERM.match(text, at)
        if found is None:
            raise NotationError(f"not a condition: {text}")
        group, inside, several, word = found.groups()
        if group:
            terms.append(ConditionTerm("." + group, read_words(inside.replace(",", " ").split(), groups)))
        else:
            terms.append(ConditionTerm("", read_words((several or word).replace(",", " ").split(), groups)))
        at = found.end()
    return tuple(terms)
