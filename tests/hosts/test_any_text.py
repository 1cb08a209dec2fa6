"""Whatever the text: nothing raises, every place is right, parts give what the whole gives, and time is linear."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.hosts.scan import scan, scan_lines, worth_scanning
from ptx_lsp.hosts.statement import C_FAMILY, START, Host
from tests.calls import calls_of
from tests.growth import LINEAR, growth
from tests.hosts.places import check_places
from tests.hosts.specification import by_lines, examples

HOSTS = [Host.CUDA, Host.PYTHON, Host.RUST, Host.LLVM, Host.MLIR, Host.JULIA]
_SHARED = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\\",
    "\n",
    "\r\n",
    "\r",
    " ",
    ",",
    ";",
    ":",
    "=",
    "#",
    "/",
    "*",
    "%0",
    "é",
]
WORDS = {
    Host.CUDA: [
        "asm",
        "asm(",
        "__asm__",
        " volatile",
        "::",
        '"=r"(x)',
        '"n;"',
        "//",
        "/*",
        "*/",
        'R"x(',
        ')x"',
        "\\\n",
        "#if 0\n",
        "#if X\n",
        "#else\n",
        "#endif\n",
        "#define M ",
        "[n]",
        "1'0",
        "L'",
        '\\"',
        "goto",
    ],
    Host.PYTHON: [
        "inline_asm(",
        "inline_asm_elementwise(",
        "inline_ptx(",
        "x.asm(",
        "None, [], ",
        '"r"',
        '"""',
        "'''",
        'f"',
        "f'''",
        "rb'",
        "{{",
        "\ndef f():\n",
        ".format(",
        "asm(",
        " + ",
        "if",
        'r"',
        "\\\n",
        "constraints=",
    ],
    Host.RUST: [
        "asm!(",
        "ptx_asm!(",
        "out(reg32) x",
        "options(",
        'r#"',
        '"#',
        'b"',
        "/*",
        "*/",
        "//",
        "'a",
        "concat!(",
        "$x",
        "=>",
        "const ",
        "asm!",
        "\\\n  ",
    ],
    Host.LLVM: [
        "call void asm ",
        "asm sideeffect ",
        '"=r,r"',
        '"nop;"',
        '", "',
        "(i32 %x)",
        "\\22",
        "module asm ",
        "~{m}",
    ],
    Host.MLIR: [
        "llvm.inline_asm ",
        "nvvm.inline_ptx ",
        "tt.elementwise_inline_asm ",
        '"=r,r"',
        '"nop;"',
        "ro(",
        " -> ",
        "{constraints = ",
        "//",
        "%a",
        "<",
        ">",
        "rw (",
        "i32",
    ],
    Host.JULIA: [
        "@asmcall(",
        "@asmcall ",
        '"nop;"',
        '"""',
        "$(",
        "$x",
        "#=",
        "=#",
        'raw"',
        "Tuple{}",
        "\nend\n",
        "asm",
        'asm \\"n\\", \\"r\\"()',
        " * ",
        "true",
    ],
}


@st.composite
def soup(draw: st.DrawFn, host: Host) -> str:
    """A text of words that matter to the scanner of a host, in any order."""
    return "".join(draw(st.lists(st.sampled_from(WORDS[host] + _SHARED), max_size=60)))


@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_text_gives_statements_in_order_at_their_places(host: Host, data: st.DataObject) -> None:
    text = data.draw(soup(host))
    found = scan(text, host)
    assert [one.start for one in found] == sorted(one.start for one in found)
    for statement in found:
        check_places(text, statement)


@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_parts_of_a_text_give_what_the_whole_gives(host: Host, data: st.DataObject) -> None:
    text = data.draw(soup(host)).replace("\r", "")
    lines = text.split("\n")
    text = "\n".join(lines)
    assert by_lines(text, host, data.draw(st.integers(1, 4))) == scan(text, host)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        (Host.C, 'int f(int) asm(\n"g");\n'),
        (Host.C, 'int a[4] asm(\n"g");\n'),
        (Host.C, 'int name asm(\n"g");\n'),
        (Host.C, 'int 1asm asm(\n"g");\n'),
        (Host.C, 'else asm(\n"g");\n'),
        (Host.CUDA, '#define F name asm(\\\n"g");\nint x asm(\n"g");\n'),
        (Host.PYTHON, 'builder.asm(None, [],\n"nop;", "r")\n'),
        (Host.PYTHON, 'asm(None, [],\n"nop;", "r")\n'),
    ],
)
def test_what_is_before_a_statement_counts_although_the_statement_ends_in_a_later_line(host: Host, text: str) -> None:
    assert by_lines(text, host, 1) == scan(text, host)


@pytest.mark.slow
@pytest.mark.parametrize("host", list(Host))
@settings(max_examples=40, deadline=None)
@given(text=st.text())
def test_any_unicode_text_is_scanned(host: Host, text: str) -> None:
    for statement in scan("asm" + text, host):
        check_places("asm" + text, statement)


@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_broken_beginning_costs_no_later_example(host: Host, data: st.DataObject) -> None:
    """A state that is equal after two different beginnings gives equal statements below."""
    text = next(one.text for one in examples() if one.host is host and one.expected)
    beginning = data.draw(soup(host)).replace("\r", "") + "\n"
    _, state = scan_lines([beginning], host)
    if state == START:
        found = [one.shifted(-len(beginning)) for one in scan(beginning + text, host) if one.start >= len(beginning)]
        assert found == scan(text, host)


REPEATED = {
    Host.CUDA: [
        "asm(",
        'asm("',
        "asm(/*",
        'asm(R"x(',
        "asm((",
        "asm([",
        "asm({",
        'asm("r"(',
        "#if 0\n",
        "1'",
        "asm volatile ",
        'asm("a" : "=r"(x) : "r"(y) "l"(',
        "asm /* ",
        "#",
        "asm(\n#if X\n",
        "\\\n",
        "/*/",
        'R"',
        "asm(,[",
        'asm("":[a]"r"(b)]',
    ],
    Host.PYTHON: [
        "inline_asm(",
        'inline_asm("',
        "inline_asm((",
        "inline_asm([",
        '"""',
        'f"{',
        "f'''{",
        "inline_asm(f'{",
        'inline_asm("a" + ',
        'inline_asm("{}".format(',
        "x.asm(",
        '"asm(',
        "asm",
        'inline_asm(("r",',
        "#",
        "inline_asm(None, [([",
    ],
    Host.RUST: ["asm!(", 'asm!("', "asm!((", 'asm!("",', "/*", "'", 'r#"', "asm!(concat!(", "asm!({", "asm! ", "'a"],
    Host.LLVM: [
        "asm ",
        'asm "',
        'asm "", ""(',
        'asm "", ""(i32 ',
        '"',
        ";",
        'asm "" , ',
        "asm sideeffect ",
        'asm "","{',
    ],
    Host.MLIR: [
        "llvm.inline_asm ",
        'llvm.inline_asm "", ""',
        'tt.elementwise_inline_asm "" {',
        "nvvm.inline_ptx",
        '"',
        "//",
        'nvvm.inline_ptx "" ro(',
        'nvvm.inline_ptx "" -> i32<',
        'llvm.inline_asm "","r" %a, ',
    ],
    Host.JULIA: [
        "@asmcall(",
        '@asmcall("',
        "@asmcall((",
        '"',
        '"$(',
        "#=",
        "@asmcall ",
        'raw"\\',
        '@asmcall("" * ',
        "'",
        '"""',
    ],
}


AFTER = [
    (Host.CUDA, "asm(", "("),
    (Host.CUDA, "asm(", "#if X\n"),
    (Host.CUDA, 'R"x(', 'asm("a\\n");\n'),
    (Host.CUDA, "", 'R"x(asm("a");)x" '),
    (Host.CUDA, 'asm("" : ', "[a]"),
    (Host.CUDA, 'asm("" : ', '"=r"(x)'),
    (Host.PYTHON, "inline_asm(", "("),
    (Host.PYTHON, 'inline_asm(None, [], "", ', '"r,"'),
    (Host.PYTHON, '"""', 'asm("a\\n");\\n'),
    (Host.PYTHON, "f'''", '{x}asm("{y}");'),
    (Host.PYTHON, "f'''", "{f'''"),
    (Host.RUST, "asm!(", "concat!("),
    (Host.RUST, 'asm!("",', "options("),
    (Host.LLVM, 'asm "", "', "{a},"),
    (Host.JULIA, '"""', 'asm \\"a\\", \\"r\\"()\\n'),
    (Host.JULIA, "@asmcall(", '"$('),
]
CASES = [(host, "asm", word) for host in HOSTS for word in REPEATED[host]] + AFTER


@pytest.mark.slow
@pytest.mark.parametrize(("host", "before", "word"), CASES)
def test_time_is_linear_in_the_text(host: Host, before: str, word: str) -> None:
    short, long_ = before + word * (10_000 // len(word)), before + word * (40_000 // len(word))
    assert growth(lambda text: scan(text, host), short, long_) < LINEAR


def test_a_text_without_the_letters_of_asm_is_not_worth_scanning() -> None:
    text = "int f(int x) { return x + 1; }  // \"text\" 'c'\n" * 20_000
    assert not any(worth_scanning(text, host) for host in Host)
    # to look for the letters takes a few calls, to read the text some for each of its lines
    assert calls_of(lambda: scan(text, Host.CUDA)) < 100
    assert calls_of(lambda: scan(text + "asm", Host.CUDA)) > 20_000


def test_every_host_has_a_scanner() -> None:
    assert set(HOSTS) | C_FAMILY == set(Host)
    for host in Host:
        assert scan("no asm here", host) == []
