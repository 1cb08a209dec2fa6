"""Special registers: the contents of the rows, and the first version and target of each in ptxas."""

from ptx_lsp.isa.special_registers import SpecialRegister, special_register, special_registers
from ptx_lsp.isa.versions import Target, Version
from tests.isa.availability import PLACES, has
from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.oracle.forms import below
from tests.oracle.rendering import DECLARATIONS, arch_of


def reading(register: SpecialRegister) -> str:
    """A statement that reads the register."""
    element = ".x" if register.vector else ""
    type_ = register.type
    return f"mov{type_} %{type_[1:]}_1, {register.name}{element};"


def test_families_have_their_members() -> None:
    names = special_registers()
    assert {"%pm0", "%pm7", "%pm7_64", "%envreg31", "%reserved_smem_offset_1"} <= names.keys()
    assert not {"%pm8", "%envreg32", "%pm0-3"} & names.keys()


def test_vectors_have_elements() -> None:
    tid = special_register("%tid")
    assert tid is not None
    assert (tid.type, tid.vector) == (".u32", True)
    assert tid.url.endswith("#special-registers-tid")
    assert special_register("tid") is None


@needs_assembler
def test_the_first_version_and_target_of_each_register_are_those_of_ptxas() -> None:
    asked: dict[tuple[Version, Target], list[tuple[SpecialRegister, bool]]] = {}
    for register in special_registers().values():
        least = next((v, t) for v, t in PLACES if has(register.needs, v, t))
        for place in (least, *below(*least)):
            asked.setdefault(place, []).append((register, has(register.needs, *place)))
    disagreeing = []
    for (version, target), registers in asked.items():
        texts = [reading(register) for register, _ in registers]
        # without it ptxas refuses to read the two registers with the place of that memory
        memory = " .minperctamemory 16" if version >= (9, 4) and target.number >= 80 else ""
        answers = Assembler().snippets(
            texts, str(version), str(target), DECLARATIONS, "", arch_of(target), ".entry k__()" + memory
        )
        disagreeing += [
            (register.name, str(version), str(target), expected)
            for (register, expected), messages in zip(registers, answers, strict=True)
            if refused(messages) == expected
        ]
    assert disagreeing == []
