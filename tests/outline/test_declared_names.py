"""What compilers write is read by one pattern, everything else token by token: both read the same names."""

import pytest

from ptx_lsp.outline import declared_names
from ptx_lsp.outline.declared_names import read_declaration, read_function

HEADERS = [
    ".visible .entry kernel(\n\t.param .u64 kernel_param_0,\n\t.param .align 8 .b8 kernel_param_1[16]\n)\n{",
    ".entry empty()\n.maxntid 128, 1, 1\n.minnctapersm 2\n{",
    ".func  (.param .b32 func_retval0) device(\n\t.param .b32 device_param_0\n)\n{",
    ".visible .func  (.param .align 16 .b8 func_retval0[32]) vector(\n\t.param .b64 vector_param_0\n)\n{",
    ".weak .func (.param .b64 first) pair()\n{",
    ".extern .func  (.param .b32 func_retval0) vprintf\n(\n\t.param .b64 vprintf_param_0,\n\t.param .b64 more\n)\n;",
]
DECLARATIONS = [
    ".extern .shared .align 16 .b8 dynamic[];",
    ".visible .global .align 4 .b8 table[16] = {1, 0, 0, 0, 255, -1};",
    ".const .align 8 .b64 words[2] = {0x10,\n 17};",
    ".global .f32 matrix[2][3];",
]


@pytest.mark.parametrize("header", HEADERS)
def test_headers_are_read_by_the_pattern_as_by_tokens(header: str) -> None:
    common = read_function(header, 0, True)
    with_comment = header[:-1] + "/**/" + header[-1]
    assert declared_names._COMMON_HEADER.match(header)
    assert not declared_names._COMMON_HEADER.match(with_comment)
    by_tokens = read_function(with_comment, 0, True)
    assert common is not None
    assert by_tokens == common._replace(end=common.end + 4)


@pytest.mark.parametrize("text", DECLARATIONS)
def test_declarations_are_read_by_the_pattern_as_by_tokens(text: str) -> None:
    common = read_declaration(text, 0, True)
    with_comment = text[:-1] + "/**/" + text[-1]
    assert declared_names._COMMON_DECLARATION.match(text)
    assert not declared_names._COMMON_DECLARATION.match(with_comment)
    (variable,) = common.variables
    longer = variable._replace(until=variable.until + 4)
    assert read_declaration(with_comment, 0, True) == common._replace(variables=(longer,), end=common.end + 4)


def test_a_function_without_parameters_is_no_variable() -> None:
    assert read_function(".visible .func declared;", 0, True) is not None
