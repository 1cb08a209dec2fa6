"""Regular expressions that are compiled when they are first used, and `re` without its import.

To compile all of them takes a fifth of the time to check a short file, which uses few of them; to compile those few,
and to import `re`, which does it, takes another fifth: 8.7 of 41 milliseconds. So the code of the expressions of the
analysis is prepared (`prepared_patterns/`: for each minor version of CPython a file that `marshal` reads), and looked
up by the whole source of the expression. A version of Python without such a file compiles them.
"""

from sys import byteorder, implementation

from ptx_lsp.light_classes import TYPE_CHECKING, Any, cast
from ptx_lsp.package_data import read_data

if TYPE_CHECKING:
    import re as re
else:

    class _LightRe:
        """The names of `re` that modules use while they are imported; for all others, `re` itself is imported."""

        A = ASCII = 256
        M = MULTILINE = 8
        S = DOTALL = 16
        X = VERBOSE = 64
        Match = Pattern = list  # in annotations only

        def __getattr__(self, name):
            import re

            return getattr(re, name)

    re = _LightRe()

_ATTRIBUTES = (
    *("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner"),
    *("groups", "groupindex"),
)


class _Pattern:
    """Has the attributes of a compiled expression: `pattern` from the beginning, the others from the first use on."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        # called only for an attribute that the object does not have, so each use but the first one costs nothing
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        if self._compiled is None:
            self._compiled = prepared(self.pattern, self._flags) or re.compile(self.pattern, self._flags)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_pattern(source: str, flags: int = 0) -> "re.Pattern[str]":
    """An expression for `source` and `flags` of `re`. A mistake in it raises `re.error` when it is first used."""
    return cast("re.Pattern[str]", _Pattern(source, flags))


def make_ready(pattern: object) -> bool:
    """Compile an expression of `lazy_pattern` now; False for any other object.

    A long expression takes some milliseconds: that is a step of its own.
    """
    return isinstance(pattern, _Pattern) and callable(getattr(pattern, _ATTRIBUTES[0]))


def file_of_prepared() -> str:
    """The name of the file with the prepared expressions of this version of Python; there may be no such file."""
    return f"{implementation.cache_tag}.marshal"


Table = dict[tuple[str, int], tuple[int, int, dict[str, int], bytes]]
"""By source and flags: all flags, the number of groups, their names, and the code as words of four bytes."""


def prepared(source: str, flags: int) -> "re.Pattern[str] | None":
    """The expression from its prepared code; None if this version of Python has no prepared code for it."""
    global _prepared
    if _prepared is None:
        _prepared = _read()
    found = _prepared.get((source, int(flags)))
    if found is None:
        return None
    import _sre  # type: ignore[import-not-found]  # the engine of `re`, which type checkers do not know

    all_flags, groups, names, code = found
    listed: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        listed[number] = name
    words = memoryview(code).cast("I").tolist()
    return cast("re.Pattern[str]", _sre.compile(source, all_flags, words, groups, names, tuple(listed)))


_prepared: Table | None = None


def _read() -> Table:
    """The prepared expressions; none if they are not for this interpreter."""
    try:
        import _sre
        import marshal

        engine, _, found = marshal.loads(read_data("prepared_patterns", file_of_prepared()))
    except (ImportError, OSError):
        return {}
    return cast(Table, found) if engine == (_sre.MAGIC, _sre.CODESIZE, byteorder) else {}
