"""Whatever way a template is written in, it is decoded, and each of its code points is found where it was written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.hosts.placeholders import has_placeholders
from ptx_lsp.hosts.scan import scan
from ptx_lsp.hosts.statement import AsmStatement, Host
from tests.hosts.places import check_places
from tests.hosts.specification import by_lines
from tests.hosts.writing import WRITERS, Written, written


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_every_code_point_is_found_where_it_was_written(name: str, data: st.DataObject) -> None:
    source = data.draw(written(name))
    statements = scan(source.text, Host(name))
    assert len(statements) == 1
    check_written(source, statements[0])
    check_places(source.text, statements[0])
    assert by_lines(source.text, Host(name), 1) == statements


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(source=written("cuda-cpp"), data=st.data())
def test_a_statement_in_a_string_is_found_where_it_was_written(source: Written, data: st.DataObject) -> None:
    opening, closing, raw = data.draw(
        st.sampled_from([('s = """', '"""', False), ("f('", "')", False), ('r = r"""', '"""', True)])
    )
    if raw and ('"""' in source.text or source.text.endswith('"')):
        return
    text = opening
    ends: list[int] = []
    for one in source.text:
        escaped = {"\\": "\\\\", "\n": "\\n", "'": "\\'", '"': '\\"'}.get(one, one)
        if one in ('"', "\n") and len(opening) > 6 and data.draw(st.booleans()) and one == "\n":
            escaped = one
        text += one if raw else escaped
        ends.append(len(text))
    text += closing
    begins = [len(opening), *ends]
    places = [place and (begins[place[0]], ends[place[1] - 1]) for place in source.places]
    statements = scan(text, Host.PYTHON)
    if has_placeholders(scan(source.text, Host.CUDA)[0], source.text):
        assert not statements  # a program fills it in
        return
    assert len(statements) == 1
    assert statements[0].host is Host.CUDA
    check_written(Written(text, source.template, places), statements[0])
    check_places(text, statements[0])


def check_written(source: Written, statement: AsmStatement) -> None:
    """The template is what was written, each code point at its place, and every place leads back to it."""
    assert statement.template.text == source.template
    assert statement.whole
    for offset, place in enumerate(source.places):
        found = statement.template.source(offset)
        assert found is not None
        if place is None:
            assert found.start == found.end
        else:
            assert (found.start, found.end) == place
            assert statement.template.offset(found.start) == offset
            assert statement.template.offset(found.end - 1) == offset
