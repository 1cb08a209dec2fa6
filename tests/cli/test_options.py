"""Reading a command's options."""

import pytest

from ptx_lsp.cli.command_table import Option
from ptx_lsp.cli.options import UsageError, read_options

FIX = Option("--fix", "")
OPTIONS = (
    FIX,
    Option("--format", "", "text|json|sarif"),
    Option("--jobs", "", "N", "-j"),
    Option("--quiet", "", short="-q"),
    Option("--select", "", "CODE,...", many=True),
)


def test_flags_values_and_the_rest() -> None:
    options = read_options(["a", "--fix", "--format", "json", "-", "--jobs=2", "b"], OPTIONS)
    assert options.flags == {"--fix"}
    assert options.values == {"--format": "json", "--jobs": "2"}
    assert options.rest == ["a", "-", "b"]


def test_short_names_are_those_of_the_long_ones() -> None:
    options = read_options(["-q", "-j", "3", "a"], OPTIONS)
    assert options.flags == {"--quiet"}
    assert options.values == {"--jobs": "3"}
    assert options.rest == ["a"]


def test_the_last_value_counts_unless_an_option_takes_many() -> None:
    options = read_options(["--jobs", "1", "--jobs", "2", "--select", "a,b", "--select=c"], OPTIONS)
    assert options.values == {"--jobs": "2", "--select": "a,b,c"}


def test_after_two_dashes_everything_is_rest() -> None:
    assert read_options(["--", "--fix", "-x"], (FIX,)).rest == ["--fix", "-x"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--what"], "there is no option `--what`"),
        (["--fx"], "there is no option `--fx`, did you mean `--fix`?"),
        (["--format"], "`--format` needs a value"),
        (["--format", "xml"], "`--format` takes text, json or sarif, not `xml`"),
        (["--fix=1"], "there is no option `--fix=1`"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_options(arguments, OPTIONS)
    assert str(raised.value) == message
