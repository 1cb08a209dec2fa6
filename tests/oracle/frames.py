"""The modules around random statements: a version, a target, and a declared name for every kind of operand.

Every name that a random statement uses is declared here, because ptxas reports an undeclared name once per function.
"""

from functools import cache
from typing import NamedTuple

from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.versions import Target, Version
from tests.oracle.rendering import arch_of

_PAIRS = """
9.5 sm_100a, 9.5 sm_90a, 9.5 sm_120a, 9.5 sm_103a, 9.5 sm_110a, 9.5 sm_107a, 9.4 sm_121a, 9.3 sm_100f, 9.0 sm_90,
8.8 sm_120f, 8.7 sm_100a, 8.6 sm_100, 8.5 sm_90a, 8.3 sm_89, 8.0 sm_90a, 7.8 sm_90, 7.1 sm_86, 7.0 sm_80, 6.3 sm_75,
6.0 sm_70, 5.0 sm_60, 3.1 sm_35
"""
_TARGETS = {str(target): target for target in TARGETS}


def _pair(text: str) -> tuple[Version, Target]:
    version, target = text.split()
    major, minor = version.split(".")
    return Version(int(major), int(minor)), _TARGETS[target]


PAIRS = tuple(map(_pair, _PAIRS.split(",")))
"""The versions and targets that statements are asked about."""

REGISTERS = 300
"""The number of declared registers of each type: enough for vectors without repeated names."""

_NEEDS = {".b128": (Version(8, 3), 70), ".f16x2": (Version(4, 2), 53)}
_OLDEST = (Version(1, 0), 0)

_MODULE = """
gv   .global .align 16 .b32 gv;
gd   .global .align 16 .b64 gd;
gf   .global .align 16 .f32 gf;
ga   .global .align 16 .b8 ga[256];
gq   .global .align 16 .v4 .f32 gq;
sm   .shared .align 16 .b32 sm;
sa   .shared .align 16 .b8 sa[256];
sd   .shared .align 16 .b64 sd;
cv   .const .align 16 .b32 cv = 1;
ca   .const .align 16 .b8 ca[256] = {1};
tex0 .global .texref tex0;
srf0 .global .surfref srf0;
fn   .func fn() { ret; }
fn1  .func (.reg .b32 res) fn1(.reg .b32 par) { mov.b32 res, par; ret; }
fn2  .func (.param .b64 res) fn2(.param .b32 one, .param .b64 two) { ret; }
k2   .entry k2() { ret; }
"""
_SAMPLER = "smp0 .global .samplerref smp0;"

_BODY = """
lv   .local .align 16 .b32 lv;
la   .local .align 16 .b8 la[256];
cp4  .param .b32 cp4;
cp8  .param .b64 cp8;
cpa  .param .align 16 .b8 cpa[64];
v2   .reg .v2 .b32 v2;
v4   .reg .v4 .f32 v4;
vu   .reg .v4 .u32 vu;
vh   .reg .v2 .b16 vh;
"""
_LATE = (
    ("proto", "proto: .callprototype (.param .b64 _) _ (.param .b32 _, .param .b64 _);", Version(2, 1), 20),
    ("branches", "branches: .branchtargets start;", Version(5, 1), 30),
)
PARAMETERS = ("kp4 .param .b32 kp4", "kp8 .param .b64 kp8", "kpa .param .align 16 .b8 kpa[64]")


class Frame(NamedTuple):
    """A module without its statements: its version, target and texture mode."""

    version: Version
    target: Target
    independent: bool

    @property
    def arch(self) -> str:
        """The `-arch` with which ptxas parses and checks this module."""
        return arch_of(self.target)

    def has(self, version: Version, number: int) -> bool:
        """Whether the frame has this version and this target number, or later ones."""
        return self.version >= version and self.target.number >= number


@cache
def register_types(frame: Frame) -> tuple[str, ...]:
    """The types, with their dots, of the registers that the frame declares as `f32_0`, `f32_1` and so on."""
    return tuple(t for t in TYPES if TYPES[t].declarable and frame.has(*_NEEDS.get(t, _OLDEST)))


@cache
def names(frame: Frame) -> tuple[str, ...]:
    """Every name that the frame declares, except registers of one value."""
    rows = [*_MODULE.strip().splitlines(), *_BODY.strip().splitlines(), *PARAMETERS]
    late = [name for name, _, version, number in _LATE if frame.has(version, number)]
    return (*(row.split()[0] for row in rows), *(["smp0"] if frame.independent else []), *late, "start")


@cache
def head(frame: Frame) -> str:
    """The text before the statements, on one line."""
    mode = ", texmode_independent" if frame.independent else ""
    rows = [*_MODULE.strip().splitlines(), *([_SAMPLER] if frame.independent else [])]
    body = [row.split(None, 1)[1] for row in _BODY.strip().splitlines()]
    body += [f".reg {t} {t[1:]}_<{REGISTERS}>;" for t in register_types(frame)]
    body += [text for _, text, version, number in _LATE if frame.has(version, number)]
    parameters = ", ".join(row.split(None, 1)[1] for row in PARAMETERS)
    top = f".version {frame.version} .target {frame.target}{mode} .address_size 64"
    return " ".join([top, *(row.split(None, 1)[1] for row in rows), f".entry k({parameters}) {{", *body, "start:"])


def module(frame: Frame, statements: list[str]) -> str:
    """The module with these statements, one per line, the first on line 2 (counted from 1)."""
    return "\n".join([head(frame), *statements, "ret; }", ""])
