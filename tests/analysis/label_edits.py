"""Random edits of labels: in functions with nested braces, incremental and fresh analysis have the same findings.

    python -m tests.analysis.label_edits --tries 5000 [--seed 1] [--first 0]

prints every sequence of edits after which the two differ, made as short as possible. Labels are added, removed and
renamed, and so are braces and other declarations of the same few names; the texts have many small blocks.
"""

import random
from collections.abc import Iterator

from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import play
from tests.analysis.random_edits import SMALL_SIZES, Edits, Sizes, Step, shortened
from tests.analysis.random_tries import options_of_tries, without_fresh_analysis

NAMES = ("done", "L1", "$L2", "%r", "loop", "f", "x1")
LINES = (
    *("NAME:\n",) * 8,
    "NAME\n",
    *("\tbra NAME;\n",) * 3,
    *(
        "{\n",
        "}\n",
        "\t{\n",
        "\t}\n",
        "\tret;\n",
        "\t.reg .b32 NAME;\n",
        "\t.reg .b32 x<3>;\n",
        "\t.param .b32 NAME;\n",
    ),
    *("NAME: .branchtargets NAME;\n", "NAME: .callprototype _ (.param .b32 _);\n", "NAME: NAME:\n", "NAME :\n"),
    *("\tmov.u32 %r1, NAME;\n", "\tbrx.idx %r1, NAME;\n", "@%p1 bra NAME;\n", ".global .b32 NAME;\n"),
    *(".func NAME() {\n", ".func NAME();\n", "}\n.entry NAME()\n{\n", "// begin inline asm\n", "// end inline asm\n"),
    *("/*", "*/", "NAME", ":", "\t.loc 1 2 3, function_name NAME, inlined_at 1 2 3\n"),
    ".section .debug_str\n{\nNAME:\n.b8 1\n}\n",
)
PIECES = ("", "d", "done", "{", "}", ":", ";", "\n", "1", "L", "/*", "*/", "//")
SIZES = (*SMALL_SIZES, Sizes(2, 100, 1))


def _line(chance: random.Random) -> str:
    first, *others = chance.choice(LINES).split("NAME")
    return first + "".join(chance.choice(NAMES) + other for other in others)


def _text(chance: random.Random) -> str:
    lines = [".version 8.0\n.target sm_80\n.address_size 64\n"]
    for number in range(chance.randint(1, 3)):
        lines.append(f".entry k{number}()\n{{\n\t.reg .b32 %r<4>;\n\t.reg .pred %p<3>;\n")
        depth = 0
        for _ in range(chance.randint(3, 40)):
            kind = chance.random()
            change = 1 if kind < 0.15 else -1 if kind < 0.3 and depth else 0
            depth += change
            plain = _line(chance) if kind > 0.5 else "\tadd.s32 %r1, %r1, 1;\n"
            lines.append("{\n" if change > 0 else "}\n" if change < 0 else plain)
        lines.append("}\n" * depth + "\tret;\n}\n")
    return "".join(lines)


def _step(lines: list[str], chance: random.Random) -> Step:
    at, kind = chance.randrange(3, len(lines)), chance.random()
    if kind < 0.4:
        range_, text = Range(at, 0, at, 0), _line(chance)
    elif kind < 0.6:
        range_ = Range(at, 0, min(len(lines) - 1, at + chance.choice((1, 1, 1, 2, 5))), 0)
        text = chance.choice(("", "", _line(chance)))
    elif kind < 0.8:
        range_, text = Range(at, 0, at, len(lines[at])), _line(chance).rstrip("\n")
    else:
        column = chance.randint(0, len(lines[at]))
        end = min(len(lines[at]), column + chance.choice((0, 0, 1, 2)))
        range_, text = Range(at, column, at, end), chance.choice(PIECES)
    return Step(range_, text, chance.choice(("all", "all", "block", "nothing")))


def edits_of(seed: int, number: int) -> Edits:
    """The sequence of edits of one try."""
    chance = random.Random(f"{seed} {number}")
    source = _text(chance)
    document, steps = Document(source), []
    for _ in range(chance.randint(1, 8)):
        lines = [document.line(line) for line in range(document.line_count)]
        if len(lines) > 3:
            steps.append(_step(lines, chance))
            document.edit(steps[-1].range, steps[-1].text)
    return Edits(source, chance.choice(SIZES), tuple(steps), ())


def run(seed: int, tries: range) -> Iterator[tuple[int, Edits, str]]:
    """Play the tries: those after which the findings differ, with the difference."""
    for number in tries:
        edits = edits_of(seed, number)
        wrong = play(edits)
        if wrong is not None:
            yield number, edits, wrong


def main() -> None:
    """The command."""
    options = options_of_tries(__doc__, tries=5000, of_files=False).parse_args()
    without_fresh_analysis()
    print(f"seed {options.seed}")
    count = 0
    for number, edits, wrong in run(options.seed, range(options.first, options.first + options.tries)):
        count += 1
        short = shortened(edits, lambda other: play(other) is not None)
        print(f"try {number}", wrong, short.written(), play(short), sep="\n  ", flush=True)
    print(f"{options.tries} sequences of edits, {count} with a difference")


if __name__ == "__main__":
    main()
