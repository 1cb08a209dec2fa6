"""`WorkspaceEdit`: the edits of documents, as the client takes them.

A client that takes `documentChanges` gets the versions of open documents too, and refuses edits of another version.
"""

import json
from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from ptx_lsp.server.client import Client
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import JsonParts, list_parts
from ptx_lsp.server.requests.wire_ranges import text_edits, wire_range

if TYPE_CHECKING:
    from ptx_lsp.fixes.fix import Edit


class Changed(NamedTuple):
    """The edits of one document; `version` is the one that they were worked out for, None for a file on the disk."""

    document: OpenDocument
    version: int | None
    edits: "Sequence[Edit]"


def changed(document: OpenDocument, edits: "Sequence[Edit]") -> Changed:
    """The edits of a document as it is now."""
    return Changed(document, document.version, edits)


def workspace_edit(client: Client, change: Changed) -> types.WorkspaceEdit:
    """The edits of one document, for a part of an answer."""
    document, version, edits = change
    found = [types.TextEdit(wire_range(document, edit.range), edit.text) for edit in edits]
    if not client.document_changes:
        return types.WorkspaceEdit(changes={document.uri: found})
    versioned = types.OptionalVersionedTextDocumentIdentifier(document.uri, version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, found)])


def workspace_edit_steps(client: Client, changes: Iterable[Changed]) -> Generator[None, None, JsonParts]:
    """The edits of several documents as JSON, in steps: a long document may name a variable 100,000 times."""
    lists: list[tuple[Changed, JsonParts]] = []
    for change in changes:
        lists.append((change, (yield from list_parts(text_edits(change.document, change.edits)))))
    parts, comma = [b'{"documentChanges":[' if client.document_changes else b'{"changes":{'], ""
    for (document, version, _), edits in lists:
        if client.document_changes:
            versioned = json.dumps({"uri": document.uri, "version": version})
            parts += [f'{comma}{{"textDocument":{versioned},"edits":'.encode(), *edits.parts, b"}"]
        else:
            parts += [f"{comma}{json.dumps(document.uri)}:".encode(), *edits.parts]
        comma = ","
    return JsonParts([*parts, b"]}" if client.document_changes else b"}}"])
