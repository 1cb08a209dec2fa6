"""Rewrites: other ways to write a place of the text. Their edits are worked out when the user chooses one."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ptx_lsp.fixes.fix import Edit

Steps = Iterator[list[Edit]]
"""The edits of a rewrite, in lists that may be empty, between which the caller may pause."""


class Rewrite(NamedTuple):
    """One rewrite: its title is an imperative for a menu. `steps` begins to work out the edits."""

    title: str
    steps: Callable[[], Steps]


def at_once(title: str, *edits: Edit) -> Rewrite:
    """A rewrite whose edits are known."""
    return Rewrite(title, lambda: iter([list(edits)]))
