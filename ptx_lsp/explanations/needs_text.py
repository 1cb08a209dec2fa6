"""The version and targets that something needs, in the words of a hover."""

from ptx_lsp.isa.forms import Condition, Needs
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.releases import OLDEST, with_release
from ptx_lsp.isa.targets import allows
from ptx_lsp.isa.versions import Target, Version


def needs_text(needs: Needs) -> str:
    """The needs as text: "PTX ISA 8.0 (CUDA 12.0) and `sm_90`"; empty if the feature exists everywhere."""
    found = []
    for each in needs.alternatives:
        words = []
        if each.version is not None:
            words.append(f"PTX ISA {with_release(each.version)}")
        if each.targets:
            later = " or later" if not any(target.suffix for target in each.targets) else ""
            words.append(" or ".join(f"`{target}`" for target in each.targets) + later)
        found.append(" and ".join(words))
    text = ", or ".join(found)
    for gone in needs.removed:
        where = f" on `{gone.target}` and later" if gone.target else ""
        text += f"{'; ' if text else ''}removed in PTX ISA {gone.version}{where}"
    if needs.deprecated:
        text += f"{'; ' if text else ''}deprecated since PTX ISA {needs.deprecated}"
    return text


def instruction_needs(match: Match) -> str:
    """What an instruction needs: its form, and each of its modifiers that needs more than the rest."""
    section = match.form.section
    sources = [("", section.needs), ("", match.form.needs)]
    sources += [(_words(match, gate.condition), gate.needs) for gate in section.gates if match.holds(gate.condition)]
    shown: list[tuple[str, Needs]] = []
    for words, needs in sources:
        if not any(_covers(other, needs) for _, other in shown):
            shown = [(its, other) for its, other in shown if not _covers(needs, other)] + [(words, needs)]
    texts = [
        f"{'needs ' if needs.alternatives else ''}{text}{' for ' if words else ''}{words}"
        for words, needs in shown
        if (text := needs_text(needs))
    ]
    return "; ".join(texts) or f"since PTX ISA {OLDEST}, on every target"


def _covers(more: Needs, less: Needs) -> bool:
    """Whether each module that meets `more` surely meets `less`, too."""
    if not more.alternatives or len(less.alternatives) != 1 or less.removed or less.deprecated:
        return False
    version, targets = less.alternatives[0]
    return all(
        _version_covers(each.version, version) and _targets_cover(each.targets, targets) for each in more.alternatives
    )


def _version_covers(more: Version | None, less: Version | None) -> bool:
    return less is None or (more is not None and more >= less)


def _targets_cover(more: tuple[Target, ...], less: tuple[Target, ...]) -> bool:
    """Whether each of `more` is allowed by `less`, of which one is enough."""
    return not less or (bool(more) and all(allows(target, less) for target in more))


def _words(match: Match, condition: Condition) -> str:
    """The modifiers of a statement that make a condition true."""
    found = (word for term in condition for word in term.words if word in match.words)
    return " with ".join(f"`{word}`" for word in dict.fromkeys(found))
