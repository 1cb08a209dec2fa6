"""From descriptions to Markdown or plain text: the only place that knows either."""

import re

from ptx_lsp.features.description import Code, Description, Items, Link, Part, Prose

# what Markdown may take for more than a character, and the beginnings of addresses that it would turn into links
_SPECIAL = re.compile(r"([\\*_<>\[\]#|~`&]|(?<=:)/(?=/)|(?<=www)\.|(?<=\w)@(?=\w))", re.I)
_SPANS = re.compile(r"(`[^`\n]+`|\*\*[^*`\n]+\*\*)")
_BACKQUOTES = re.compile("`+")


def render(description: Description, markdown: bool) -> str:
    """The text of a description: Markdown, or plain text for clients that show no Markdown."""
    return render_parts(description.parts, markdown)


def render_parts(parts: tuple[Part, ...], markdown: bool) -> str:
    """The text of some parts, a blank line between them."""
    show = _markdown if markdown else _plain
    return "\n\n".join(show(part) for part in parts)


def _markdown(part: Part) -> str:
    match part:
        case Code(text):
            fence = "`" * max(3, 1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
            return f"{fence}ptx\n{text}\n{fence}"
        case Prose(text):
            return _escaped(text)
        case Items(texts):
            return "\n".join("- " + _escaped(text) for text in texts)
        case Link(title, url):
            return f"[{_escaped(title)}]({url})"


def _plain(part: Part) -> str:
    match part:
        case Code(text):
            return text
        case Prose(text):
            return text.replace("**", "").replace("`", "")
        case Items(texts):
            return "\n".join("- " + text.replace("**", "").replace("`", "") for text in texts)
        case Link(title, url):
            return f"{title}: {url}"


def _escaped(text: str) -> str:
    """Prose as Markdown: what is in backquotes or between `**` keeps its meaning, everything else means itself.

    The text may quote source text that has backquotes of its own, which Markdown would pair in another way. So every
    backquote that is left has its partner and none beside it: nothing of the source text is read as Markdown.
    """
    pieces = _SPANS.split(text)
    escaped = [_span(piece) if number % 2 else _meaning_itself(piece) for number, piece in enumerate(pieces)]
    for number in range(2, len(escaped) - 1, 2):
        if not escaped[number]:  # two spans beside each other
            escaped[number] = " "
    return "".join(escaped)


def _span(text: str) -> str:
    return text if text[0] == "`" else f"**{_meaning_itself(text[2:-2])}**"


def _meaning_itself(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
