"""The names that NVIDIA's compilers and LLVM give to families of registers, by their types."""

FAMILY_TYPES = {
    "%p": ".pred",
    "%rs": ".b16",
    "%r": ".b32",
    "%rd": ".b64",
    "%rq": ".b128",
    "%f": ".f32",
    "%fd": ".f64",
}
"""The type of each family, by its name without a number."""

FAMILY_NAMES = {type_: name for name, type_ in FAMILY_TYPES.items()}
"""The name of the family of each type, without a number."""
