"""Whether the assembly of a statement is PTX: other processors have inline assembly too.

The text decides, by opcodes with modifiers that they have in PTX. Where the language says more, it decides the rest:
a file of CUDA C++ holds PTX unless the constraints are those of another processor. A template that is being typed may
become PTX before its text shows it.
"""

import re

from ptx_lsp.embedded.operand_types import LETTERS, RUST_CLASSES, letters_of
from ptx_lsp.hosts.statement import HOLE, AsmStatement, Host, Role
from ptx_lsp.isa.instructions import instruction, nearest_opcode
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.patterns import lazy_pattern

_COMMENT = lazy_pattern(r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_HEAD = lazy_pattern(
    r"(?:^|[;{}]|\n(?=[ \t\r]*[^ \t\r\n]))[ \t\r\n]*+(?:@!?[%$\w]+[ \t]+)?(?:(?:[\w$%]|\$\{:\w+\})+:(?!:)[ \t\r\n]*)*"
    r"([A-Za-z_]\w*)((?:[ \t]+(?=\.[a-z]))?(?:\.|::)[\w.:]*)?(?=([ \t]*;)?)"
)
_MODIFIER = lazy_pattern(r"\.[A-Za-z_]\w*(?:::\w+)*")
_TYPE = r"(?:[bsuf](?:16|32|64)(?:x2)?|bf16(?:x2)?|tf32)(?!\w)"
_TYPED = lazy_pattern(rf"(?<![\w.$%}}])([a-z]\w*)?(?:\.|::)(?:[\w:]+\.)*{_TYPE}")
_TYPE_OF_OPERAND = lazy_pattern(rf"[$%]\d+\.{_TYPE}")
"""A type that is not in its place, after an operand: other processors have `$0.4s`."""
_CHAIN = lazy_pattern(r"(\bv\w*)?(?:\.[a-z]\w+)+\.(?:[bsuf](?:8|16|32|64)(?:x2)?|bf16(?:x2)?|tf32)(?!\w)")
_DIRECTIVE = lazy_pattern(r"\.reg\s*\.(?:pred|[bsuf]\d+)\b")
_DOUBLE_COLON = lazy_pattern(r"\.[a-z]\w*::[a-z0-9]")  # as in `.shared::cta`: no other processor has it
_SPECIAL = lazy_pattern(r"%[a-z_][\w.]*")
_LONE_OPCODES = WITHOUT_OPERANDS - {"ret"}  # other processors have `ret` too
_WITH_MODIFIERS_ELSEWHERE = frozenset(("fence",))  # RISC-V has `fence.tso`
_WITH_TYPE_ELSEWHERE = frozenset(("vadd", "vmax", "vmin", "vset", "vshl", "vshr", "vsub"))  # ARM has `vadd.f32`
_OF_AMD = lazy_pattern(r"(?:s|v|ds|buffer|flat|global|image|scratch)_\w+")
_HOST_OPCODES = """
    mfence lfence sfence rdtsc rdtscp cpuid pause rep xgetbv clflush clflushopt clwb int3 ud2 hlt lock cmpxchg xchg
    movl movq movnti movdqa movdqu movaps movups vmovaps vmovdqa vmovdqu vzeroupper pushf pushfq popf popfq
    prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw
    isb dsb dmb mrs msr yield wfe sev wfi stlr ldar brk svc lwsync isync eieio mfspr mtspr mftb
"""  # of x86, ARM and POWER: the host code of a file of CUDA C++ has them; none is one of PTX
_OF_HOSTS = frozenset(_HOST_OPCODES.split())
_NUMBER_OF_ARM = lazy_pattern(r"#-?\d")
_PTX_ONLY = frozenset((Host.CUDA, Host.OPENCL))
_CALLS_FOR_GPUS = frozenset(("inline_asm_elementwise", "elementwise_inline_asm", "create_inline_asm"))
_OTHER_LETTERS = frozenset("nicN")
_LONE_WORD = lazy_pattern(r"\s*(?:\{?\s*([A-Za-z_]\w*)\s*\}?|llvm\.[\w.]+)\s*")
_LONG_OPCODE = 8  # letters; a word that is similar to such an opcode, and has one of its modifiers, is a misspelt one
_MOST_SEARCHED = 4_000  # code points


def is_ptx(statement: AsmStatement) -> bool:
    """Whether the template of a statement is PTX. An empty template is not, nor the name of a symbol."""
    text = _COMMENT.sub(" ", statement.template.text[:_MOST_SEARCHED])
    if not text.strip() or statement.may_name_symbol or _is_lone_word(text):
        return False
    if statement.spelling in ("nvvm.inline_ptx", "inline_ptx", "ptx_asm!"):
        return True
    if _shows_ptx(text) or any(operand.constraint in RUST_CLASSES for operand in statement.operands):
        return True
    return statement.host in _PTX_ONLY and not (_is_for_another(statement) or _is_of_amd(text) or _is_of_host(text))


def may_become_ptx(statement: AsmStatement) -> bool:
    """Whether a template that is being typed, and may be empty, can become PTX as far as its statement shows."""
    text = _COMMENT.sub(" ", statement.template.text[:_MOST_SEARCHED])
    if statement.host not in _PTX_ONLY and statement.spelling not in _CALLS_FOR_GPUS:
        return False
    return not (statement.may_name_symbol or _is_for_another(statement) or _is_of_amd(text) or _is_of_host(text))


def _is_lone_word(text: str) -> bool:
    """Whether a template is a name: `{code}` alone, which a program replaces, or a function of LLVM."""
    found = _LONE_WORD.fullmatch(text)
    return found is not None and (found[1] is None or instruction(found[1]) is None)


def _shows_ptx(text: str) -> bool:
    if _DIRECTIVE.search(text) or _DOUBLE_COLON.search(text) or _TYPE_OF_OPERAND.search(text):
        return True
    if any(special_register(found[0].split(".")[0]) for found in _SPECIAL.finditer(text)):
        return True
    if any(found[1] is None for found in _CHAIN.finditer(text)):
        return True  # `.rn.f16x2` in any place; ARM has `vcvt.f32.s32`
    return any(map(_is_of_ptx, _HEAD.finditer(text))) or any(map(_is_typed, _TYPED.finditer(text)))


def _is_of_ptx(found: re.Match[str]) -> bool:
    opcode, rest, ended = found.groups()
    known = instruction(opcode)
    if known is None:
        return _has_modifiers_of_ptx(opcode, _MODIFIER.findall(rest or ""))
    if not rest:
        return opcode in _LONE_OPCODES and bool(ended)
    modifiers = _MODIFIER.findall(rest)
    if opcode in _WITH_TYPE_ELSEWHERE and len(modifiers) < 2:
        return False
    is_apart = rest[0] in " \t"  # `add .b32`: elsewhere a name may follow
    if opcode not in _WITH_MODIFIERS_ELSEWHERE and not is_apart and any(len(word) > 2 for word in modifiers):
        return True  # other processors have suffixes of one letter: `add.s`, `b.ne`
    return any(word in form.vocabulary or word in TYPE_WORDS for word in modifiers for form in known.forms)


def _is_typed(found: re.Match[str]) -> bool:
    """Whether an opcode, which may be misspelt or not in its place, or the beginning of a text has a type of PTX."""
    opcode = found[1]
    if opcode is None:
        return not found.string[: found.start()].strip()
    return opcode[0] != "v" or (instruction(opcode) is not None and opcode not in _WITH_TYPE_ELSEWHERE)


def _has_modifiers_of_ptx(opcode: str, modifiers: list[str]) -> bool:
    """Whether an opcode that is not known, perhaps a misspelt one, has modifiers that no other processor has."""
    if opcode[0] == "v":
        return False  # ARM has `vcvt.f32.s32`
    if len(modifiers) > 1 and modifiers[-1] in TYPE_WORDS and all(len(word) > 2 for word in modifiers):
        return True
    if len(opcode) < _LONG_OPCODE or not modifiers:
        return False
    meant = instruction(nearest_opcode(opcode))
    return meant is not None and any(modifiers[0] in form.vocabulary for form in meant.forms)


def _is_of_amd(text: str) -> bool:
    """Whether every instruction is one of AMD's processors; a file for both compilers has them beside PTX."""
    opcodes = [found[1] for found in _HEAD.finditer(text)]
    return bool(opcodes) and all(_OF_AMD.fullmatch(each) for each in opcodes)


def _is_of_host(text: str) -> bool:
    """Whether a text that does not show PTX has a number or an instruction of the processor that runs the host code."""
    if _NUMBER_OF_ARM.search(text):
        return True
    opcodes = [found[1] for found in _HEAD.finditer(text)]
    return not _OF_HOSTS.isdisjoint(opcodes) and all(instruction(each) is None for each in opcodes)


def _is_for_another(statement: AsmStatement) -> bool:
    """Whether the constraints or clobbers are those of another processor."""
    for operand in statement.operands:
        letters = letters_of(operand)
        foreign = operand.constraint is not None and letters not in LETTERS and letters not in _OTHER_LETTERS
        if foreign and letters != "C" and not letters.isdecimal() and operand.role not in (Role.CONST, Role.SYM):
            return True
    return any(word.text != "memory" and HOLE not in word.text for word in statement.clobbers)
