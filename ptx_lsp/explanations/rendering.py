"""From descriptions to Markdown or plain text: the only module that knows these formats."""

import re

from ptx_lsp.explanations.description import Code, Items, Link, Part, Prose

# characters with a meaning in Markdown, and the beginnings of addresses that Markdown turns into links
_SPECIAL = re.compile(r"([\\*_<>\[\]#|~`&]|(?<=:)/(?=/)|(?<=www)\.|(?<=\w)@(?=\w))", re.I)
_SPANS = re.compile(r"(`[^`\n]+`|\*\*[^*`\n]+\*\*)")
_BACKQUOTES = re.compile("`+")


def render_parts(parts: tuple[Part, ...], markdown: bool) -> str:
    """The text of some parts, with a blank line between them: Markdown if `markdown`, else plain text."""
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
    """Prose as Markdown: text in backquotes or between `**` keeps its formatting, all other text is escaped.

    The text may quote source text that contains backquotes, which Markdown would pair in another way. In the result
    every backquote has a partner and none is next to another, so Markdown formats nothing in the source text.
    """
    pieces = _SPANS.split(text)
    escaped = [_span(piece) if number % 2 else _literal(piece) for number, piece in enumerate(pieces)]
    for number in range(2, len(escaped) - 1, 2):
        if not escaped[number]:  # two spans without text between them
            escaped[number] = " "
    return "".join(escaped)


def _span(text: str) -> str:
    return text if text[0] == "`" else f"**{_literal(text[2:-2])}**"


def _literal(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
