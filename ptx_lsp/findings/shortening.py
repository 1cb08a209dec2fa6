"""Messages of a length that can be shown: a name in the source text may have 20,000 letters."""

from ptx_lsp.patterns import lazy_pattern

LONGEST = 1_000  # characters
SHORT = 300
"""A message of at most this many characters stays as it is."""
_LONGEST_NAME = 80
_QUOTED = lazy_pattern(f"`[^`]{{{_LONGEST_NAME + 1},}}`")


def shortened(message: str) -> str:
    """The message, if it is longer than `SHORT`, with long names cut, and then cut after `LONGEST` characters."""
    if len(message) <= SHORT:
        return message
    message = _QUOTED.sub(lambda found: found[0][: _LONGEST_NAME - 2] + "...`", message)
    if len(message) <= LONGEST:
        return message
    kept = message[:LONGEST].rpartition(" ")[0]
    return kept + ("`" if kept.count("`") % 2 else "") + " ..."
