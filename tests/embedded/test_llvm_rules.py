"""LLVM's rules of inline assembly: each row of `llvm_rules.tsv` with the section of LLVM's reference that has the rule.

The section is an anchor in `https://llvm.org/docs/LangRef.html`. What the reference leaves open was asked of LLVM 22
and LLVM 14 (NVPTX): such a row says so.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ptx_lsp.embedded.host_text import check_host
from ptx_lsp.embedded.inline_statement import EmbeddedOptions, embed
from ptx_lsp.embedded.operand_types import operand_type
from ptx_lsp.findings.finding import Severity
from ptx_lsp.hosts.scan import scan
from ptx_lsp.hosts.statement import Host


class Rule(NamedTuple):
    """A rule: a template and a constraint string as LLVM IR writes them, and what they mean.

    `ptx` is the text that the assembler gets, with `$0` for the register of an operand. `operands` has role and type of
    each register, "-" for an immediate and for a register of any type. `codes` are those of the errors that it
    must have.
    """

    section: str
    rule: str
    template: str
    constraints: str
    arguments: str
    ptx: str
    operands: str
    codes: str


PAGE = Path(__file__).parent / "llvm_rules.tsv"


def rules() -> Iterator[Rule]:
    """The rows of the table beside this file; the pictures of line feed and tab are these characters."""
    _, *rows = PAGE.read_text("utf-8").splitlines()
    for row in rows:
        columns = row.replace("\N{SYMBOL FOR NEWLINE}", "\n").split("\t")
        yield Rule._make(each.replace("\N{SYMBOL FOR HORIZONTAL TABULATION}", "\t") for each in columns)


RULES = list(rules())


def text_of(rule: Rule) -> str:
    """LLVM IR with the expression of a rule."""
    return f'call void asm sideeffect "{rule.template}", "{rule.constraints}"({rule.arguments})\n'


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.section}: {rule.rule}")
def test_a_template_becomes_the_ptx_of_the_rule(rule: Rule) -> None:
    text = text_of(rule)
    [statement] = scan(text, Host.LLVM)
    embedded = embed(statement, lambda start, end: text[start:end], EmbeddedOptions())
    assert embedded is not None or rule.ptx.startswith("//")
    if embedded is not None:
        assert embedded.body.text == rule.ptx
    types = [f"{operand.role.value} {operand_type(operand, statement).type or '-'}" for operand in statement.operands]
    assert "; ".join(types) == rule.operands


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.section}: {rule.rule}")
def test_what_llvm_refuses_is_an_error(rule: Rule) -> None:
    found = [each for each in check_host(text_of(rule), Host.LLVM) if each.severity is Severity.ERROR]
    assert ", ".join(each.code for each in found) == rule.codes, found


KEYWORDS = ["", "sideeffect", "alignstack", "inteldialect", "unwind", "sideeffect alignstack inteldialect unwind"]


@pytest.mark.parametrize("keywords", KEYWORDS)
def test_the_keywords_of_an_expression(keywords: str) -> None:
    """`inline-assembler-expressions`: an expression without `sideeffect` may be removed."""
    text = f'%r = call i32 asm {keywords} "mov.u32 $0, %clock;", "=r"()\n'
    [statement] = scan(text, Host.LLVM)
    assert statement.volatile is ("sideeffect" in keywords)
    assert " ".join(option.text for option in statement.options) == keywords
    assert [each.code for each in check_host(text, Host.LLVM)] == ([] if statement.volatile else ["asm-volatile"])


def test_a_clobber_of_memory_keeps_an_expression() -> None:
    """Observed with libnvvm 13.5: such an expression is not removed if nothing uses it, and not merged with another."""
    text = '%r = call i32 asm "mov.u32 $0, %clock;", "=r,~{memory}"()\n'
    assert check_host(text, Host.LLVM) == []


@pytest.mark.parametrize("comment", ['; asm "a", ""()', '/* asm "a", ""()\n asm "b", ""() */', '/* " */', "/**/"])
def test_comments_hold_no_expression(comment: str) -> None:
    """`identifiers`: comments begin with `;` and end with the line, or are between `/*` and `*/`."""
    text = f'{comment}\ncall void asm "exit;", ""() {comment}\n'
    [statement] = scan(text, Host.LLVM)
    assert statement.template.text == "exit;"
