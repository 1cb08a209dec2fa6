"""The sums of the sizes of variables are those of a plain sum, whatever is added, removed or replaced between them."""

import random

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block import Block
from ptx_lsp.semantics import memory
from ptx_lsp.semantics.limited_variables import LimitedVariables
from ptx_lsp.semantics.symbols import Mark, Symbol, SymbolKind
from ptx_lsp.text.ranges import Range
from tests.calls import calls_of


def variable(size: int) -> Symbol:
    return Symbol("x", SymbolKind.VARIABLE, Mark(Block(1, 1), Range(0, 0, 0, 1)), ".shared", ".b8", 1, (size,))


def test_the_sums_are_those_of_the_present_variables() -> None:
    chance = random.Random(6)
    variables, plain = LimitedVariables(), list[Symbol]()
    for _ in range(500):
        at, symbol, change = chance.randint(0, len(plain)), variable(chance.randint(1, 64)), chance.randrange(4)
        if change > 1 or not plain:
            variables.insert(at, symbol)
            plain.insert(at, symbol)
        elif change:
            del variables[at % len(plain)], plain[at % len(plain)]
        else:
            variables[at % len(plain)] = plain[at % len(plain)] = symbol
        count = chance.randint(0, len(plain))
        assert variables == plain
        assert variables.bytes_of(count, memory.size_of) == sum(symbol.dimensions[0] for symbol in plain[:count])


def test_the_work_grows_with_the_number_of_variables() -> None:
    def check(count: int) -> None:
        declared = "".join(f".shared .b32 s{number}[2];\n" for number in range(count))
        module = Module(f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n{declared}ret;\n}}\n")
        assert module.work()
        assert module.findings() == []

    check(10)
    assert calls_of(lambda: check(600)) < 6 * calls_of(lambda: check(150))
