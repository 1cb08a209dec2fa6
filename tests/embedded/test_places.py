"""The range of each finding is in the literal, at the place that was written, however the template is written."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.embedded.host_text import check_host
from ptx_lsp.hosts.statement import Host
from ptx_lsp.text.lines import LineIndex

TEMPLATES = (
    ("add.s32 %0, %1, 1; frob %0;", "frob"),
    ("mov.b32 %0, 1;\n\tadd.s32 %0, %1, undeclared;", "undeclared"),
    ("{ .reg .b32 t;\n ld.gloabl.b32 t, [%1]; }", ".gloabl"),
    ("add.f32 %0, %0, %0; mul.lo.s32 %0, %1, %9;", "%9"),
    ("bar.sync 0; bra nowhere;", "nowhere"),
)
STRING, RAW = "string", "raw"


class Writing:
    """A C++ expression of literals, with the source range of each code point of the text."""

    def __init__(self) -> None:
        self.source = ""
        self.places: list[tuple[int, int]] = []

    def put(self, text: str, counts: int = 0) -> None:
        """Append source text that gives `counts` code points."""
        self.places += [(len(self.source), len(self.source) + len(text))] * counts
        self.source += text


@st.composite
def writings(draw: st.DrawFn) -> tuple[Writing, str, str]:
    text, wrong = draw(st.sampled_from(TEMPLATES))
    written = Writing()
    written.put(draw(st.sampled_from(("", "int x;\n", "/* é𝄞 */ "))))
    written.put("asm volatile(")
    at = 0
    while at < len(text):
        length = draw(st.integers(1, len(text) - at))
        _literal(draw, written, text[at : at + length])
        at += length
        written.put(draw(st.sampled_from((" ", "\n  ", ' /* " */ ', ' // "\n'))))
    written.put(': "=r"(a) : "r"(b));\n')
    return written, text, wrong


def _literal(draw: st.DrawFn, written: Writing, text: str) -> None:
    if draw(st.sampled_from((STRING, STRING, RAW))) == RAW:
        written.put('R"x(')
        for character in text:
            written.put(character, 1)
        written.put(')x"')
        return
    written.put('"')
    for character in text:
        if draw(st.integers(0, 9)) == 0:
            written.put("\\\n")
        octal = f"\\{ord(character):03o}"
        plain = {"\n": "\\n", "\t": "\\t"}.get(character, character)
        written.put(draw(st.sampled_from((plain, plain, plain, octal))), 1)
    written.put('"')


@settings(max_examples=200, deadline=None)
@given(writings())
def test_every_finding_is_at_its_place_in_the_literals(given: tuple[Writing, str, str]) -> None:
    written, text, wrong = given
    start = text.index(wrong)
    lines = LineIndex(written.source)
    expected = lines.position(written.places[start][0]), lines.position(written.places[start + len(wrong) - 1][1])
    found = check_host(written.source, Host.CUDA)
    assert expected in [(each.range.start, each.range.end) for each in found], [each.message for each in found]
    first, last = written.places[0][0], written.places[-1][1]
    operands = written.source.index(': "=r"')
    for each in found:
        begin, end = lines.offset(each.range.start), lines.offset(each.range.end)
        assert first <= begin <= end <= last or operands <= begin <= end
