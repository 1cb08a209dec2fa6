"""Requests about a document of a million lines, for some kinds of producer: the time until each answer."""

import gc
import random
import re
from collections.abc import Iterator

from benchmarks.kinds import KINDS, Kind, longest
from benchmarks.material import Source, read_source, repeated
from benchmarks.plan import Plan
from benchmarks.requests import SEED, SHOWN, Client, asked
from benchmarks.table import Row, percentile

NAMES_OF_KINDS = ("Triton", "CUB", "nvcc", "nvcc -G")
PLACES = 20  # random places for each request
GLOBALS = 8  # names of functions and variables whose references are searched for
_WORD = re.compile(r"\w")
_REGISTER = re.compile(r"%[a-z]+\d")
_SYMBOLS, _TOKENS, _REFERENCES, _COMPLETION = "documentSymbol", "semanticTokens/range", "references", "completion"


def long_documents(plan: Plan) -> Iterator[Row]:
    """Symbols, tokens of a visible range, references of a register and of a global, completion of a register."""
    for kind in KINDS:
        path = longest(plan.corpora, kind.patterns) if kind.name in NAMES_OF_KINDS else None
        if path is not None:
            yield from _rows(kind, read_source(path, own_target=True), plan.long)


def _rows(kind: Kind, source: Source, lines: int) -> Iterator[Row]:
    text = repeated(source, lines)
    rows = text.split("\n")
    client = Client()
    client.open(text)
    client.finish()
    gc.collect()
    chance = random.Random(SEED)
    globals_ = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, source.names))})(?:_\d+)?(?![\w$])")
    requests = (
        ("symbols", _SYMBOLS, [{"line": 0, "character": 0}], "300 ms"),
        ("tokens of a range", _TOKENS, _places(rows, _WORD, PLACES, chance), "10 ms"),
        ("references of a register", _REFERENCES, _places(rows, _REGISTER, PLACES, chance), "50 ms"),
        ("references of a global", _REFERENCES, _places(rows, globals_, GLOBALS, chance), "300 ms"),
        ("completion of a register", _COMPLETION, _places(rows, _REGISTER, PLACES, chance), "15 ms"),
    )
    for what, method, places, must in requests:
        times = [
            client.request(f"textDocument/{method}", asked(place, min(place["line"] + SHOWN, len(rows) - 1)))[0]
            for place in places
        ]
        measured = f"{percentile(times, 0.5) * 1000:.1f} / {max(times) * 1000:.1f} ms"
        yield Row(
            f"{kind.name}, {len(rows) - 1:,} lines: {what}, p50 / worst of {len(times)}, cpu", measured, must=must
        )


def _places(rows: list[str], pattern: re.Pattern[str], count: int, chance: random.Random) -> list[dict[str, int]]:
    """Random positions where a pattern begins to match, the first one of its line."""
    places: list[dict[str, int]] = []
    while len(places) < count:
        line = chance.randrange(len(rows))
        found = pattern.search(rows[line])
        if found is not None:
            places.append({"line": line, "character": found.start()})
    return places
