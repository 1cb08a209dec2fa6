"""Random constant expressions: mostly well formed, some with a type error, some damaged."""

import random

BLANKS = ("", "", "", " ", " ", "  ", "\t", "/**/", "/* c */", "\f")
BINARY = ("+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||")
FLOATING = ("+", "-", "*", "/")
COMPARING = ("<", ">", "<=", ">=", "==", "!=")
EDGES = (
    *(0, 1, 2, 3, 5, 7, 10, 31, 32, 62, 63, 64, 65, 255, 256, 65535, 65536),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1),
)
BEYOND = (2**64, 2**64 + 1, 2**64 + 2**63, 2**65 - 1, 2**65, 10**19, 10**20, 3 * 2**63, 2**68 - 1, 16**17, 99 * 10**19)
REALS = (
    *(
        "0.0",
        "1.0",
        "2.5",
        ".5",
        "1.",
        "1e5",
        "1.e5",
        "0e5",
        "09.5",
        "00.25",
        "1E-3",
        "1e+10",
        "3.14159265358979323846",
    ),
    *("1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.8e308", "1e309"),
    *("2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308", "2.225073858507201383e-308"),
    *(
        "1e-307",
        "1e-308",
        "4.9e-324",
        "4.9406564584124654e-324",
        "1e-400",
        "0e-400",
        "0.0e999999999999",
        "1e999999999999",
    ),
    *("9007199254740993.0", "0.1", "0.3", "123456789.125", "1e23", "8.41e21", "9.5367431640625e-07"),
)
DOUBLES = (
    *("0000000000000000", "8000000000000000", "3ff0000000000000", "bff0000000000000", "4000000000000000"),
    *("7ff0000000000000", "fff0000000000000", "7ff8000000000000", "fff8000000000123", "7ff4000000000001"),
    *("0000000000000001", "800FFFFFFFFFFFFF", "7fefffffffffffff", "0010000000000000", "36a0000000000000"),
    *("380FFFFFE0000000", "47efffffefffffff", "47EFFFFFF0000000", "369fffffffffffff", "3690000000000000"),
)
SINGLES = ("00000000", "80000000", "3f800000", "Bf800000", "7f800000", "7fc00001", "7fa00001", "00000001", "40490fdb")
DAMAGED = (
    *("1u", "0x1fu", "1UL", "08", "0778", "0b2", "0x", "0xU", "1e", ".e5", "1.0f", "0b", "1.2.3", ".", "1e+", "0f3f8"),
    *(
        "0f3f8000000",
        "0d3ff0",
        "0d3ff00000000000000",
        "0x1.8p3",
        "1_000",
        "0o17",
        "12ab",
        "0X",
        "1.5U",
        "$",
        "@",
        "'a'",
    ),
    *("0b102", "0xfg", "1.e", "1e5.", "0f", "0d", "0f3g800000", "00x1", "0u", "07u", "0b1u", "0U1", "1U2", "warp_sz"),
)
CASTS = (
    "(.s64)",
    "(.u64)",
    "( .s64 )",
    "(\t.u64)",
    "(.u64 )",
    "(.s32)",
    "(.u32)",
    "(.b64)",
    "(.f64)",
    "(.f32)",
    "(.pred)",
)
MISFITS = (
    "++",
    "--",
    "=",
    "===",
    "<>",
    "!",
    "~",
    "?",
    ":",
    "(",
    ")",
    "()",
    "%",
    "%3",
    "&&&",
    "**",
    ".",
    "->",
    "<<<",
    "=<",
)


def expression(source: random.Random) -> str:
    """One expression; about one in four has a mistake."""
    wrong = source.random()
    mixing = 0.03 if wrong < 0.15 else 0.0
    size = source.choice((1, 2, 2, 3, 3, 4, 5))
    text = _real(source, size) if source.random() < 0.2 else _integer(source, size, mixing)
    return _damaged(source, text) if wrong > 0.88 else text


def _blank(source: random.Random) -> str:
    return source.choice(BLANKS)


def _join(source: random.Random, *parts: str) -> str:
    """The parts with blanks between; `%` before a letter or digit would be a register, `/` before `*` a comment."""
    text = ""
    for part in parts:
        blank = _blank(source)
        if not blank and text and (text[-1] == "%" or text[-1] + part[:1] in ("/*", "//", "*/")):
            blank = " " if source.random() < 0.98 and text[-1] == "%" else "\t"
        if text.endswith("/") and blank.startswith("/"):
            blank = " "
        text += blank + part
    return text + _blank(source)


def _integer(source: random.Random, size: int, mixing: float) -> str:
    if source.random() < mixing:
        return _real(source, size - 1)
    if size <= 0:
        return _integer_literal(source)
    shape = source.random()
    if shape < 0.5:
        left, right = _integer(source, size - 1, mixing), _integer(source, size - 1, mixing)
        operator = source.choice(BINARY)
        if operator in ("/", "%") and source.random() < 0.7:
            right = f"({right} | 1)"
        return _join(source, left, operator, right)
    if shape < 0.65:
        return _join(source, source.choice("+-!~"), _integer(source, size - 1, mixing))
    if shape < 0.72:
        cast = source.choice(CASTS[:5]) if source.random() > mixing * 3 else source.choice(CASTS)
        return _join(source, cast, _integer(source, size - 1, mixing))
    if shape < 0.85:
        return _join(source, "(", _integer(source, size - 1, mixing), ")")
    if shape < 0.93:
        arms = _integer(source, size - 1, mixing), _integer(source, size - 1, mixing)
        return _join(source, _integer(source, size - 1, mixing), "?", arms[0], ":", arms[1])
    comparison = source.choice(COMPARING)
    return _join(source, "(", _real(source, size - 1), comparison, _real(source, size - 1), ")")


def _real(source: random.Random, size: int) -> str:
    if size <= 0:
        return _real_literal(source)
    shape = source.random()
    if shape < 0.6:
        return _join(source, _real(source, size - 1), source.choice(FLOATING), _real(source, size - 1))
    if shape < 0.8:
        return _join(source, source.choice("+-"), _real(source, size - 1))
    return _join(source, "(", _real(source, size - 1), ")")


def _integer_literal(source: random.Random) -> str:
    if source.random() < 0.06:
        return "WARP_SZ"
    if source.random() < 0.02:
        return "((-9223372036854775807-1)/-1)"
    value = source.choice(EDGES) if source.random() < 0.6 else source.getrandbits(source.randrange(1, 65))
    if source.random() < 0.03:
        value = source.choice(BEYOND)
    zeros = "0" * source.choice((0, 0, 0, 0, 1, 3, 30))
    prefix, digits = source.choice(
        (
            ("", str(value)),
            ("", str(value)),
            (source.choice(("0x", "0X")) + zeros, source.choice((f"{value:x}", f"{value:X}"))),
            ("0" + zeros, f"{value:o}"),
            (source.choice(("0b", "0B")) + zeros, f"{value:b}"),
        )
    )
    return prefix + digits + ("U" if source.random() < 0.2 else "")


def _real_literal(source: random.Random) -> str:
    shape = source.random()
    if shape < 0.4:
        return source.choice(REALS[:13] if source.random() < 0.8 else REALS)
    if shape < 0.6:
        digits = "".join(source.choice("0123456789") for _ in range(source.randrange(1, 25)))
        at = source.randrange(len(digits) + 1)
        power = f"{source.choice('eE')}{source.choice(('', '+', '-'))}{source.randrange(400 if shape < 0.42 else 150)}"
        return digits[:at] + "." + digits[at:] + (power if source.random() < 0.6 else "")
    if shape < 0.9:
        pattern = source.choice(DOUBLES) if source.random() < 0.6 else f"{source.getrandbits(64):016x}"
        return source.choice(("0d", "0D")) + pattern
    single = source.choice(SINGLES) if source.random() < 0.7 else f"{source.getrandbits(32):08X}"
    return f"({source.choice(('0f', '0F'))}{single})" if source.random() < 0.97 else "0f" + single


def _damaged(source: random.Random, text: str) -> str:
    """The text with one mistake: a character removed, doubled or inserted, or a wrong literal or operator."""
    at = source.randrange(len(text) + 1)
    match source.randrange(6):
        case 0:
            text = text[:at] + text[at + 1 :]
        case 1:
            text = text[:at] + text[at : at + 1] + text[at:]
        case 2:
            text = text[:at] + source.choice("0123456789abcdefxXUuLl.+-*/%<>=!~&|^?:() _$eE") + text[at:]
        case 3:
            text = text[:at] + " " + source.choice(MISFITS) + " " + text[at:]
        case 4:
            text = text[:at] + source.choice(("", " ")) + source.choice(DAMAGED) + source.choice(("", " ")) + text[at:]
        case _:
            text = source.choice(DAMAGED)
    comments = text.count("/*") != text.count("*/") or "//" in text or "*/*" in text or "/*/" in text
    return "1 +" if comments else text
