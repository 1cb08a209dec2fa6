"""The findings of every output format, compared: the same places, codes and severities in all.

    python -m tests.cli.same_findings FOLDER [--seed N]

FOLDER is searched for PTX. Each file is checked twice: as it is, and with mistakes in one of 25 statements.
"""

import argparse
import contextlib
import io
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from ptx_lsp.cli.main import main as command
from tests.oracle.mutation import mutants

# GitHub Actions, "Workflow commands": `::command name=value,...::message`, with `%`, line ends, `:` and `,` escaped
GITHUB = re.compile(
    r"::(?P<command>error|warning|notice) (?P<properties>[a-zA-Z]+=[^,:\r\n]*(?:,[a-zA-Z]+=[^,:\r\n]*)*)"
    r"::(?P<message>[^\r\n]+)"
)
SEVERITIES = ("error", "warning", "information", "hint")
_LINE = re.compile(r"(\S+?):(\d+):(\d+): (error|warning|information|hint): .* \[([\w-]+)\]")

Place = tuple[str, int, int, str, str]
"""A file, a line, a column, a code and a severity, as a format writes it."""


def of_json(printed: str) -> Iterator[Place]:
    for each in map(json.loads, printed.splitlines()):
        yield each["path"], each["line"], each["column"], each["code"], each["severity"]


def of_text(printed: str) -> Iterator[Place]:
    for line in printed.splitlines():
        if found := _LINE.fullmatch(line):
            yield found[1], int(found[2]), int(found[3]), found[5], found[4]


def of_concise(printed: str) -> Iterator[Place]:
    *lines, summary = printed.splitlines()
    assert re.search(r" in \d+ files?$", summary), summary
    for line in lines:
        found = _LINE.fullmatch(line)
        assert found, line
        yield found[1], int(found[2]), int(found[3]), found[5], found[4]


def of_sarif(printed: str) -> Iterator[Place]:
    for result in json.loads(printed)["runs"][0]["results"]:
        where = result["locations"][0]["physicalLocation"]
        region = where["region"]
        path = unquote(where["artifactLocation"]["uri"])
        yield path, region["startLine"], region["startColumn"], result["ruleId"], result["level"]


def of_github(printed: str) -> Iterator[Place]:
    for line in printed.splitlines():
        found = GITHUB.fullmatch(line)
        assert found, line
        values = dict(pair.split("=", 1) for pair in found["properties"].split(","))
        code = re.fullmatch(r"ptx-lsp \((.*)\)", values["title"])
        assert code
        column = int(found["message"].removeprefix(values["file"]).split(":")[2])
        assert int(values.get("col", column)) == column
        yield values["file"], int(values["line"]), column, code[1], found["command"]


def of_gitlab(printed: str) -> Iterator[Place]:
    for entry in json.loads(printed):
        begin = entry["location"]["positions"]["begin"]
        yield entry["location"]["path"], begin["line"], begin["column"], entry["check_name"], entry["severity"]


def of_junit(printed: str) -> Iterator[Place]:
    for case in ElementTree.fromstring(printed.encode()).iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            code, _, place = case.attrib["name"].partition(" at ")
            line, column = map(int, place.split(":"))
            yield case.attrib["classname"], line, column, code, failure.attrib["type"]


READERS: dict[str, Callable[[str], Iterator[Place]]] = {
    "json": of_json,
    "text": of_text,
    "concise": of_concise,
    "sarif": of_sarif,
    "github": of_github,
    "gitlab": of_gitlab,
    "junit": of_junit,
}
_NAMES = {
    "sarif": ("error", "warning", "note", "note"),
    "github": ("error", "warning", "notice", "notice"),
    "gitlab": ("critical", "major", "minor", "info"),
}


def printed(format_: str, paths: list[str]) -> str:
    """What `check` writes about files in a format, with hints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = command(["check", "--jobs", "1", "--no-config", "--hints", "--format", format_, *paths])
    assert code in (0, 1, 2)  # 2: a file that is not PTX
    return out.getvalue()


def renamed(places: list[Place], format_: str) -> list[Place]:
    """The places of the JSON format with the words for severities that another format has."""
    words = dict(zip(SEVERITIES, _NAMES.get(format_, SEVERITIES), strict=True))
    return [(path, line, column, code, words[severity]) for path, line, column, code, severity in places]


def differences(folder: Path, names: list[str]) -> tuple[int, list[str]]:
    """The number of findings of the files of a folder, and the formats whose findings differ from those of JSON."""
    with contextlib.chdir(folder):
        outputs = {format_: list(read(printed(format_, names))) for format_, read in READERS.items()}
    wanted = outputs["json"]
    return len(wanted), [each for each, found in outputs.items() if found != renamed(wanted, each)]


def with_mistakes(text: str, seed: int, share: float) -> str:
    """A module with a mistake in this share of its statements, from 0 to 1."""
    chance = random.Random(seed)
    end = len(text)
    for mutant in reversed(mutants(text, seed, 1)):
        if mutant.end < end and chance.random() < share:
            text = text[: mutant.start] + mutant.replacement + text[mutant.end :]
            end = mutant.start
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = findings = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(options.folder.rglob("*.ptx")):
            text = path.read_bytes().decode("utf-8", "replace")
            mistaken = Path(folder) / f"{path.stem}.{files}.ptx"
            mistaken.write_text(with_mistakes(text, options.seed, 0.04), "utf-8", newline="")
            for each in (path, mistaken):
                count, different = differences(each.parent, [each.name])
                files, findings, wrong = files + 1, findings + count, wrong + len(different)
                for format_ in different:
                    print(f"{path} ({each.name}): {format_}", flush=True)
    print(f"{files} files, {findings} findings, {len(READERS)} formats, {wrong} differences")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
