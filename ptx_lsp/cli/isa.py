"""`ptx-lsp isa OPCODE`: an instruction's forms, operands, versions and targets, from the rows that check it."""

import sys

from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.isa.forms import Access, Bound, Condition, Form, Limit, Needs, Section, Shape, Slot
from ptx_lsp.isa.instructions import instruction, nearest_opcode
from ptx_lsp.isa.matching import matches
from ptx_lsp.isa.releases import cuda_release

HELP = """usage: ptx-lsp isa OPCODE

Prints what the PTX ISA allows for an instruction: `ptx-lsp isa add` all forms of it, `ptx-lsp isa cp.async.bulk` those
of one of its pages, `ptx-lsp isa add.s32` the form that this opcode takes. Exit code: 0, or 2 where there is none.
"""
_INDENT = "  "
_ACCESS = {Access.READ: "read", Access.WRITE: "written", Access.BOTH: "read and written"}
_KINDS = {
    "pred": "predicate register",
    "imm": "integer constant",
    "fimm": "float constant",
    "any": "any operand but a vector",
    "_": "or _ for none",
    "_!": "",
    "func": "function",
    "generic": "generic address",
    ".i16": "16-bit integer",
    ".i32": "32-bit integer",
    ".i64": "64-bit integer",
}


def run(arguments: list[str]) -> int:
    """Print what is known of the one opcode in `arguments`; 2 where it is unknown. Raises UsageError."""
    options = read_options(arguments, ("--help", "-h"))
    if options.flags:
        print(HELP, end="")
        return 0
    if len(options.rest) != 1:
        raise UsageError("which instruction?")
    opcode, *words = options.rest[0].rstrip(";").split(".")
    found = instruction(opcode)
    forms = [] if found is None else _chosen(found.forms, opcode, words)
    if not forms:
        print(f"ptx-lsp isa: {_unknown(options.rest[0], opcode, words)}", file=sys.stderr)
        return 2
    sections = dict.fromkeys(form.section for form in forms)
    print("\n".join(_page(section, [f for f in forms if f.section is section]) for section in sections), end="")
    return 0


def _chosen(forms: tuple[Form, ...], opcode: str, words: list[str]) -> list[Form]:
    """The forms of this name; else those that an opcode with these modifiers can mean."""
    name = ".".join([opcode, *words])
    named = [form for form in forms if any(n == name or n.startswith(name + ".") for n in form.section.names)]
    if named or not words:
        return named or list(forms)
    return [match.form for match in matches(forms, tuple("." + word for word in words))]


def _unknown(given: str, opcode: str, words: list[str]) -> str:
    if words and instruction(opcode) is not None:
        return f"no form of `{opcode}` is `{given}`; `ptx-lsp isa {opcode}` shows them all"
    near = nearest_opcode(opcode)
    return f"there is no instruction `{given}`" + (f"; did you mean `{near}`?" if near else "")


def _page(section: Section, forms: list[Form]) -> str:
    lines = [f"{', '.join(section.names)} - {section.meaning}", _INDENT + section.url]
    lines += _needs("needs", section.needs)
    lines += ["", *(_INDENT + form.source for form in forms)]
    lines += _titled("where", _groups(forms))
    lines += _titled("operands", _operands(forms))
    lines += _titled("also needs", _gates(section))
    lines += _titled("rules", [_rule(r.subject, r.object, r.together) for r in section.rules])
    lines += _titled("notes", list(section.notes))
    return "\n".join(lines) + "\n"


def _titled(title: str, lines: list[str]) -> list[str]:
    return ["", f"{_INDENT}{title}", *(f"{_INDENT * 2}{line}" for line in lines)] if lines else []


def _needs(title: str, needs: Needs) -> list[str]:
    shown = _needs_text(needs)
    return [f"{_INDENT}{title} {shown}"] if shown else []


def _needs_text(needs: Needs) -> str:
    alternatives = []
    for each in needs.alternatives:
        release = cuda_release(each.version) if each.version else ""
        version = f"PTX {each.version}" + (f" (CUDA {release})" if release else "") if each.version else ""
        alternatives.append(", ".join(filter(None, [version, " or ".join(map(str, each.targets))])))
    parts = ["; or ".join(alternatives)] if alternatives else []
    parts += [
        f"removed in PTX {gone.version}" + (f" from {gone.target} on" if gone.target else "") for gone in needs.removed
    ]
    parts += [f"deprecated since PTX {needs.deprecated}"] if needs.deprecated else []
    return "; ".join(parts)


def _gates(section: Section) -> list[str]:
    return [f"{_condition(gate.condition)}: {_needs_text(gate.needs)}" for gate in section.gates]


def _rule(subject: Condition, other: Condition, together: bool) -> str:
    return f"{_condition(subject)} {'needs' if together else 'excludes'} {_condition(other)}"


def _condition(condition: Condition) -> str:
    return " with ".join("/".join(t.words) + (f" as {t.group}" if t.group else "") for t in condition)


def _groups(forms: list[Form]) -> list[str]:
    named = {element.name: element.words for form in forms for element in form.elements if element.name}
    return [f"{name} = {' '.join(words)}" for name, words in named.items()]


def _operands(forms: list[Form]) -> list[str]:
    """A line for each role, its access and all that it takes in any of the forms."""
    found: dict[tuple[str, str], list[str]] = {}
    for form in forms:
        for slot in form.slots:
            for role, access, takes in _rows(slot, form):
                taken = found.setdefault((role, access), [])
                if takes and takes not in taken:
                    taken.append(takes)
    width = max((len(role) for role, _ in found), default=0)
    return [f"{role:<{width}}  {access}: {'; or '.join(takes)}" for (role, access), takes in found.items()]


def _rows(slot: Slot, form: Form) -> list[tuple[str, str, str]]:
    """Role, access and what it takes, of a slot or of each of its parts."""
    if slot.shape is Shape.ADDRESS and slot.parts:
        first, *rest = slot.parts
        spaces = _kinds(first, form) or "the space that is named"
        return [(first.role, "address", spaces), *(row for part in rest for row in _rows(part, form))]
    if slot.parts:
        return [row for part in slot.parts for row in _rows(part, form)]
    access = _ACCESS[slot.access] + (", may be left out" if slot.optional or slot.when else "")
    return [(slot.role, access, _takes(slot, form))]


def _kinds(slot: Slot, form: Form) -> str:
    """What a slot takes; `@2` stands for the word in the form's place 2."""
    shown = []
    for kind in slot.kinds:
        if kind.startswith("@"):
            element = form.elements[int(kind[1:])]
            kind = element.name or " or ".join(element.words)
        shown.append(_KINDS.get(kind, kind))
    return " or ".join(dict.fromkeys(filter(None, shown)))


def _takes(slot: Slot, form: Form) -> str:
    text = _kinds(slot, form) or "the instruction's type"
    if slot.arity:
        text = f"vector of {''.join(slot.arity)}, {text}"
    if slot.relaxed:
        text += ", or a wider register"
    if slot.when:
        text += f", with {_condition(slot.when)}"
    return text + (f", {_limit(slot.limit)}" if slot.limit else "")


def _limit(limit: Limit) -> str:
    if limit.bound is Bound.ONE_OF:
        return "one of " + ", ".join(map(str, limit.values))
    if limit.bound is Bound.SHIFT:
        return "below the width of the type"
    if limit.bound is Bound.FRACTION:
        return "above 0 and up to 1"
    shown = f"from {limit.low} to {limit.high}"
    if limit.bound is Bound.MULTIPLE:
        return f"{shown}, a multiple of {limit.step}"
    return f"{shown}, a power of two" if limit.bound is Bound.POWER_OF_TWO else shown
