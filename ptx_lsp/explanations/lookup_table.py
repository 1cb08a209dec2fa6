"""The lookup table of `lop3` as a formula. Source: PTX ISA, #logic-and-shift-instructions-lop3."""

from functools import cache

A, B, C = 0xF0, 0xCC, 0xAA
"""The lookup tables of the three operands."""

_ALL = 0xFF
_NAMES = {0xE8: "majority", 0x96: "exclusive or of all three", 0xCA: "selects `b` where `a` is 1, else `c`"}


def table_text(table: int) -> str:
    """The function of a lookup table, "`(a & b) | ~c`", and its name if it has one; empty outside 0 to 255."""
    if not 0 <= table <= _ALL:
        return ""
    text = f"`{_KNOWN.get(table) or formula(table)}`"
    return f"{text}, {_NAMES[table]}" if table in _NAMES else text


def short_name(table: int) -> str:
    """The function of a lookup table in a few characters, "majority" or "(a & b) | ~c"; empty outside 0 to 255."""
    if not 0 <= table <= _ALL:
        return ""
    return _SHORT.get(table) or formula(table)


def formula(table: int) -> str:
    """A shortest formula in `a`, `b`, `c` with the operators of C for this table (0 to 255)."""
    return _formulas()[table][0]


_SHORT = {0xE8: "majority", 0xCA: "a ? b : c"}
_KNOWN = {0xE8: "(a & b) | (a & c) | (b & c)", 0xCA: "(a & b) | (~a & c)"}


@cache
def _formulas() -> dict[int, tuple[str, str]]:
    """A formula for every table with its operator; the operator is empty if the formula needs no parentheses."""
    found: dict[int, tuple[str, str]] = {A: ("a", ""), B: ("b", ""), C: ("c", ""), 0: ("0", ""), _ALL: ("~0", "")}
    by_cost = [list(found)]
    while len(found) < _ALL + 1:
        new: dict[int, tuple[str, str]] = {}
        for table in by_cost[-1]:
            new.setdefault(table ^ _ALL, ("~" + _inside(found[table]), ""))
        for cost in range((len(by_cost) + 1) // 2):
            for one in by_cost[cost]:
                for other in by_cost[len(by_cost) - 1 - cost]:
                    for sign, table in (("&", one & other), ("|", one | other), ("^", one ^ other)):
                        if table not in found and table not in new:
                            pair = (_inside(found[one], sign), _inside(found[other], sign))
                            new[table] = (f" {sign} ".join(sorted(pair, key=lambda text: (len(text), text))), sign)
        new = {table: text for table, text in new.items() if table not in found}
        found.update(new)
        by_cost.append(list(new))
    return found


def _inside(formula: tuple[str, str], sign: str = "") -> str:
    """A formula as an operand of another one: in parentheses if its operator is different."""
    text, operator = formula
    return text if operator in ("", sign) else f"({text})"
