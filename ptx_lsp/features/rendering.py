"""From descriptions to Markdown or plain text: the only place that knows either."""

import re

from ptx_lsp.features.description import Code, Description, Items, Link, Part, Prose

_SPECIAL = re.compile(r"([\\*_<>\[\]#|~])")
_SPANS = re.compile(r"(`[^`\n]*`|\*\*[^*`\n]+\*\*)")


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
            fence = "```" if "```" not in text else "~~~~"
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
    """Prose as Markdown: what is in backquotes or between `**` stays, everything else means itself."""
    pieces = _SPANS.split(text)
    pieces[::2] = [_SPECIAL.sub(r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
