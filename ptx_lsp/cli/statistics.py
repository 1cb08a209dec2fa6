"""How many findings each rule has: what `check --statistics` prints instead of the findings."""

import json

from ptx_lsp.cli.report import Total
from ptx_lsp.findings.codes import rule


def statistics(total: Total, as_json: bool) -> str:
    """One line for each code and severity, the most frequent first: a JSON object if `as_json`, else text."""
    rows = sorted(total.counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        return "".join(
            json.dumps({"code": code, "severity": severity.name.lower(), "count": number}) + "\n"
            for (code, severity), number in rows
        )
    width = max((len(code) for code, _ in total.counts), default=0)
    return "".join(
        f"{number:>7}  {severity.name.lower():<11}  {code:<{width}}  {_title(code)}".rstrip() + "\n"
        for (code, severity), number in rows
    )


def _title(code: str) -> str:
    found = rule(code)
    return found.title if found is not None else ""
