"""The names of directives that several rooms ask for: of a module's header, and of the rows of section data; and the
words of `.loc`."""

VERSION, TARGET, ADDRESS_SIZE = ".version", ".target", ".address_size"
HEADER = (VERSION, TARGET, ADDRESS_SIZE)
"""The directives that a module begins with, in their order."""

DEBUG = "debug"
"""The option of `.target` that demands debug information."""

SEPARATE_SAMPLERS = "texmode_independent"
"""The option of `.target` with which textures and samplers are separate."""

SECTION = ".section"
SECTION_DATA = (".b8", ".b16", ".b32", ".b64")
"""What the rows of data in a `.section` begin with."""

SECTION_DATA_TEXT = r"\.b(?:8|16|32|64)"
"""A pattern of `SECTION_DATA`."""

FUNCTION_NAME, INLINED_AT = "function_name", "inlined_at"
"""The words of a `.loc` for inlined code. Source: PTX ISA, #debugging-directives-loc."""
