"""A project as its configuration file describes it, and what such a file may be."""

from ptx_lsp.findings.finding import Finding
from ptx_lsp.light_classes import Mapping, NamedTuple

FILE, SHARED_FILE = "ptx-lsp.toml", "pyproject.toml"
NAMES = (FILE, SHARED_FILE)
"""The names of configuration files; the first one in a folder counts."""

LARGEST = 1 << 18
"""Bytes; a larger file is not read."""


class Project(NamedTuple):
    """What one configuration file says: its path and folder, its valid values, and a finding for each mistake.

    `values` are by the name of the setting, as `config/settings.py` takes them.
    """

    path: str
    folder: str
    values: Mapping[str, object]
    problems: tuple[Finding, ...] = ()
