"""Where the repository is published, and the links of pages that are read elsewhere: on PyPI, in VS Code's gallery.

The address is the entry `Repository` of the table `[project.urls]` in pyproject.toml. Without it such a page has no
pictures and no links to files.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_RELATIVE = r"\[[^\]]*\]\((?!https?:)[^)]+\)"
_LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:)(?=[^)]+\))")
_WITHOUT_LINKS = re.compile(rf"^!{_RELATIVE}\n\n| \({_RELATIVE}\)|:\s+{_RELATIVE}|^\|(?:.*\|\n)+\n", re.M)
_PICTURE = re.compile(rf"^!{_RELATIVE}$", re.M)


def address() -> str:
    """The address of the repository without a slash at its end; empty if the table has none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository", "")).rstrip("/")


def read_elsewhere(page: str) -> str:
    """A page of the repository's folder with absolute links, or without links to files if there is no address."""
    published = address()
    if not published:
        return _WITHOUT_LINKS.sub("", page)
    return _LINK.sub(lambda found: f"{found[1]}{found[2]}{published}/{'raw' if found[1] else 'blob'}/HEAD/", page)


def pictures_elsewhere(page: str) -> str:
    """The pictures of a page of the repository's folder, with absolute links; empty if there is no address."""
    return read_elsewhere("\n\n".join(_PICTURE.findall(page)) + "\n") if address() else ""
