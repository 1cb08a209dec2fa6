"""Every form of the table as concrete statements, and each of them with one mistake."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from ptx_lsp.isa.forms import Bound, Form, Limit, OperandShape, Slot
from ptx_lsp.isa.matching import Match, broken_rule
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.vector_counts import arity
from ptx_lsp.judgement.fit import resolve

BASE_VARIABLE = {".param": ".param.entry:.b64"}
FIXED = {
    "pred": ".pred",
    "nothing": "_",
    "imm": "int8",
    "fimm": "float",
    "any": ".b32",
    ".i16": ".b16",
    ".i32": ".b32",
    ".i64": ".b64",
}
"""An operand kind for each fixed kind of the notation."""

WRONG_KINDS = (
    *(t for t in TYPES if TYPES[t].declarable and t != ".b128"),
    "int8", "int64", "float", "single", "double", "_", "!.pred", "-.s32", "[.b64]", "[.b32+]", "{.b32,.b32}",
    "{.f32}", ".v4.f32", ".v2.b16", "%.u32", "%.u64", ".global:.b8[]", ".shared:.b8[]",
    ".global:.b8[]+", "func", "label",
    "[.global:.b8[]]", "[.shared:.b8[]]", "[.const:.b8[]]", "[.param.entry:.b64]", "[int8]",
    ".u32@b0", ".u32@h1", ".b32@h32", ".b32@b7654", ".pred|.pred",
    ".b32|.pred", ".texref", ".b32+", ".b64+", ".f32+", ".pred+",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A statement to judge; `constants` are the values of integer constants by operand, empty for the usual one."""

    opcode: str
    kinds: tuple[str, ...]
    constants: tuple[str, ...] = ()
    kind_of: str = "expansion"


def expansions(form: Form, cap: int, chance: random.Random) -> Iterator[Match]:
    """The form with every choice of its modifiers; a random sample of `cap` if there are more."""
    choices = [(*(("",) if e.optional else ()), *e.words) for e in form.elements]
    total = 1
    for c in choices:
        total *= len(c)
    ways = product(*choices) if total <= cap else (tuple(chance.choice(c) for c in choices) for _ in range(cap))
    seen = set()
    for way in ways:
        if way in seen:
            continue
        seen.add(way)
        words = tuple(w for w in way if w)
        numbers = iter(range(len(words)))
        match = Match(form, words, tuple(next(numbers) if w else -1 for w in way))
        if not broken_rule(match):
            yield match


def opcode_text(match: Match) -> str:
    """The opcode as it is written in a statement."""
    return match.form.opcode + "".join(match.words)


def operand_choices(match: Match) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Operand kinds and constants that fit the form: with all optional operands, and without them."""
    present = [s for s in match.form.slots if not s.when or match.holds(s.when)]
    yield _operands(match, present)
    fewer = [s for s in present if not s.optional or (s.when and "only_with" not in s.flags)]
    if len(fewer) < len(present):
        yield _operands(match, fewer)


def _operands(match: Match, slots: list[Slot]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    kinds = tuple(sample_kind(match, slot) for slot in slots)
    return kinds, tuple(sample_constant(slot) for slot in slots)


def sample_constant(slot: Slot) -> str:
    """A value that the limit of an immediate allows."""
    for part in slot.parts:
        if value := sample_constant(part):
            return value
    return _value(slot.limit) if slot.limit else ""


def _value(limit: Limit) -> str:
    if limit.bound is Bound.ONE_OF:
        return str(limit.values[0])
    if limit.bound is Bound.MULTIPLE:
        return str(-(-limit.low // limit.step) * limit.step or limit.step)
    return str(limit.low) if limit.bound in (Bound.RANGE, Bound.POWER_OF_TWO) else ""


def sample_kind(match: Match, slot: Slot) -> str:
    """One kind of operand that fits a slot: a bit-size register if the slot takes one."""
    if slot.shape is OperandShape.ADDRESS:
        parts = [p for p in slot.parts if not p.optional or (p.when and match.holds(p.when))]
        first = _location(match, parts[0])
        return "[" + ",".join([first, *(sample_kind(match, p) for p in parts[1:])]) + "]"
    if slot.shape is OperandShape.PAIR:
        return "|".join(sample_kind(match, p) for p in slot.parts)
    if slot.shape is OperandShape.VECTOR:
        if slot.parts:
            return "{" + ",".join(sample_kind(match, p) for p in slot.parts) + "}"
        count = arity(match, slot.arity)[0]
        return "{" + ",".join([_register(match, slot)] * count) + "}" if count else _register(match, slot)
    return _register(match, slot)


def _register(match: Match, slot: Slot) -> str:
    kind = resolve(match, next(k for k in slot.kinds if k not in ("_", "_!")))
    if kind in FIXED:
        return FIXED[kind]
    type_ = TYPES.get(kind)
    if type_ is None or not type_.storage:
        return ".pred" if kind == ".pred" else kind
    return f".b{type_.storage}"


def _location(match: Match, first: Slot) -> str:
    kind = resolve(match, first.kinds[0])
    if kind in (".texref", ".samplerref", ".surfref"):
        return kind
    if kind in FIXED:
        return FIXED[kind]
    base = SPACES[kind].base if kind in SPACES else ""
    return BASE_VARIABLE.get(base, ".b32" if base == ".shared" else ".b64")


def perturbations(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random, count: int) -> Iterator[Case]:
    """`count` statements that differ from a correct one in one modifier or one operand."""
    for _ in range(count):
        changed = chance.choice(_CHANGES)(match, case, pool, chance)
        if changed is not None and (changed.opcode, changed.kinds) != (case.opcode, case.kinds):
            yield changed


def _spelled(case: Case, words: list[str], name: str) -> Case:
    return replace(case, opcode=case.opcode.split(".")[0] + "".join(words), kind_of=name)


def _drop(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    if not words:
        return None
    del words[chance.randrange(len(words))]
    return _spelled(case, words, "modifier dropped")


def _double(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    if not words:
        return None
    at = chance.randrange(len(words))
    words.insert(at, words[at])
    return _spelled(case, words, "modifier doubled")


def _swap_within(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    places = [i for i, p in enumerate(match.places) if p >= 0]
    if not places:
        return None
    place = chance.choice(places)
    words = list(match.words)
    siblings = [
        w for f in _siblings(match) for e in f.elements if words[match.places[place]] in e.words for w in e.words
    ]
    words[match.places[place]] = chance.choice(siblings)
    return _spelled(case, words, "modifier of its group")


def _siblings(match: Match) -> tuple[Form, ...]:
    from ptx_lsp.isa.instructions import instruction

    known = instruction(match.form.opcode)
    return known.forms if known else ()


def _swap_across(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    others = [w for f in _siblings(match) for e in f.elements for w in e.words]
    if not words or not others:
        return None
    words[chance.randrange(len(words))] = chance.choice(others)
    return _spelled(case, words, "modifier of another group")


def _add_own(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    others = [w for f in _siblings(match) for e in f.elements for w in e.words]
    if not others:
        return None
    words.insert(chance.randrange(len(words) + 1), chance.choice(others))
    return _spelled(case, words, "modifier added")


def _add_foreign(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    words.insert(chance.randrange(len(words) + 1), chance.choice(pool))
    return _spelled(case, words, "foreign modifier added")


def _swap_foreign(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    if not words:
        return None
    words[chance.randrange(len(words))] = chance.choice(pool)
    return _spelled(case, words, "foreign modifier")


def _other_order(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    words = list(match.words)
    chance.shuffle(words)
    return _spelled(case, words, "other order")


def _other_type(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    """Another type, with operands of its width: finds forms that are missing in the table."""
    words = list(match.words)
    places = [i for i, w in enumerate(words) if w in TYPES]
    if not places:
        return None
    at = chance.choice(places)
    old, new = TYPES[words[at]], TYPES[chance.choice(tuple(TYPES))]
    words[at] = new.name
    kinds = tuple(k.replace(f".b{old.storage}", f".b{new.storage or 32}") for k in case.kinds)
    return replace(_spelled(case, words, "another type"), kinds=kinds)


def _other_kind(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    if not case.kinds:
        return None
    kinds = list(case.kinds)
    at = chance.randrange(len(kinds))
    old, new = kinds[at], chance.choice(WRONG_KINDS)
    if old.startswith("{") and chance.random() < 0.6 and not new.startswith(("{", "[")):
        parts = old[1:-1].split(",")
        parts[chance.randrange(len(parts))] = new
        new = "{" + ",".join(parts) + "}"
    elif old.startswith("[") and chance.random() < 0.6 and not new.startswith("["):
        new = "[" + ",".join([new, *old[1:-1].split(",")[1:]]) + "]"
    kinds[at] = new
    constants = (*case.constants[:at], "", *case.constants[at + 1 :])
    return replace(case, kinds=tuple(kinds), constants=constants, kind_of="operand kind")


def _operand_count(match: Match, case: Case, pool: tuple[str, ...], chance: random.Random) -> Case | None:
    kinds, constants = list(case.kinds), [*case.constants, *[""] * (len(case.kinds) - len(case.constants))]
    if kinds and chance.random() < 0.5:
        at = chance.randrange(len(kinds))
        del kinds[at], constants[at]
    else:
        at = chance.randrange(len(kinds) + 1)
        kinds.insert(at, chance.choice((".b32", ".b64", ".pred", "int8")))
        constants.insert(at, "")
    return replace(case, kinds=tuple(kinds), constants=tuple(constants), kind_of="operand count")


_CHANGES = (
    _drop,
    _double,
    *2 * (_swap_within, _other_type),
    _swap_across,
    _add_own,
    _add_foreign,
    _swap_foreign,
    _other_order,
    *4 * (_other_kind,),
    _operand_count,
)
"""The changes, with the more useful ones more often."""
