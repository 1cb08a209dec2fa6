"""Labels and branches that are recognised by their shapes: the findings and places are those of the parser."""

import random
import re

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.quick import line_runs, text_shapes
from tests.analysed import analysed
from tests.calls import noted_calls
from tests.quick.comparison import HEAD, Analysis, findings, names
from tests.quick.sample_lines import REGISTERS

# labels and branches: the letters are numbers
JUMPS = (
    *(
        "$L__BB0_N:",
        "$L__tmpN:",
        "$L__BB0_N:",
        "\tbra.uni \t$L__BB0_N;",
        "\tbra \t$L__tmpN;",
        "\t@%pP bra \t$L__BB0_N;",
    ),
    *("BB0_N:", "LBB1_N:", "\tbra.uni \tBB0_N;", "\t@%pP bra \tLBB1_N;"),
    *("\t@!%pP bra.uni $L__BB0_N;", "\tadd.s32 \t%rN, %rP, 7;", "\tadd.s32 \t%rN, %rP, 8;", "\t.loc\t1 N 3"),
)


RARE_JUMPS = (
    *("$L__BB0_N: ", "$L__BB0_N: // a", "L_N:", "$:", "$a b:", "%pP:", "\t$L__BB0_N:", "WARP_SZ:", "_N:", "$L__tmpN::"),
    *("$L__BB0_N:\tret;", "\tbra \t$L__BB0_N; // a", "\tbra \t$L__BB0_N ;", "\tbra L_N;", "\tbra $;", "\tbra %rP;"),
    *(
        "\tbra \t$L__BB0_N",
        "\t@%rP bra \t$L__BB0_N;",
        "\t@p bra \t$L__BB0_N;",
        "\t@$q bra $L__tmpN;",
        "\t@ ! %pP bra $L__tmpN;",
    ),
    *(
        "\t.branchtargets $L__BB0_N, $L__BB0_P;",
        "\t.reg .b32 $L__tmpN;",
        "\t.reg .pred $q;",
        "// a",
        "",
        "{",
        "}",
        "\t,",
    ),
    *(
        "\t.callprototype _ ();",
        "\t.loc\t1 N",
        "function_name:",
        "\tbra.uni $L__BB0_N, $L__tmpN;",
        "\tbrx.idx %rP, $L__tmpN;",
    ),
    *(
        "\tbra.uni.uni $L__tmpN;",
        "$L__\u00e9N:",
        "\tmov.b64 %rdP, $L__tmpN;",
        "\t@%pP bra \t%SP$;",
        "\t@%p9 bra $L__tmpN;",
    ),
    *("BB0_N :", "BBN:", "BB0_N_P:", "LLBB0_N:", "BB0_N::", "\tbra BB0_;", "\t.reg .b32 BB0_N;", "\tbra BB0_N"),
)


def jumps(chance: random.Random, count: int) -> list[str]:
    """Labels, branches and other lines by chance, most of which are as compilers write them."""
    rare = chance.choice((0.0, 0.02, 0.2))
    lines = [chance.choice(RARE_JUMPS if chance.random() < rare else JUMPS) for _ in range(count)]
    return [
        re.sub("N", lambda _: str(chance.randrange(count)), line).replace("P", chance.choice("1278")) for line in lines
    ]


def labels(text: str) -> list[object]:
    """The labels and branches of each part of a function, with their places."""
    module = analysed(text)
    parts = [part for block in module.block_map.blocks for part in block.parts]
    return [
        (
            sorted((label.name, label.mark.resolved()) for label in part.labels),
            sorted((use.name, use.mark.resolved()) for use in part.label_uses),
        )
        for part in parts
    ]


@pytest.mark.parametrize("seed", range(40))
def test_labels_and_branches_are_those_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    text = HEAD + '.file 1 "a.cu"\n'
    for number in range(4):
        body = jumps(chance, chance.choice((6, 20, 60)))
        text += f".entry k{number}()\n{{\n{chance.choice(REGISTERS)}" + "\n".join(body) + "\n\tret;\n}\n"
    forget_all()
    calls = noted_calls(monkeypatch, text_shapes, "find_jumps")
    together = findings(text), names(text), labels(text)
    assert sum(len(call.result.labels) + len(call.result.branches) for call in calls) > 20
    assert together[0] == parser_alone(text)
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1_000)
    forget_all()
    assert together[1:] == (names(text), labels(text))
