"""The bits of an integer constant read as a float, where they were probably written for one."""

import math
import struct

from ptx_lsp.constants.spelling import decimal_double, decimal_single
from ptx_lsp.features.known_numbers import known_as

_SMALLEST, _LARGEST = 2.0**-20, 2.0**24
"""Between these a float is one that people write; integers of the same bits are rare as numbers."""


def float_view(bits: int, width: int) -> str:
    """What 32 or 64 bits are as a float, "`.f32` **1.0**"; empty where no float that people write has these bits."""
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
