"""A cursor over a long text reads a part of it that ends at a line end, and more if a statement needs that."""

from ptx_lsp.syntax.lexer import END
from ptx_lsp.syntax.partial_cursor import cursor_at, cursor_further

LINE = "add.s32 %r1, %r2, 3\n"
TEXT = LINE * 20_000
TABLE = ".global .b32 t[] = {\n" + "1, 2, x,\n" * 20_000 + "};\n"


def test_a_part_ends_at_a_line_end_and_grows_up_to_the_text() -> None:
    cursor = cursor_at(None, TEXT, 0, is_begin=True)
    limits = []
    while cursor.begin() and cursor.limit < len(TEXT):
        assert cursor.kinds[-1] == END
        limits.append(cursor.limit)
        cursor = cursor_further(cursor, 0, is_begin=True)
    assert len(limits) > 1
    assert limits == sorted(set(limits))
    assert {TEXT[limit - 1] for limit in limits} == {"\n"}


def test_what_has_been_read_is_not_read_again() -> None:
    first = cursor_at(None, TEXT, 0, is_begin=True)
    assert first.begin()
    assert cursor_at(first, TEXT, len(LINE), is_begin=False) is first
    assert cursor_at(first, TEXT, first.limit, is_begin=False) is not first
    further = cursor_further(first, len(LINE), is_begin=False)
    assert cursor_at(further, TEXT, len(LINE), is_begin=False) is further


def test_a_table_is_read_to_its_end() -> None:
    """Many of its values are one token: to read them twice takes longer than to read them at once."""
    cursor = cursor_at(None, TABLE, 0, is_begin=True)
    assert cursor.begin()
    assert cursor_further(cursor, 0, is_begin=True).limit == len(TABLE)


def test_a_table_of_names_is_read_at_once() -> None:
    table = ".global .u64 t[] = {\n" + "one,\n" * 20_000 + "two};\n"
    assert cursor_at(None, table + TEXT, 0, is_begin=True).limit == len(table)
    assert cursor_at(None, TEXT + table, 0, is_begin=True).limit < len(TEXT)
