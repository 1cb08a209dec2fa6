"""Each example of the pages in this folder: what is found, in one pass and line by line, and where it comes from."""

import pytest

from ptx_lsp.hosts.scan import host_of, scan, worth_scanning
from ptx_lsp.hosts.statement import Host
from tests.hosts.places import check_places
from tests.hosts.specification import Example, by_lines, described, examples

EXAMPLES = list(examples())


def by_title(example: Example) -> str:
    return example.title


@pytest.mark.parametrize("example", EXAMPLES, ids=by_title)
def test_the_statements_of_an_example_are_found(example: Example) -> None:
    found = scan(example.text, example.host)
    assert [described(example.text, statement) for statement in found] == example.expected


@pytest.mark.parametrize("example", EXAMPLES, ids=by_title)
def test_lines_one_by_one_give_the_same_statements(example: Example) -> None:
    assert by_lines(example.text, example.host, 1) == scan(example.text, example.host)


@pytest.mark.parametrize("example", EXAMPLES, ids=by_title)
def test_every_decoded_code_point_comes_from_its_piece(example: Example) -> None:
    for statement in scan(example.text, example.host):
        check_places(example.text, statement)


@pytest.mark.parametrize("example", EXAMPLES, ids=by_title)
def test_texts_with_windows_line_ends_have_the_same_statements(example: Example) -> None:
    text = example.text.replace("\n", "\r\n")
    found = [described(text, statement).replace("\\r", "") for statement in scan(text, example.host)]
    assert found == example.expected
    assert by_lines(text, example.host, 1) == scan(text, example.host)


def test_extensions_name_hosts() -> None:
    assert host_of("src/kernel.cu") is Host.CUDA
    assert host_of("a.b/C.CUH") is Host.CUDA
    assert host_of("x.hpp") is Host.CPP
    assert host_of("x.c") is Host.C
    assert host_of("x.cl") is Host.OPENCL
    assert host_of("x.py") is Host.PYTHON
    assert host_of("x.rs") is Host.RUST
    assert host_of("x.ll") is Host.LLVM
    assert host_of("x.mlir") is Host.MLIR
    assert host_of("x.jl") is Host.JULIA
    assert host_of("module.ptx") is None
    assert host_of("folder.cu/README") is None
    assert host_of("") is None


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.expected], ids=by_title)
def test_a_text_with_statements_is_worth_scanning(example: Example) -> None:
    assert worth_scanning(example.text, example.host)


def test_a_text_without_statements_is_not() -> None:
    assert not worth_scanning("int main() { return 0; }\n" * 10, Host.CPP)
    assert scan("int main() { return 0; }\n", Host.CUDA) == []
