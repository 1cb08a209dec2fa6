"""What a module needs after it has been analysed: nothing, once it is forgotten."""

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
