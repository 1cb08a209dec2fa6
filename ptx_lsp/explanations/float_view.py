"""The bits of an integer constant read as a float, if the author probably meant a float."""

import math
import struct

from ptx_lsp.constants.spelling import decimal_double, decimal_single
from ptx_lsp.explanations.known_numbers import known_as

_SMALLEST, _LARGEST = 2.0**-20, 2.0**24
"""The smallest and the largest float that people usually write; few integers have the bits of such a float."""


def float_view(bits: int, width: int) -> str:
    """The float with these 32 or 64 bits, "`.f32` **1.0**"; empty if it is not a float that people usually write."""
    if width == 32:
        (value,) = struct.unpack("<f", struct.pack("<I", bits))
        digits = decimal_single(bits)
    elif width == 64:
        (value,) = struct.unpack("<d", struct.pack("<Q", bits))
        digits = decimal_double(bits)
    else:
        return ""
    if not (math.isinf(value) or _SMALLEST <= abs(value) <= _LARGEST):
        return ""
    name = known_as(value)
    return f"`.f{width}` **{digits}**" + (f", about {name}" if name and "^" not in name else "")
