"""Findings in the Static Analysis Results Interchange Format (SARIF) 2.1.0, an OASIS standard.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

import json

from ptx_lsp import __version__
from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.places import fingerprints, folder_uri, manual_page, uri
from ptx_lsp.findings.codes import Rule, rule
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.isa.manual import MANUAL
from ptx_lsp.light_classes import Collection
from ptx_lsp.text.ranges import Range

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BEGIN = f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": [{{"results": [\n'
BETWEEN = ",\n"
FINGERPRINT = "ptxLspFinding/v1"
_ROOT = "SRCROOT"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
Json = dict[str, object]


def render(file: CheckedFile, style: Style) -> str:
    """The results of a file, without the brackets of the list."""
    location = _artifact(file.path)
    marks = fingerprints(file)
    results = (_result(file, each, mark, location) for each, mark in zip(file.findings, marks, strict=True))
    return BETWEEN.join(json.dumps(result) for result in results)


def end(codes: Collection[str], troubles: Collection[tuple[str, str]]) -> str:
    """The end of the document: the rules of these codes, and the files that could not be read."""
    found = (rule(code) for code in sorted(codes))
    driver = {
        "name": "ptx-lsp",
        "semanticVersion": __version__,
        "informationUri": MANUAL,
        "rules": [_rule(each) for each in found if each is not None],
    }
    invocation: Json = {"executionSuccessful": not troubles}
    if troubles:
        invocation["toolExecutionNotifications"] = [_notification(*trouble) for trouble in troubles]
    rest = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {_ROOT: {"uri": folder_uri()}},
        "invocations": [invocation],
    }
    return f"\n], {json.dumps(rest)[1:]}]}}\n"


def _result(file: CheckedFile, finding: Finding, fingerprint: str, artifact: Json) -> Json:
    result: Json = {
        "ruleId": finding.code or "configuration",
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": _region(finding.range)}}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": each.message},
                "physicalLocation": {"artifactLocation": artifact, "region": _region(each.range)},
            }
            for number, each in enumerate(finding.related)
        ]
    if fixes := file.fixes_of(finding):
        result["fixes"] = [_fix(fix, artifact) for fix in fixes]
    return result


def _fix(fix: Fix, artifact: Json) -> Json:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": artifact, "replacements": replacements}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"safety": fix.safety.value},
    }


def _rule(row: Rule) -> Json:
    page = row.page.rstrip("\n")
    help_uri = manual_page(row.code)
    configuration: Json = {"enabled": row.severity is not None}
    if row.severity is not None:
        configuration["level"] = _LEVELS[row.severity]
    found: Json = {
        "id": row.code,
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": page.split("\n\n", 1)[0].replace("\n", " ")},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": configuration,
        "properties": {"tags": [row.family]},
    }
    return found | {"helpUri": help_uri} if help_uri else found


def _notification(path: str, reason: str) -> Json:
    return {
        "level": "error",
        "message": {"text": reason},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(path)}}],
    }


def _artifact(path: str) -> Json:
    where = uri(path)
    return {"uri": where} if where.startswith("file:") else {"uri": where, "uriBaseId": _ROOT}


def _region(place: Range) -> Json:
    return {
        "startLine": place.line + 1,
        "startColumn": place.column + 1,
        "endLine": place.end_line + 1,
        "endColumn": place.end_column + 1,
    }
