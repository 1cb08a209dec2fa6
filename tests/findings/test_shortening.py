"""No message is longer than can be shown, whatever the names in the source text."""

import pytest

from ptx_lsp import check
from ptx_lsp.findings.shortening import LONGEST, shortened

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
NAME = "n" * 20_000
KERNEL = HEAD + ".entry k()\n{{\n.reg .b32 %r<4>;\n{}\n}}\n"


def test_a_short_message_stays_as_it_is() -> None:
    message = "`" + "a" * 200 + "` is not declared"
    assert shortened(message) == message


def test_a_long_name_is_cut_and_keeps_its_backquotes() -> None:
    assert shortened(f"`{NAME}` is not `%r1`") == "`" + "n" * 77 + "...` is not `%r1`"


def test_many_names_are_cut_after_one_of_them() -> None:
    message = shortened("no " + " or ".join(["`aa`"] * 20_000))
    assert len(message) <= LONGEST + 5
    assert message.endswith("...")
    assert message.count("`") % 2 == 0


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.format(f"mov.u32 %r1, {NAME};"),
        KERNEL.format(f"{NAME}: {NAME}: ret;"),
        KERNEL.format(f"{NAME} %r1;"),
        KERNEL.format(f"ret; // ptx-lsp: ignore[{','.join(['a'] * 20_000)}]"),
        HEAD + f".global .b32 {NAME};\n.global .b32 {NAME};\n",
    ],
)
def test_findings_of_long_names(text: str) -> None:
    found = check(text)
    assert found
    for finding in found:
        assert len(finding.message) <= LONGEST + 5
        assert all(len(related.message) <= LONGEST + 5 for related in finding.related)
