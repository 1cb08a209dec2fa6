"""The measurements of a run, and the lengths of their texts."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.material import Source, repeated
from benchmarks.processes import Cost, assemble, run


@dataclass(frozen=True, slots=True)
class Plan:
    """The source files of the texts, the folder for the texts, their lengths, and the numbers of repetitions.

    `plain` is PTX without debug information, `debug` with it: None if no file has it.
    """

    plain: Source
    debug: Source | None
    folder: Path
    lengths: tuple[int, ...]  # lines of the texts that are checked
    runs: int  # of each command; the best counts
    edits: int  # at each kind of place
    opened: int  # lines of the document that is opened
    long: int  # lines of the document that is edited
    function: int  # lines of the one function
    hostile: int  # bytes of a hostile text
    files: int  # in a folder
    kind: int  # lines of the text of each kind of producer
    corpora: tuple[Path, ...]  # folders with PTX files of many producers

    def file(self, name: str, text: str) -> Path:
        """Write a text to a file."""
        path = self.folder / name
        path.write_text(text, "utf-8", "surrogateescape", newline="")
        return path

    def plain_text(self, lines: int) -> str:
        """Ordinary PTX of at least `lines` lines."""
        return repeated(self.plain, lines)

    def assembler(self, name: str, text: str, runs: int = 1) -> Cost:
        """The lowest cost of several runs of ptxas on a text."""
        path = self.file(name, text)
        return min((run(assemble(path)) for _ in range(runs)), key=lambda cost: cost.wall)
