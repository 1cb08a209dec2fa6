"""Many initial values that are taken together: a table may have 100,000, and most of them are single literals.

The lexer makes one token of them (`_VALUES` in `lexer.py`), with the commas between them and without comments. Between
two commas is one literal, which may have a minus sign.
"""

from collections.abc import Iterable, Iterator

from ptx_lsp.syntax.expressions import parse_constant
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.tree import Expression, ValueRun, Word


def each_value(items: Iterable[Expression | ValueRun | Word]) -> Iterator[Expression | Word]:
    """The items of an initialiser, in which the values of runs are expressions too."""
    for item in items:
        if isinstance(item, ValueRun):
            yield from values_of(item)
        else:
            yield item


def values_of(run: ValueRun) -> Iterator[Expression]:
    """All values of a run, one after the other."""
    for start, end in places_of(run):
        yield read_value(run, start, end)


def texts_of(run: ValueRun) -> list[str]:
    """The texts of the values of a run, with the blanks around them."""
    return run.text[run.start : run.end].split(",")


def places_of(run: ValueRun) -> Iterator[tuple[int, int]]:
    """Where each value of a run begins and ends: offsets, with the blanks around the value."""
    start = run.start
    for text in texts_of(run):
        yield start, start + len(text)
        start += len(text) + 1


def value_around(run: ValueRun, offset: int) -> Expression:
    """The value of a run at an offset from the start to the end of the run, or the one before a comma there."""
    start = run.text.rfind(",", run.start, offset) + 1
    end = run.text.find(",", offset, run.end)
    return read_value(run, start or run.start, end if end >= 0 else run.end)


def read_value(run: ValueRun, start: int, end: int) -> Expression:
    """The value of a run between two offsets, which are at commas or at the ends of the run."""
    cursor = Cursor(run.text, start, end)
    cursor.begin()
    value = parse_constant(cursor)
    assert value is not None, "a literal is between two commas of a run"
    return value
