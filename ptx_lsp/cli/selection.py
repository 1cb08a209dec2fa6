"""The options of the command line that are settings too, and have priority over every configuration file."""

from ptx_lsp.cli.options import Options, UsageError
from ptx_lsp.isa.versions import Target
from ptx_lsp.light_classes import Mapping

OPTIONS: Mapping[str, str] = {
    "--select": "select",
    "--extend-select": "extendSelect",
    "--ignore": "ignore",
    "--severity": "severity",
    "--maximum-version": "maximumVersion",
}
"""The name of the setting for each option."""


def chosen_configuration(options: Options) -> str | None:
    """The path after `--config`; empty for `--no-config`, None without both: the nearest file counts."""
    if "--no-config" in options.flags:
        return ""
    return options.values.get("--config")


def values_of(options: Options) -> dict[str, object]:
    """The values of the settings by their names. Raises UsageError for a wrong one."""
    values = {
        name: _value(option, name, options.values[option])
        for option, name in OPTIONS.items()
        if option in options.values
    }
    if targets := targets_of(options):
        values["target"] = ", ".join(map(str, targets))
    return values


def targets_of(options: Options) -> tuple[Target, ...]:
    """The targets that the command line names. Raises UsageError for one that does not exist."""
    found: list[Target] = []
    for name in filter(None, (each.strip() for each in options.values.get("--target", "").split(","))):
        from ptx_lsp.isa.targets import TARGETS, read_target

        target = read_target(name)
        if target not in TARGETS or target is None:
            raise UsageError(f"`--target` takes targets such as sm_90a, not `{name}`")
        found.append(target)
    return tuple(found)


def _value(option: str, name: str, given: str) -> object:
    from ptx_lsp.config.schema import setting
    from ptx_lsp.config.values import read_value

    row = setting(name)
    assert row is not None

    def complain(message: str, path: tuple[str | int, ...]) -> None:
        if message.startswith("there is no code "):
            raise UsageError(f"{message.replace('no code', 'no rule', 1)}; `ptx-lsp rules` lists them all")
        raise UsageError(_SHAPES[option].format(given=given))

    value: object = given
    if name in ("select", "extendSelect", "ignore"):
        value = [part.strip() for part in given.split(",") if part.strip()]
    elif name == "severity":
        value = dict(_pair(option, part) for part in given.split(",") if part.strip())
    found = read_value(row, value, complain) if value or name == "severity" else None
    if found is None:
        raise UsageError(_SHAPES[option].format(given=given))
    return found


def _pair(option: str, part: str) -> tuple[str, str]:
    code, equals, level = part.strip().partition("=")
    if not equals:
        raise UsageError(_SHAPES[option].format(given=part.strip()))
    return code, level


_SHAPES = {
    "--select": "`--select` takes codes and families, not `{given}`",
    "--extend-select": "`--extend-select` takes codes and families, not `{given}`",
    "--ignore": "`--ignore` takes codes and families, not `{given}`",
    "--severity": "`--severity` takes CODE=LEVEL with error, warning, information, hint or off, not `{given}`",
    "--maximum-version": "`--maximum-version` takes a PTX ISA version such as 8.4, not `{given}`",
}
