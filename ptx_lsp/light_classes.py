"""Named tuples and enumerations whose classes cost little to make, and other names of slow modules of Python.

A short command makes a hundred such classes while it is imported. With `typing.NamedTuple`, which compiles a function
for each class, and with `enum.Enum`, that takes longer than everything else that the command does. The classes here
have the part of their interface that this package uses. The names of `bisect`, `collections.abc`, `functools`,
`operator` and `types` do what they do there, without the import of these modules: they take 2.7 of the 27 milliseconds
of a short check. To a type checker all names here are those of the standard library.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take this name for true; `typing` itself takes 10 milliseconds to import

if TYPE_CHECKING:
    from bisect import bisect_left as bisect_left
    from bisect import bisect_right as bisect_right
    from bisect import insort as insort
    from collections import deque as deque
    from collections.abc import Callable as Callable
    from collections.abc import Collection as Collection
    from collections.abc import Container as Container
    from collections.abc import Generator as Generator
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import KeysView as KeysView
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from collections.abc import Set as Set
    from enum import Enum as Enum
    from enum import IntEnum as IntEnum
    from functools import cache as cache
    from functools import lru_cache as lru_cache
    from operator import attrgetter as attrgetter
    from operator import itemgetter as itemgetter
    from operator import methodcaller as methodcaller
    from types import MappingProxyType as MappingProxyType
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import NamedTuple as NamedTuple
    from typing import Protocol as Protocol
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import cast as cast
else:
    # what `collections.abc` has; Python needs this module to begin
    from _collections_abc import Callable as Callable
    from _collections_abc import Collection as Collection
    from _collections_abc import Container as Container
    from _collections_abc import Generator as Generator
    from _collections_abc import Iterable as Iterable
    from _collections_abc import Iterator as Iterator
    from _collections_abc import KeysView as KeysView
    from _collections_abc import Mapping as Mapping
    from _collections_abc import Sequence as Sequence
    from _collections_abc import Set as Set

    try:
        from _bisect import bisect_left as bisect_left
        from _bisect import bisect_right as bisect_right
        from _bisect import insort_right as insort
        from _collections import _tuplegetter
        from _collections import deque as deque
        from _functools import _lru_cache_wrapper
        from _operator import attrgetter as attrgetter
        from _operator import itemgetter as itemgetter
        from _operator import methodcaller as methodcaller
    except ImportError:  # not CPython
        from bisect import bisect_left as bisect_left
        from bisect import bisect_right as bisect_right
        from bisect import insort as insort
        from collections import deque as deque
        from functools import cache as cache
        from functools import lru_cache as lru_cache
        from operator import attrgetter as attrgetter
        from operator import itemgetter as itemgetter
        from operator import methodcaller as methodcaller

        def _tuplegetter(index, doc):
            return property(itemgetter(index), doc=doc)

    else:

        def lru_cache(maxsize):
            return lambda function: _cached(function, maxsize)

        def cache(function):
            return _cached(function, None)

        def _cached(function, maxsize):
            cached = _lru_cache_wrapper(function, maxsize, False, _CacheInfo)
            for name in ("__module__", "__name__", "__qualname__", "__doc__"):
                setattr(cached, name, getattr(function, name))
            cached.__wrapped__ = function
            return cached

    FunctionType = type(lambda: None)
    MappingProxyType = type(type.__dict__)
    BinaryIO = TextIO = Any = Protocol = object

    def TypeVar(name, **_):
        return name

    def cast(type_, value):
        return value

    _new = tuple.__new__
    # the constructors of tuples of 0, 1, 2 ... fields: a class takes the code of one, with the names of its own fields
    _CONSTRUCTORS = (
        lambda _cls: _new(_cls, ()),
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, l)),  # noqa: E741
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l, m: _new(  # noqa: E741
            _cls, (a, b, c, d, e, f, g, h, i, j, k, l, m)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l, m, n: _new(  # noqa: E741
            _cls, (a, b, c, d, e, f, g, h, i, j, k, l, m, n)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o: _new(  # noqa: E741
            _cls, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p: _new(  # noqa: E741
            _cls, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q: _new(  # noqa: E741
            _cls, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
        ),
    )

    def _code(count):
        if count < len(_CONSTRUCTORS):
            return _CONSTRUCTORS[count].__code__
        names = ", ".join(f"_{number}" for number in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names},))").__code__

    class _NamedTupleMaker(type):
        """Makes the subclasses of `NamedTuple`; they are ordinary classes, whose type is `type`."""

        def __new__(cls, name, bases, body):
            fields, defaults = tuple(body.get("__annotations__", ())), {}
            for index, field in enumerate(fields):
                if field in body:
                    defaults[field] = body[field]
                body[field] = _tuplegetter(index, None)
            code = _code(len(fields)).replace(co_varnames=("_cls", *fields))
            body["__new__"] = FunctionType(code, globals(), "__new__", tuple(defaults.values()))
            body["__slots__"] = ()
            body["__match_args__"] = body["_fields"] = fields
            body["_field_defaults"] = defaults
            return type(name, (_NamedTuple,), body)

    class _NamedTuple(tuple):
        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, /, **changes):
            replaced = _new(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(changes))}")
            return replaced

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self):
            return tuple(self)

    NamedTuple = type.__new__(_NamedTupleMaker, "NamedTuple", (), {})

    class _CacheInfo(NamedTuple):
        hits: int
        misses: int
        maxsize: int | None
        currsize: int

    class _EnumMaker(type):
        """Makes enumerations: each value in the body of a class becomes a member, in the order of the text."""

        def __new__(cls, name, bases, body):
            values = {key: body.pop(key) for key in tuple(body) if key[0] != "_" and not hasattr(body[key], "__get__")}
            made = super().__new__(cls, name, bases, body)
            made._by_name, made._by_value = {}, {}
            for key, value in values.items():
                member = made._by_value.get(value)
                if member is None:  # otherwise it is a second name of the same member
                    member = made._by_value[value] = made._member(key, value)
                made._by_name[key] = member
                setattr(made, key, member)
            return made

        def __call__(cls, value):
            if value in cls._by_value:
                return cls._by_value[value]
            if isinstance(value, cls):
                return value
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

        def __getitem__(cls, name):
            return cls._by_name[name]

        def __iter__(cls):
            return iter(cls._by_value.values())

        def __len__(cls):
            return len(cls._by_value)

        def __contains__(cls, member):
            return isinstance(member, cls)

    class Enum(metaclass=_EnumMaker):
        def __repr__(self):
            return f"<{self}: {self.value!r}>"

        def __str__(self):
            return f"{type(self).__name__}.{self.name}"

        def __reduce_ex__(self, protocol):
            return type(self), (self.value,)

        def __copy__(self):
            return self

        def __deepcopy__(self, memo):
            return self

        @classmethod
        def _member(cls, name, value):
            member = object.__new__(cls)
            member.name, member.value = name, value
            return member

    class IntEnum(int, Enum):
        __str__ = int.__repr__

        def __repr__(self):
            return f"<{type(self).__name__}.{self.name}: {self.value}>"

        @classmethod
        def _member(cls, name, value):
            member = int.__new__(cls, value)
            member.name, member.value = name, value
            return member
