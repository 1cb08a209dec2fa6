"""What is answered inside of templates after random edits is what a fresh analysis of the text answers."""

import random
from collections.abc import Callable

import pytest

from ptx_lsp.embedded.definition import declaration, definition
from ptx_lsp.embedded.document_highlight import document_highlight
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.hover import hover
from ptx_lsp.embedded.references import references
from ptx_lsp.embedded.rename import prepare_rename, rename
from ptx_lsp.features.rename import RenameRefused
from ptx_lsp.hosts.statement import Host
from ptx_lsp.text.ranges import Position, Range

STATEMENTS = {
    Host.CUDA: (
        'asm("{ .reg .pred %%p; L%=: setp.ne.b32 %p, %0, %[n]; @%%p bra L%=; }" :: "r"(x), [n] "r"(y));\n',
        'asm volatile("{ .reg .b32 t<4>;\\n\\t"\n    "mov.b32 t1, %1; st.b32 [%0], t1;"\n    "}" :: "l"(p), "r"(x));\n',
        'asm(R"({ .reg .b32 t; mov.b32 t, %1; })" MACRO : "+r"(x) : "n"(5));\n',
        '#define A(x) asm(".reg .b32 carry; mov.b32 carry, %0;" \\\n  : "=r"(x))\n',
        'asm("mov.b32 carry, %0;" :: "r"(x));\nint carry;\n',
    ),
    Host.PYTHON: (
        'y = inline_asm_elementwise("{ .reg .b32 t; mov.b32 t, $1; mov.b32 $0, t; }", "=r,r", [x], i, True, 1)\n',
        'y = inline_asm_elementwise(f"""{{ .reg .b32 t;\n mov.b32 t, $1; {store} }}""", "=r,r", [x], i, True, 1)\n',
        "c = r'''void f() { asm(\"{ L%=: bra L%=; }\" : \"+r\"(x)); }'''\n",
    ),
    Host.RUST: (
        'asm!("{{ .reg .b32 t;", "mov.b32 t, {a}; mov.b32 {}, t; }}", out(reg32) x, a = in(reg32) y);\n',
        'asm!(concat!("mov.b32 {0}, ", stringify!($x), ";"), out(reg32) x);\n',
    ),
}
INSERTED = ('"', "/*", "*/", "asm(", ")", "%0", "t", "\n", "{", "}", "%%p", " ", "\\", "L%=", "#if 1\n", "//", ";")
REQUESTS: tuple[Callable[[HostText, Position], object], ...] = (
    definition,
    declaration,
    document_highlight,
    hover,
    prepare_rename,
    lambda analysis, at: references(analysis, at, declarations=True),
    lambda analysis, at: rename(analysis, at, "renamed"),
)


def answers(analysis: HostText, at: Position) -> list[object]:
    """What each request answers, a refusal with its reason; every range is in the text."""
    found: list[object] = []
    for request in REQUESTS:
        try:
            found.append(request(analysis, at))
        except RenameRefused as refused:
            found.append(str(refused))
    for each in found:
        for part in each if isinstance(each, list) else ():
            range_ = part if isinstance(part, Range) else part.range
            assert analysis.document.clamp(range_.start) == range_.start <= range_.end
            assert analysis.document.clamp(range_.end) == range_.end
    return found


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("host", STATEMENTS, ids=lambda host: host.value)
def test_the_answers_are_those_of_a_fresh_analysis(host: Host, seed: int) -> None:
    chance = random.Random(seed)
    statements = (*STATEMENTS[host], "x = 1\n" * 3)
    analysis = HostText("".join(chance.choices(statements, k=chance.randrange(1, 25))), host, None, ())
    for _ in range(5):
        document = analysis.document
        start = document.clamp(Position(chance.randrange(document.line_count), chance.randrange(80)))
        end = document.clamp(Position(start.line + chance.choice((0, 0, 0, 1)), start.column + chance.randrange(4)))
        analysis.edit(Range(*start, *max(start, end)), chance.choice(("", *INSERTED, *statements)))
        analysis.work(0.0)
        analysis.work()
        fresh = HostText(document.whole(), host, None, ())
        fresh.work()
        for _ in range(6):
            line = chance.randrange(document.line_count)
            at = document.clamp(Position(line, chance.randrange(100)))
            assert answers(analysis, at) == answers(fresh, at), (document.whole(), at)
