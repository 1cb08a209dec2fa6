"""Names that nothing may have: the recognisers accept no declaration of them that the parser reports."""

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.memo import forget_all
from ptx_lsp.reading import reader
from tests.analysed import analysed

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
DECLARATIONS = (
    ".entry {}()\n{{\nret;\n}}\n",
    ".func {}();\n",
    ".global .b32 {};\n",
    ".entry k(.param .b32 {})\n{{\nret;\n}}\n",
    ".func (.param .b32 {}) k()\n{{\nret;\n}}\n",
    ".entry k()\n{{\n.reg .b32 {};\nret;\n}}\n",
    ".entry k()\n{{\n.reg .b32 {}<4>;\nret;\n}}\n",
    ".entry k()\n{{\n.shared .b32 {};\nret;\n}}\n",
    ".entry k()\n{{\n{}:\nret;\n}}\n",
    ".entry k()\n{{\nbra {};\n}}\n",
)
NAMES = ("%tid", "%tid.x", "%laneid", "%envreg1", "WARP_SZ", "add", "%r", "_", "$", "$1", "%", "a.b", "9a", "\u00e9")


def errors(text: str) -> list[str]:
    """The codes of the errors in a text."""
    forget_all()
    module = analysed(text)
    return [finding.code for finding in module.findings() if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_a_recogniser_takes_no_reserved_name(declaration: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [HEAD + before + declaration.format(name) for name in NAMES for before in ("", ".global .b32 a;\n")]
    quick = [errors(text) for text in texts]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [errors(text) for text in texts]
    assert any(quick)
