"""`ptx-lsp explain CODE` prints a rule's page, `ptx-lsp rules` lists all rules."""

import sys

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError, read_options
from ptx_lsp.findings.codes import Rule, rules
from ptx_lsp.nearest_word import nearest


def run(arguments: list[str]) -> int:
    """Print the page of the code in `arguments`; 2 if there is no such rule. Raises UsageError for wrong arguments."""
    options = read_options(arguments, COMMANDS["explain"].options)
    if len(options.rest) != 1:
        raise UsageError("which code? `ptx-lsp rules` lists them")
    code = options.rest[0].strip("[]")
    found = rules().get(code)
    if found is None:
        print(f"ptx-lsp explain: there is no rule `{code}`{_nearest(code)}", file=sys.stderr)
        return 2
    print(f"{found.code}: {found.title} ({_level(found)})\n\n{_plain(found.page)}", end="")
    return 0


def run_rules(arguments: list[str]) -> int:
    """Print a line for each rule."""
    options = read_options(arguments, COMMANDS["rules"].options)
    if options.rest:
        raise UsageError(f"`{options.rest[0]}`? `ptx-lsp explain CODE` explains one rule")
    width = max((len(code) for code in rules()), default=0)
    for found in rules().values():
        print(f"{found.code:<{width}}  {_level(found):<11}  {found.family:<12}  {found.title}")
    return 0


def _plain(page: str) -> str:
    """A page for the terminal: examples are indented, the fences around them are left out."""
    lines, fence = [], ""
    for line in page.splitlines():
        if fence:
            if line.strip() == fence:
                fence = ""
            else:
                lines.append("    " + line if line else "")
        elif line.startswith(("```", "~~~")):
            fence = line[: len(line) - len(line.lstrip(line[0]))]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _level(found: Rule) -> str:
    if found.severity is None:
        return "off"
    return found.severity.name.lower() if found.in_editors else f"{found.severity.name.lower()}, off in editors"


def _nearest(code: str) -> str:
    near = nearest(code, rules())
    return f"; did you mean `{near}`?" if near else "; `ptx-lsp rules` lists them all"
