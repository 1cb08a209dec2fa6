"""Messages of a length that can be shown: a name in the source text may have 20,000 letters."""

from ptx_lsp.patterns import lazy_pattern

LONGEST = 1_000
SHORT = 300
"""Characters; a message of at most this length stays as it is."""
_LONGEST_NAME = 80
_QUOTED = lazy_pattern(f"`[^`]{{{_LONGEST_NAME + 1},}}`")


def shortened(message: str) -> str:
    """The message with its long quotations cut, and at most some `LONGEST` characters of it."""
    if len(message) <= SHORT:
        return message
    message = _QUOTED.sub(lambda found: found[0][: _LONGEST_NAME - 2] + "...`", message)
    if len(message) <= LONGEST:
        return message
    kept = message[:LONGEST].rpartition(" ")[0]
    return kept + ("`" if kept.count("`") % 2 else "") + " ..."
