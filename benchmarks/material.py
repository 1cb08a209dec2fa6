"""PTX of any length, the same on every machine: the functions of real files, renamed and repeated."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MISTAKE = "\tadd.s32 \t%r1, %r1, %wrong;\n"

_ADDRESS_SIZE = re.compile(r"^\.address_size[^\n]*\n", re.M)
_TARGET = re.compile(r"^\.target[ \t]+sm_\w+", re.M)
_PLAIN_TARGET = re.compile(r"^\.target[ \t]+sm_\d+\b(?![af])[^\n]*", re.M)
_TAIL = re.compile(r"^[ \t]*\.(?:file|section)\b", re.M)
_NAMED = re.compile(
    r"^[ \t]*(?:\.(?:visible|weak|extern|common)[ \t]+)*"
    r"(?:\.(?:entry|func)[ \t]+(?:\.\w+[ \t]+)*(?:\([^)]*\)\s*)?"
    r"|\.(?:global|const|shared)\b(?:\(\.\w+\)|[^;=\n({])*?[ \t])([\w$]+)"
    r"(?=[ \t]*[\[(;=\n])",
    re.M,
)
_NVCC = "NVIDIA NVVM Compiler"
_HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
_COMPILED_FOR = re.compile(r"^\.target[ \t]+sm_(\d+)[ \t]*$", re.M)
_NEWEST = 90
_LOWEST = 75
_ARCHITECTURE = re.compile(r"^\.target[ \t]+(?:sm|compute)_(\d+)([af]?)", re.M)
_BODY = re.compile(r"^\{\n(.*?)^\}\n", re.M | re.S)
_DECLARED = re.compile(r"(?:[ \t]*(?:(?:\.reg|\.local|\.shared|\.param|//)[^\n]*)?\n)*")
_LABEL = re.compile(r"\$[L_]\w+")
_LOCATION = re.compile(r"^[ \t]*\.loc\b[^\n]*\n", re.M)
_NOT_CODE = re.compile(r'"[^"\n]*"|//[^\n]*')
_WORD = re.compile(r"[\w$%]+")
_LEAST_BYTES_A_LINE = 30
_LEAST_LINES = 100  # a shorter file has too few kinds of lines


@dataclass(frozen=True, slots=True)
class Source:
    """The parts of a file: its header up to `.address_size`, its functions and variables, and the text after them."""

    head: str
    body: str
    tail: str
    names: tuple[str, ...]

    def copy(self, number: int) -> str:
        """The functions and variables with new names; copy 0 keeps the names of the file, which the tail uses."""
        if not number or not self.names:
            return self.body
        # a function may have the name of an instruction, `add`
        pattern = r"(?<![\w$%.])(" + "|".join(map(re.escape, self.names)) + r")(?=(?:_param_\d+)?(?![\w$]|\.[a-z]))"
        return re.sub(pattern, lambda match: f"{match[1]}_{number}", self.body)


def read_source(path: Path, *, own_target: bool = False) -> Source:
    """Split a file; its target becomes `sm_90`, unless `own_target` is set.

    Raises ValueError if it has no `.address_size` or no function.
    """
    text = path.read_text("utf-8", "surrogateescape")
    end = _ADDRESS_SIZE.search(text)
    if end is None:
        raise ValueError(f"{path} has no .address_size")
    head, rest = text[: end.end()], text[end.end() :]
    if not own_target:
        head = _TARGET.sub(".target sm_90", head)
    last = rest.rfind("\n}") + 2
    tail = _TAIL.search(rest, last)
    cut = tail.start() if tail is not None else len(rest)
    body = rest[:cut].rstrip("\n") + "\n"
    names = _names(body)
    if not names:
        raise ValueError(f"{path} has no function")
    return Source(head, body, rest[cut:], names)


def target_of(text: str) -> str:
    """The target of a text as ptxas takes it, such as `compute_90a`: at least `compute_75`, which is its lowest."""
    found = _ARCHITECTURE.search(text)
    if found is None:
        raise ValueError("the text has no .target")
    return f"compute_{max(int(found[1]), _LOWEST)}{found[2]}"


def repeated(source: Source, lines: int) -> str:
    """A module of at least `lines` lines."""
    each = source.body.count("\n")
    copies = max(1, -(-lines // each))
    return source.head + "".join(source.copy(number) for number in range(copies)) + source.tail


def with_mistakes(source: Source, mistakes: int) -> str:
    """A module with `mistakes` functions, each with one mistake, and as many findings."""
    copy = "\n.visible .entry wrong_{}()\n{{\n\t.reg .b32 \t%r<2>;\n" + MISTAKE + "\tret;\n}}\n"
    return source.head + "".join(copy.format(number) for number in range(mistakes)) + source.tail


def one_function(lines: int) -> str:
    """A module with one function of `lines` lines, with a label on every tenth line."""
    head = _HEAD + "\n.visible .entry long()\n{\n"
    registers = "\t.reg .pred \t%p<9>;\n\t.reg .b32 \t%r<1000>;\n\t.reg .b64 \t%rd<100>;\n\tmov.u32 \t%r0, %tid.x;\n"
    middle = "".join(
        f"$L__BB0_{n // 10}:\n"
        if n % 10 == 0
        else f"\t@%p{n % 8} bra \t$L__BB0_{n // 10};\n"
        if n % 10 == 9
        else f"\tadd.s32 \t%r{n % 999 + 1}, %r{n % 999}, {n};\n"
        for n in range(lines)
    )
    setting = "".join(f"\tsetp.eq.s32 \t%p{n}, %r1, {n};\n" for n in range(8))
    return head + registers + setting + middle + "\tret;\n}\n"


def table(values: int, in_line: int) -> str:
    """A module with one table of bytes, `in_line` values on each line, and a kernel that reads it."""
    rows = (", ".join(str(n % 256) for n in range(first, first + in_line)) for first in range(0, values, in_line))
    kernel = ".visible .entry read()\n{\n\t.reg .b64 \t%rd<2>;\n\tmov.u64 \t%rd1, table;\n\tret;\n}\n"
    return f"{_HEAD}\n.global .align 1 .b8 table[{values}] = {{\n" + ",\n".join(rows) + f"}};\n\n{kernel}"


def long_function(text: str, lines: int) -> str:
    """A module whose longest function is made longer: its statements are repeated with new names of labels."""
    body = max(_BODY.finditer(text), key=lambda match: match[1].count("\n"))
    declared = _DECLARED.match(body[1])
    first = declared.end() if declared else 0
    rest = body[1][first:]
    times = max(1, lines // max(1, rest.count("\n")))
    copies = (_LABEL.sub(lambda label, n=number: f"{label[0]}_{n}", rest) for number in range(times))
    return text[: body.start(1) + first] + "".join(copies) + text[body.end(1) :]


def cuda_header(functions: int, lines: int) -> str:
    """A header in CUDA C++: functions of `lines` lines, each with one asm statement, the last one with a mistake."""
    body = "".join(f"    value = value * {number}u + table[value & {number}u];\n" for number in range(3, lines - 6))
    each = (
        "__device__ inline unsigned wide_{0}(unsigned value, const unsigned *table) {{\n"
        "    unsigned long long result;\n"
        '    asm volatile("{{\\n\\t.reg .b32 half;\\n\\tmul.hi.u32 half, %1, {0};\\n\\t"\n'
        '                 "mad.wide.u32 %0, half, %1, 7;\\n}}" : "=l"(result) : "r"(value));\n'
        "{1}    return value + unsigned(result);\n}}\n\n"
    )
    mistake = 'inline void last() { asm("add.s32 %0, %0, undeclared;"); }\n'
    return "".join(each.format(number, body) for number in range(functions)) + mistake


def collect(paths: Iterable[Path]) -> Source:
    """The functions of all files that nvcc made without debug information, for `sm_90` or older, and that have at least
    30 bytes per line, with the declarations that they use and without their `.loc`; empty if there are no such files.
    """
    bodies = [_wide_functions(path).copy(number) for number, path in enumerate(paths, 1) if _is_of_nvcc(path)]
    body = "".join(bodies)
    return Source(_HEAD, body, "", _names(body))


def _is_of_nvcc(path: Path) -> bool:
    text = path.read_text("utf-8", "surrogateescape")
    target = _COMPILED_FOR.search(text)
    made = _NVCC in text[:200] and target is not None and int(target[1]) <= _NEWEST
    return made and _ADDRESS_SIZE.search(text) is not None and bool(_NAMED.search(text))


def _wide_functions(path: Path) -> Source:
    source = read_source(path)
    parts = _parts(_LOCATION.sub("", source.body))
    holders = {name: number for number in reversed(range(len(parts))) for name in _NAMED.findall(parts[number])}
    wanted: set[int] = set()
    found = [number for number, part in enumerate(parts) if "\n{" in part and _is_dense(part)]
    while found:
        number = found.pop()
        if number not in wanted:
            wanted.add(number)
            found += [holders[word] for word in set(_WORD.findall(parts[number])) if word in holders]
    body = "".join(parts[number] for number in sorted(wanted))
    return Source("", body, "", _names(body))


def _parts(body: str) -> list[str]:
    """The declarations and functions of a module, each with the comments before it."""
    parts, begun, depth = [], 0, 0
    for line in re.finditer(r"[^\n]*\n", body):
        code = _NOT_CODE.sub("", line[0]).rstrip()
        depth += code.count("{") - code.count("}")
        if not depth and code.endswith((";", "}")):
            parts.append(body[begun : line.end()])
            begun = line.end()
    return parts


def _names(body: str) -> tuple[str, ...]:
    return tuple(sorted(set(_NAMED.findall(body)), key=lambda name: (-len(name), name)))


def choose(paths: Sequence[Path], debug: bool) -> Path:
    """The first file with debug information (`debug`) or without it, if any architecture accepts the file.

    Of files without debug information, preferably the first with at least 100 lines of at least 30 bytes each. Raises
    ValueError if there is no such file.
    """
    fitting = [path for path in paths if _fits(path, debug)]
    if not fitting:
        raise ValueError("no file fits: give one " + ("made with -G" if debug else "made by nvcc without -G"))
    return next((path for path in fitting if debug or _is_wide(path)), fitting[0])


def _fits(path: Path, debug: bool) -> bool:
    text = path.read_text("utf-8", "surrogateescape")
    target = _PLAIN_TARGET.search(text)
    return target is not None and _ADDRESS_SIZE.search(text) is not None and ("debug" in target[0]) == debug


def _is_wide(path: Path) -> bool:
    text = path.read_text("utf-8", "surrogateescape")
    return text.count("\n") >= _LEAST_LINES and _is_dense(text)


def _is_dense(text: str) -> bool:
    return len(text) >= _LEAST_BYTES_A_LINE * text.count("\n")
