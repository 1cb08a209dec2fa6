"""Every setting as a row: the only place that defines names, types, defaults and descriptions.

`package.json`, the JSON schema, the table of the README and the parser of what a client sends all read these rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

SECTION = "ptx"
"""The prefix of every name in an editor: `ptx.hints.foldedValues`."""

EMPTY: Mapping[str, str] = MappingProxyType({})


class Shape(Enum):
    """What kind of value a setting takes."""

    SWITCH = "true or false"
    CHOICE = "one of its values"
    COUNT = "a whole number, 0 or more"
    TEXT = "a text"
    TEXTS = "a list of texts"
    VERSION = "a PTX ISA version such as `8.4`, or nothing"
    LEVELS = "an object that gives codes a severity"
    CODES_BY_PATH = "an object that gives path patterns a list of codes"


class Reach(Enum):
    """Where a setting may be set; the values are the scopes of VS Code."""

    WINDOW = "window"
    MACHINE = "machine-overridable"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `name` without the section, `values` (for a choice or the levels) with what each means.

    `client`: true for settings that only the editor extension reads, before it starts a server.
    """

    name: str
    shape: Shape
    default: object
    description: str
    values: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    reach: Reach = Reach.WINDOW
    client: bool = False

    @property
    def key(self) -> str:
        """The name with its section, as users write it."""
        return f"{SECTION}.{self.name}"


LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "error": "shown as an error",
        "warning": "shown as a warning",
        "information": "shown as information",
        "hint": "shown as a hint",
        "off": "not shown",
    }
)

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "diagnostics.enable",
        Shape.SWITCH,
        True,
        "Show what is wrong with a file. Hover and inlay hints work without it.",
    ),
    Setting(
        "diagnostics.maximum",
        Shape.COUNT,
        1000,
        "How many findings of one file are shown at most; a note at the top of the file tells how many more there are. "
        "0 shows all.",
    ),
    Setting(
        "diagnostics.workspaceFiles",
        Shape.COUNT,
        200,
        "How many files that are not open are checked at most, where the editor asks for the findings of a whole "
        "workspace. 0 checks open files only.",
    ),
    Setting(
        "severity",
        Shape.LEVELS,
        {},
        'How severe the findings of a code are, for example `{"unused-label": "off"}`. '
        "`ptx-lsp rules` lists the codes.",
        LEVELS,
    ),
    Setting(
        "ignore",
        Shape.CODES_BY_PATH,
        {},
        "Codes that are not reported in some files: path patterns (relative to the workspace, or absolute; a pattern "
        'without `/` is a file name), each with a list of codes, for example `{"generated/**": ["unused-label"]}`. '
        '`"*"` stands for every code.',
    ),
    Setting(
        "maximumVersion",
        Shape.VERSION,
        "",
        "The newest PTX ISA version that your assembler or driver takes, for example `8.4`: what needs a newer one is "
        "reported. Empty: no limit beyond the module's own `.version`.",
    ),
    Setting(
        "authority",
        Shape.CHOICE,
        "ptxas",
        "Whose rules give the value of a constant expression in hover, inlay hints and *Evaluate selection*. "
        "Diagnostics always follow ptxas.",
        MappingProxyType(
            {
                "ptxas": "what NVIDIA's assembler computes, and so what ends up in the GPU",
                "isa": "what the PTX ISA manual says",
            }
        ),
    ),
    Setting(
        "hints.foldedValues",
        Shape.SWITCH,
        True,
        "Show the value of constant expressions that have an operator, `= 4096`.",
    ),
    Setting(
        "hints.hexFloats",
        Shape.SWITCH,
        True,
        "Show the decimal value of floats that are written as bits, `0f3FB8AA3B` (but not for 0, 1, -1, 0.5 and 2).",
    ),
    Setting(
        "hints.truncatedValues",
        Shape.SWITCH,
        True,
        "Show what is left of a constant that does not fit its instruction, `-> -1`.",
    ),
    Setting(
        "hints.operandNames",
        Shape.CHOICE,
        "matrix",
        "For which instructions the manual's name of a constant operand is shown, `imm-scale-a: 1`.",
        MappingProxyType(
            {
                "matrix": "`wgmma`, `tcgen05.mma` and `cp.async.bulk.tensor`",
                "all": "every instruction that takes a number whose meaning cannot be seen from its place",
                "off": "none",
            }
        ),
    ),
    Setting(
        "server.path",
        Shape.TEXT,
        "",
        "The `ptx-lsp` program to run. Empty: the server that came with the extension.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "server.interpreter",
        Shape.TEXT,
        "",
        "The Python (3.11 or newer) that runs the server that came with the extension. Empty: the Python extension's "
        "choice, else the first `python3`, `python` or `py` that is new enough.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "server.arguments",
        Shape.TEXTS,
        (),
        "More arguments for the server's command line.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "trace.server",
        Shape.CHOICE,
        "off",
        "How much of the conversation between editor and server is logged.",
        MappingProxyType(
            {
                "off": "nothing",
                "messages": "which messages were exchanged",
                "verbose": "the messages with all that is in them",
            }
        ),
        client=True,
    ),
)


def setting(name: str) -> Setting | None:
    """The row with this name (without the section), or None."""
    return _BY_NAME.get(name)


_BY_NAME = {row.name: row for row in SETTINGS}
