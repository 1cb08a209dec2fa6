"""Renaming inside of templates: in all literals of the statement, and refused where it is not safe."""

import re
from typing import NamedTuple

import pytest

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.rename import prepare_rename, rename
from ptx_lsp.features.rename import RenameRefused
from ptx_lsp.fixes.fix import apply_edits
from ptx_lsp.hosts.statement import Host
from tests.embedded.places import marked, shown


def renamed(text: str, new_name: str, host: Host = Host.CUDA) -> str:
    """The text after what is at `¦` got another name."""
    analysis, cursor = marked(text, host)
    found = rename(analysis, cursor, new_name)
    assert found is not None
    return apply_edits(analysis.document.whole(), found)


def refusal(text: str, new_name: str, host: Host = Host.CUDA) -> str:
    """Why what is at `¦` cannot get another name."""
    with pytest.raises(RenameRefused) as refused:
        renamed(text, new_name, host)
    return str(refused.value)


NAMES = [
    (
        Host.CUDA,
        'asm("{ .reg .pred %%p;\\n" "setp.ne.b32 %¦p, %0, 1; @%" "%p trap; }" :: "r"(x));',
        "%q1",
        'asm("{ .reg .pred %%q1;\\n" "setp.ne.b32 %%q1, %0, 1; @%%q1" " trap; }" :: "r"(x));',
    ),
    (Host.CUDA, 'asm("{ .reg .b32 ¦t; mov.b32 t, 1; }");', "%u", 'asm("{ .reg .b32 %u; mov.b32 %u, 1; }");'),
    (
        Host.CUDA,
        'asm(R"({ .reg .b32 t; mov.b32 ¦t, %0; })" "// t\\n" : : "r"(t));',
        "u",
        'asm(R"({ .reg .b32 u; mov.b32 u, %0; })" "// t\\n" : : "r"(t));',
    ),
    (
        Host.CUDA,
        'asm("{ .reg .b32 t<4>; mov.b32 ¦t1, %0; }" :: "r"(x));',
        "u",
        'asm("{ .reg .b32 t<4>;\\n.reg .b32 u; mov.b32 u, %0; }" :: "r"(x));',
    ),
    (
        Host.CUDA,
        'asm("{ .reg .b32 ¦t<4>; mov.b32 t1, %0; }" :: "r"(x));',
        "%t",
        'asm("{ .reg .b32 %%t<4>; mov.b32 %%t1, %0; }" :: "r"(x));',
    ),
    (Host.CUDA, 'asm("{ L%=: @%0 bra ¦L%=; }" :: "b"(x));', "M%=_", 'asm("{ M%=_: @%0 bra M%=_; }" :: "b"(x));'),
    (
        Host.CUDA,
        '#define A(x) asm("{ .reg .b32 ¦t;" \\\n  "mov.b32 t, %0; }" :: "r"(x))\n',
        "u",
        '#define A(x) asm("{ .reg .b32 u;" \\\n  "mov.b32 u, %0; }" :: "r"(x))\n',
    ),
    (
        Host.PYTHON,
        'inline_asm_elementwise(f"""{{ .reg .b32 ¦t; mov.b32 t, $1; }}""", "=r,r", [x], i, True, 1)',
        "a$b",
        'inline_asm_elementwise(f"""{{ .reg .b32 a$$b; mov.b32 a$$b, $1; }}""", "=r,r", [x], i, True, 1)',
    ),
    (
        Host.RUST,
        'asm!("{{ .reg .b32 t;", r"mov.b32 t, {0};", "mov.b32 {0}, ¦t; }}", inout(reg32) x);',
        "%u",
        'asm!("{{ .reg .b32 %u;", r"mov.b32 %u, {0};", "mov.b32 {0}, %u; }}", inout(reg32) x);',
    ),
    (
        Host.LLVM,
        '%1 = call i32 asm "{ L${:uid}: bra.uni ¦L${:uid}; }", "=r"()',
        "M${:uid}",
        '%1 = call i32 asm "{ M${:uid}: bra.uni M${:uid}; }", "=r"()',
    ),
    (
        Host.JULIA,
        '@asmcall("{ .reg .b32 ¦t; mov.b32 t, \\$1; }", "=r,r", Int32, Tuple{Int32}, x)',
        "a$b",
        '@asmcall("{ .reg .b32 a\\$\\$b; mov.b32 a\\$\\$b, \\$1; }", "=r,r", Int32, Tuple{Int32}, x)',
    ),
    (
        Host.PYTHON,
        "c = '''void f() { asm(\"{ .reg .b32 ¦t; mov.b32 t, %0; }\" :: \"r\"(x)); }'''",
        "%u",
        "c = '''void f() { asm(\"{ .reg .b32 %%u; mov.b32 %%u, %0; }\" :: \"r\"(x)); }'''",
    ),
]


@pytest.mark.parametrize(("host", "text", "new_name", "after"), NAMES)
def test_a_name_of_the_template(host: Host, text: str, new_name: str, after: str) -> None:
    assert renamed(text, new_name, host) == after


def test_a_name_may_be_given_as_the_template_writes_it() -> None:
    text = 'asm("{ .reg .b32 ¦%%t; mov.b32 %%t, %0; }" :: "r"(x));'
    assert renamed(text, "%%u") == text.replace("¦", "").replace("%%t", "%%u")
    assert renamed(text, "%t") == text.replace("¦", "")


OPERANDS = [
    (
        Host.CUDA,
        'asm("add.u32 %[s], %[¦a], %1;" : [s] "=r"(s) : [ a ] "r"(a), "r"(s));',
        "stride",
        'asm("add.u32 %[s], %[stride], %1;" : [s] "=r"(s) : [ stride ] "r"(a), "r"(s));',
    ),
    (
        Host.CUDA,
        'asm("add.u32 %[s], %[s], 1; // s" : [¦s] "+r"(s[0]));',
        "sum",
        'asm("add.u32 %[sum], %[sum], 1; // s" : [sum] "+r"(s[0]));',
    ),
    (
        Host.RUST,
        'asm!("add.u32 {}, {a}, {¦a:};", out(reg32) a, a = in(reg32) a);',
        "stride",
        'asm!("add.u32 {}, {stride}, {stride:};", out(reg32) a, stride = in(reg32) a);',
    ),
    (
        Host.RUST,
        'asm!("add.u32 {}, {a}, 1;", out(reg32) s, a¦ = in(reg32) x);',
        "b_2",
        'asm!("add.u32 {}, {b_2}, 1;", out(reg32) s, b_2 = in(reg32) x);',
    ),
]


@pytest.mark.parametrize(("host", "text", "new_name", "after"), OPERANDS)
def test_the_name_of_an_operand(host: Host, text: str, new_name: str, after: str) -> None:
    assert renamed(text, new_name, host) == after


REGISTER = 'asm("{ .reg .b32 ¦t; mov.b32 t, %0; mov.b32 u, t; }" :: "r"(x));'
NAMED = 'asm("mov.u32 %[a], %[¦b];" : [a] "=r"(x) : [b] "r"(y));'
REFUSED = [
    (REGISTER, "1t", "is not a name"),
    (REGISTER, "a b", "is not a name"),
    (REGISTER, "%laneid", "special register"),
    (REGISTER, "u", "`u` is used already where `t` is visible"),
    (REGISTER, "%0", "`%0` is written like an operand"),
    (REGISTER, "%1t", "`%1t` is written like an operand"),
    (REGISTER, "%r12", "`%r12` may be the name that the compiler gives to an operand"),
    (REGISTER, "t%=", "is not a name"),
    ('asm("add.u32 %0, ¦%1, 1;" : "=r"(x) : "r"(y));', "a", "`%1` names an operand by its number"),
    ('asm("add.u32 %[a], ¦%0, 1;" : [a] "+r"(x));', "b", "`%0` names an operand by its number"),
    ('asm("add.u32 %0, ¦%3, 1;" : "=r"(x));', "b", "the statement has no operand `%3`"),
    ('asm("ad¦d.u32 %0, %0, 1;" : "+r"(x));', "sub", "`add` is an instruction"),
    ('asm("add.u32 %0, ¦ %0, 1;" : "+r"(x));', "b", "there is no name to change here"),
    ('asm("mov.u32 %0, %¦laneid;" : "=r"(x));', "b", "`%laneid` is a special register"),
    ('asm("mov.u32 %0, ¦carry;" : "=r"(x));', "b", "there is no name to change here"),
    (NAMED, "a", "`a` is the name of another operand"),
    (NAMED, "2", "`2` is not a name that an operand can have"),
    (NAMED, "", "is not a name that an operand can have"),
    (NAMED.replace("%[¦b]", "%[c¦]"), "d", "the statement has no operand `%[c]`"),
    (
        NAMED.replace("%[¦b]", '%[b" "¦c]').replace("[b]", "[bc]"),
        "d",
        "a place where `bc` is written has escapes, or is in two literals",
    ),
    (
        'asm("{ .reg .b32 ¦t;" LOAD(t) "mov.b32 t, %0; }" :: "r"(x));',
        "u",
        "what `LOAD(t)` gives the template is not known",
    ),
    ('asm("mov.u32 %[¦a], 1;" STORE : [a] "=r"(x));', "b", "what `STORE` gives the template is not known"),
    (
        'asm("{ .reg .b32 ¦t;\\n"\n#ifdef A\n"mov.b32 t, 1;"\n#else\n"mov.b32 t, 2;"\n#endif\n"}");',
        "u",
        "another branch",
    ),
    ('asm("{ .reg .b32 t%0; mov.b32 ¦t5, 1; }" :: "n"(5));', "u", "is the text of an operand"),
    ('asm("{ .reg .b32 ¦t; mov.b32 t, t%0; }" :: "n"(N));', "u", "what an operand gives the template is not known"),
    ('asm("{ .reg .b32 ¦t; mov.b32 t, 1;");', "u", "the braces of the template do not match"),
    ('asm("{ L%=: bra ¦L%=; }" : "+r"(x));', "M", "`L%=` has a number that the compiler makes up"),
    ('asm("{ L%=: bra ¦L0; }" : "+r"(x));', "M", "some places of this name have a number"),
]


@pytest.mark.parametrize(("text", "new_name", "reason"), REFUSED)
def test_what_is_not_safe_is_refused_with_the_reason(text: str, new_name: str, reason: str) -> None:
    assert reason in refusal(text, new_name)


LEAKED = (
    'asm(".reg .b32 ¦carry;"); asm("mov.b32 carry, %0;" :: "r"(x)); asm("{ .reg .b32 t; mov.b32 t, %0; }" :: "r"(x));'
)


def test_a_name_outside_of_braces_that_another_statement_uses() -> None:
    assert "another statement names `carry`" in refusal(LEAKED, "sum")
    alone = LEAKED.replace("mov.b32 carry", "mov.b32 y")
    assert "another statement names `y`" in refusal(alone, "y")
    assert renamed(alone, "t").count("t;") == 2
    assert ".reg .b32 sum;" in renamed(alone, "sum")


def test_what_a_literal_cannot_hold_is_refused() -> None:
    hexadecimal = 'asm("{ .reg .b32\\x20¦t; mov.b32 t, %0; }" :: "r"(x));'
    assert "cannot hold `add`" in refusal(hexadecimal, "add")
    assert renamed(hexadecimal, "u") == hexadecimal.replace("¦", "").replace("t;", "u;", 1).replace(" t,", " u,")
    formatted = 'inline_asm_elementwise("{{ .reg .b32 ¦t; mov.b32 t, $0; }}".format(), "=r", [], i, True, 1)'
    assert "{{ .reg .b32 u; mov.b32 u, $0; }}" in renamed(formatted, "u", Host.PYTHON)
    percent = 'inline_asm_elementwise("{ .reg .b32 ¦t; mov.b32 t, $0; }" % (), "=r", [], i, True, 1)'
    assert "cannot hold `%u`" in refusal(percent, "%u", Host.PYTHON)


def test_preparation_gives_the_name_as_it_is_written() -> None:
    for text, range_, name in (
        (REGISTER, "«t»;", "t"),
        (NAMED, "%[«b»]", "b"),
        ('asm("{ L%=: bra ¦L%=; }" : "+r"(x));', "bra «L%=»", "L%="),
        ('asm("{ .reg .b32 %¦%t; }" : "+r"(x));', "«%%t»", "%t"),
    ):
        analysis, cursor = marked(text)
        found = prepare_rename(analysis, cursor)
        assert found is not None
        assert (range_ in shown(analysis, [found[0]]), found[1]) == (True, name)


@pytest.mark.parametrize("text", ['asm("mov.u32 %0, 1;" : "=r"(¦y));', "int ¦x;", '¦asm("bar.sync 0;");'])
def test_outside_of_templates_there_is_no_answer(text: str) -> None:
    analysis, cursor = marked(text)
    assert prepare_rename(analysis, cursor) is None
    assert rename(analysis, cursor, "u") is None


class Language(NamedTuple):
    """How a statement is written: what is before and after its template, and between two literals; two operands.

    `sign` is what makes a percent sign of a name one that is no operand.
    """

    host: Host
    before: str
    after: str
    between: str
    operands: tuple[str, str]
    sign: str = ""


C = ' : "+r"(x) : "r"(y));'
LLVM = ("$0", "$1")
RUST = ", inout(reg32) x, in(reg32) y);"
TRITON = ', "=r,r", [x], tl.int32, True, 1)'
LANGUAGES = (
    Language(Host.CUDA, 'void f() { asm volatile("{', f'"{C} }}', '" "', ("%0", "%1"), "%"),
    Language(Host.CUDA, '#define A(x, y) asm volatile("{', f'"{C}\n', '\\n" \\\n "', ("%0", "%1"), "%"),
    Language(Host.CUDA, 'asm volatile(R"({', f')"{C}', ')" u8"', ("%0", "%1"), "%"),
    Language(Host.PYTHON, "c = '''void f() { asm volatile(\"{", f"\"{C} }}'''", '" "', ("%0", "%1"), "%"),
    Language(Host.PYTHON, 'inline_asm_elementwise("{', f'"{TRITON}', '" "', LLVM),
    Language(Host.PYTHON, 'inline_asm_elementwise("""\n{', f'"""{TRITON}', '""" r"""', LLVM),
    Language(Host.RUST, 'asm!("{{', f'}}"{RUST}', '", "', ("{0}", "{1}")),
    Language(Host.RUST, 'asm!(r#"{{', f'}}"#{RUST}', '"#, r#"', ("{0}", "{1}")),
    Language(Host.LLVM, '%1 = call i32 asm sideeffect "{', '", "=r,r"(i32 %x)', "", LLVM),
    Language(Host.MLIR, '%1 = llvm.inline_asm asm_dialect = att "{', '", "=r,r" %x : (i32) -> i32', "\\0A", LLVM),
    Language(Host.JULIA, '@asmcall("{', '", "=r,r", true, Int32, Tuple{Int32}, x)', '" * "', ("\\$0", "\\$1")),
)
PIECES = (" .reg .pred ¤p; .reg .b32 ¤t;", " ¤L: mov.b32 ¤t, ¹;", " setp.ne.b32 ¤p, ¤t, ²; @¤p bra.uni ¤L; }")
"""A template after its first brace; `¤` is before each name that it declares, and `¹` and `²` are operands."""
NEW = ("u", "done", "%u", "%q1", "$x", "a$b", "_a", "%_a", "add", "fee", "%f", "a_very_long_name_1", "%abc$d")


def written(language: Language, cursor: str = "") -> str:
    """The statement of a language, with the cursor before a name."""
    text = language.between.join(PIECES)
    text = text.replace(f"¤{cursor}", f"¦{cursor}", 1) if cursor else text
    first, second = language.operands
    return language.before + text.replace("¤", "").replace("¹", first).replace("²", second) + language.after


def ptx_of(text: str, host: Host) -> str:
    """The PTX of the only statement of a text."""
    analysis = HostText(text, host, None, ())
    analysis.work()
    (located,) = analysis.statements()
    assert located.known.embedded is not None
    return located.known.embedded.body.text


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.before)
@pytest.mark.parametrize("name", ["p", "t", "L"])
@pytest.mark.parametrize("new_name", NEW)
def test_the_result_is_the_statement_with_the_new_name(language: Language, name: str, new_name: str) -> None:
    after = renamed(written(language, name), new_name, language.host)
    before = ptx_of(written(language), language.host)
    assert ptx_of(after, language.host) == re.sub(rf"(?<![\w.]){name}(?!\w)", lambda _: new_name, before)
    if new_name in ("%u", "%q1"):
        assert f"{language.sign}{new_name}" in after
