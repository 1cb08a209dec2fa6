"""Reading a command's options."""

import pytest

from ptx_lsp.cli.options import UsageError, read_options

CHOICES = {"--format": "text|json", "--jobs": ""}


def test_flags_values_and_the_rest() -> None:
    options = read_options(["a", "--fix", "--format", "json", "-", "--jobs=2", "b"], ("--fix",), CHOICES)
    assert options.flags == {"--fix"}
    assert options.values == {"--format": "json", "--jobs": "2"}
    assert options.rest == ["a", "-", "b"]


def test_after_two_dashes_everything_is_rest() -> None:
    assert read_options(["--", "--fix", "-x"], ("--fix",)).rest == ["--fix", "-x"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--what"], "there is no option `--what`"),
        (["--format"], "`--format` needs a value"),
        (["--format", "xml"], "`--format` takes text or json, not `xml`"),
        (["--fix=1"], "there is no option `--fix=1`"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_options(arguments, ("--fix",), CHOICES)
