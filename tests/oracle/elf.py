"""The sections of a 64-bit little-endian ELF file, which is what ptxas writes."""

import struct

# SHT_NOBITS, and the sections of global, local and shared memory without initial values: only their size is known
_WITHOUT_CONTENTS = frozenset((8, 0x70000007, 0x70000009, 0x7000000A))
_SYMBOL_BYTES = 24


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
        contents = bytes(size) if kind in _WITHOUT_CONTENTS else image[offset : offset + size]
        found[image[start : image.index(b"\0", start)].decode()] = contents
    return found


def symbols(found: dict[str, bytes]) -> list[tuple[str, bytes]]:
    """The symbols of these sections: the name of each, and its entry without the offset of the name."""
    names, table = found[".strtab"], found[".symtab"]
    entries = [table[start : start + _SYMBOL_BYTES] for start in range(0, len(table), _SYMBOL_BYTES)]
    starts = [int.from_bytes(entry[:4], "little") for entry in entries]
    texts = [names[start : names.index(b"\0", start)].decode() for start in starts]
    return [(text, entry[4:]) for text, entry in zip(texts, entries, strict=True)]
