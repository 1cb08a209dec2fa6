"""The notation of the instruction set in `rows/*.isa`, and its reader.

A chapter is a text of sections, one per section of the manual. Indented lines belong to the section above them.

    mul.lo, mul.hi — integer multiplication: the low or high half of the product  #integer-arithmetic-instructions-mul
      mul.{hi,lo}.type        d, a, b
      .type = .u16 .u32 .u64 .s16 .s32 .s64

A line that starts with `//` is a comment; a line that ends in `\\` continues in the next line.

header      names, comma-separated ` — ` meaning `#anchor`. The words of a longer name (`.lo`) keep their position at
            the start of the opcode; all other modifiers may have any order, and so may those of a line `free .cc`.
form        the opcode with its modifiers, blanks, the operands, two blanks, the needs
  .word         mandatory               {.word}        optional
  .{a,b}        one of .a and .b        {.{a,b}}       one of them or nothing
  {.a.b}        both or neither
  .group        one of the words of `.group`, {.group} or nothing. A group is `.group = .word .other-group ...`,
                indented for its section, at the margin for the rest of its file.
  Types keep their order relative to each other. The words of each other set of `KEPT_IN_ORDER`, and places that
  have a word in common, keep it too.
operands    separated by commas: see `slots`
lenient     a line `lenient <form>` is a form that the assembler accepts although the manual does not have it: never an
            error, never proposed
needs       `ptx 8.0  sm_90`, also `sm_100a sm_120f` (any of them), alternatives separated by ` or `;
            `removed 6.4 sm_70`, `deprecated 3.0`; any line of a section may end with needs
other lines of a section
  requires <needs>                  of all its forms
  .a.b <needs>                      of every form in which these modifiers are present; a term `.group(.a)` means `.a`
                                    in that place, `.{a,b}` one of several
  given c, d <needs>                of every statement that has one of these operands
  given a in a register <needs>     of every statement with a sampler where this part of the address is a register
  given a as a generic address <needs>   of every statement without a state space, which would say where the address is
  given a as a handle <needs>       of every statement where a register has the address of this texture or surface
  given a as a function <needs>     of every statement where this operand is the name of a function; `as a kernel`
  .a.b needs .c    .a excludes .c   dependencies between modifiers, terms as above
  noise .x128 ...                   modifiers that the assembler accepts although they mean nothing; those of
                                    `matching.GLOBAL_NOISE` always are, `.opaque` is .pred .texref .samplerref .surfref
                                    a count of elements (`.v4`) is noise only if every vector operand has that count
  trailing .b1 ...                  modifiers that mean nothing after the types
  twice .sat ...                    modifiers that may be repeated
  addresses opaque                  the name of a texture or surface may be an address (observed: ptxas 13.5)
  addresses placed                  the same, but not where the address is `wide` (observed: ptxas 13.5)
  addresses plain                   no special register may be an address (observed: ptxas 13.5)
  native <needs>                    until these are met, ptxas replaces the instructions by calls of its own functions,
                                    with the operands that have the flag `passed` (observed: ptxas 13.5)
  effect branches | ends | synchronises | calls | reads .space | writes .space ...   (`.space`: the one named)
  note <text>                       an edge case, or a place where the manual and the assembler differ
"""

from ptx_lsp.isa.clauses import Groups, NotationError, read_condition, read_needs, read_words
from ptx_lsp.isa.forms import (
    ANYWHERE,
    WHERE,
    Condition,
    Element,
    Form,
    Gate,
    ManualSection,
    ModifierRule,
    Needs,
    Slot,
)
from ptx_lsp.isa.matching import ELEMENT_FORMATS, GLOBAL_NOISE, PAIRS_OF_BITS
from ptx_lsp.isa.slots import read_operands, with_default_kinds
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Iterator, NamedTuple, cache
from ptx_lsp.patterns import lazy_pattern, re

HEADER = lazy_pattern(r"^(?P<names>[a-z_][^\n—]*?) — (?P<meaning>[^\n#]*?)\s*(?:#(?P<anchor>[\w-]+)\s*)?$", re.M)
"""The line that begins a section."""

NAMES = lazy_pattern(r"\n([a-z_][^\n—]*) — ")
"""Finds the names of every section of a chapter. It begins with the line break, which is faster than `^`."""

KEPT_IN_ORDER = (
    TYPE_WORDS,
    SPACE_WORDS,
    frozenset((".row", ".col")),
    frozenset((".and", ".or", ".xor", ".popc")),
    frozenset(ELEMENT_FORMATS),
)
"""Sets of words; the words of one set keep their order relative to each other (observed: ptxas 13.5)."""

_EVERYWHERE: Groups = {".opaque": (".pred", ".texref", ".samplerref", ".surfref")}
"""The groups that every chapter has."""

KINDS_OF_ADDRESSES = frozenset(("opaque", "placed", "plain"))
EFFECTS = frozenset(("branches", "ends", "synchronises", "calls", "reads", "writes"))

_GROUP = lazy_pattern(r"(\.[A-Za-z][\w:]*)\s*=\s*(.*)")
_MARGIN_GROUP = lazy_pattern(r"^(\.[A-Za-z][\w:]*)\s*=[ ]*((?:[^\n\\]|\\\n)*)", re.M)
_END_OF_HEAD = lazy_pattern(r"[.{ ]")
_ELEMENT = lazy_pattern(r"\{\.\{([^{}]*)\}\}|\{\.([\w:]+)\}|\.\{([^{}]*)\}|\.([\w:]+)")
_NEEDS = lazy_pattern(r"\s+(?=(?:ptx|removed|deprecated) [0-9]|sm_[0-9])")
_BREAK = lazy_pattern(r"[ \t]*\\\n[ \t]*")
_OPTIONAL_RUN = lazy_pattern(r"(\{(?:\.[\w:]+){2,}\})")


def file_groups(text: str, end: int) -> Groups:
    """The groups at the margin of a chapter's text, up to the offset `end`."""
    groups = dict(_EVERYWHERE)
    groups.update((name, words) for at, name, words in _margin_groups(text) if at < end)
    return groups


@cache
def _margin_groups(text: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """All groups at the margin of a chapter, each with its offset."""
    groups = dict(_EVERYWHERE)
    found = []
    for line in _MARGIN_GROUP.finditer(text):
        words = groups[line[1]] = read_words(line[2].replace("\\\n", " ").split(), groups)
        found.append((line.start(), line[1], words))
    return found


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
    lines = []
    for line in _lines(text[header.end() :]):
        if group := _GROUP.fullmatch(line):
            own[group[1]] = groups[group[1]] = read_words(group[2].split(), groups)
        else:
            lines.append(line)
    reader = _SectionReader(chapter, names, groups)
    for line in sorted(lines, key=lambda line: not line.startswith("free ")):
        reader.read(line)
    return reader.finish(header["meaning"].strip(), header["anchor"] or "", own)


class _Place(NamedTuple):
    """A place for a modifier, the same in every form of a section.

    `leads`: true if it keeps its position at the start of an opcode. Two places keep their order if they have one of
    their `bonds` in common. Bonds are words, and numbers for the sets of `KEPT_IN_ORDER`.
    """

    name: str
    words: tuple[str, ...]
    optional: bool
    leads: bool
    bonds: frozenset[str | int]


class _ReadForm(NamedTuple):
    """A line with a form, before the section is complete: `line` is the text of the row."""

    line: str
    opcode: str
    elements: tuple[Element, ...]
    slots: tuple[Slot, ...]
    needs: Needs
    lenient: bool


class _SectionReader:
    """Collects the lines of one section."""

    def __init__(self, chapter: str, names: tuple[str, ...], groups: Groups) -> None:
        self.chapter, self.names, self.groups = chapter, names, groups
        self.heads = frozenset(n.split(".")[0] for n in names)
        self.fixed = frozenset("." + word for name in names for word in name.split(".")[1:])
        self.pending: list[_ReadForm] = []
        self.needs = self.native = ANYWHERE
        self.gates: list[Gate] = []
        self.given: list[tuple[str, Needs]] = []
        self.rules: list[ModifierRule] = []
        self.ignored: dict[str, list[str]] = {"noise": [], "twice": [], "trailing": []}
        self.addresses: list[str] = []
        self.effects: list[str] = []
        self.notes: list[str] = []
        self.places: dict[str, _Place] = {}

    def read(self, line: str) -> None:
        keyword, _, rest = line.partition(" ")
        rest = rest.strip()
        if keyword == "requires":
            self.needs = read_needs(rest)
        elif keyword == "native":
            self.native = read_needs(rest)
        elif keyword in self.ignored:
            self.ignored[keyword] += read_words(rest.split(), self.groups)
        elif keyword == "addresses" and rest in KINDS_OF_ADDRESSES:
            self.addresses.append(rest)
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
        elif _END_OF_HEAD.split(line, maxsplit=1)[0] in self.heads:
            self._form(line)
        else:
            raise NotationError(f"{self.names[0]}: neither a form nor a known kind of line: {line}")

    def _given(self, text: str) -> None:
        roles, *needs = _NEEDS.split(text, maxsplit=1)
        if not needs:
            raise NotationError(f"{self.names[0]}: given {text}: the needs are missing")
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
                self.rules.append(ModifierRule(self._condition(subject), self._condition(target), together))
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
        where = f"{self.names[0]}: {line}"
        for opcode in _both_or_neither(pattern):
            head, elements = self._opcode(opcode)
            slots = with_default_kinds(read_operands(operands.strip(), self.groups), elements, where)
            asked = read_needs(needs[0]) if needs else ANYWHERE
            self.pending.append(_ReadForm(line, head, elements, slots, asked, lenient))

    def _opcode(self, text: str) -> tuple[str, tuple[Element, ...]]:
        """The opcode of a form, and the places for its modifiers."""
        head = _END_OF_HEAD.split(text, maxsplit=1)[0]
        at = len(head)
        elements: list[Element] = []
        bonds: list[frozenset[str | int]] = []
        fixed = True
        while at < len(text):
            found = _ELEMENT.match(text, at)
            if found is None:
                raise NotationError(f"not a modifier: {text[at:]} in {text}")
            place = self.places.get(found[0]) or self._place(found)
            fixed = fixed and place.leads
            ordered = () if fixed else tuple(i for i, bond in enumerate(bonds) if not bond.isdisjoint(place.bonds))
            elements.append(Element(place.name, place.words, place.optional, fixed, ordered))
            bonds.append(place.bonds)
            at = found.end()
        return head, tuple(elements)

    def _place(self, found: re.Match[str]) -> _Place:
        optional_list, optional_word, word_list, word = found.groups()
        names = (optional_list or word_list or optional_word or word).split(",")
        words = read_words([name.strip() for name in names], self.groups)
        name = "." + names[0] if len(names) == 1 and "." + names[0] in self.groups else ""
        bonds: set[str | int] = set(words)
        bonds.update(number for number, kept in enumerate(KEPT_IN_ORDER) if kept.issuperset(words))
        optional, leads = bool(optional_list or optional_word), self.fixed.issuperset(words)
        place = self.places[found[0]] = _Place(name, words, optional, leads, frozenset(bonds))
        return place

    def _reject_unknown_words(self) -> None:
        """Refuse conditions on words that no form has, and needs of operands that no form has: they are misspelt."""
        words = {word for form in self.pending for element in form.elements for word in element.words}
        words.update(self.ignored["noise"], self.ignored["trailing"], GLOBAL_NOISE, (PAIRS_OF_BITS,))
        roles = {role for form in self.pending for slot in form.slots for role in slot.roles}
        conditions = [gate.condition for gate in self.gates]
        conditions += [condition for rule in self.rules for condition in (rule.subject, rule.object)]
        conditions += [slot.when for form in self.pending for slot in form.slots]
        for term in (term for condition in conditions for term in condition):
            if words.isdisjoint(term.words):
                raise NotationError(f"{self.names[0]}: no form has {' '.join(term.words)}")
        for role, _ in self.given:
            if role.partition(" ")[0] not in roles or role.partition(" ")[2] not in ("", *WHERE):
                raise NotationError(f"{self.names[0]}: no operand is called {role}")

    def finish(self, meaning: str, anchor: str, own: Groups) -> list[Form]:
        """The forms of the section, once all of its lines are read."""
        self._reject_unknown_words()
        section = ManualSection(
            self.chapter,
            self.names,
            self._words(),
            meaning,
            anchor,
            self.needs,
            tuple(self.gates),
            tuple(self.given),
            tuple(self.rules),
            frozenset(self.ignored["noise"]),
            frozenset(self.ignored["twice"]),
            tuple(self.effects),
            tuple(self.notes),
            tuple(own.items()),
            frozenset(self.ignored["trailing"]),
            frozenset(self.addresses),
            self.native,
        )
        return [_finished(form, section) for form in self.pending]

    def _words(self) -> frozenset[str]:
        documented = (form.elements for form in self.pending if not form.lenient)
        return frozenset(word for elements in documented for element in elements for word in element.words)


def _finished(form: _ReadForm, section: ManualSection) -> Form:
    vocabulary = frozenset([word for element in form.elements for word in element.words])
    must = tuple([element.words for element in form.elements if not element.optional])
    line, opcode, elements, slots, needs, lenient = form
    return Form(line, opcode, elements, slots, needs, section, lenient, vocabulary, must)


def _lines(text: str) -> Iterator[str]:
    """The lines of a section without comments, blanks and breaks."""
    whole = _BREAK.sub("   ", text) if "\\\n" in text else text
    for line in whole.split("\n"):
        if line[:1] in (" ", "\t") and (bare := line.strip()) and not bare.startswith("//"):
            yield bare


def _both_or_neither(pattern: str) -> list[str]:
    """The spellings of an opcode pattern with and without each `{.a.b}`."""
    patterns = [""]
    for number, part in enumerate(_OPTIONAL_RUN.split(pattern)):
        ways = ("", part[1:-1]) if number % 2 else (part,)
        patterns = [p + way for p in patterns for way in ways]
    return patterns
