"""What the process remembers: bounded tables of answers that depend on their keys alone, and one reset for all."""

from ptx_lsp.light_classes import Any, Callable, Iterator, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_resets: list[Callable[[], None]] = []

_keeps_unneeded = False  # True in a process that must never work long in one step
_MOST_UNNEEDED = 32  # tables: those of some three versions and targets

_set = dict.__setitem__  # `super()` takes as long as all else that an entry needs
_DROPPED = 256
"""Entries of a full table that are dropped together, at most."""
_EIGHTH = 8
"""An eighth of a short table is dropped together: each entry may be a long table itself."""
_LONG = 100
"""Entries that are freed in less than a millisecond."""


class Memo(dict[K, V]):
    """A table with at most `limit` entries. When it is full, some of the oldest are dropped.

    To drop all of them takes up to 40 ms, in which a server answers nothing.
    It is registered for `forget_all`, unless it is an entry of another memo.
    """

    __slots__ = ("limit",)

    def __init__(self, limit: int, *, nested: bool = False) -> None:
        super().__init__()
        self.limit = limit
        if not nested:
            _resets.append(self.clear)

    def __del__(self) -> None:
        """Keep a long table that nothing refers to any more, until `free_unneeded_tables` has emptied it."""
        if _keeps_unneeded and len(self) > _LONG:
            unneeded_tables.append(self)
            if len(unneeded_tables) > _MOST_UNNEEDED:
                del unneeded_tables[0]  # at once: Python calls `__del__` of an object only once

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.limit:
            self.drop_oldest()
        _set(self, key, value)

    def add_all(self, entries: dict[K, V]) -> None:
        """Add entries together, which is faster than one by one; none if there are more than `limit`."""
        if len(entries) > self.limit:
            return
        missing = len(self) + len(entries) - self.limit
        if missing > 0:
            self.drop_oldest(missing)
        self.update(entries)

    def drop_oldest(self, least: int = 1) -> None:
        """Drop at least that many entries, or all if there are no more."""
        count = max(least, min(_DROPPED, self.limit // _EIGHTH))
        if len(self) <= count:
            self.clear()
            return
        keys = iter(self)
        for key in [next(keys) for _ in range(count)]:
            del self[key]


unneeded_tables: list[Memo[Any, Any]] = []
"""Long tables that nothing refers to any more, the oldest first; `free_unneeded_tables` frees them."""
_resets.append(unneeded_tables.clear)


def keep_unneeded_tables() -> None:
    """From now on, keep long tables that are not needed any more: to free one at once takes up to 40 ms."""
    global _keeps_unneeded
    _keeps_unneeded = True


def free_unneeded_tables() -> Iterator[None]:
    """Free the tables that are kept although they are not needed any more, in steps of less than a millisecond."""
    while unneeded_tables:
        table = unneeded_tables[0]
        if len(table) > _LONG:
            table.drop_oldest(_LONG)
            yield
        else:
            del unneeded_tables[0]


F = TypeVar("F", bound=Callable[..., Any])


def forgettable(cached: F) -> F:
    """Register a function with `functools.cache` or `lru_cache` for `forget_all`."""
    _resets.append(cached.cache_clear)  # type: ignore[attr-defined]
    return cached


def forget_all() -> None:
    """Empty every table, as if the process had just begun."""
    for reset in _resets:
        reset()
