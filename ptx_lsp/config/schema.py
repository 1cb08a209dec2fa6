"""Every setting as a row: the only place that defines names, types, defaults and descriptions.

`package.json`, the JSON schema, the tables of settings in `docs/`, and the parser of clients' values read these rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

SECTION = "ptx"
"""The prefix of every name in an editor: `ptx.hints.foldedValues`."""

EMPTY: Mapping[str, str] = MappingProxyType({})


class ValueShape(Enum):
    """What kind of value a setting takes."""

    SWITCH = "true or false"
    CHOICE = "one of its values"
    COUNT = "a whole number, 0 or more"
    TEXT = "a text"
    TEXTS = "a list of texts"
    VERSION = "a PTX ISA version such as `8.4`, or nothing"
    TARGETS = "targets such as `sm_90` or `sm_90a, sm_120a`, or nothing"
    CODES = "a list of codes and families"
    LEVELS = "an object that gives codes a severity"
    TEXT_BY_TEXT = "an object with a text for each text"
    CODES_BY_PATH = "a list of codes, or an object that gives path patterns a list of codes"


class Reach(Enum):
    """Where a setting may be set; the values are the scopes of VS Code."""

    WINDOW = "window"
    MACHINE = "machine-overridable"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `name` without the section, `values` (for a choice or the levels) with what each means.

    `client`: true for settings that only the editor extension reads, before it starts a server. `project`: true for
    settings that a configuration file may have, because they only change which findings and values are shown.
    """

    name: str
    shape: ValueShape
    default: object
    description: str
    values: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    reach: Reach = Reach.WINDOW
    client: bool = False
    project: bool = False

    @property
    def key(self) -> str:
        """The name with its section, as users write it."""
        return f"{SECTION}.{self.name}"

    @property
    def toml_key(self) -> str:
        """The name in a configuration file: `hints.folded-values`."""
        return "".join(f"-{each.lower()}" if each.isupper() else each for each in self.name)


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
        ValueShape.SWITCH,
        True,
        "Report errors and warnings in files. Hover and inlay hints work without it.",
    ),
    Setting(
        "diagnostics.maximum",
        ValueShape.COUNT,
        1000,
        "The maximum number of findings shown for one file; a note at the top of the file gives the number of "
        "the rest. 0 shows all.",
    ),
    Setting(
        "diagnostics.workspaceFiles",
        ValueShape.COUNT,
        200,
        "The maximum number of files checked that are not open, if the editor asks for the findings of a whole "
        "workspace. 0 checks open files only.",
    ),
    Setting(
        "workspace.maximumFiles",
        ValueShape.COUNT,
        2000,
        "The maximum number of files that are searched for names: for definitions, declarations and references in "
        "other modules, and for the symbols of the workspace. 0 searches open files only.",
    ),
    Setting(
        "source.paths",
        ValueShape.TEXT_BY_TEXT,
        {},
        "Beginnings of paths in `.file` directives, each with the beginning that these paths have on this machine, for "
        'example `{"/build/": "/home/me/project/"}`.',
    ),
    Setting(
        "select",
        ValueShape.CODES,
        (),
        "The rules whose findings are reported: codes, families or `all`. Empty: all that are on by default. "
        "`ptx-lsp rules` lists codes and families.",
        project=True,
    ),
    Setting(
        "extendSelect",
        ValueShape.CODES,
        (),
        "Rules whose findings are reported too, for example a rule that is off by default.",
        project=True,
    ),
    Setting(
        "severity",
        ValueShape.LEVELS,
        {},
        'The severity of the findings of a code or family, for example `{"unused-label": "off"}`. '
        "`ptx-lsp rules` lists the codes.",
        LEVELS,
        project=True,
    ),
    Setting(
        "ignore",
        ValueShape.CODES_BY_PATH,
        {},
        "Rules that are not reported in some files: path patterns (relative to the folder of the workspace or of the "
        "configuration file, or absolute; a pattern without `/` is a file name), each with a list of codes and "
        'families, for example `{"generated/**": ["unused-label"]}`. A list alone is for every file. `"all"` means '
        "every code.",
        project=True,
    ),
    Setting(
        "maximumVersion",
        ValueShape.VERSION,
        "",
        "The newest PTX ISA version that your assembler or driver accepts, for example `8.4`: code that needs a newer "
        "one is reported. Empty: no limit beyond the module's own `.version`.",
        project=True,
    ),
    Setting(
        "target",
        ValueShape.TARGETS,
        "",
        "The target that you compile for, for example `sm_120`, or several: `sm_90a, sm_120a`. Limits of a module, "
        "such as the size of shared memory, are those of the first one; its own `.target` still decides which "
        "instructions it may have. Inline PTX may be written for each of them, and what fails for all of them is "
        "reported. Empty: the target of the module, and any for inline PTX.",
        project=True,
    ),
    Setting(
        "authority",
        ValueShape.CHOICE,
        "ptxas",
        "The rules for the value of a constant expression in hover, inlay hints and *Evaluate selection*. "
        "Diagnostics always follow ptxas.",
        MappingProxyType(
            {
                "ptxas": "the value that NVIDIA's assembler computes, and so the value that the GPU gets",
                "isa": "the value according to the PTX ISA manual",
            }
        ),
        project=True,
    ),
    Setting(
        "hints.foldedValues",
        ValueShape.SWITCH,
        True,
        "Show the value of constant expressions that have an operator, `= 4096`.",
        project=True,
    ),
    Setting(
        "hints.hexFloats",
        ValueShape.SWITCH,
        True,
        "Show the decimal value of floats that are written as bits, `0f3FB8AA3B` (but not for 0, 1, -1, 0.5 and 2).",
        project=True,
    ),
    Setting(
        "hints.truncatedValues",
        ValueShape.SWITCH,
        True,
        "Show the remaining value of a constant that does not fit its instruction, `-> -1`.",
        project=True,
    ),
    Setting(
        "hints.operandNames",
        ValueShape.CHOICE,
        "matrix",
        "The instructions whose constant operands are shown with their names in the manual, `imm-scale-a: 1`.",
        MappingProxyType(
            {
                "matrix": "`wgmma`, `tcgen05.mma` and `cp.async.bulk.tensor`",
                "all": "every instruction with a number whose meaning is not clear from its position",
                "off": "none",
            }
        ),
        project=True,
    ),
    Setting(
        "hints.lookupTables",
        ValueShape.SWITCH,
        True,
        "Show the table of `lop3` as a formula: `majority` for `0xE8`, `(a ^ b) & c` for `0x28`.",
        project=True,
    ),
    Setting(
        "hints.byteSelectors",
        ValueShape.SWITCH,
        True,
        "Show which bytes a constant selector of `prmt` selects, the highest first: `b1 b0 a1 a0` for `0x5410`.",
        project=True,
    ),
    Setting(
        "hints.floatBits",
        ValueShape.SWITCH,
        True,
        "Show the float that an integer other than 0 is when it is moved into an `.f32` register.",
        project=True,
    ),
    Setting(
        "hints.hexImmediates",
        ValueShape.SWITCH,
        True,
        "Show decimal operands of `and`, `or`, `xor`, `lop3` and `mov` in hex where the decimal digits say nothing.",
        project=True,
    ),
    Setting(
        "hints.synchronization",
        ValueShape.SWITCH,
        True,
        "Show what numbers of `bar`, `barrier`, `mbarrier` and `setmaxnreg` count: `threads: 128`.",
        project=True,
    ),
    Setting(
        "embedded.languages",
        ValueShape.TEXTS,
        ("cuda-cpp", "cpp", "c", "python"),
        "The languages whose inline PTX is checked, by the identifiers of VS Code: `cuda-cpp`, `cpp`, `c`, `opencl`, "
        "`python`, `rust`, `llvm`, `mlir`, `julia`. Empty: none.",
    ),
    Setting(
        "embedded.expressions",
        ValueShape.SWITCH,
        False,
        "Show the expression of the host language after each operand of inline PTX, `%4`.",
    ),
    Setting(
        "format.onType",
        ValueShape.SWITCH,
        False,
        "Format a line when it is completed by `;`, `}` or a new line. The editor must allow formatting on type too.",
    ),
    Setting(
        "server.path",
        ValueShape.TEXT,
        "",
        "The `ptx-lsp` program to run. Empty: the server in the extension.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "server.interpreter",
        ValueShape.TEXT,
        "",
        "The Python (3.11 or newer) that runs the server in the extension. Empty: the Python extension's "
        "choice, else the first `python3`, `python` or `py` that is new enough.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "server.arguments",
        ValueShape.TEXTS,
        (),
        "More arguments for the server's command line.",
        reach=Reach.MACHINE,
        client=True,
    ),
    Setting(
        "trace.server",
        ValueShape.CHOICE,
        "off",
        "The messages between editor and server that are logged.",
        MappingProxyType(
            {
                "off": "none",
                "messages": "the name of every message",
                "verbose": "every message with its content",
            }
        ),
        client=True,
    ),
)


def setting(name: str) -> Setting | None:
    """The row with this name (without the section), or None."""
    return _BY_NAME.get(name)


_BY_NAME = {row.name: row for row in SETTINGS}
