"""Every output format of `check`: the module that writes it, which is imported only if the format is chosen.

A module has `render(file, style)`, the text for the findings of one file. That of a whole document has also `BEGIN`,
`BETWEEN` (what is written between two files) and `end(codes, troubles)`.
"""

from ptx_lsp.light_classes import NamedTuple


class Format(NamedTuple):
    """One format: `document` is true if its output is one document, which also says if nothing was found.

    `for_people` is true if a summary follows the findings, `statistics` if `--statistics` can be written in it.
    """

    module: str
    document: bool = False
    for_people: bool = False
    statistics: bool = False


FORMATS = {
    "text": Format("text", for_people=True, statistics=True),
    "concise": Format("concise", for_people=True, statistics=True),
    "json": Format("json", statistics=True),
    "sarif": Format("sarif", document=True),
    "github": Format("github"),
    "gitlab": Format("gitlab", document=True),
    "junit": Format("junit", document=True),
}
