"""The notation in which `rows/*.isa` write the instruction set, and its reader.

A chapter is a text of sections, one per page of the manual. Indented lines belong to the section above them.

    mul.lo, mul.hi — integer multiplication: the low or high half of the product  #integer-arithmetic-instructions-mul
      mul.{hi,lo}.type        d, a, b
      .type = .u16 .u32 .u64 .s16 .s32 .s64

A line that starts with `//` is a comment; a line that ends in `\\` goes on in the next one.

header      names, comma-separated ` — ` meaning `#anchor`. The words of a longer name (`.lo`) keep their position at
            the start of the opcode; all other modifiers may stand in any order, and so do those of a line `free .cc`.
form        the opcode with its modifiers, blanks, the operands, two blanks, what it needs
  .word         mandatory               {.word}        optional
  .{a,b}        one of .a and .b        {.{a,b}}       one of them or none
  {.a.b}        both or neither
  .group        one of the words of `.group`, {.group} or none. A group is `.group = .word .other-group ...`, indented
                for its section, at the margin for the rest of its file.
  Types keep their order among each other, so do the other sets of `KEPT_IN_ORDER`, and so do places that have a word
  in common.
operands    separated by commas, each: [access] role [arity] [~] [:kinds] [(limit)] [flags]
  access        `>` written, `<>` read and written; the role `d` is written without a mark (unless flagged `read`),
                all else is read
  role          the manual's name. `{-}a` may have a minus, `-a` must; predicates may always be negated, `!p`
  [a]           an address, in the state space that the opcode names; `[a:.shared]`, `[a:.dst]` (a group),
                `[a:.shared/.global]`, `[a:generic]` say otherwise. `[a, c{4}:.i32]`: further parts are operands;
                `[a:.texref, b:.samplerref, ...]`, `[a:.surfref, ...]` take such an object or its handle,
                `[a:.i32, b:.i64]` plain values
  p|q           two destinations, `d|p:pred`; `p[|q]:pred`: the second may be left out and is of the same kind
  a{4}          a vector of four; `{a, b:.b32}` a vector of unlike elements,
                of which some may be left out, `{a{, b}{, c}}`. Arity is an expression of numbers,
                + - * / and parentheses, of `m`, `n`, `k` (from a shape word such as .m16n8k16), of `.group` (the
                number in the word matched there, `.v4`, `.x2`, `.3d`; 1, and no braces, where `.vec` is absent) and of
                `bits.group` (the width of the type matched there); `{1|2|4}` lists several
  ~             relaxed: a wider register will do (ld, st, cvt)
  :kinds        separated by `/`; left out: the form's type, which is its only type word. Else
                .u32 .bf16    that instruction type              .group   the type matched there
                .i32 .i64     an integer or bit register of that width, or an integer constant
                pred          a predicate register or an integer constant (`.pred` is the instruction type)
                imm           an integer constant; `fimm` a float constant
                _             the sink; `_!` a sink on which the assembler dies; `nothing/_` the sink alone
                label func prototype targets .texref .samplerref .surfref   such a name
                .shared       the name of a variable in that space, `.space` in the one matched there
                any           everything that is no vector
  (limit)       of a constant: (0..15) (0..1048575 %8) (4|8|16) (pow2 32..512) (shift) (fraction); `mod32` after it
                where the assembler takes the value modulo 2**32
  flags         `reg`: no constant; `plain`: no sum; `symbol`: a variable's name as well; `sreg`: a special register
                as well; `scalar`: one value instead of the vector as well; `exact`: a vector of floats that takes no
                integers; `each`: a vector of which each element is held against the type by itself; `same`: a
                register of that very type; `unnamed`: no variable's name in a sum; `hex`: of constants only `0f...`;
                `predicate`: a predicate register as well; `part`,
                `halves`, `halfmask`, `bytes`, `bytemask`: with such a selector as well (`selectors.SELECTORS`);
                of addresses: `zero`: may be an integer constant; `wide`: register of 32 or 64 bits; `bare`: may lack
                its brackets, and then be any register; `policy`: or be a cache policy without brackets;
                on the first part of several `bare`: a register of any type; on the first part `offset`: a value of
                that type, and a constant may be added
  {, x}         may be left out; `{, x if .mod}` is there exactly when that modifier is; `{, x with .mod}` may be
                there only with it; conditions as below
lenient     a line `lenient <form>` is one that the assembler takes though the manual has none like it: never an error,
            never proposed
needs       `ptx 8.0  sm_90`, also `sm_100a sm_120f` (any of them), alternatives separated by ` or `;
            `removed 6.4 sm_70`, `deprecated 3.0`; any line of a section may end in it
other lines of a section
  requires <needs>                  of all its forms
  .a.b <needs>                      of every form in which these modifiers are present; a term `.group(.a)` asks for
                                    `.a` in that place, `.{a,b}` for one of several
  given c, d <needs>                of every statement that has one of these operands
  .a.b needs .c    .a excludes .c   dependencies between modifiers, terms as above
  noise .x128 ...                   modifiers that the assembler lets through although they mean nothing; those of
                                    `matching.GLOBAL_NOISE` always are, `.opaque` is .pred .texref .samplerref .surfref
                                    a count of elements (`.v4`) is one only where it is that of every vector operand
  trailing .b1 ...                  modifiers that mean nothing after the types
  twice .sat ...                    modifiers that may be repeated
  effect branches | ends | synchronises | calls | reads .space | writes .space ...   (`.space`: the one named)
  note <text>                       an edge case, or a place where the manual and the assembler differ
"""

import re
from collections.abc import Iterator
from functools import cache

from ptx_lsp.isa.forms import (
    ANYWHERE,
    Access,
    Bound,
    Condition,
    Element,
    Form,
    Gate,
    Limit,
    Needs,
    Removal,
    Requirement,
    Rule,
    Section,
    Shape,
    Slot,
    Term,
)
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.selectors import SELECTORS
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Version

HEADER = re.compile(r"^(?!\.|//)(?P<names>[a-z_][^\n—]*?) — (?P<meaning>[^\n#]*?)\s*(?:#(?P<anchor>[\w-]+)\s*)?$", re.M)
"""Finds the headers of a chapter without reading it."""

KEPT_IN_ORDER = (
    TYPE_WORDS,
    SPACE_WORDS,
    frozenset((".row", ".col")),
    frozenset((".and", ".or", ".xor", ".popc")),
    frozenset((".b8x16", ".b6x16_p32", ".b4x16_p64")),
)
"""Words that keep their order among each other, each set apart (observed: ptxas 13.5)."""

FLAGS = frozenset(
    (
        *(
            "read",
            "reg",
            "symbol",
            "sreg",
            "zero",
            "wide",
            "plain",
            "bare",
            "policy",
            "scalar",
            "neg",
            "not",
            "minus",
            "only_with",
        ),
        *("exact", "hex", "predicate", "offset", "same", "each", "unnamed", *SELECTORS),
    )
)
FIXED_KINDS = frozenset(
    [
        "pred",
        "imm",
        "fimm",
        "_",
        "_!",
        "nothing",
        "label",
        "func",
        "prototype",
        "targets",
        "any",
        "generic",
        ".i16",
        ".i32",
        ".i64",
    ]
)
EFFECTS = frozenset(("branches", "ends", "synchronises", "calls", "reads", "writes"))

_GROUP = re.compile(r"(\.[A-Za-z][\w:]*)\s*=\s*(.*)")
_ELEMENT = re.compile(r"\{\.\{([^{}]*)\}\}|\{\.([\w:]+)\}|\.\{([^{}]*)\}|\.([\w:]+)")
_NEEDS = re.compile(r"\s+(?=(?:ptx|removed|deprecated) [0-9]|sm_[0-9])")
_ARITY = re.compile(r"\.\w[\w:]*|bits\.[\w:]+|[a-z]\w*|[0-9]+|[-+*/()|]")
_SLOT = re.compile(
    r"(?P<access><>|>)?(?P<sign>\{[!-]\}|-)?(?P<role>[A-Za-z][\w-]*)(?:\{(?P<arity>[^{}]*)\})?(?P<relaxed>~)?"
    r"(?P<sink>/_!?)?(?::(?P<kinds>[^\s(]+))?\s*(?:\((?P<limit>[^()]*)\))?(?P<flags>(?:\s+\w+)*)"
)
_BREAK = re.compile(r"[ \t]*\\\n[ \t]*")
_OPTIONAL_RUN = re.compile(r"\{(?:\.[\w:]+){2,}\}")
_TERM = re.compile(r"\.([\w:]+)\(([^()]*)\)|\.\{([^{}]*)\}|\.([\w:]+)")

Groups = dict[str, tuple[str, ...]]


class NotationError(ValueError):
    """A row that does not follow the notation; the message says which and why."""


def file_groups(text: str, end: int) -> Groups:
    """The groups at the margin of a chapter's text, up to the offset `end`."""
    groups: Groups = {".opaque": (".pred", ".texref", ".samplerref", ".surfref")}
    for found in re.finditer(r"^(\.[A-Za-z][\w:]*)\s*=[ ]*((?:[^\n\\]|\\\n)*)", text[:end], re.M):
        groups[found[1]] = _words(found[2].replace("\\\n", " ").split(), groups)
    return groups


def read_section(chapter: str, text: str, outer: Groups) -> list[Form]:
    """The forms of one section, from its header to the next; `outer` are the groups of its file.

    Raises NotationError.
    """
    header = HEADER.match(text)
    if header is None:
        raise NotationError(f"no header: {text[:60]!r}")
    names = tuple(n.strip() for n in header["names"].split(","))
    groups = dict(outer)
    own: Groups = {}
    lines = list(_lines(text[header.end() :]))
    for line in lines:
        if group := _GROUP.fullmatch(line):
            own[group[1]] = groups[group[1]] = _words(group[2].split(), groups)
    reader = _SectionReader(chapter, names, groups)
    for line in sorted(lines, key=lambda line: not line.startswith("free ")):
        if not _GROUP.fullmatch(line):
            reader.read(line)
    return reader.finish(header["meaning"].strip(), header["anchor"] or "", own)


class _SectionReader:
    """Gathers the lines of one section."""

    def __init__(self, chapter: str, names: tuple[str, ...], groups: Groups) -> None:
        self.chapter, self.names, self.groups = chapter, names, groups
        self.heads = frozenset(n.split(".")[0] for n in names)
        self.fixed = frozenset("." + word for name in names for word in name.split(".")[1:])
        self.pending: list[tuple[str, str, tuple[Element, ...], tuple[Slot, ...], Needs, bool]] = []
        self.needs = ANYWHERE
        self.gates: list[Gate] = []
        self.given: list[tuple[str, Needs]] = []
        self.rules: list[Rule] = []
        self.noise: list[str] = []
        self.twice: list[str] = []
        self.trailing: list[str] = []
        self.effects: list[str] = []
        self.notes: list[str] = []

    def read(self, line: str) -> None:
        keyword, _, rest = line.partition(" ")
        rest = rest.strip()
        if keyword == "requires":
            self.needs = read_needs(rest)
        elif keyword in ("noise", "twice", "trailing"):
            getattr(self, keyword).extend(_words(rest.split(), self.groups))
        elif keyword == "free":
            self.fixed -= set(rest.split())
        elif keyword == "effect":
            self._effect(rest)
        elif keyword == "note":
            self.notes.append(rest)
        elif keyword == "given":
            self._given(rest)
        elif keyword == "lenient":
            self._form(rest, lenient=True)
        elif line.startswith("."):
            self._dependency(line)
        elif re.split(r"[.{ ]", line, maxsplit=1)[0] in self.heads:
            self._form(line)
        else:
            raise NotationError(f"{self.names[0]}: neither a form nor a known kind of line: {line}")

    def _given(self, text: str) -> None:
        roles, *needs = _NEEDS.split(text, maxsplit=1)
        if not needs:
            raise NotationError(f"{self.names[0]}: given {text}: what does it need?")
        self.given += [(role.strip(), read_needs(needs[0])) for role in roles.split(",")]

    def _effect(self, text: str) -> None:
        verb = ""
        for word in text.split():
            if word in EFFECTS:
                verb = word
            elif not word.startswith("."):
                raise NotationError(f"{self.names[0]}: unknown effect {word}")
            if word in EFFECTS and word not in ("reads", "writes"):
                self.effects.append(word)
            elif word.startswith("."):
                self.effects.append(f"{verb} {word}")

    def _dependency(self, line: str) -> None:
        for keyword in (" needs ", " excludes "):
            if keyword in line:
                subject, target = line.split(keyword)
                together = keyword == " needs "
                self.rules.append(Rule(self._condition(subject), self._condition(target), together))
                return
        pattern, *needs = _NEEDS.split(line, maxsplit=1)
        if not needs:
            raise NotationError(f"{self.names[0]}: {line}: neither a dependency nor a requirement")
        self.gates.append(Gate(self._condition(pattern), read_needs(needs[0])))

    def _condition(self, text: str) -> Condition:
        return read_condition(text.strip(), self.groups)

    def _form(self, line: str, lenient: bool = False) -> None:
        body, *needs = _NEEDS.split(line, maxsplit=1)
        pattern, _, operands = body.partition(" ")
        for opcode in _both_or_neither(pattern):
            head, elements = read_opcode(opcode, self.groups, self.fixed)
            slots = read_operands(operands.strip(), self.groups)
            slots = tuple(_with_default_kinds(s, elements, f"{self.names[0]}: {line}") for s in slots)
            asked = read_needs(needs[0]) if needs else ANYWHERE
            self.pending.append((line, head, elements, slots, asked, lenient))

    def finish(self, meaning: str, anchor: str, own: Groups) -> list[Form]:
        section = Section(
            self.chapter,
            self.names,
            self._words(),
            meaning,
            anchor,
            self.needs,
            tuple(self.gates),
            tuple(self.given),
            tuple(self.rules),
            frozenset(self.noise),
            frozenset(self.twice),
            tuple(self.effects),
            tuple(self.notes),
            tuple(own.items()),
            frozenset(self.trailing),
        )
        return [Form(*pending[:-1], section, pending[-1]) for pending in self.pending]

    def _words(self) -> frozenset[str]:
        documented = (elements for _, _, elements, _, _, lenient in self.pending if not lenient)
        return frozenset(word for elements in documented for e in elements for word in e.words)


def _lines(text: str) -> Iterator[str]:
    """The lines of a section without comments, blanks and breaks."""
    for line in _BREAK.sub("   ", text).split("\n"):
        if line[:1] in (" ", "\t") and (bare := line.strip()) and not bare.startswith("//"):
            yield bare


def _words(names: list[str], groups: Groups) -> tuple[str, ...]:
    """Words with their dots, groups among them replaced by their words."""
    found: dict[str, None] = {}
    for name in names:
        dotted = name if name.startswith(".") else "." + name
        found.update(dict.fromkeys(groups.get(dotted, (dotted,))))
    return tuple(found)


def read_needs(text: str) -> Needs:
    """What `ptx 8.0 sm_90 or ptx 8.8 sm_100f removed 9.0 sm_120` asks for. Raises NotationError."""
    alternatives: list[Requirement] = []
    removed: list[Removal] = []
    deprecated = None
    for part in re.split(r"\s+or\s+", text.strip()):
        version, targets = None, []
        words = iter(part.split())
        word = next(words, None)
        while word is not None:
            following = next(words, None)
            if word == "ptx":
                version, following = _version(following), next(words, None)
            elif word == "deprecated":
                deprecated, following = _version(following), next(words, None)
            elif word == "removed":
                since, following = _version(following), next(words, None)
                gone_on = read_target(following) if following else None
                removed.append(Removal(since, gone_on))
                following = next(words, None) if gone_on else following
            elif target := read_target(word):
                targets.append(target)
            else:
                raise NotationError(f"not a requirement: {text}")
            word = following
        if version or targets:
            alternatives.append(Requirement(version, tuple(targets)))
    return Needs(tuple(alternatives), tuple(removed), deprecated)


def _version(text: str | None) -> Version:
    version = read_version(text or "")
    if version is None:
        raise NotationError(f"not a version: {text}")
    return version


def read_condition(text: str, groups: Groups) -> Condition:
    """The terms of `.a.{b,c}.group(.d)`; a group's name alone means any of its words."""
    terms, at = [], 0
    while at < len(text):
        found = _TERM.match(text, at)
        if found is None:
            raise NotationError(f"not a condition: {text}")
        group, inside, several, word = found.groups()
        if group:
            terms.append(Term("." + group, _words(re.split(r"[,\s]+", inside.strip()), groups)))
        else:
            terms.append(Term("", _words(re.split(r"[,\s]+", several) if several else [word], groups)))
        at = found.end()
    return tuple(terms)


def read_opcode(text: str, groups: Groups, fixed: frozenset[str]) -> tuple[str, tuple[Element, ...]]:
    """The opcode of a form, and the places for its modifiers. Raises NotationError."""
    cut = re.search(r"[.{]", text)
    head, at = (text[: cut.start()], cut.start()) if cut else (text, len(text))
    elements: list[Element] = []
    leading = True
    while at < len(text):
        found = _ELEMENT.match(text, at)
        if found is None:
            raise NotationError(f"not a modifier: {text[at:]} in {text}")
        optional_list, optional_word, word_list, word = found.groups()
        names = (optional_list or word_list or optional_word or word).split(",")
        words = _words([n.strip() for n in names], groups)
        name = "." + names[0] if len(names) == 1 and "." + names[0] in groups else ""
        leading = leading and all(w in fixed for w in words)
        ordered = () if leading else tuple(i for i, e in enumerate(elements) if _keeps_order(e.words, words))
        elements.append(Element(name, words, bool(optional_list or optional_word), leading, ordered))
        at = found.end()
    return head, tuple(elements)


def _both_or_neither(pattern: str) -> list[str]:
    """The spellings of an opcode pattern with each `{.a.b}` there and not there."""
    patterns = [""]
    for part in re.split(f"({_OPTIONAL_RUN.pattern})", pattern):
        ways = [part] if not _OPTIONAL_RUN.fullmatch(part) else ["", part[1:-1]]
        patterns = [p + way for p in patterns for way in ways]
    return patterns


@cache
def _keeps_order(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    if not set(first).isdisjoint(second):
        return True
    return any(words.issuperset(first) and words.issuperset(second) for words in KEPT_IN_ORDER)


def read_operands(text: str, groups: Groups) -> tuple[Slot, ...]:
    """The operand slots of a form. Raises NotationError."""
    slots = []
    for part, optional in _split(text):
        slots.append(_read_optional(part, groups) if optional else read_slot(part, groups))
    return tuple(slots)


def _read_optional(part: str, groups: Groups) -> Slot:
    body, keyword, condition = (part, "", "")
    for word in (" if ", " with "):
        if word in part:
            body, condition = part.split(word)
            keyword = word.strip()
    slot = read_slot(body, groups)
    flags = slot.flags | {"only_with"} if keyword == "with" else slot.flags
    when = read_condition(condition.strip(), groups) if condition else ()
    return _changed(slot, optional=True, when=when, flags=flags)


def _changed(slot: Slot, **changes: object) -> Slot:
    from dataclasses import replace

    return replace(slot, **changes)  # type: ignore[arg-type]


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of `a, [b]{, c}, {d, e}`, and whether each is optional."""
    depth, start, at = 0, 0, 0
    while at < len(text):
        char = text[at]
        if depth == 0 and text.startswith("{,", at):
            if text[start:at].strip():
                yield text[start:at].strip(), False
            end = _closing(text, at)
            yield text[at + 2 : end].strip(), True
            start = at = end + 1
            continue
        if depth == 0 and char == ",":
            if text[start:at].strip():
                yield text[start:at].strip(), False
            start = at + 1
        depth += (char in "[{(") - (char in "]})")
        at += 1
    if text[start:].strip():
        yield text[start:].strip(), False


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "[{(") - (text[at] in "]})")
        if depth == 0:
            return at
    raise NotationError(f"unclosed bracket: {text}")


@cache
def _cached_arity(text: str) -> tuple[str, ...]:
    return tuple(_ARITY.findall(text))


def read_slot(text: str, groups: Groups) -> Slot:
    """One operand of a form. Raises NotationError."""
    access = Access.BOTH if text.startswith("<>") else Access.WRITE if text.startswith(">") else None
    bare = text.lstrip("<>")
    if bare.startswith("["):
        end = _closing(bare, 0)
        flags = frozenset(bare[end + 1 :].split())
        parts = read_operands(bare[1:end], groups)
        return Slot(parts[0].role, access or Access.READ, Shape.ADDRESS, (), (), parts, flags=flags)
    if bare.startswith("{") and bare[1:2] not in "!-":
        end = _closing(bare, 0)
        parts = read_operands(bare[1:end], groups)
        flags = frozenset(bare[end + 1 :].split())
        return Slot(parts[0].role, access or Access.READ, Shape.VECTOR, (), (), parts, flags=flags)
    halves = _halves(bare)
    if halves:
        first, second, optional = halves
        parts = (read_slot(">" + first, groups), _changed(read_slot(">" + second, groups), optional=optional))
        return Slot(f"{parts[0].role}|{parts[1].role}", Access.WRITE, Shape.PAIR, (), (), parts)
    return _read_value(bare, access)


def _halves(text: str) -> tuple[str, str, bool] | None:
    bare = re.sub(r"\([^()]*\)|\{[^{}]*\}", lambda m: "x" * len(m[0]), text)
    if "[|" in bare:
        at, end = bare.index("[|"), bare.index("]")
        tail = text[end + 1 :]
        return text[:at] + tail, text[at + 2 : end] + ("" if ":" in text[at:end] else tail), True
    if "|" in bare:
        at = bare.index("|")
        return text[:at], text[at + 1 :], False
    return None


def _read_value(text: str, access: Access | None) -> Slot:
    found = _SLOT.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"not an operand: {text}")
    flags = set(found["flags"].split())
    if found["sign"]:
        flags.update({"{!}": ("not",), "{-}": ("neg",), "-": ("neg", "minus")}[found["sign"]])
    if not flags <= FLAGS:
        raise NotationError(f"unknown flag in operand: {text}")
    kinds = tuple(found["kinds"].split("/")) if found["kinds"] else ()
    kinds += (found["sink"][1:],) if found["sink"] else ()
    arity = _cached_arity(found["arity"]) if found["arity"] else ()
    limit = _read_limit(found["limit"]) if found["limit"] else None
    written = found["role"] == "d" and "read" not in flags
    how = access or (Access.WRITE if written else Access.READ)
    shape = Shape.VECTOR if arity else Shape.VALUE
    return Slot(found["role"], how, shape, kinds, arity, (), bool(found["relaxed"]), False, (), limit, frozenset(flags))


def _read_limit(text: str) -> Limit:
    modulo = 2**32 if "mod32" in text else 0
    text = text.replace("mod32", "").strip()
    if text in ("shift", "fraction"):
        return Limit(Bound(Bound[text.upper()]), modulo=modulo)
    if text.startswith("pow2"):
        low, high = map(int, text[4:].split(".."))
        return Limit(Bound.POWER_OF_TWO, low, high, modulo=modulo)
    if ".." in text:
        span, _, step = text.partition("%")
        low, high = map(int, span.split(".."))
        bound = Bound.MULTIPLE if step else Bound.RANGE
        return Limit(bound, low, high, int(step or 1), modulo=modulo)
    return Limit(Bound.ONE_OF, values=tuple(map(int, text.split("|"))), modulo=modulo)


def _with_default_kinds(slot: Slot, elements: tuple[Element, ...], where: str) -> Slot:
    """The slot with the form's own type where it names none, and the form's own space where its address names none."""
    if slot.shape is Shape.ADDRESS:
        first, *rest = slot.parts
        first = first if first.kinds else _changed(first, kinds=_default_space(elements))
        return _changed(slot, parts=(first, *(_with_default_kinds(p, elements, where) for p in rest)))
    if slot.parts:
        return _changed(slot, parts=tuple(_with_default_kinds(p, elements, where) for p in slot.parts))
    if any(k not in ("_", "_!") for k in slot.kinds):
        return slot
    return _changed(slot, kinds=(_default_type(elements, f"{slot.role} in {where}"), *slot.kinds))


def _default_type(elements: tuple[Element, ...], where: str) -> str:
    places = [i for i, e in enumerate(elements) if set(e.words) <= TYPE_WORDS]
    if len(places) != 1:
        raise NotationError(f"which type has {where}?")
    return f"@{places[0]}"


def _default_space(elements: tuple[Element, ...]) -> tuple[str, ...]:
    places = [i for i, e in enumerate(elements) if set(e.words) <= SPACE_WORDS]
    return (f"@{places[0]}",) if len(places) == 1 else ("generic",)
