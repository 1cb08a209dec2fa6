"""What VS Code shows in a file with inline PTX, inside of its templates and outside of them."""

from typing import Any, NamedTuple

from tests.editors.browser import Step


class Place(NamedTuple):
    """Where a file is looked at: a word of PTX, the text before a cursor in PTX, and a word of the host language."""

    word: str
    typed: str
    outside: str


class Look(NamedTuple):
    """What was found: the texts that the findings mark, hovers, labels and texts of the completion's items, forms.

    `items_outside` has the forms of signature help too.
    """

    findings: list[str]
    hover: str
    items: dict[str, str]
    forms: list[str]
    hover_outside: list[str]
    items_outside: list[str]


STEPS = 8


def look(file: str, findings: int, place: Place) -> list[Step]:
    """The steps that look at a file as soon as it has that number of findings."""
    return [
        {"do": "open", "file": file},
        {"do": "diagnostics", "count": findings},
        {"do": "hover", "at": place.word},
        {"do": "complete", "at": place.typed},
        {"do": "signatures", "at": place.word},
        {"do": "hover", "at": place.outside, "least": 0},
        {"do": "complete", "at": place.outside, "least": 0},
        {"do": "signatures", "at": place.outside, "least": 0},
    ]


def seen(results: list[Any]) -> Look:
    """What the steps of `look` have found."""
    _, findings, hovers, items, forms, hovers_outside, items_outside, forms_outside = results
    return Look(
        [f"{each['text']}: {each['code']}" if "code" in each else each["message"] for each in findings],
        "\n".join(hovers),
        {each["label"]: each["text"] for each in items},
        forms["forms"],
        hovers_outside,
        [each["label"] for each in items_outside] + forms_outside["forms"],
    )
