"""The client is read from any JSON that it may send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.server.client import Client, choose_encoding, read_client
from ptx_lsp.text.lines import Encoding

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["capabilities", "general", "positionEncodings", "workspace", "rootUri", "workspaceFolders"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, Encoding.UTF16),
        ([], Encoding.UTF16),
        (["utf-16"], Encoding.UTF16),
        (["utf-16", "utf-8"], Encoding.UTF8),
        (["utf-32", "utf-8", "utf-16"], Encoding.UTF8),
        (["utf-32", "utf-16"], Encoding.UTF32),
        (["ebcdic"], Encoding.UTF16),
        ("utf-8", Encoding.UTF16),
    ],
)
def test_the_encoding_is_negotiated(offered: object, chosen: Encoding) -> None:
    assert choose_encoding(offered) is chosen


@pytest.mark.parametrize(
    ("formats", "markdown"),
    [(["markdown", "plaintext"], True), (["plaintext", "markdown"], False), (["plaintext"], False), (None, False)],
)
def test_markdown_is_used_if_the_client_prefers_it(formats: object, markdown: bool) -> None:
    params = {"capabilities": {"textDocument": {"hover": {"contentFormat": formats}}}}
    assert read_client(params).markdown is markdown


def test_workspace_folders_take_precedence_over_the_root_uri() -> None:
    params = {"rootUri": "file:///old", "workspaceFolders": [{"uri": "file:///a", "name": "a"}, {"name": "odd"}]}
    assert read_client(params).roots == ("file:///a",)
    assert read_client({"rootUri": "file:///old", "workspaceFolders": None}).roots == ("file:///old",)
    assert read_client({"rootUri": None}).roots == ()


@given(JSON)
def test_no_json_raises(params: object) -> None:
    assert isinstance(read_client(params), Client)
