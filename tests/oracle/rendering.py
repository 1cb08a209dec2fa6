"""Operand kinds as text that ptxas accepts: a name for each kind, and the frame that declares those names."""

import re
from collections.abc import Sequence

from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import split_kind

CONSTANTS = {
    "int8": "1",
    "int16": "1000",
    "int32": "100000",
    "int64": "0x1ffffffff",
    "float": "1.0",
    "single": "0f3F800000",
    "double": "0d3FF0000000000000",
}
SPECIAL = {
    ".u32": "%tid.x",
    ".u32/16": "%tid.x",
    ".u64": "%clock64",
    ".v4.u32": "%tid",
    ".pred": "%is_explicit_cluster",
    ".b32": "%envreg0",
}
VARIABLES = {"global": "glob__", "shared": "shar__", "const": "cons__", "local": "loca__"}
NAMES = {
    ".texref": "tex__",
    ".samplerref": "smp__",
    ".surfref": "srf__",
    "func": "fn__",
    "entry": "k2__",
    "label": "L__",
    "prototype": "P__",
    "targets": "T__",
    "_": "_",
}
MODULE = {
    "glob__": ".global .align 16 .b8 glob__[256];",
    "shar__": ".shared .align 16 .b8 shar__[256];",
    "cons__": ".const .align 16 .b8 cons__[256];",
    "tex__": ".global .texref tex__;",
    "smp__": ".global .samplerref smp__;",
    "srf__": ".global .surfref srf__;",
    "fn__": ".func fn__() { ret; }",
    "k2__": ".entry k2__() { ret; }",
}
"""The needs of each module-level name; it is declared only if it is used."""

ALWAYS = (
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".s8",
    ".s16",
    ".s32",
    ".s64",
    ".u8",
    ".u16",
    ".u32",
    ".u64",
    ".f32",
    ".f64",
    ".pred",
)
_NAME = re.compile(r"[A-Za-z]\w*__")
_REGISTER = re.compile(r"%(v[248])?(b128|f16x2|f16|[bsuf][0-9]+|pred)_[0-9]+")


class Renderer:
    """Gives each operand of a statement a register of its own, so that no register occurs twice in a vector."""

    def __init__(self) -> None:
        self.used = 0

    def text(self, kind: str, constant: str = "") -> str:
        """The text of an operand of this kind; `constant` replaces the usual integer constant."""
        halves = split_kind(kind, "|")
        if len(halves) > 1:
            return "|".join(self.text(k, constant) for k in halves)
        for left, right in ("{}", "[]", "()"):
            if kind.startswith(left):
                inside = ", ".join(self.text(k, constant) for k in split_kind(kind[1:-1])) if len(kind) > 2 else ""
                inside = inside.replace("%tid.x", "%laneid") if left == "[" else inside  # no selector in an address
                return left + inside + right
        if kind[0] in "-!~":
            return kind[0] + self.text(kind[1:], constant)
        if kind.endswith("+") and len(kind) > 1:
            return self.text(kind[:-1], constant) + "+4"
        return self._atom(kind, constant)

    def _atom(self, kind: str, constant: str) -> str:
        bare, _, selector = kind.partition("@")
        if selector:
            return f"{self._atom(bare, constant)}.{selector}"
        if kind in CONSTANTS:
            return constant if constant and kind.startswith("int") else CONSTANTS[kind]
        if kind in NAMES:
            return NAMES[kind]
        if kind.startswith("%"):
            return SPECIAL[kind[1:]]
        if ":" in kind:
            space = kind.split(":")[0].split(".")[1]
            return "kp__" if space == "param" else VARIABLES[space]
        self.used += 1
        parts = kind.split(".")
        if len(parts) == 3:
            return f"%{parts[1]}{parts[2]}_{self.used}"
        return f"%{parts[1]}_{self.used}"


def statement(opcode: str, kinds: Sequence[str], constants: Sequence[str] = ()) -> str:
    """A statement with operands of these kinds, after the declarations that not every version has."""
    renderer = Renderer()
    given = [*constants, *[""] * (len(kinds) - len(constants))]
    operands = ", ".join(renderer.text(kind, value) for kind, value in zip(kinds, given, strict=True))
    text = f"{opcode} {operands};".replace(" ;", ";")
    rare = dict.fromkeys(_REGISTER.findall(text))
    declared = [
        f".reg {'.' + vector + ' ' if vector else ''}.{name} %{vector}{name}_<{renderer.used + 1}>;"
        for vector, name in rare
        if vector or "." + name not in ALWAYS
    ]
    if "loca__" in text:
        declared.append(".local .align 16 .b8 loca__[256];")
    if "P__" in text:
        declared.append("P__: .callprototype _ ();")
    after = []
    if "T__" in text or "L__" in text:
        after.append("L__: ret;")
    if "T__" in text:
        declared.append("T__: .branchtargets L__;")
    return " ".join([*declared, text, *after])


DECLARATIONS = " ".join(f".reg {t} %{t[1:]}_<400>;" for t in ALWAYS)


def module_names(text: str) -> frozenset[str]:
    """The module-level names that a statement uses."""
    return frozenset(n for n in _NAME.findall(text) if n in MODULE)


def module_declarations(names: frozenset[str]) -> str:
    """The declarations of these names."""
    return " ".join(MODULE[n] for n in sorted(names))


FUNCTION = ".entry k__(.param .b64 kp__)"


def arch_of(target: Target) -> str:
    """The `-arch` for a module with this target: at least the oldest one of ptxas 13.5."""
    number = 110 if target.number == 101 else max(target.number, 75)
    return f"compute_{number}{target.suffix}"


def frame_works(version: Version, target: Target) -> bool:
    """Whether a module with `.address_size` can have this version and target."""
    return version >= (2, 3) and target.number >= 20


REGISTERS = tuple(t for t in TYPES if TYPES[t].declarable)
