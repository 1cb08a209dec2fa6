"""What the process remembers is bounded, and `forget_all` empties it."""

import ast
import weakref
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp import memo
from ptx_lsp.memo import Memo, forget_all, free_unneeded_tables, unneeded_tables
from ptx_lsp.semantics.suggestions import special_name
from tests.analysed import analysed
from tests.package_sources import PACKAGE, in_package, parsed, sources

CONSTANT = {
    "candidates/named_numbers.py": "the rows of the named numbers",
    "candidates/snippets.py": "the snippets",
    "findings/codes.py": "one entry for each rule",
    "explanations/lookup_table.py": "one entry for each of the 256 tables of lop3",
    "isa/clauses.py": "one entry for each text in the rows of the instruction set",
    "isa/directives.py": "the rows of the directives",
    "isa/intended_words.py": "the rows of the habits",
    "isa/instructions.py": "the rows of the instructions, one entry for each section",
    "isa/joined_words.py": "the rows of the joined words",
    "isa/narrow_addresses.py": "the rows of the opcodes with narrow addresses",
    "isa/notation.py": "one entry for each text in the rows of the instruction set",
    "isa/slots.py": "one entry for each text in the rows of the instruction set",
    "isa/special_registers.py": "the rows of the special registers",
    "reading/reader.py": "one function",
    "semantics/shipped_outcomes.py": "the outcomes that are shipped",
    "server/diagnostics.py": "one entry for each rule",
    "server/server.py": "the one converter of the protocol's classes",
}
"""Modules whose functions may have a cache without a limit, and why it has one all the same."""
EMPTY_TABLES = {
    "memo.py": "the list of all tables, and that of the tables which are to be freed",
    "cli/examination.py": "a table that cannot be changed",
    "isa/occupancy.py": "the rows of the table, which are read when the module is imported",
}
"""Modules with a table that is empty when they are imported, and what it is for."""


def test_a_long_table_drops_its_oldest_entries_when_it_is_full() -> None:
    table: Memo[int, int] = Memo(1_000, nested=True)
    for number in range(10_000):
        table[number] = -number
        assert len(table) <= 1_000
    assert len(table) > 500
    assert table == {number: -number for number in range(10_000 - len(table), 10_000)}


def test_entries_that_are_added_together_leave_the_table_bounded() -> None:
    table: Memo[int, int] = Memo(1_000, nested=True)
    for begin in range(0, 10_000, 300):
        table.add_all({number: -number for number in range(begin, begin + 300)})
        assert len(table) <= 1_000
        assert table[begin + 299] == -begin - 299
    table.add_all(dict.fromkeys(range(20_000, 21_001), 0))
    assert len(table) <= 1_000
    assert 20_000 not in table


@pytest.mark.parametrize(("limit", "left"), [(1, 1), (8, 8), (16, 15)])
def test_a_short_table_drops_an_eighth_of_its_entries_when_it_is_full(limit: int, left: int) -> None:
    table: Memo[int, int] = Memo(limit, nested=True)
    for number in range(limit + 1):
        table[number] = number
    assert list(table) == list(range(limit + 1 - left, limit + 1))


@pytest.fixture
def kept() -> Iterator[None]:
    """Long tables are kept when they are not needed any more, as in a server; afterwards as it was before."""
    before = memo._keeps_unneeded
    unneeded_tables.clear()  # a server of another test may have left some
    memo.keep_unneeded_tables()
    yield
    memo._keeps_unneeded = before
    unneeded_tables.clear()


class Value:
    """Something that shows when it is freed."""


@pytest.mark.usefixtures("kept")
def test_a_long_table_that_is_not_needed_is_freed_in_steps() -> None:
    values = [Value() for _ in range(5_000)]
    left = [weakref.ref(value) for value in values]
    outer: Memo[str, Memo[int, Value]] = Memo(1, nested=True)
    outer["old"] = Memo(50_000, nested=True)
    outer["old"].update(enumerate(values))
    values.clear()
    outer["new"] = Memo(50_000, nested=True)
    counts = [len(left)]
    assert unneeded_tables
    for _ in free_unneeded_tables():
        counts.append(sum(each() is not None for each in left))
    assert 0 < max(before - after for before, after in pairwise(counts)) <= 500
    assert not any(each() for each in left)
    assert not unneeded_tables


@pytest.mark.usefixtures("kept")
def test_few_tables_that_are_not_needed_are_kept() -> None:
    left = []
    for _ in range(100):
        values = [Value() for _ in range(1_000)]
        left.append(weakref.ref(values[0]))
        table: Memo[int, Value] = Memo(1_000, nested=True)
        table.update(enumerate(values))
        del table, values
    assert 0 < sum(each() is not None for each in left) < 50


@pytest.mark.parametrize("keeps", [False, True])
def test_a_table_is_freed_at_once_if_it_is_short_or_nothing_frees_it_later(
    keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    unneeded_tables.clear()
    monkeypatch.setattr(memo, "_keeps_unneeded", keeps)
    table: Memo[int, Value] = Memo(50_000, nested=True)
    table[0] = value = Value()
    table.update(dict.fromkeys(range(20 if keeps else 20_000), value))
    left = weakref.ref(value)
    del table, value
    assert left() is None
    assert not unneeded_tables


def caches(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The functions of a module that have a cache, with the names of their decorators."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            names = [ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list]
            if {"cache", "lru_cache"} & set(names):
                yield node.name, names


def test_every_cache_has_a_limit_and_is_registered() -> None:
    found = [(path, name, decorators) for path in sources() for name, decorators in caches(path)]
    assert len(found) > 50
    for path, name, decorators in found:
        if "cache" in decorators:
            assert in_package(path) in CONSTANT, f"{name} in {in_package(path)} has no limit"
        else:
            assert "forgettable" in decorators, f"{name} in {in_package(path)} is not registered for forget_all"


def test_no_table_of_a_module_grows_without_a_limit() -> None:
    for path in sources():
        if in_package(path) not in EMPTY_TABLES:
            assert empty_tables(path) == [], f"in {in_package(path)}: a table that is empty at first is a Memo"


def empty_tables(path: Path) -> list[int]:
    """The lines of a module that assign an empty table to a name of the module."""
    empty = ("{}", "[]", "set()", "dict()", "list()", "defaultdict(list)")
    assigned = [node for node in parsed(path).body if isinstance(node, ast.Assign | ast.AnnAssign)]
    return [node.lineno for node in assigned if node.value is not None and ast.unparse(node.value) in empty]


@pytest.mark.parametrize("place", CONSTANT)
def test_the_list_of_constant_caches_is_up_to_date(place: str) -> None:
    assert any("cache" in decorators for _, decorators in caches(PACKAGE / place))


def test_everything_is_forgotten() -> None:
    module = analysed(".version 9.4\n.target sm_90\n.func f() { mov.u32 %a, %tidx; }\n")
    found = module.findings()
    special_name("%tidx")
    assert special_name.cache_info().currsize
    forget_all()
    assert not special_name.cache_info().currsize
    assert analysed(module.document.whole()).findings() == found
