"""Paths and fingerprints, as services that compare two runs need them."""

import os
from collections import Counter
from hashlib import sha256
from urllib.parse import quote

from ptx_lsp.cli.formats.checked_file import CheckedFile
from ptx_lsp.findings.codes import rule
from ptx_lsp.isa.manual import page_url


def relative(path: str) -> str:
    """A path relative to the current folder, with `/`; an absolute path if the file is elsewhere."""
    try:
        inside = os.path.relpath(path)
    except ValueError:  # on Windows: it is on another drive
        inside = os.pardir
    outside = inside == os.pardir or inside.startswith(os.pardir + os.sep)
    return (os.path.abspath(path) if outside else inside).replace(os.sep, "/")


def uri(path: str) -> str:
    """A path as a URI, relative if `relative` gives a relative path."""
    found = relative(path)
    escaped = quote(os.fsencode(found), safe="/")
    return f"file://{'' if escaped.startswith('/') else '/'}{escaped}" if os.path.isabs(found) else escaped


def folder_uri() -> str:
    """The current folder as a URI that ends with `/`."""
    here = os.getcwd().replace(os.sep, "/").strip("/")
    return f"file:///{quote(os.fsencode(here), safe='/')}/".replace("////", "///")


def manual_page(code: str) -> str:
    """The address of the section of the manual that a rule is about; empty if there is no such rule or section."""
    found = rule(code) if code else None
    return page_url(found.section) if found is not None and found.section else ""


def fingerprints(file: CheckedFile) -> list[str]:
    """A text for each finding of a file that stays the same while lines above it are added and removed.

    It depends on the path, the code, the message, the text of the line, and how many findings above it have the same.
    """
    path = relative(file.path)
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for finding in file.findings:
        key = (finding.code, finding.message, file.line_of(finding.range.line).strip())
        whole = "\0".join((path, *key, str(seen[key])))
        seen[key] += 1
        found.append(sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return found
