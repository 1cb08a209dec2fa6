"""How often the token that a file really has is among the first 20 items that completion offers.

    python -m tests.features.completion_measure [--every N] [--cut] [--misses] FILE ...

For every Nth token of every statement, the token is replaced by its first 0, 1 and 2 characters, in a module that is
edited and not analysed again, and completion is asked at its end. A modifier counts from after its dot. With `--cut`
the rest of the line is removed too. The items are filtered and ordered as VS Code does it: those of which the typed
text is the beginning, then those that contain its characters in order, each in the order of their `sortText`, which is
the order of the feature. It prints a table of hits by class, and the time of the requests, in CPU time on a machine
that executes ten million empty rounds of a loop in 0.3 seconds. Python searches for garbage as rarely as in the server.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.completion_items import Completions
from ptx_lsp.explanations.cursor import leaves
from ptx_lsp.features.completion import completion
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.server.garbage_collection import GarbageCollection
from ptx_lsp.syntax.tree import Declaration, Directive, Expression, FunctionHeader, Instruction, Label, TermKind, Word
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed

SHOWN = 20
TYPED = (0, 1, 2)
ROUNDS = 10_000_000
ROUNDS_TAKE = 0.3  # seconds, on the machine of the limit
GOALS = {
    ("opcode", 2): 0.97,
    ("modifier", 0): 0.97,
    ("label", 0): 0.97,
    ("parameter", 0): 0.97,
    ("register", 1): 0.90,
    ("register", 2): 0.97,
    ("special register", 1): 0.90,
    ("special register", 2): 0.97,
}
"""The least share of hits of a class with a number of typed characters."""

LIMIT = 0.015
"""Seconds: the most that 99 of 100 requests take."""


class Token(NamedTuple):
    """A token of a file, with its class; `also` is what an item may insert instead."""

    line: int
    column: int
    text: str
    class_: str
    also: str = ""


class Outcome(NamedTuple):
    """What was offered for a token: the place of the token from 0, None if it is not offered; seconds of CPU time."""

    token: Token
    typed: int
    place: int | None
    seconds: float


def tokens(module: Module) -> list[Token]:
    """The tokens of all statements of a module."""
    registers, parameters = set[str](), set[str]()
    text = module.document.whole()
    for found in re.finditer(r"\.(reg|param)\b([^;(){]*)", text):
        names = re.findall(r"(?<![\w.])[%$A-Za-z_][\w$]*", found[2])
        (registers if found[1] == "reg" else parameters).update(names)
    stems = tuple(name for name in registers if name.startswith("%"))
    everything: list[Token] = []
    for context in module.statements(Range(0, 0, module.document.line_count, 0)):
        statement = context.statement

        def at(start: int, text: str, class_: str, also: str = "", context: object = context) -> Token:
            place = context.range(start, start)  # type: ignore[attr-defined]
            return Token(place.line, place.column, text, class_, also)

        if isinstance(statement, Label):
            everything.append(at(statement.name.start, statement.name.text, "label definition"))
        if isinstance(statement, Declaration | FunctionHeader | Directive):
            for leaf in leaves(statement):
                if isinstance(leaf.node, Word):
                    dotted = leaf.node.text.startswith(".")
                    everything.append(at(leaf.node.start, leaf.node.text, "directive" if dotted else "declared name"))
        if not isinstance(statement, Instruction):
            continue
        jumps = statement.opcode.text == "bra"
        for leaf in leaves(statement):
            node = leaf.node
            if leaf.modifier is not None and isinstance(node, Word):
                everything.append(at(node.start, node.text, "opcode" if leaf.modifier < 0 else "modifier"))
            elif isinstance(node, Word):
                everything.append(at(node.start, node.text, "register"))
            elif isinstance(node, Expression):
                for index, term in enumerate(node.terms):
                    if term.kind is TermKind.NAME:
                        member = node.terms[index + 1] if index + 1 < len(node.terms) else term
                        also = term.text + member.text if member.kind is TermKind.MEMBER else ""
                        class_ = "variable or function"
                        if jumps:
                            class_ = "label"
                        elif special_register(term.text):
                            class_ = "special register"
                        elif term.text in registers or term.text.startswith(stems):
                            class_ = "register"
                        elif term.text in parameters:
                            class_ = "parameter"
                        everything.append(at(term.at, term.text, class_, also))
    return everything


def first_items(found: Completions | None, typed: str) -> list[str]:
    """What the items insert that are left after the client's filter, in its order."""
    if found is None:
        return []
    small = typed.lower()
    begins = [item for item in found.items if item.label.lower().startswith(small)]
    contains = [item for item in found.items if not item.label.lower().startswith(small)]
    contains = [item for item in contains if _is_subsequence(small, item.label.lower())]
    return [item.label if item.snippet or not item.text else item.text for item in (*begins, *contains)]


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)


def measure(text: str, every: int = 1, cut: bool = False, begin: int = 0, only: str = "") -> Iterator[Outcome]:
    """The outcome for every token of a text that completion is asked about; with `only`, of that class."""
    module = analysed(text)
    chosen = [token for token in tokens(module) if only in ("", token.class_)]
    for token in chosen[begin::every]:
        length = len(module.document.line(token.line)) if cut else token.column + len(token.text)
        removed = Range(token.line, token.column, token.line, length)
        old = module.document.text(removed)
        dot = 1 if token.text.startswith(".") else 0
        for typed in TYPED:
            left = token.text[: typed + dot]
            if len(left) >= len(token.text) + (typed == 0):
                continue
            module.edit(removed, left)
            cursor = Range(token.line, token.column, token.line, token.column + len(left))
            before = process_time()
            found = completion(module, cursor.end)
            seconds = process_time() - before
            filtered = first_items(found, module.document.text(cursor))
            wanted = {token.text, token.also or token.text, f"{token.text}:"}
            place = next((place for place, inserted in enumerate(filtered) if inserted in wanted), None)
            module.edit(cursor, old)
            module.work()
            yield Outcome(token, typed, place, seconds)


def scale() -> float:
    """What to multiply a time on this machine with, to get that on the machine of the limit."""
    rounds = compile(f"for i in range({ROUNDS}): pass", "rounds", "exec")  # not in a function: local names are faster
    before = process_time()
    exec(rounds, {})
    return ROUNDS_TAKE / (process_time() - before)


def shares(outcomes: list[Outcome]) -> dict[tuple[str, int], tuple[int, int]]:
    """By class and number of typed characters: hits among the first items, and all."""
    counts: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    for outcome in outcomes:
        count = counts[outcome.token.class_, outcome.typed]
        count[0] += outcome.place is not None and outcome.place < SHOWN
        count[1] += 1
    return {key: (hits, all_) for key, (hits, all_) in counts.items()}


def main() -> int:
    """Print the table for the files of the command line; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", metavar="CLASS")
    parser.add_argument("--cut", action="store_true")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    outcomes: list[Outcome] = []
    GarbageCollection().begin()
    speeds = [scale()]
    for number, path in enumerate(options.files):
        text = path.read_text("utf-8", "replace")
        for outcome in measure(text, options.every, options.cut, number % options.every, options.only):
            outcomes.append(outcome)
            missed = outcome.place is None or outcome.place >= SHOWN
            if options.misses and missed:
                print(
                    f"{path}:{outcome.token.line + 1}: {outcome.token.class_} {outcome.token.text} "
                    f"{outcome.typed} typed: {outcome.place}"
                )
    speeds.append(scale())
    speed = sum(speeds) / len(speeds)
    found = shares(outcomes)
    failed = False
    for (class_, typed), (hits, all_) in sorted(found.items()):
        goal = GOALS.get((class_, typed))
        failed |= goal is not None and hits < goal * all_
        print(
            f"{class_:22} {typed} typed  {hits:7} of {all_:7}  {hits / all_:7.2%}"
            + (f"  goal {goal:.0%}" if goal else "")
        )
    times = sorted(outcome.seconds * speed for outcome in outcomes)
    middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
    shown = f"median {middle * 1000:.1f} ms, p99 {late * 1000:.1f} ms, longest {times[-1] * 1000:.1f} ms"
    print(f"time: {shown} (CPU time x {speed:.2f})")
    return 1 if failed or late > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
