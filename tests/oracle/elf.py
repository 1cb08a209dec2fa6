"""The sections of a 64-bit little-endian ELF file, which is what ptxas writes."""

import struct

_WITHOUT_CONTENTS = 8  # SHT_NOBITS: only its size is known


def sections(image: bytes) -> dict[str, bytes]:
    """The contents of each section by its name; of a section without contents, as many zero bytes as it has.

    Raises struct.error or ValueError if `image` is not such a file.
    """
    (table,) = struct.unpack_from("<Q", image, 0x28)
    count, names_index = struct.unpack_from("<HH", image, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", image, table + 64 * k) for k in range(count)]
    names_at = headers[names_index][4]
    found = {}
    for name, kind, _flags, _address, offset, size in headers:
        start = names_at + name
        contents = bytes(size) if kind == _WITHOUT_CONTENTS else image[offset : offset + size]
        found[image[start : image.index(b"\0", start)].decode()] = contents
    return found
