"""The hover on words other than opcodes and modifiers: special registers, directives, types, state spaces."""

from ptx_lsp.explanations.description import Link, Part, Prose
from ptx_lsp.explanations.modifiers import modifier_meaning
from ptx_lsp.explanations.needs_text import needs_text
from ptx_lsp.isa.directive_names import OLD_SECTION_DATA
from ptx_lsp.isa.directives import directive
from ptx_lsp.isa.releases import with_release
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.targets import TARGETS, read_target
from ptx_lsp.isa.types import TYPES, VECTORS


def describe_special_register(name: str, member: str) -> tuple[Part, ...]:
    """The parts of a hover on `%tid` (member `.x`, or empty for the whole); empty if there is no such register."""
    found = special_register(name)
    if found is None:
        return ()
    vector = "a vector of " if found.vector and not member else ""
    parts: list[Part] = [Prose(f"`{name}{member}`: special register, {vector}`{found.type}`"), Prose(found.meaning)]
    if needs := needs_text(found.needs):
        parts.append(Prose(f"needs {needs}"))
    parts.append(Link(f"{name} in the PTX ISA", found.url))
    return tuple(parts)


_SECTIONS = {
    ".debug_abbrev": "the layouts of the entries of `.debug_info`",
    ".debug_info": "what the source declares: types, functions, variables and where they are",
    ".debug_line": "which line of the source each address belongs to",
    ".debug_loc": "where each variable is, by address",
    ".debug_ranges": "the addresses of what is not in one piece",
    ".debug_str": "the strings that `.debug_info` names",
    ".debug_pubnames": "the global names, to find them in `.debug_info`",
    ".debug_pubtypes": "the global types, to find them in `.debug_info`",
    ".debug_aranges": "the addresses of each unit of `.debug_info`",
    ".debug_frame": "how to find the callers of a function",
    ".debug_macinfo": "the macros of the source",
}
"""The contents of the sections of DWARF. Source: the DWARF standard, version 4, section 7."""

_POINTED_TO = ".ptr"


def describe_section(name: str) -> tuple[Part, ...]:
    """The parts of a hover on `.section` or on the name of a section."""
    about = describe_directive(".section")
    contents = _SECTIONS.get(name, "")
    return (about[0], *([Prose(f"`{name}`: {contents}")] if contents else []), *about[1:])


def describe_specifier(word: str, before: str) -> tuple[Part, ...]:
    """The parts of a hover on a word of a declaration after the text `before`."""
    if word in SPACES and before.rstrip().endswith(_POINTED_TO):
        return (Prose(f"`{word}`: the parameter points to {SPACES[word].meaning}"),)
    return describe_directive(word)


def describe_directive(word: str) -> tuple[Part, ...]:
    """The parts of a hover on a word that begins with a dot, outside an instruction."""
    found = directive(word)
    if found is not None:
        parts: list[Part] = [Prose(f"`{word}`: {found.meaning}")]
        if needs := needs_text(found.needs):
            parts.append(Prose(f"needs {needs}"))
        return (*parts, Link(f"{word} in the PTX ISA", found.url))
    if word in TYPES:
        return (Prose(f"`{word}`: {TYPES[word].meaning}"),)
    if type_ := OLD_SECTION_DATA.get(word):
        return (Prose(f"`{word}`: {TYPES[type_].meaning}, the same as `{type_}`"),)
    if word in SPACES:
        return (Prose(f"`{word}`: {SPACES[word].meaning}"),)
    meaning = modifier_meaning(word, "")
    return (Prose(f"`{word}`: {meaning}"),) if word in VECTORS and meaning else ()


_SUFFIXES = {
    "": "code for it runs on every later architecture",
    "a": "with features of this architecture alone: code for it runs on no other",
    "f": "with features of its family: code for it runs on the later architectures of the family",
}


def describe_target(word: str) -> tuple[Part, ...]:
    """The parts of a hover on an architecture, `sm_90a`; empty if the word is not a known architecture."""
    target = read_target(word)
    version = None if target is None else TARGETS.get(target)
    if target is None or version is None:
        return ()
    since = f"since PTX ISA {with_release(version)}"
    return (Prose(f"`{word}`: compute capability {target.capability}, {since}"), Prose(_SUFFIXES[target.suffix]))
