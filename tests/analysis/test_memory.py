"""What a module needs after it has been analysed: nothing, once it is forgotten or analysed again."""

from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.fuzz import EXAMPLES, read_sources
from tests.garbage import left_in_a_new_process

SOURCES = read_sources(sorted(EXAMPLES.rglob("*.ptx")))
REPEATED = SOURCES[0] + SOURCES[0].partition(".address_size")[2].partition("\n")[2].replace("(", "_again(", 1)


def analyse(text: str) -> None:
    module = analysed(text)
    module.findings()
    for _ in module.forget():
        pass


def test_nothing_is_left_for_the_garbage_collector() -> None:
    texts = [*SOURCES, REPEATED]
    assert left_in_a_new_process(analyse, texts) == [[] for _ in texts]


def edit(text: str) -> None:
    module = analysed(text)
    first, below = module.block_map, module.bodies()[0].opening.resolved().line + 1
    module.edit(Range(below, 0, below, 0), "}")
    module.work()
    assert module.block_map is not first, "a function that ends early changes so much that all is analysed again"
    module.edit(Range(below, 0, below, 1), "")  # requests might use the first analysis until now
    module.work()
    for _ in module.forget():
        pass


def test_an_edit_leaves_nothing_for_the_garbage_collector() -> None:
    assert left_in_a_new_process(edit, SOURCES) == [[] for _ in SOURCES]
