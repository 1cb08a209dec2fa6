"""What the search for constructs needs after a document is forgotten: nothing."""

from ptx_lsp.outline.constructs import find_constructs, forget_constructs
from ptx_lsp.outline.nesting import Construct, Kind
from ptx_lsp.text.document import Document
from tests.analysis.fuzz import EXAMPLES, read_sources
from tests.garbage import left_in_a_new_process

SOURCES = read_sources(sorted(EXAMPLES.rglob("*.ptx")))


def outline(text: str) -> None:
    document = Document(text)
    find_constructs(document)
    for _ in forget_constructs(document):
        pass


def refer_to_itself(text: str) -> None:
    construct = Construct(Kind.SCOPE, text, 0, 0, 0, 0)
    construct.children = [construct]


def test_nothing_is_left_for_the_garbage_collector() -> None:
    assert left_in_a_new_process(outline, SOURCES) == [[] for _ in SOURCES]


def test_what_refers_to_itself_is_left() -> None:
    assert left_in_a_new_process(refer_to_itself, ["x"]) == [["ptx_lsp.outline.nesting.Construct"]]
