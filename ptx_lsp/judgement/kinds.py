"""Operand kinds: all that a verdict may depend on of an operand, as a short text.

A verdict is a pure function of the opcode text, the kinds of the operands, the version and the target, so a kind has
everything that a verdict needs and nothing more: `%r1` and `%r2` of the same type have the same kind.

    kind        its meaning
    ----------  ------------------------------------------------------------------------------------------------
    .u32        a register (or an element `v.x` of a vector register) of that declared type
    .v4.f32     a whole vector register
    .u32@b0     a register with a video selector
    .u32+       register plus constant as a value, `%r1+4`
    int8 int16 int32 int64
                an integer constant (expression); the number is the smallest N of 8, 16, 32, 64 so that it fits sN or uN
    float       a float constant in decimal or an expression; `single` is `0f...`, `double` is `0d...`
    %.u32       a special register of that type; `%.v4.u32` a whole vector one; `%.pred` a predicate one;
                `%.u64/32/16` one that may also be read with 32 or 16 bits; `%.u32+` plus constant
    .global:.b8   a bare variable or parameter name, space and type; `.global:.b8[]` an array; with `+` at the end
                name plus constant, with `[i]` an element of an array. Spaces: .global .shared .local .const .param
                (`.param:` of a kernel is `.param.entry:`, of a function `.param.func:`, its result
                `.param.result:`, and what a body declares for calls `.param.local:`)
    .texref .samplerref .surfref
                the name of such an object
    func        a function name (`func+` plus constant); `entry` a kernel's; `label`; `prototype`; `targets`
    _           the sink
    -K !K ~K    an operand that is not a constant, with that sign before it
    [K]         an address; [K,K] with more parts; K is one of the above, `[.u64+]` with an offset
    {K,K}       a vector expression; nested freely
    K|K         a pair of destinations
    (K,K)       a parenthesised list
    ?           unknown: an undeclared or broken name, already reported; fits everywhere
"""

UNKNOWN = "?"
ARRAY = "[]"
ELEMENT = "[i]"
SINK = "_"
LOCAL_PARAMETER = ".param.local:"
"""The begin of the kind of a `.param` variable that a body declares for calls."""

LOCAL_ADDRESS = "[" + LOCAL_PARAMETER
"""The begin of the kind of an address in such a variable."""

_WIDTHS = (8, 16, 32, 64)


def is_vector_register(kind: str) -> bool:
    """Whether an operand is a whole vector register that a module declares: `.v4.f32`."""
    return kind.startswith(".v")


def declared_type(kind: str) -> str:
    """The type of a register or a special register: `.u64` for `.u64`, `%.u64` and `%.u64/32/16`."""
    return kind.removeprefix("%").partition("/")[0]


def integer_kind(value: int) -> str:
    """The kind of an integer constant, by the smallest number of bits whose sign- or zero-extension to 64 bits it is.

    `value` may be of either sign. An unsigned value with all high bits set, such as `~0xff`, counts as negative (-256).
    """
    if value >= 1 << 63:
        value -= 1 << 64
    for bits in _WIDTHS:
        if -(1 << (bits - 1)) <= value < (1 << bits):
            return f"int{bits}"
    return "int64"
