"""Settings: any JSON from a client gives settings, and every invalid value is reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.config.globs import matches
from ptx_lsp.config.schema import SETTINGS
from ptx_lsp.config.settings import Settings, read_values, settings_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=12,
)


def read_settings(*sources: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in what a client sent, and a sentence for each invalid value."""
    values, messages = read_values(*sources)
    return settings_of(values), messages


@pytest.mark.parametrize("sent", [None, {}, {"ptx": {}}, {"ptx": None}, {"hints": {}}, {"hints": {"hexFloats": None}}])
def test_empty_settings_give_the_defaults(sent: object) -> None:
    assert read_settings(sent) == (Settings(), ())


@pytest.mark.parametrize(
    "sent",
    [
        {"hints": {"hexFloats": False}},
        {"ptx": {"hints": {"hexFloats": False}}},
        {"hints.hexFloats": False},
        {"ptx.hints.hexFloats": False},
        {"ptx.hints": {"hexFloats": False}},
    ],
)
def test_every_spelling_of_a_name_is_accepted(sent: object) -> None:
    settings, messages = read_settings(sent)
    assert not settings.hints.hex_floats
    assert settings.hints.folded_values
    assert messages == ()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"hints": {"hexFloats": "yes"}}, "`ptx.hints.hexFloats` takes true or false"),
        ({"hints": 3}, "there is no setting `ptx.hints`"),
        ({"hints": {"hexFloat": True}}, "did you mean `ptx.hints.hexFloats`?"),
        ({"diagnostics": {"maximum": -1}}, "`ptx.diagnostics.maximum` takes a whole number"),
        ({"diagnostics": {"maximum": True}}, "`ptx.diagnostics.maximum` takes a whole number"),
        ({"authority": "nvcc"}, "one of `ptxas`, `isa`"),
        ({"maximumVersion": "eight"}, "a PTX ISA version"),
        ({"severity": {"no-such-code": "off"}}, "there is no code `no-such-code`"),
        ({"severity": {"../codes": "off"}}, "there is no code `../codes`"),
        ({"severity": {"no-such-code": "loud"}}, "is not one of `error`"),
        ({"ignore": {"*.ptx": "all"}}, "takes a list of codes"),
        ([1, 2], "not an object"),
    ],
)
def test_an_invalid_value_is_reported_and_the_default_is_kept(sent: object, said: str) -> None:
    settings, messages = read_settings(sent)
    assert settings == Settings() or "ignore" in str(sent)
    assert len(messages) == 1
    assert said in messages[0]


def test_one_invalid_value_does_not_change_the_others() -> None:
    settings, messages = read_settings({"maximumVersion": "8.4", "authority": 7, "diagnostics": {"maximum": 0}})
    assert settings.maximum_version == (8, 4)
    assert settings.maximum is None
    assert settings.authority == "ptxas"
    assert len(messages) == 1


def test_paths_are_matched_in_any_spelling() -> None:
    settings, _ = read_settings({"ignore": {"generated/**": ["*"], "old.ptx": ["*"]}})
    assert settings.ignored("/home/me/p/generated/a/b.ptx", "generated/a/b.ptx") == {"*"}
    assert settings.ignored("/home/me/p/old.ptx", "old.ptx") == {"*"}
    assert settings.ignored("/home/me/p/new.ptx", "new.ptx") == frozenset()


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.ptx", "a/b.ptx", True),
        ("a/*.ptx", "a/b.ptx", True),
        ("a/*.ptx", "a/c/b.ptx", False),
        ("a/**/b.ptx", "a/b.ptx", True),
        ("a/**/b.ptx", "a/x/y/b.ptx", True),
        ("**/b.ptx", "/a/b.ptx", True),
        ("a/**", "a/x/y.ptx", True),
        ("{a,b}/c[0-9].ptx", "b/c7.ptx", True),
        ("{a,b}/c[!0-9].ptx", "b/c7.ptx", False),
        ("a,b.ptx", "a,b.ptx", True),
        ("?.ptx", "ab.ptx", False),
        ("{", "{", False),
        ("[z-a]", "z", False),
        ("**/" * 14 + "x", "a/" * 24 + "y.ptx", False),
        ("**/" * 14 + "y.ptx", "a/" * 24 + "y.ptx", True),
        ("{a,a}" * 26 + "b", "a" * 26 + ".ptx", False),
        ("*a" * 12 + "b", "a" * 60 + ".ptx", False),
        ("{" * 5000, "a.ptx", False),
        ("{" * 300 + "a" + "}" * 300, "a", True),
        ("a" * 5000, "a" * 5000, False),
        ("[[a]", "[", True),
        ("[!a-c]", "d", True),
    ],
)
def test_globs(pattern: str, path: str, fits: bool) -> None:
    assert matches(pattern, path) is fits


@given(JSON)
def test_no_json_raises(sent: object) -> None:
    settings, _ = read_settings(sent)
    assert isinstance(settings, Settings)


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_pattern_raises(pattern: str, path: str) -> None:
    assert matches(pattern, path) in (True, False)


def test_the_defaults_of_the_schema_are_those_of_the_settings() -> None:
    everything = {row.name: list(row.default) if isinstance(row.default, tuple) else row.default for row in SETTINGS}
    assert read_settings(everything) == (Settings(), ())


def test_a_later_source_has_priority_over_an_earlier_one_for_each_value() -> None:
    first = {"authority": "isa", "hints": {"hexFloats": False}}
    settings, messages = read_settings(first, {"ptx": {"authority": "ptxas", "hints": {"hexFloats": 5}}}, None)
    assert settings.authority == "ptxas"
    assert not settings.hints.hex_floats
    assert len(messages) == 1
