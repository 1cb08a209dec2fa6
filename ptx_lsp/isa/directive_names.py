"""The names of directives that several rooms ask for: of a module's header, of functions, of declarations, and
of the rows of section data; and the words of `.loc`."""

VERSION, TARGET, ADDRESS_SIZE = ".version", ".target", ".address_size"
HEADER = (VERSION, TARGET, ADDRESS_SIZE)
"""The directives that a module begins with, in their order."""

DEBUG = "debug"
"""The option of `.target` that demands debug information."""

SEPARATE_SAMPLERS = "texmode_independent"
"""The option of `.target` with which textures and samplers are separate."""

TEXTURE_MODES = (SEPARATE_SAMPLERS, "texmode_unified")
"""The options of `.target` of which a module has one at most."""

NO_DOUBLES = "map_f64_to_f32"
"""The option of `.target` that replaces `.f64` by `.f32`."""

TARGET_OPTIONS = (*TEXTURE_MODES, DEBUG, NO_DOUBLES)
"""All options of `.target`."""

TARGET_LISTS = BRANCH_TARGETS, CALL_TARGETS = ".branchtargets", ".calltargets"
"""The directives that list labels or functions."""

ENTRY, FUNC, PROTOTYPE = ".entry", ".func", ".callprototype"
FUNCTIONS = frozenset((ENTRY, FUNC))
"""What the header of a kernel or function has before its results and name."""

WITH_SIGNATURE = FUNCTIONS | {PROTOTYPE}
"""The directives with parameters and results."""

AFTER_LABEL = frozenset((PROTOTYPE, *TARGET_LISTS))
"""The directives whose name is the label before them."""

DECLARED_IN = frozenset((".reg", ".param", ".local", ".shared", ".global", ".const"))
"""The state spaces of declarations. The deprecated `.tex` is not one of them."""

OF_PARAMETERS = (".param", ".reg")
"""The state spaces of the parameters, results and arguments of functions. Those of a kernel are in `.param` only."""

INITIALISED = frozenset((".global", ".const"))
"""The state spaces that a module has before it runs: only variables in them have initial values.

Only their addresses can be initial values. Source: PTX ISA, #initializers.
"""

SECTION = ".section"
SOURCE_SECTION = ".nv_intermediate_source_section"
CODE_BLOCK, LANGUAGE_NAME, FILE_NUMBER = ".code_block", ".ir_name", ".sourceFileName"
"""What a `.nv_intermediate_source_section` has: blocks, each with the name of a language and the number of a file."""
SOURCE_BEGIN, SOURCE_END = ".source_begin", ".source_end"
"""The words around the text of another language, which is the rest of such a block."""
METADATA_SECTION = ".metadata_section"
"""A section with records for other programs, which the manual does not have (observed: ptxas 13.5)."""
METADATA, METADATA_DOMAIN = ".metadata", ".metadata_domain"
"""What a record in a `.metadata_section` begins with, and the directive that may be before the first record."""
UNALIGNED_SECTIONS = (SOURCE_SECTION, METADATA_SECTION)
"""Sections whose lines are written in no style of NVIDIA's compiler."""
DEBUG_SECTIONS = ".debug_"  # the names of the sections of debug information begin with it
OLD_SECTION_DATA = {".byte": ".b8", ".4byte": ".b32", ".quad": ".b64"}
"""The types of `@@DWARF` lines, which a `.section` takes too. Source: PTX ISA, #debugging-directives-atatdwarf."""
SECTION_DATA = (".b8", ".b16", ".b32", ".b64", *OLD_SECTION_DATA)
"""What the rows of data in a `.section` begin with."""

SECTION_DATA_TEXT = r"\.(?:b(?:8|16|32|64)|byte|4byte|quad)"
"""A pattern of them."""

LOCATION, FILE = ".loc", ".file"
FUNCTION_NAME, INLINED_AT = "function_name", "inlined_at"
"""The words of a `.loc` for inlined code. Source: PTX ISA, #debugging-directives-loc."""

HIDDEN = ".hidden"
"""Before the state space of a parameter of a kernel that a driver passes, and no caller."""
