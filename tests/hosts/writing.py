"""Writes a template as source text of a host in a random way, and records where each code point was written.

This is the scanners' counterpart and shares no code with them: what they decode must be what was written, at its place.
"""

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

ALPHABET = "abRrnux01 %${}[]()<>;:,.@_'\"\\/*#\n\t\u00e9\u4e2d\U0001f600"
_GAPS = [" ", "\n", "\t\n  "]


class Written(NamedTuple):
    """Source text, and for each code point of the template its place; None for what the host inserts itself."""

    text: str
    template: str
    places: list[tuple[int, int] | None]


class _Kind(NamedTuple):
    """A kind of literal: its quotes, how a character may be written (plain first), what may come before one that
    gives nothing, and the characters that it cannot hold.
    """

    opening: str
    closing: str
    ways: Callable[[str], list[str]]
    nothing: str
    never: str


def _c_ways(one: str) -> list[str]:
    simple = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "'": "\\'"}
    ways = [] if one in '\n"\\' else [one]
    ways += [simple[one]] if one in simple else []
    ways += [f"\\{ord(one):03o}"] if ord(one) < 256 else []
    return [*ways, f"\\U{ord(one):08x}", *([f"\\u{ord(one):04X}"] if ord(one) < 0x10000 else [])]


def _python_ways(one: str) -> list[str]:
    return [*_c_ways(one), *([f"\\x{ord(one):02x}"] if ord(one) < 256 else [])]


def _long_python_ways(one: str) -> list[str]:
    return [one, *_python_ways(one)] if one == "\n" else _python_ways(one)


def _format_ways(one: str) -> list[str]:
    return [one * 2] if one in "{}" else _python_ways(one)


def _rust_ways(one: str) -> list[str]:
    simple = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    ways = [] if one in '"\\' else [one]
    ways += [simple[one]] if one in simple else []
    return [*ways, f"\\u{{{ord(one):x}}}", *([f"\\x{ord(one):02x}"] if ord(one) < 128 else [])]


def _julia_ways(one: str) -> list[str]:
    simple = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "$": "\\$"}
    ways = [] if one in '"\\$' else [one]
    ways += [simple[one]] if one in simple else []
    return [*ways, f"\\U{ord(one):08x}", *([f"\\{ord(one):03o}"] if ord(one) < 256 else [])]


def _hex_ways(one: str) -> list[str]:
    return [*([] if one in '"\\' else [one]), *([f"\\{ord(one):02X}"] if ord(one) < 256 else [])]


def _mlir_ways(one: str) -> list[str]:
    simple = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return [*_hex_ways(one), *([simple[one]] if one in simple else [])]


def _plain(one: str) -> list[str]:
    return [one]


_C = [
    _Kind('"', '"', _c_ways, "\\\n", ""),
    _Kind('u8"', '"', _c_ways, "\\\n", ""),
    _Kind('R"zz(', ')zz"', _plain, "", ""),
]
_PYTHON = [
    _Kind('"', '"', _python_ways, "\\\n", ""),
    _Kind("'", "'", _python_ways, "\\\n", "'"),
    _Kind('"""', '"""', _long_python_ways, "\\\n", ""),
    _Kind('r"""', '"""', _plain, "", '"\\'),
    _Kind('f"', '"', _format_ways, "\\\n", ""),
]
_RUST = [
    _Kind('"', '"', _rust_ways, "\\\n   ", " \t\n"),
    _Kind('"', '"', _rust_ways, "", ""),
    _Kind('r##"', '"##', _plain, "", '"'),
]
_JULIA = [_Kind('"', '"', _julia_ways, "\\\n", " \t"), _Kind('raw"', '"', _plain, "", '"\\')]
_LLVM = [_Kind('"', '"', _hex_ways, "", "")]
_MLIR = [_Kind('"', '"', _mlir_ways, "", "")]


class Host(NamedTuple):
    """How a statement is written: its kinds of literals, what is before and after, what is between two literals, and
    the text that the host inserts there.
    """

    kinds: list[_Kind]
    before: str
    after: str
    between: list[str]
    inserted: str
    most: int


WRITERS = {
    "cuda-cpp": Host(_C, "void f() { asm volatile(", ' : "=r"(x)); }', [*_GAPS, '/* " */', '// "\n'], "", 5),
    "python": Host(_PYTHON, "y = inline_asm(i32, [x], (", '), "=r,r")', [*_GAPS, " + ", '# "\n'], "", 5),
    "rust": Host(_RUST, "unsafe { asm!(", ", out(reg32) x); }", [", ", ',/* " */\n', ",\n"], "\n", 5),
    "julia": Host(_JULIA, "f() = @asmcall(", ', "=r", UInt32, Tuple{})', [" * ", "*\n"], "", 5),
    "llvm": Host(_LLVM, "%r = call i32 asm ", ', "=r,r"(i32 %x)', [" "], "", 1),
    "mlir": Host(_MLIR, "%r = llvm.inline_asm ", ', "=r,r" %x : (i32) -> i32', [" "], "", 1),
}


@st.composite
def written(draw: st.DrawFn, name: str) -> Written:
    """A random template, written in a random way in the language with this identifier."""
    host = WRITERS[name]
    parts = draw(st.lists(st.text(ALPHABET, max_size=12), min_size=1, max_size=host.most))
    text = host.before
    places: list[tuple[int, int] | None] = []
    used: list[str] = []
    for index, part in enumerate(parts):
        if index:
            text += draw(st.sampled_from(host.between))
            places += [None] * len(host.inserted)
        kind = draw(st.sampled_from(host.kinds))
        text += kind.opening
        kept = []
        for one in part:
            ways = kind.ways(one) if one not in kind.never else []
            if not ways:
                continue
            if kind.nothing and draw(st.integers(0, 9)) == 0:
                text += kind.nothing
            way = ways[draw(st.integers(0, len(ways) - 1))]
            places.append((len(text), len(text) + len(way)))
            text += way
            kept.append(one)
        text += kind.closing
        used.append("".join(kept))
    return Written(text + host.after, host.inserted.join(used), places)
