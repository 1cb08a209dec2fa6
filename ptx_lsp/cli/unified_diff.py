"""The difference of two texts, as `diff -u` and `git apply` write it."""

from difflib import unified_diff


def differences(before: str, after: str, path: str) -> str:
    """The unified diff that makes `after` of `before`; empty if they are equal."""
    return "".join(map(ended, unified_diff(diff_lines(before), diff_lines(after), path, path)))


def ended(line: str) -> str:
    """A line of a diff, with the note about its missing end if it has none."""
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def diff_lines(text: str) -> list[str]:
    """The lines of a text with their ends, as a diff has them: a return alone ends no line, unlike in PTX."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else ())]
