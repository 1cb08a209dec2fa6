"""Regular expressions that are compiled when they are first used.

To compile all of them takes a fifth of the time to check a short file, which uses few of them.
"""

import re

from ptx_lsp.light_classes import Any, cast

_ATTRIBUTES = (
    *("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner"),
    *("groups", "groupindex"),
)


class _Pattern:
    """Has the attributes of a compiled expression: `pattern` from the beginning, the others from the first use on."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # called only for an attribute that the object does not have, so each use but the first one costs nothing
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _ATTRIBUTES:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """An expression for `source` and `flags` of `re`. A mistake in it raises `re.error` when it is first used."""
    return cast("re.Pattern[str]", _Pattern(source, flags))
