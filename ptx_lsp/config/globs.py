"""Path patterns as editors know them: `*`, `?`, `**`, `[a-z]` and `{a,b}`."""

import re
from functools import lru_cache

_TOKEN = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|\[!?[^]/]+\]|\{|\}|,|.", re.S)
_MEANING = {"**/": "(?:.*/)?", "/**": "(?:/.*)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}


def matches(pattern: str, path: str) -> bool:
    """Whether `path` (with `/` between its parts, absolute or relative to the workspace) fits `pattern`.

    A pattern without a `/` is compared with the last part of the path alone; one that is no valid pattern fits nothing.
    """
    compiled = _compiled(pattern)
    if compiled is None:
        return False
    subject = path if "/" in pattern else path.rsplit("/", 1)[-1]
    return compiled.fullmatch(subject) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    depth = 0
    parts = []
    for token in _TOKEN.findall(pattern):
        depth += (token == "{") - (token == "}")
        if token == ",":
            parts.append("|" if depth else ",")
        elif token[0] == "[" and len(token) > 1:
            parts.append(token.replace("[!", "[^").replace("\\", "\\\\"))
        else:
            parts.append(_MEANING.get(token) or re.escape(token))
    try:
        return re.compile("".join(parts), re.S)
    except re.error:
        return None
