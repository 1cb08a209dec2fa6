"""The word that a misspelt word is evidently a typo of."""

from collections.abc import Callable, Iterable

CASE, CUT, SWAPPED, DOUBLED, MISSING, EXTRA, OTHER, MISSING_FIRST, FIRST = 1, 6, 7, 7, 9, 9, 10, 11, 13
"""The costs of typos: a higher cost is a less likely typo. A wrong or extra first letter (`iadd`) is rarely one."""

MOST_EVIDENT = 12
"""The highest cost of a typo that is evident."""

CLEARLY = 3
"""The first candidate is evident only if the second one costs more by at least this."""

CUT_OPCODE = 9
"""The cost of a lost last letter in an opcode: `ma` can be `mad` or `fma`. Modifiers lose theirs more often."""

MOST_TRIED = 12
"""At most this many candidates are tried."""

LONGEST = 40  # characters


def typo_cost(written: str, meant: str, cut: int = CUT) -> int | None:
    """The cost of reading `written` as `meant`; None if more than one letter or two neighbours differ.

    A leading dot is not compared. `cut` is the cost of a lost last letter.
    """
    first, second = written.lower().removeprefix("."), meant.lower().removeprefix(".")
    if first == second:
        return CASE
    if abs(len(first) - len(second)) > 1 or max(len(first), len(second)) > LONGEST or not first or not second:
        return None
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    if len(first) == len(second):
        return _replaced(first, second, at)
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    if longer[:at] + longer[at + 1 :] != shorter:
        return None
    if longer[at] in (longer[at - 1 : at] + longer[at + 1 : at + 2]):
        return DOUBLED
    if longer is second:
        return MISSING_FIRST if at == 0 else cut if at == len(longer) - 1 else MISSING
    return FIRST if at == 0 else EXTRA


def _replaced(first: str, second: str, at: int) -> int | None:
    if first[at + 1 :] == second[at + 1 :]:
        # another number (`.u33`, `.v3`) is a mistake, not a typo
        number = first[at].isdecimal() or second[at].isdecimal()
        return OTHER if at and not number else FIRST
    swapped = first[:at] + first[at + 1 : at + 2] + first[at] + first[at + 2 :]
    return SWAPPED if swapped == second else None


def near_words(written: str, candidates: Iterable[str], cut: int = CUT) -> list[tuple[int, str]]:
    """Those of `candidates` that are one typo away, with their costs, the most likely first."""
    costs = ((typo_cost(written, word, cut), word) for word in dict.fromkeys(candidates))
    return sorted((cost, word) for cost, word in costs if cost is not None)[:MOST_TRIED]


def evident_word(
    written: str, candidates: Iterable[str], fits: Callable[[str], bool] | None = None, cut: int = CUT
) -> str:
    """The one of `candidates` that `written` is evidently a typo of, or an empty text.

    It is one typo away and fits (`fits` says whether a word is correct at this place), and no other word that fits has
    nearly the same cost.
    """
    near = [(cost, word) for cost, word in near_words(written, candidates, cut) if word != written]
    found = [(cost, word) for cost, word in near if fits is None or fits(word)]
    if not found or found[0][0] > MOST_EVIDENT:
        return ""
    rivals = [cost for cost, _ in found[1:] if cost - found[0][0] < CLEARLY]
    return "" if rivals else found[0][1]
