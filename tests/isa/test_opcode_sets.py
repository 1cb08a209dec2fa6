"""Sets of opcodes: they agree with the rows, and code outside `isa/` names no opcode itself."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import ptx_lsp
from ptx_lsp.isa import matrix_operands, opcode_sets
from ptx_lsp.isa.c_operators import C_INSTRUCTIONS
from ptx_lsp.isa.forms import Form, OperandShape
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.matching import matches
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.versions import Version

PACKAGE = Path(ptx_lsp.__file__).parent
OPCODE = re.compile(r"([a-z][a-z0-9_]*)(?:\.[\w.:]*)?")

# What has the spelling of an opcode and may be in the code of a module, with the reason.
SPELLED = {
    "embedded/recognition.py": "`fence` is an opcode of other machines too",
    "candidates/call_candidates.py": "`ret` is the beginning of the names of results",
    "config/schema.py": "`trace` begins the name of a setting",
    "explanations/form_text.py": "`not` and `neg` are flags of operand slots",
    "layout/operand_gaps.py": "the blanks that NVIDIA's compiler writes after some opcodes",
    "explanations/modifiers.py": "`set` is what both comparisons begin with",
    "fixes/opcodes.py": "it writes `brx.idx` and `fma` into a text",
    "fixes/removal.py": "`sub` is a set of the letters of types",
    "fixes/temporaries.py": "it writes instructions into a text",
    "judgement/fit.py": "`match` is an attribute",
    "judgement/matched_forms.py": "`match` is an attribute",
    "judgement/values.py": "`neg` is a flag of operand slots, and a message names the load to write",
    "patterns.py": "`match` and `sub` are attributes",
    "reading/block.py": "`exit` is an attribute",
    "semantics/branches.py": "a finding proposes `brx.idx`",
    "server/initialize.py": "`exit` is a method of the protocol",
}


def spelled() -> Iterator[tuple[str, str]]:
    """Each string in a module outside `isa/` that is an opcode, perhaps with modifiers, and the module."""
    names = set(opcodes())
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        if module.startswith(("isa/", "hosts/")):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            texts = node.values[:1] if isinstance(node, ast.JoinedStr) else [node]
            for text in texts:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found = OPCODE.fullmatch(text.value)
                    if found is not None and found[1] in names:
                        yield module, text.value


def test_no_module_outside_of_isa_names_an_opcode_without_a_reason() -> None:
    assert [(module, text) for module, text in spelled() if module not in SPELLED] == []


def named(sets: object) -> Iterator[str]:
    """Every text in the sets of a module."""
    for name, value in vars(sets).items():
        if name.startswith("_"):
            continue
        if isinstance(value, str) and OPCODE.fullmatch(value):
            yield value
        elif isinstance(value, frozenset):
            yield from value


def test_each_opcode_of_a_set_exists() -> None:
    single = set(named(opcode_sets)) | set(matrix_operands.MOVING) | set(matrix_operands.THREADS)
    single |= {opcode for opcode, _ in matrix_operands.TYPED_ROLES} | set(opcode_sets.OTHER_NAMES.values())
    single |= {*opcode_sets.WITH_CTA_GROUP, *opcode_sets.SETTING_REGISTER_COUNT}
    assert {"bra", "ldmatrix", "wmma", "tcgen05"} <= single
    assert single <= set(opcodes())
    for text in (*opcode_sets.WITH_MATRICES, *opcode_sets.WITH_WIDE_RESULTS):
        assert any(form.source.startswith(text) for form in forms(text.partition(".")[0])), text
    for opcode, role in (opcode_sets.LOOKUP_TABLE, opcode_sets.BYTE_SELECTOR):
        assert any(role in (slot.role for slot in form.slots) for form in forms(opcode))


def test_the_words_of_traced_statements_are_their_begins_and_come_with_their_rows() -> None:
    code = (*opcode_sets.WITH_CTA_GROUP, *opcode_sets.SETTING_REGISTER_COUNT, *opcode_sets.WITH_WIDE_RESULTS)
    given = {opcode.partition(".")[0] for opcode in code}
    assert given | {"%perctamemory"} == set(opcode_sets.TRACED)
    for opcode in given:
        required = [
            one
            for form in forms(opcode)
            for needs in (form.needs, form.section.needs)
            for one in needs.alternatives
            if one.targets
        ]
        versions = [one.version for one in required if one.version is not None]
        numbers = [target.number for one in required for target in one.targets]
        assert (min(versions), min(numbers)) == opcode_sets.TRACED[opcode]
    for name in opcode_sets.OF_CTA_MEMORY:
        assert name.startswith("%perctamemory")
        register = special_register(name)
        assert register is not None
        assert register.conditions == "ptx 9.4 sm_80"
        assert opcode_sets.TRACED["%perctamemory"] == (Version(9, 4), 80)


def forms(opcode: str) -> tuple[Form, ...]:
    """The forms of an opcode that exists."""
    found = instruction(opcode)
    assert found is not None
    return found.forms


def effects(opcode: str) -> set[str]:
    """The effects that the rows of an opcode name."""
    return {effect for form in forms(opcode) for effect in form.section.effects}


def test_the_sets_about_code_agree_with_the_effects_of_the_rows() -> None:
    branching = {opcode for opcode in opcodes() if "branches" in effects(opcode)}
    calling = {opcode for opcode in opcodes() if "calls" in effects(opcode)}
    ending = {opcode for opcode in opcodes() if "ends" in effects(opcode)}
    assert branching == {opcode_sets.BRANCH, opcode_sets.INDEXED_BRANCH}
    assert branching | calling == opcode_sets.NAMING_CODE
    assert ending <= opcode_sets.WITHOUT_OPERANDS


def test_opcodes_without_operands_have_none_in_their_rows() -> None:
    assert all(not form.slots for opcode in opcode_sets.WITHOUT_OPERANDS for form in forms(opcode))


def test_parameters_are_accessed_by_the_opcodes_whose_spaces_include_param() -> None:
    def names_parameters(opcode: str) -> bool:
        addressed = (form for form in forms(opcode) if any(s.shape is OperandShape.ADDRESS for s in form.slots))
        return any(".param" in element.words for form in addressed for element in form.elements)

    with_parameters = {opcode for opcode in opcodes() if names_parameters(opcode)}
    assert with_parameters - {"prefetch"} == opcode_sets.PARAMETER_ACCESSES  # `prefetch` reads no value


def test_the_instruction_for_an_operator_of_c_exists_for_integers_and_floats() -> None:
    for operator, row in C_INSTRUCTIONS.items():
        for type_ in (".s32", ".u64", ".s16"):
            assert exists(row.of_type(type_)), (operator, type_)
        assert exists(row.integer)
    assert C_INSTRUCTIONS["*"].of_type(".s64") == "mul.lo.s64"
    assert C_INSTRUCTIONS["/"].of_type(".f32") == "div.rn.f32"
    assert C_INSTRUCTIONS["&"].of_type(".s16") == "and.b16"
    assert C_INSTRUCTIONS["&"].of_type(".pred") == "and.pred"


def exists(text: str) -> bool:
    """Whether a form of the rows has exactly these modifiers."""
    opcode, *words = text.split(".")
    modifiers = tuple("." + word for word in words)
    return any(not match.noise for match in matches(forms(opcode), modifiers))
