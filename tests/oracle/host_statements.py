"""Statements of inline PTX for the compiler to judge: operands of each constraint in each place, escapes, ends."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

TYPES = {"h": "short", "r": "int", "l": "long long", "q": "__int128", "f": "float", "d": "double", "b": "bool"}
"""A C type for each constraint letter that the compiler takes for it."""

INSTRUCTIONS = """
add.s32 %0, %1, %2; | r r r
add.u16 %0, %1, %2; | h h h
add.u64 %0, %1, %2; | l l l
add.f32 %0, %1, %2; | f f f
add.f64 %0, %1, %2; | d d d
and.b32 %0, %1, %2; | r r r
shl.b64 %0, %1, %2; | l l r
mul.wide.u32 %0, %1, %2; | l r r
mad.wide.u16 %0, %1, %2, %3; | r h h r
fma.rn.f32 %0, %1, %2, %3; | f f f f
cvt.rn.f32.s32 %0, %1; | f r
cvt.u64.u32 %0, %1; | l r
mov.b32 %0, %1; | r r
mov.b64 %0, %1; | l l
mov.b64 %0, {%1, %2}; | l r r
selp.b32 %0, %1, %2, %3; | r r r b
setp.lt.s32 %0, %1, %2; | b r r
ld.global.b32 %0, [%1]; | r l
ld.global.v2.f32 {%0, %1}, [%2]; | f f l
max.f16x2 %0, %1, %2; | r r r
shfl.sync.idx.b32 %0, %1, %2, 31, -1; | r r r
popc.b64 %0, %1; | r l
prmt.b32 %0, %1, %2, %3; | r r r r
"""
"""Instructions with operands that are right: outputs are those before the first source."""

OUTPUTS = {"ld.global.v2.f32 {%0, %1}, [%2];": 2}

OTHERS = (
    ("mov.u32 %0, %%laneid;", "r", ""),
    ("mov.u32 %0, %laneid;", "r", ""),
    ("mov.u32 %0, %%tid.x;", "r", ""),
    ("{ .reg .pred p; setp.ne.b32 p, %1, 0; selp.b32 %0, 1, 2, p; }", "r", "r"),
    ("{ .reg .b32 %%t; mov.b32 %%t, %1; mov.b32 %0, %%t; }", "r", "r"),
    ("{ .reg .b32 %t; mov.b32 %t, %1; mov.b32 %0, %t; }", "r", "r"),
    ("mov.b64 %0, %{%1, %1%};", "l", "r"),
    ("{ L_%=: setp.ne.b32 p, %0, 0; }", "", "r"),
    ("{ L%=: bra.uni M%=; M%=: }", "", "r"),
    ("mov.b32 %0, %1", "r", "r"),
    ("mov.b32 %0, %1 mov.b32 %0, %1;", "r", "r"),
    ("mov.b32 %0, [%1];", "r", "r"),
    ("mov.b32 %0 %1;", "r", "r"),
    ("movb32 %0, %1;", "r", "r"),
    ("add.s32 %0, %1, undeclared;", "r", "r"),
    ("{ add.s32 %0, %1, 1;", "r", "r"),
    ("bra nowhere;", "", ""),
    ("bar.sync 0;", "", ""),
    ("mov.u32 r, %laneid;", "", ""),
    ("{ .reg .b32 r; mov.u32 r, %laneid; }", "", ""),
    ("{ .reg .b32 r; mov.u32 r, %%laneid; }", "", ""),
    ("", "", "r"),
    ("// nothing", "", "r"),
    ("/* a comment; */ mov.b32 %0, %1;", "r", "r"),
    ("mov.b32 %0, %1; // and a comment", "r", "r"),
    ("ld.global.b32 %0, [%1+4];", "r", "l"),
    ("ld.global.b32 %0, [%1+-4];", "r", "l"),
    ("ld.global.b32 %0, [%1-4];", "r", "l"),
    ("add.s32 %0, %1, 1 << 4;", "r", "r"),
    ("add.s32 %0, %1, 1.5;", "r", "r"),
    ("add.f32 %0, %1, 0f3F800000;", "f", "f"),
    ("add.f32 %0, %1, 1;", "f", "f"),
)
"""A template, the letters of its outputs, the letters of its inputs."""

IMMEDIATES = (
    ("ld.global.b32 %0, [%1+%2];", "r", "l", "16"),
    ("add.s32 %0, %1, %2;", "r", "r", "-5"),
    ("shl.b32 %0, %1, %2;", "r", "r", "0x10"),
    ("add.f32 %0, %1, %2;", "f", "f", "1"),
    ("bfe.u32 %0, %1, %2, 4;", "r", "r", "(int)8"),
    ("ld.global.v2.b32 {%0, %0}, [%1+%2];", "r", "l", "010"),
)
"""A template, the letters of its outputs and inputs, and an immediate after them."""


class HostStatement(NamedTuple):
    """A statement of CUDA C++ in a kernel of its own, on one line, without its marker."""

    template: str
    outputs: str
    inputs: str
    immediate: str = ""

    def line(self, marker: int) -> str:
        """The statement on one line; `marker` is the number in its comment."""
        outputs = ", ".join(f'"={letter}"({letter}[{at}])' for at, letter in enumerate(self.outputs))
        inputs = [f'"{letter}"({letter}[{at}])' for at, letter in enumerate(self.inputs)]
        inputs += [f'"n"({self.immediate})'] if self.immediate else []
        operands = f" : {outputs} : {', '.join(inputs)}" if outputs or inputs else ""
        return f'asm volatile("// @{marker}\\n\\t" "{self.template}"{operands});\n'

    @property
    def alone(self) -> bool:
        """Whether it must be in a kernel of its own: it may change the meaning of what follows."""
        return self.immediate == "" and (self.template, self.outputs, self.inputs) in OTHERS


def program(rows: Sequence[HostStatement]) -> str:
    """A program with a line for each statement, in their order, and with other lines before them."""
    kernel = 'extern "C" __global__ void k{}(' + ", ".join(f"{TYPES[each]} *{each}" for each in TYPES) + ") {{"
    parts = [kernel.format("")]
    for marker, row in enumerate(rows):
        around = ("} " + kernel.format(marker), " } " + kernel.format(f"{marker}x")) if row.alone else ("", "")
        parts.append(f"{around[0]} {row.line(marker).rstrip()}{around[1]}")
    return "\n".join(parts) + "}\n"


def statements() -> Iterator[HostStatement]:
    """Every instruction with its own letters and with each other letter in each place, and all others."""
    for line in INSTRUCTIONS.strip().split("\n"):
        template, letters = (part.strip() for part in line.split("|"))
        right = letters.split()
        outputs = OUTPUTS.get(template, 1)
        yield HostStatement(template, "".join(right[:outputs]), "".join(right[outputs:]))
        for place in range(len(right)):
            for letter in TYPES:
                changed = [*right[:place], letter, *right[place + 1 :]]
                if changed != right:
                    yield HostStatement(template, "".join(changed[:outputs]), "".join(changed[outputs:]))
    for template, out, into in OTHERS:
        yield HostStatement(template, out, into)
    for row in IMMEDIATES:
        yield HostStatement(*row)
