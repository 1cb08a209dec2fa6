"""The check of a parsed instruction: its guard, its operands, its verdict, and its other checks."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.opcode_sets import BRANCH, CALL, INDEXED_BRANCH
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.judgement.compilation import refused_by_compiling
from ptx_lsp.judgement.gates import REQUIRES_VERSION, UNAVAILABLE
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Complaint, Part, Verdict
from ptx_lsp.light_classes import Callable, NamedTuple
from ptx_lsp.semantics.address_size import compiled_kinds, has_wide_addresses, narrowed, shows_its_size
from ptx_lsp.semantics.branches import branch_index, is_branch_index
from ptx_lsp.semantics.calls import call
from ptx_lsp.semantics.missing_brackets import OF_OPERANDS, missing_brackets
from ptx_lsp.semantics.mistaken_modifiers import mistaken_modifier, mistaken_type
from ptx_lsp.semantics.need_sets import StatementNeeds, need_sets_of
from ptx_lsp.semantics.operand_checks import check_elements, check_operand
from ptx_lsp.semantics.operands import Path, Reading, is_ambiguous, read_operands
from ptx_lsp.semantics.requirements import above_maximum, is_of_target, require_needs
from ptx_lsp.semantics.statement_checks import StatementCheck, is_predicate, statement_checks_of
from ptx_lsp.semantics.surroundings import Profile, Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.semantics.unfinished import report_next_statement
from ptx_lsp.syntax.tree import Address, Guard, Instruction, TermKind, Value
from ptx_lsp.text.ranges import Position

UNKNOWN_OPCODE = "unknown-opcode"
_UNCERTAIN = frozenset((UNKNOWN_OPCODE, "operand-count"))
"""What is wrong with an instruction whose operands may not be those that its author meant."""
Group = tuple[Complaint, ...]
# instructions whose operands name labels, lists or functions have their own checks
_APART: dict[str, Callable[[Instruction, Surroundings], None]] = {CALL: call, INDEXED_BRANCH: branch_index}


class Examined(NamedTuple):
    """The results of the check of one instruction: its operands, its verdict, and the statement checks that were made.

    `profile` is the profile of the statements after it.
    """

    reading: Reading
    verdict: Verdict
    statement_checks: tuple[StatementCheck, ...]
    profile: Profile


def check_instruction(instruction: Instruction, surroundings: Surroundings) -> Examined | None:
    """Report all that is wrong with an instruction. None for instructions without a verdict (`call`)."""
    guard = instruction.guard
    if guard is not None:
        _check_guard(guard, surroundings)
    apart = _APART.get(instruction.opcode.text)
    if instruction.opcode.text == BRANCH and is_branch_index(instruction):
        apart = branch_index
    if apart is not None:
        apart(instruction, surroundings)
        return None
    noted, reported, branches = len(surroundings.undeclared), len(surroundings.reports), len(surroundings.label_uses)
    reading = read_instruction(instruction, surroundings)
    reading.broken |= guard is not None and is_ambiguous(guard.name.text, surroundings.scope)
    joined = any(report.code == "array-index" for report in surroundings.reports[reported:])  # perhaps two operands
    profile = surroundings.profile
    text, kinds = instruction.text, tuple(reading.kinds)
    verdict = judge(text, kinds, profile.version, profile.target, profile.known)
    codes = {complaint.code for complaint in verdict.complaints}
    if not _UNCERTAIN.isdisjoint(codes):
        del surroundings.undeclared[noted:]  # it is unknown which operands the author meant: a label, perhaps
        _drop_others(branches, surroundings)
    elif any(c.part is not Part.OPERAND and c.severity is Severity.ERROR for c in verdict.complaints):
        _drop_others(branches, surroundings)
        # perhaps the author meant `bra L;` with `bar L;`; an undeclared register is reported anyway
        surroundings.undeclared[noted:] = [u for u in surroundings.undeclared[noted:] if u.name.startswith("%")]
    if len(surroundings.undeclared) > noted:
        report_next_statement(instruction, noted, surroundings)
        _note_labels(instruction, noted, surroundings)
    if "missing-modifier" in codes:  # it may be in the place of an operand: `mov%r1 .u32, 0;`
        found = surroundings.reports[reported:]
        surroundings.reports[reported:] = [report for report in found if report.code != "vector-element"]
    for group in _by_cause(_without_consequences(verdict.complaints), text, reading, profile):
        if group[0].code == UNKNOWN_OPCODE and _report_as_call(instruction, surroundings):
            continue
        if not (joined and group[0].code == "operand-count") and not _is_of_target(group[0], profile):
            _report(group, instruction, reading, surroundings)
    if all(complaint.severity is not Severity.ERROR for complaint in verdict.complaints):
        profile = _check_addresses(instruction, reading, surroundings)
    _note_needs(instruction, reading, surroundings)
    if all(complaint.severity is not Severity.ERROR for complaint in verdict.complaints):
        _check_maximum(instruction, reading, surroundings)
    statement_checks = () if verdict.complaints else statement_checks_of(text, kinds)
    for statement_check in statement_checks:
        statement_check.report(instruction, reading, surroundings)
    if not verdict.complaints:
        check_elements(instruction, reading, verdict, surroundings)
    for operand_check in verdict.operand_checks:
        check_operand(operand_check, instruction, reading, surroundings)
    return Examined(reading, verdict, statement_checks, profile)


def _without_consequences(complaints: Group) -> Group:
    """The complaints without those about operands, if the version or the target does not have the instruction."""
    operands = (Part.OPERAND, Part.OPERANDS)
    missing = (c for c in complaints if c.code in UNAVAILABLE and c.part not in operands)
    if all(c.severity is not Severity.ERROR for c in missing):
        return complaints
    return tuple(c for c in complaints if c.code in UNAVAILABLE or c.part not in operands)


def _report_as_call(instruction: Instruction, surroundings: Surroundings) -> bool:
    """Report a call as in C, `f(1);`; False if the first word is not the name of a function."""
    opcode = instruction.opcode
    symbol = surroundings.scope.lookup(opcode.text)
    if symbol is None or symbol.kind is not SymbolKind.FUNCTION:
        return False
    from ptx_lsp.semantics.habits_of_c import as_call  # few texts have such statements

    found = as_call(opcode, surroundings)
    if found is not None:
        surroundings.report(UNKNOWN_OPCODE, opcode.start, opcode.end, found.message, data=found.data)
    return found is not None


def _is_of_target(complaint: Complaint, profile: Profile) -> bool:
    version = read_version(dict(complaint.data)["version"]) if complaint.code == REQUIRES_VERSION else None
    return version is not None and is_of_target(version, profile)


def _check_addresses(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> Profile:
    """Report addresses that ptxas refuses only when it compiles; return the profile of the statements after it."""
    profile = surroundings.profile
    if not has_wide_addresses(profile):
        return profile
    complaints = refused_by_compiling(instruction.text, compiled_kinds(reading), profile.version)
    if complaints and shows_its_size(profile.version):
        start, end, _ = _place(complaints[0], instruction, reading)
        return narrowed(start, end, surroundings)
    for complaint in complaints:
        _report((complaint,), instruction, reading, surroundings)
    return profile


def read_instruction(instruction: Instruction, surroundings: Surroundings) -> Reading:
    """The operands of an instruction. The target of a branch is a label, in any place."""
    if instruction.opcode.text != BRANCH:
        return read_operands(instruction.operands, surroundings)
    reading = Reading()
    for index, operand in enumerate(instruction.operands):
        if isinstance(operand, Value) and operand.expression.root.kind is TermKind.NAME:
            term = operand.expression.root
            reading.nodes[(index,)] = operand
            symbol = surroundings.scope.lookup(term.text) if len(instruction.operands) > 1 else None
            if symbol is not None and is_predicate(symbol):
                reading.kinds.append(".pred")  # its author meant a guard
                continue
            surroundings.note_label_use(term.text, term.start, term.end)
            reading.kinds.append("label")
        else:
            is_address = isinstance(operand, Address)  # which is reported: a label may be meant
            around = surroundings._replace(undeclared=[]) if is_address else surroundings
            rest = read_operands((operand,), around)
            reading.kinds += rest.kinds
            reading.nodes[(index,)] = operand
    return reading


def _drop_others(branches: int, surroundings: Surroundings) -> None:
    """Drop the uses of labels from an index on that name something else: the author of `bra.u32 %r1, v;` meant none."""
    names = {use.name for use in surroundings.label_uses[branches:]}
    found = {name: surroundings.scope.lookup(name) for name in names}
    meant = {name for name, symbol in found.items() if symbol is not None and symbol.kind is not SymbolKind.LABEL}
    if meant:
        surroundings.label_uses[branches:] = [u for u in surroundings.label_uses[branches:] if u.name not in meant]


def _note_labels(instruction: Instruction, noted: int, surroundings: Surroundings) -> None:
    """Note what is wrong with each undeclared name of an instruction if it is a label, which may be defined below.

    `noted` is the index of the first of them in `surroundings.undeclared`.
    """
    uses = surroundings.undeclared[noted:]
    if all(use.name.startswith("%") for use in uses):
        return  # registers: a function without its `.reg` has many undeclared ones
    supposed = Scope(surroundings.scope)
    supposed.members = {use.name: [Symbol(use.name, SymbolKind.LABEL, use.mark)] for use in uses}
    around = surroundings._replace(scope=supposed, reports=[], undeclared=[], label_uses=[], needs=None)
    reading = read_instruction(instruction, around)
    profile = surroundings.profile
    messages: dict[Position, str] = {}
    complaints = judge(instruction.text, tuple(reading.kinds), profile.version, profile.target).complaints
    for complaint in complaints:
        start, end, path = _place(complaint, instruction, reading)
        if path is not None:
            begin = surroundings.mark(start, end).range.start
            messages.setdefault(begin, _message(complaint, instruction, reading, around))
    for use in uses:
        use.as_label = use.as_label or (messages.get(use.mark.range.start, "") if complaints else None)


def _note_needs(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    if surroundings.needs is not None and (need_sets := need_sets_of(instruction.text, tuple(reading.kinds))):
        end = instruction.modifiers[-1].end if instruction.modifiers else instruction.opcode.end
        mark = surroundings.mark(instruction.opcode.start, end)
        noted = StatementNeeds(f"`{instruction.text}`", need_sets, mark, instruction.text, tuple(reading.kinds))
        surroundings.needs.append(noted)


def _check_maximum(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report what an instruction needs beyond the highest PTX version that is set as the maximum."""
    profile = surroundings.profile
    maximum = profile.maximum
    if maximum is None or maximum >= profile.version:
        return
    for complaint in judge(instruction.text, tuple(reading.kinds), maximum, profile.target).complaints:
        version = read_version(dict(complaint.data).get("version", ""))
        if complaint.code == REQUIRES_VERSION and version is not None:
            start, end, _ = _place(complaint, instruction, reading)
            above_maximum(f"`{surroundings.source(start, end)}`", version, start, end, surroundings)


def _check_guard(guard: Guard, surroundings: Surroundings) -> None:
    name = guard.name
    symbol = surroundings.scope.lookup(name.text)
    if symbol is None:
        special = special_register(name.text)
        if special is None:
            as_label = f"`{name.text}` is a label: a guard takes a `.pred` register"
            surroundings.note_undeclared(name.text, name.start, name.end, as_label)
        elif special.type == ".pred":
            require_needs(f"`{special.name}`", special.needs, name.start, name.end, surroundings)
        else:
            surroundings.report(
                "guard-type",
                name.start,
                name.end,
                f"`{name.text}` is `{special.type}`: a guard takes a `.pred` register",
            )
        return
    if not (symbol.type and symbol.space) and symbol.kind in (SymbolKind.REGISTER, SymbolKind.VARIABLE):
        return  # its type is wrong, which has been reported
    if not is_predicate(symbol) and not is_ambiguous(name.text, surroundings.scope):
        surroundings.report(
            "guard-type",
            name.start,
            name.end,
            f"`{name.text}` is {declared(symbol)}: a guard takes a `.pred` register",
            related=((symbol.mark, f"`{symbol.name}` is declared here"),),
        )


def declared(symbol: Symbol) -> str:
    """How a symbol was declared, for a message: "`.f32`", "a `.global` variable", "a function"."""
    if symbol.kind is SymbolKind.REGISTER:
        return f"`.v{symbol.vector} {symbol.type}`" if symbol.vector > 1 else f"`{symbol.type}`"
    if symbol.kind is SymbolKind.VARIABLE:
        return f"a `{symbol.space}` variable"
    if symbol.kind is SymbolKind.PARAMETER:
        return "a `.param` variable"
    return f"a {symbol.kind.value}"


def _by_cause(complaints: Group, opcode: str, reading: Reading, profile: Profile) -> list[Group]:
    """The complaints of one verdict in groups, one group for each cause, in order.

    If some operands are parts of one address or vector, the complaint that its brackets are missing replaces all.
    If one operand is right with another modifier of the instruction, the complaint about the modifier comes first.
    If two operands would both fit in each other's place, they are swapped: one complaint about both replaces theirs.
    If all have one type that is not that of the instruction, the complaint about the instruction's type comes first.
    If all operands that do not fit have the same kind, or if most operands do not fit, the instruction type is probably
    wrong: their complaints are one group.
    """
    codes = {complaint.code for complaint in complaints}
    missing = None if OF_OPERANDS.isdisjoint(codes) else missing_brackets(codes, opcode, reading, profile)
    if missing is not None:
        return [(missing,)]
    about = tuple(c for c in complaints if c.part is Part.OPERAND and c.path)
    others: list[Group] = [(c,) for c in complaints if c not in about]
    if len(about) < 2:
        mistaken = mistaken_modifier(about[0], opcode, reading, profile) if about else None
        return [(c,) for c in complaints] if mistaken is None else [*others, (mistaken, *about)]
    swapped = _swapped(about, opcode, reading, profile)
    if swapped is not None:
        return [*others, (swapped,)]
    typed = mistaken_type(about, opcode, reading, profile)
    if typed is not None:
        return [*others, (typed, *about)]
    kinds = {reading.kinds[c.path[0]] for c in about if c.path[0] < len(reading.kinds)}
    most = 2 * len({c.path[0] for c in about}) > len(reading.kinds)
    if len(kinds) == 1 or most:
        return [*others, about]
    return [*others, *((c,) for c in about)]


def _swapped(about: Group, opcode: str, reading: Reading, profile: Profile) -> Complaint | None:
    """The complaint that two operands are swapped, if each would fit in the other's place; otherwise None."""
    places = sorted({c.path[0] for c in about})
    if len(places) != 2 or places[1] >= len(reading.kinds):
        return None
    one, other = places
    kinds = list(reading.kinds)
    kinds[one], kinds[other] = kinds[other], kinds[one]
    verdict = judge(opcode, tuple(kinds), profile.version, profile.target, profile.known)
    if any(c.part is Part.OPERAND or c.part is Part.OPERANDS for c in verdict.complaints):
        return None
    joint = ", " if other == one + 1 else "` before `"
    message = f"the operands of `{opcode}` are swapped: write `{{second}}{joint}{{first}}`"
    data = (("swap", f"{one} {other}"),)
    return Complaint(about[0].code, message, Part.OPERANDS, (one, other), data=data)


def _report(group: Group, instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report the first of the complaints with one cause; the others become related information."""
    first, *others = group
    start, end, path = _place(first, instruction, reading)
    symbol = reading.symbols.get(path) if path is not None else None
    related = [(symbol.mark, f"`{symbol.name}` is declared here")] if symbol else []
    for other in others:
        also_start, also_end, _ = _place(other, instruction, reading)
        text = _message(other, instruction, reading, surroundings)
        related.append((surroundings.mark(also_start, also_end), text))
    surroundings.report(
        first.code,
        start,
        end,
        _message(first, instruction, reading, surroundings),
        related=tuple(related),
        severity=first.severity,
        data=_data(first, instruction, reading, surroundings),
    )


def _data(
    complaint: Complaint, instruction: Instruction, reading: Reading, surroundings: Surroundings
) -> dict[str, str]:
    if not any("{" in value for _, value in complaint.data):
        return dict(complaint.data)
    names = _names(complaint, instruction, reading, surroundings)
    return {key: value.format(**names) for key, value in complaint.data}


def _message(complaint: Complaint, instruction: Instruction, reading: Reading, surroundings: Surroundings) -> str:
    return complaint.message.format(**_names(complaint, instruction, reading, surroundings))


def _names(
    complaint: Complaint, instruction: Instruction, reading: Reading, surroundings: Surroundings
) -> dict[str, str]:
    """The texts that replace the names in braces in a complaint's message and data."""
    start, end, path = _place(complaint, instruction, reading)
    symbol = reading.symbols.get(path) if path is not None else None
    operand = surroundings.source(start, end)
    names = {"operand": operand, "declared": declared(symbol) if symbol else ""}
    if symbol is None and "{declared}" in complaint.message:
        names["declared"] = _special(operand)
    if complaint.part is Part.OPERANDS and len(complaint.path) == 2:
        first, second = (reading.nodes[(index,)] for index in complaint.path)
        names |= {
            "first": surroundings.source(first.start, first.end),
            "second": surroundings.source(second.start, second.end),
        }
    return names


def _special(operand: str) -> str:
    found = special_register(operand.partition(".")[0])
    if found is None:
        return "a sum" if "+" in operand else "not a register"
    return f"a special register of type `{found.type}`"


def _repeated(instruction: Instruction) -> Path:
    """The index, twice, of the last name that is also the operand before it: the one too many. Empty without one."""
    names = [operand.expression.terms if isinstance(operand, Value) else () for operand in instruction.operands]
    texts = [terms[0].text if len(terms) == 1 else "" for terms in names]
    twice = [index for index, text in enumerate(texts) if index and text and text == texts[index - 1]]
    return (twice[-1], twice[-1]) if twice else ()


def _place(complaint: Complaint, instruction: Instruction, reading: Reading) -> tuple[int, int, Path | None]:
    opcode, modifiers = instruction.opcode, instruction.modifiers
    if complaint.part is Part.OPCODE:
        return opcode.start, opcode.end, None
    if complaint.part is Part.MODIFIERS:
        return opcode.start, modifiers[-1].end if modifiers else opcode.end, None
    if complaint.part is Part.MODIFIER:
        word = modifiers[complaint.path[0]]
        return word.start, word.end, None
    if complaint.part is Part.OPERAND and complaint.path:
        path = complaint.path
        while path not in reading.nodes and path:
            path = path[:-1]
        if path:
            node = reading.nodes[path]
            return node.start, node.end, path
    if complaint.part is Part.OPERANDS and len(complaint.path) == 2:
        path = _repeated(instruction) if 0 < complaint.path[0] == complaint.path[1] else ()
        first, second = (reading.nodes[(index,)] for index in path or complaint.path)
        return first.start, second.end, None
    if instruction.operands:
        return instruction.operands[0].start, instruction.operands[-1].end, None
    return opcode.start, modifiers[-1].end if modifiers else opcode.end, None
