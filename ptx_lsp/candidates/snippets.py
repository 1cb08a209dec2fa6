"""Snippets: longer pieces of PTX with tab stops, as the rows of `snippets.txt`."""

from functools import cache
from typing import NamedTuple

from ptx_lsp.candidates.completion_items import Item, ItemKind
from ptx_lsp.explanations.description import Code, Part, Prose
from ptx_lsp.explanations.unmet_needs import unmet_needs
from ptx_lsp.isa.clauses import read_needs
from ptx_lsp.isa.forms import Needs
from ptx_lsp.package_data import read_text
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.surroundings import Profile

MODULE, BODY = "module", "body"
_STOP = lazy_pattern(r"(\\)\$|\$\{([0-9]+):((?:[^}\\]|\\.)*)\}|\$([0-9]+)")


class Snippet(NamedTuple):
    """A snippet. `place` is MODULE or BODY; `text` has tab stops as in the protocol, `${1:%r1}`, and no indentation."""

    label: str
    place: str
    needs: Needs
    meaning: str
    text: str

    @property
    def filled(self) -> str:
        """The text with the texts of its tab stops in their places."""
        texts = {found[2]: found[3].replace("\\$", "$") for found in _STOP.finditer(self.text) if found[2]}
        return _STOP.sub(lambda found: "$" if found[1] else texts.get(found[2] or found[4], ""), self.text)


@cache
def snippets() -> tuple[Snippet, ...]:
    """Every snippet, in the order of the file."""
    found = []
    for part in ("\n" + read_text("candidates", "snippets.txt")).split("\n= ")[1:]:
        head, _, text = part.partition("\n")
        label, place, needs, meaning = (field.strip() for field in head.split("|"))
        found.append(Snippet(label, place, read_needs(needs), meaning, text.rstrip("\n")))
    return tuple(found)


def snippet_items(profile: Profile, in_function: bool, word: str) -> list[Item]:
    """The snippets whose labels begin with `word`: those for the body of a function if `in_function`, else the others.

    Those that the module cannot use are last.
    """
    place = BODY if in_function else MODULE
    found = []
    for snippet in snippets():
        if snippet.place == place and snippet.label.startswith(word):
            lacking = unmet_needs(snippet.needs, profile)
            found.append(Item(snippet.label, ItemKind.SNIPPET, snippet.meaning, snippet.text, True, lacking))
    return sorted(found, key=lambda item: bool(item.lacking))


def describe_snippet(label: str) -> tuple[Part, ...]:
    """The meaning and the text of the snippet with this label; empty without one."""
    snippet = next((each for each in snippets() if each.label == label), None)
    return () if snippet is None else (Prose(snippet.meaning), Code(snippet.filled))
