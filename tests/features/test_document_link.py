"""Document links: the paths of `.file`, and what an escaped path can mean."""

import pytest

from ptx_lsp.features.document_link import spellings
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range


def test_the_path_between_the_quotes_is_a_link() -> None:
    text = '.version 8.4\n\t.file\t1 "/src/a b.cu"\n// .file 2 "no.cu"\n.file 3 "rel.cu", 12, 34\n.file 4 "open\n'
    assert find_constructs(Document(text)).paths == [
        (Range(1, 10, 1, 21), "/src/a b.cu"),
        (Range(3, 9, 3, 15), "rel.cu"),
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/src/a.cu", ["/src/a.cu"]),
        (r"C:\\src\\a.cu", [r"C:\\src\\a.cu", r"C:\src\a.cu"]),
        (r"/src/\303\274.cu", [r"/src/\303\274.cu", "/src/ü.cu"]),
        (r"/src/\xc3\xbc.cu", [r"/src/\xc3\xbc.cu", "/src/ü.cu"]),
        (r"C:\src\a.cu", [r"C:\src\a.cu"]),
        ("/src/ü.cu", ["/src/ü.cu"]),
    ],
)
def test_a_path_may_be_escaped(written: str, meant: list[str]) -> None:
    assert spellings(written) == meant
