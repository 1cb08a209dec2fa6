"""NVIDIA's assembler as the reference for our verdicts: thousands of snippets in one run, with messages by snippet."""

import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

BATCH = 1000
SUSPECTS = 40
REFUSALS = ("error", "fatal", "crash")
_WITH_LINE = re.compile(r"^\S*ptxas\S* .*?, line (\d+); (error|fatal|warning|info)\s*: (.*)$")
_WITHOUT_LINE = re.compile(r"^\S*ptxas\S* (?:/\S+ ?[;:,]? ?)?(error|fatal|warning|info)\s*: (.*)$")
_LINE_IN_TEXT = re.compile(r"on line (\d+)")
_SUMMARY = "Ptx assembly aborted due to errors"
_STRING = re.compile(r'"[^"\n]*"')
_COMMENT = re.compile(r"/\*.*?\*/", re.S)


def find_assembler() -> Path | None:
    """The ptxas to run: `$PTXAS`, else the one of the installed `nvidia-cuda-nvcc`, else the first on the PATH."""
    packaged = Path(sysconfig.get_paths()["purelib"], "nvidia", "cu13", "bin")
    named = os.environ.get("PTXAS")
    candidates = [Path(named)] if named else [packaged / "ptxas", packaged / "ptxas.exe"]
    on_path = shutil.which("ptxas")
    candidates += [Path(on_path)] if on_path and not named else []
    return next((c for c in candidates if c.is_file()), None)


WITHOUT_ASSEMBLER = "ptxas is not installed (in continuous integration this is a failure)"
needs_assembler = pytest.mark.skipif(
    find_assembler() is None and os.environ.get("CI") != "true", reason=WITHOUT_ASSEMBLER
)


class Message(NamedTuple):
    """A message of ptxas: the line from 1 (0 if it has none), error|fatal|warning|info|crash, the text."""

    line: int
    severity: str
    text: str

    @property
    def refuses(self) -> bool:
        """Whether ptxas rejects a text with this message."""
        return self.severity in REFUSALS


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one run: the process' exit code (negative: the signal that killed it), messages, and the cubin."""

    returncode: int
    messages: tuple[Message, ...]
    image: bytes = b""

    @property
    def accepted(self) -> bool:
        """Whether ptxas accepted the text."""
        return self.returncode == 0

    @property
    def crashed(self) -> bool:
        """Whether ptxas crashed, so that its output does not count."""
        reported = any(m.severity in ("error", "fatal") for m in self.messages)
        return self.returncode not in (0, 255) or (self.returncode == 255 and not reported)

    @property
    def said(self) -> tuple[Message, ...]:
        """The messages, after one of severity `crash` if ptxas crashed."""
        return (Message(0, "crash", f"exit code {self.returncode}"), *self.messages) if self.crashed else self.messages


@dataclass(frozen=True, slots=True)
class Assembler:
    """The way to run ptxas. `jobs` is the number of parallel runs; more options are added to the command line.

    With `-arch=compute_NN` it parses and checks only, with `-arch=sm_NN` it also generates code.
    """

    path: Path = field(default_factory=lambda: _required())
    options: tuple[str, ...] = ()
    jobs: int = 2
    timeout: float = 120.0

    def module(self, text: str | bytes, arch: str = "compute_90", *, keep: bool = False) -> Outcome:
        """The outcome for a whole module; with `keep` it has the cubin. A run that takes too long is a crash."""
        with tempfile.TemporaryDirectory(dir=_fast_directory()) as folder:
            source, image = Path(folder, "module.ptx"), Path(folder, "module.cubin")
            source.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
            output = str(image) if keep else os.devnull
            command = [str(self.path), f"-arch={arch}", *self.options, str(source), "-o", output]
            try:
                run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.timeout)
            except subprocess.TimeoutExpired:
                return Outcome(-1, (Message(0, "crash", "out of time"),))
            made = image.read_bytes() if keep and image.is_file() else b""
        return Outcome(run.returncode, read_messages(run.stdout.decode("utf-8", "replace")), made)

    def modules(self, texts: Sequence[str | bytes], arch: str = "compute_90", *, keep: bool = False) -> list[Outcome]:
        """The outcomes for several modules, in order."""
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda text: self.module(text, arch, keep=keep), texts))

    def snippets(
        self,
        bodies: Sequence[str],
        version: str = "9.4",
        target: str = "sm_90",
        declarations: str = "",
        module: str = "",
        arch: str = "compute_90",
        function: str = ".entry k__()",
    ) -> list[list[Message]]:
        """The messages of ptxas for each of many texts of statements in a function body; lines are 0.

        Each snippet has a scope of its own, so that a thousand fit in one run; `declarations` precede them in the body
        and `module` precedes the function. Snippets accepted in a run with rejected ones are run again without these,
        because ptxas skips its later checks after an error. Raises ValueError if ptxas rejects the frame alone.
        """
        head = f".version {version} .target {target} .address_size 64 {module} {function} {{ {declarations}"
        head = head.replace("\n", " ")

        def run(texts: Sequence[str]) -> Outcome:
            return self.module(head + "\n" + "\n".join("{ " + t + " }" for t in texts) + "\nret; }\n", arch)

        empty = run([""])
        if not empty.accepted:
            raise ValueError(f"the frame itself is refused: {empty.said[:2]}")
        noise = frozenset(m.text for m in empty.messages)
        fits = [_one_line(b) for b in bodies]
        alone = [k for k, fit in enumerate(fits) if not fit]
        together = [k for k, fit in enumerate(fits) if fit]
        batches = [together[k : k + BATCH] for k in range(0, len(together), BATCH)]
        answers: list[list[Message]] = [[] for _ in bodies]

        def judge(indices: list[int]) -> None:
            texts = [bodies[k].replace("\n", " ") for k in indices]
            for index, messages in zip(indices, judge_lines(texts, run, noise), strict=True):
                answers[index] = messages

        def judge_alone(index: int) -> None:
            answers[index] = _without_lines(run([bodies[index] + "\n"]).said, noise)

        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(judge, batches))
            list(pool.map(judge_alone, alone))
        return answers


def assemble(texts: Sequence[str | bytes], arch: str = "compute_90") -> list[Outcome]:
    """The outcomes of the assembler found on this machine for each of these modules."""
    return Assembler().modules(texts, arch)


def refused(messages: Sequence[Message]) -> bool:
    """Whether ptxas rejects a snippet with these messages."""
    return any(m.refuses for m in messages)


def read_messages(output: str) -> tuple[Message, ...]:
    """The output of ptxas as messages, without the final summary line; continuation lines are joined."""
    found: list[Message] = []
    for line in output.splitlines():
        with_line, without = _WITH_LINE.match(line), _WITHOUT_LINE.match(line)
        if with_line:
            found.append(Message(int(with_line[1]), with_line[2], with_line[3]))
        elif without and without[2] != _SUMMARY:
            named = _LINE_IN_TEXT.search(without[2])
            found.append(Message(int(named[1]) if named else 0, without[1], without[2]))
        elif not without and line.strip() and found:
            found[-1] = found[-1]._replace(text=found[-1].text + "\n" + line)
        elif not without and line.strip():
            found.append(Message(0, "info", line))
    return tuple(found)


def _required() -> Path:
    path = find_assembler()
    if path is None:
        raise FileNotFoundError("no ptxas: install the development extra, or set PTXAS")
    return path


def _fast_directory() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


def _one_line(body: str) -> bool:
    """Whether a body can share a run with others: it has no unclosed brace, comment or string."""
    text = _COMMENT.sub(" ", _STRING.sub('""', body))
    if not text.isascii() or text.count('"') % 2 or any(s in text for s in ("/*", "*/", "//", "#")):
        return False
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _without_lines(messages: Sequence[Message], noise: frozenset[str]) -> list[Message]:
    return [m._replace(line=0) for m in messages if m.text not in noise]


Run = Callable[[Sequence[str]], Outcome]


def judge_lines(texts: list[str], run: Run, noise: frozenset[str] = frozenset()) -> list[list[Message]]:
    """The messages for each text; `run` must put each text on a line of its own, the first on line 2.

    Two passes: first all texts together, then the accepted ones again without the rejected ones.
    """
    answers: list[list[Message]] = [[] for _ in texts]
    rejected = _first_pass(texts, run, noise, answers)
    if rejected:
        accepted = [k for k, messages in enumerate(answers) if not refused(messages)]
        _second_pass(texts, accepted, run, noise, answers)
    return answers


def _first_pass(texts: list[str], run: Run, noise: frozenset[str], answers: list[list[Message]]) -> bool:
    """Fill in messages by line; returns whether any text was rejected.

    A syntax error ends a run, so these texts are found first: each run begins after the last one. The rest is run
    together.
    """
    sound: list[int] = []
    rest = list(range(len(texts)))
    while rest:
        outcome = run([texts[k] for k in rest])
        fatal = None if outcome.crashed else next((m for m in outcome.messages if m.severity == "fatal"), None)
        if fatal is None or not 2 <= fatal.line < len(rest) + 2:
            sound += rest
            break
        at = fatal.line - 2
        answers[rest[at]] = _without_lines([m for m in outcome.messages if m.line == fatal.line], noise)
        sound += rest[:at]
        rest = rest[at + 1 :]
    return _ask_sound(texts, sound, run, noise, answers) or len(sound) < len(texts)


def _ask_sound(
    texts: list[str], sound: list[int], run: Run, noise: frozenset[str], answers: list[list[Message]]
) -> bool:
    """Fill in the messages of texts without syntax errors; bisect the texts after a crash or a message without line."""
    pending, any_refused = [sound], False
    while pending:
        chunk = pending.pop()
        if not chunk:
            continue
        outcome = run([texts[k] for k in chunk])
        any_refused |= not outcome.accepted
        if len(chunk) == 1:
            answers[chunk[0]] = _without_lines(outcome.said, noise)
        elif outcome.crashed or _has_stray(outcome, len(chunk), noise) or _has_fatal(outcome):
            pending += _halves(chunk)
        else:
            _share_out(outcome, chunk, answers)
    return any_refused


def _second_pass(
    texts: list[str], accepted: list[int], run: Run, noise: frozenset[str], answers: list[list[Message]]
) -> None:
    """Run the accepted texts again together. Lines are not reliable here, so suspicious texts are run alone."""
    pending = [accepted]
    while pending:
        chunk = pending.pop()
        if not chunk:
            continue
        outcome = run([texts[k] for k in chunk])
        if len(chunk) == 1:
            answers[chunk[0]] = _without_lines(outcome.said, noise)
        elif outcome.accepted:
            for k in chunk:
                answers[k] = []
            _share_out(outcome, chunk, answers)
        else:
            lines = sorted({m.line - 2 for m in outcome.messages if m.refuses and 2 <= m.line < len(chunk) + 2})
            alone = {chunk[at]: run([texts[chunk[at]]]) for at in lines[:SUSPECTS]}
            refusals = {k: o for k, o in alone.items() if not o.accepted}
            for k, reported in refusals.items():
                answers[k] = _without_lines(reported.said, noise)
            pending += [[k for k in chunk if k not in refusals]] if refusals else _halves(chunk)


def _halves(chunk: list[int]) -> list[list[int]]:
    middle = len(chunk) // 2
    return [chunk[:middle], chunk[middle:]]


def _has_fatal(outcome: Outcome) -> bool:
    return any(m.severity == "fatal" for m in outcome.messages)


def _has_stray(outcome: Outcome, count: int, noise: frozenset[str]) -> bool:
    """Whether a rejecting message has a line that belongs to no snippet."""
    return any(m.refuses and not 2 <= m.line < count + 2 and m.text not in noise for m in outcome.messages)


def _share_out(outcome: Outcome, chunk: list[int], answers: list[list[Message]]) -> None:
    for message in outcome.messages:
        if 2 <= message.line < len(chunk) + 2:
            answers[chunk[message.line - 2]].append(message._replace(line=0))
