"""The classes of `light_classes` behave as those of the standard library, and a short check uses no others."""

import collections
import collections.abc
import copy
import enum
import functools
import operator
import pickle
import subprocess
import sys
import types
import typing
from pathlib import Path

import pytest

from ptx_lsp import light_classes
from ptx_lsp.light_classes import Enum, IntEnum, NamedTuple
from tests.patience import PATIENCE


class Place(NamedTuple):
    """A class of two fields, one with a default."""

    line: int
    name: str = "entry"

    @property
    def below(self) -> int:
        """The next line."""
        return self.line + 1


class StandardPlace(typing.NamedTuple):
    """The same class of the standard library."""

    line: int
    name: str = "entry"


class Wide(NamedTuple):
    """A class with more fields than there are prepared constructors."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int
    l: int  # noqa: E741
    m: int
    n: int
    o: int
    p: int
    q: int
    r: int = 18


class Nothing(NamedTuple):
    """A class without fields."""


class Colour(Enum):
    """An enumeration in which one member has two names."""

    RED = "red"
    GREEN = "green"
    ROUGE = "red"

    @property
    def warm(self) -> bool:
        """Whether the colour is warm."""
        return self is Colour.RED


class StandardColour(enum.Enum):
    """The same enumeration of the standard library."""

    RED = "red"
    GREEN = "green"
    ROUGE = "red"  # noqa: PIE796


class Level(IntEnum):
    """Numbers with names."""

    LOW = 1
    HIGH = 3


class TestNamedTuple:
    """Named tuples."""

    def test_fields_and_defaults(self) -> None:
        """Fields have positions, names and defaults; other members of the class stay."""
        assert Place(3) == Place(line=3, name="entry") == (3, "entry")
        assert (Place(3).line, Place(3, "f").name, Place(3).below) == (3, "f", 4)
        assert Place._fields == StandardPlace._fields == Place.__match_args__
        assert Place._field_defaults == StandardPlace._field_defaults
        assert Place.__annotations__ == StandardPlace.__annotations__

    @pytest.mark.parametrize("arguments", [(), (1, 2, 3)], ids=["too few", "too many"])
    def test_wrong_arguments(self, arguments: tuple[int, ...]) -> None:
        """The wrong number of arguments raises TypeError, as it does for every function."""
        with pytest.raises(TypeError):
            Place(*arguments)  # type: ignore[arg-type]

    def test_replace_and_represent(self) -> None:
        """`_replace`, `_asdict`, `_make` and `repr` are those of the standard library."""
        ours, theirs = Place(3), StandardPlace(3)
        changed: object = theirs._replace(line=4)
        assert ours._replace(line=4) == changed
        assert type(ours._replace(line=4)) is Place
        assert ours._asdict() == theirs._asdict()
        made: object = StandardPlace._make([1, "x"])
        assert Place._make([1, "x"]) == made
        assert repr(ours) == repr(theirs).removeprefix("Standard")
        with pytest.raises(TypeError):
            ours._replace(column=1)  # type: ignore[call-arg]

    def test_more_fields_than_prepared(self) -> None:
        """A class may have any number of fields."""
        assert tuple(Wide(*range(17))) == (*range(17), 18)
        assert Nothing() == ()

    def test_copies(self) -> None:
        """Copies made by `pickle` or `copy` are equal and of the same class, which allows no other attributes."""
        for again in (pickle.loads(pickle.dumps(Place(3))), copy.deepcopy(Place(3))):
            assert again == Place(3)
            assert type(again) is Place
        assert type(Place) is type
        with pytest.raises(AttributeError):
            Place(3).column = 1  # type: ignore[attr-defined]


class TestEnum:
    """Enumerations."""

    def test_members(self) -> None:
        """Members have names and values; a second name of a value is the same member."""
        assert [each.name for each in Colour] == [each.name for each in StandardColour] == ["RED", "GREEN"]
        red: object = Colour.RED
        assert all(each is red for each in (Colour.ROUGE, Colour["ROUGE"], Colour("red"), Colour(Colour.RED)))
        assert len(Colour) == len(StandardColour)
        assert Colour.RED.warm
        assert not Colour.GREEN.warm
        assert isinstance(Colour.RED, Colour)
        assert Colour.RED in Colour
        assert str(Colour.RED) == "Colour.RED"
        assert repr(Colour.RED) == repr(StandardColour.RED).replace("Standard", "")

    def test_unknown_member(self) -> None:
        """Unknown values and names raise the errors of the standard library."""
        with pytest.raises(ValueError, match="'blue' is not a valid Colour"):
            Colour("blue")
        with pytest.raises(KeyError):
            Colour["BLUE"]

    def test_copies_are_the_member(self) -> None:
        """Pickle and `copy` return the member itself."""
        for member in (Colour.GREEN, Level.HIGH):
            assert pickle.loads(pickle.dumps(member)) is member
            assert copy.deepcopy(member) is copy.copy(member) is member

    def test_numbers(self) -> None:
        """The members of an `IntEnum` are numbers."""
        three: object = 3
        assert three == Level.HIGH
        assert Level.LOW < Level.HIGH
        assert f"{Level.HIGH} {Level.HIGH!s}" == "3 3"
        assert repr(Level.HIGH) == "<Level.HIGH: 3>"
        assert Level(1) is Level.LOW


def printed_by(program: str) -> list[str]:
    """The lines that a program of Python prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE)
    return done.stdout.splitlines()


def test_a_short_check_imports_no_slow_module(tmp_path: Path) -> None:
    """The check of a short file does not import `typing`, and makes no class of `enum`."""
    path = tmp_path / "short.ptx"
    path.write_text(".version 9.0\n.target sm_90\n.address_size 64\n")
    program = (
        "import sys, re, enum\n"
        "made = []\n"
        "new = enum.EnumType.__new__\n"
        "enum.EnumType.__new__ = lambda *given, **named: made.append(given[1]) or new(*given, **named)\n"
        "sys.modules['typing'] = None\n"
        "from ptx_lsp.cli.main import main\n"
        f"code = main(['check', {str(path)!r}])\n"
        "print(code, made)\n"
    )
    assert printed_by(program)[-1] == "0 []"


def test_a_short_check_imports_no_module_whose_names_are_here(tmp_path: Path) -> None:
    """Of the standard library, the check of a short file imports only what takes no time."""
    path = tmp_path / "short.ptx"
    path.write_text(".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n\tret;\n}\n")
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from ptx_lsp.cli.main import main\n"
        f"main(['check', {str(path)!r}])\n"
        "slow = {'bisect', 'collections', 'enum', 'functools', 'operator', 'types', 'typing'}\n"
        "print(slow & (set(sys.modules) - before))\n"
    )
    assert printed_by(program) == ["no findings in 1 file", "set()"]


class TestRemembered:
    """`lru_cache` and `cache` do what those of `functools` do."""

    def test_the_oldest_answers_are_forgotten(self) -> None:
        asked: list[int] = []

        def double(number: int) -> int:
            """Twice the number."""
            asked.append(number)
            return 2 * number

        here, there = light_classes.lru_cache(maxsize=2)(double), functools.lru_cache(maxsize=2)(double)
        for remembered in (here, there):
            assert [remembered(number) for number in (1, 2, 1, 3, 2, 1)] == [2, 4, 2, 6, 4, 2]
        assert asked == 2 * [1, 2, 3, 2, 1]
        assert tuple(here.cache_info()) == tuple(there.cache_info()) == (1, 5, 2, 2)
        assert here.cache_info().currsize == 2
        here.cache_clear()
        assert here.cache_info().currsize == 0
        assert (here.__name__, here.__doc__, here.__wrapped__) == ("double", "Twice the number.", double)

    def test_without_a_limit(self) -> None:
        asked: list[int] = []
        remembered = light_classes.cache(lambda number: asked.append(number))
        for number in (*range(1000), *range(1000)):
            remembered(number)
        assert asked == list(range(1000))
        assert remembered.cache_info().maxsize is None


def test_other_names_are_those_of_the_standard_library() -> None:
    for name in ("Callable", "Iterator", "Mapping", "Sequence", "Set"):
        assert getattr(light_classes, name) is getattr(collections.abc, name)
    assert light_classes.MappingProxyType is types.MappingProxyType
    assert light_classes.deque is collections.deque
    assert (light_classes.attrgetter, light_classes.itemgetter) == (operator.attrgetter, operator.itemgetter)
