"""The PTX in a Markdown file: every fenced block as a module, with the places of its lines.

A fence opens with three backquotes, `ptx` and any of these options:

    body              statements, which are put into a kernel with `.maxnreg 255` and registers %r<9> .b32, %rd<9> .b64,
                      %f<9> .f32, %fd<9> .f64, %h<9> .b16, %p<9> .pred; all of them are written before, unless the
                      finding `never-written` is expected. Without `body` the fence is a whole module
    version=8.8       of that kernel's module (9.4)
    target=sm_100a    of that kernel's module (sm_90)
    maximum=7.8       the highest version that the settings name
    for=sm_80         the target that the settings name: the module is compiled for it
    expect='...'      expectations for the first line, if it cannot have a comment
    escapes           `\\0`, `\\n` and `\\xHH` in the text are those characters (`\\xHH` is that byte)
    whole             ptxas is asked about the fence as a whole only, not about its wrong lines one by one
    crashes           ptxas itself crashes on this
    no-ptxas          ptxas judges this differently, and the page says why
    compile=sm_90     ptxas parses this without an error, and judges it when it compiles for that target: it refuses
                      every error that is expected here, and prints a message for every expected warning
    says='...'        a part of the message of ptxas
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FAMILIES = (("b32", "r"), ("b64", "rd"), ("f32", "f"), ("f64", "fd"), ("b16", "h"), ("pred", "p"))
MEMBERS = 9
_ZEROES = {"f32": "0f00000000", "f64": "0d0000000000000000"}
_HEADING = re.compile(r"#+\s+(.*)")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|([0n\\]))")
_TARGET = re.compile(r"\.target\s+(?:sm|compute)_(\d+)([af]?)")
_TARGET_ABOVE = {82: 86}  # for a target that the `-arch` of ptxas does not have
_FLAGS = frozenset({"body", "escapes", "crashes", "no-ptxas", "whole"})
_OPTIONS = frozenset({"version", "target", "maximum", "for", "expect", "compile", "says"})


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block. `line` is that of its first line of text in the Markdown file, from 1."""

    file: str
    heading: str
    line: int
    flags: frozenset[str]
    options: Mapping[str, str]
    body: str

    @property
    def frame(self) -> tuple[str, str]:
        """The texts before and after the fence's own text in the module."""
        if "body" not in self.flags:
            return "", ""
        version = self.options.get("version", "9.4")
        written = "[never-written]" not in self.body
        return _opening(version, self.options.get("target", "sm_90"), written), "    ret;\n}\n"

    @property
    def text(self) -> str:
        """The module that is checked."""
        before, after = self.frame
        return before + self.body + after

    @property
    def first(self) -> int:
        """The line of the module (from 0) where the fence's own text begins."""
        return self.frame[0].count("\n")

    @property
    def arch(self) -> str:
        """The `-arch` with which ptxas only parses this: that of its target, or a higher one that it has.

        A fence that ptxas compiles too is parsed for at least `compute_90`, which takes more than older ones.
        """
        found = _TARGET.search(self.text)
        number, suffix = (int(found[1]), found[2]) if found else (90, "")
        lowest = 90 if "compile" in self.options else 75
        return f"compute_{max(_TARGET_ABOVE.get(number, number), lowest)}{suffix}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def read_fences(path: Path) -> list[Fence]:
    """Every `ptx` fence of a Markdown file, in order. Raises ValueError for a fence with unknown options."""
    found: list[Fence] = []
    heading, opened, block = "", "", list[str]()
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if opened and line.rstrip() == "```":
            if _is_ptx(opened):
                found.append(_fence(path.name, heading, number - len(block), opened, block))
            opened = ""
        elif opened:
            block.append(line)
        elif line.startswith("```"):
            opened, block = line, []
        elif title := _HEADING.match(line):
            heading = title[1]
    if opened:
        raise ValueError(f"{path.name}: the last fence is not closed")
    return found


def _is_ptx(opened: str) -> bool:
    return opened[3:].split(" ", 1)[0].strip() == "ptx"


def _fence(file: str, heading: str, line: int, opened: str, block: list[str]) -> Fence:
    words = shlex.split(opened[3:])[1:]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    flags = frozenset(word for word in words if "=" not in word)
    if unknown := (flags - _FLAGS) | (options.keys() - _OPTIONS):
        raise ValueError(f"{file}:{line}: what does {', '.join(sorted(unknown))} mean?")
    body = "".join(text + "\n" for text in block)
    if "escapes" in flags:
        body, options = _unescaped(body), {name: _unescaped(value) for name, value in options.items()}
    return Fence(file, heading, line, flags, options, body)


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return bytes([int(match[1], 16)]).decode("utf-8", "surrogateescape")
        return {"0": "\0", "n": "\n", "\\": "\\"}[match[2]]

    return _ESCAPE.sub(character, text)


def _opening(version: str, target: str, written: bool) -> str:
    """The frame of a `body` fence; its last line writes every register, so that none counts as never written."""
    major, minor = version.split(".")
    sized = ".address_size 64" if (int(major), int(minor)) >= (2, 3) else ""
    registers = " ".join(f".reg .{type_} %{name}<{MEMBERS}>;" for type_, name in FAMILIES)
    writes = " ".join(
        f"mov.{type_} %{name}{index}, {_ZEROES.get(type_, '0')};"
        for type_, name in FAMILIES
        for index in range(MEMBERS)
    )
    bound = ".maxnreg 255" if (int(major), int(minor)) >= (1, 3) else ""
    head = f".version {version}\n.target {target}\n{sized}\n.visible .entry kernel(.param .u64 parameter) {bound}\n"
    return f"{head}{{\n    {registers}\n    {writes if written else ''}\n"
