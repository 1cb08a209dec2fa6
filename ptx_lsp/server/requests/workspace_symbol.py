"""`workspace/symbol`: the functions, kernels and variables of the open documents and of the files of the workspace."""

import json
from itertools import chain

from lsprotocol import types

from ptx_lsp.features.workspace_symbol import fits
from ptx_lsp.outline.nesting import Kind
from ptx_lsp.server.protocol import JsonText
from ptx_lsp.server.requests.other_modules import names_of_workspace
from ptx_lsp.server.server import Server
from ptx_lsp.server.workspace_index import NameInFile

MOST = 2_000
"""Symbols in one answer; the user then types more of the name."""

_NAMES_PER_STEP = 100
_KINDS = {
    Kind.ENTRY: types.SymbolKind.Function.value,
    Kind.FUNCTION: types.SymbolKind.Function.value,
    Kind.VARIABLE: types.SymbolKind.Variable.value,
}


async def workspace_symbol(server: Server, params: types.WorkspaceSymbolParams) -> JsonText:
    """The names that fit the query, those of open documents first."""
    found: list[str] = []
    names = chain.from_iterable(module.all for module in await names_of_workspace(server))
    for number, each in enumerate(names, 1):
        if fits(params.query, each.name.name):
            found.append(_json(each))
        if len(found) == MOST:
            break
        if not number % _NAMES_PER_STEP:
            await server.pause()
    return JsonText("[" + ",".join(found) + "]")


def _json(each: NameInFile) -> str:
    symbol = {
        "name": each.name.name,
        "kind": _KINDS[each.name.kind],
        "location": {"uri": each.uri, "range": each.range},
        "containerName": each.uri.rpartition("/")[2],
    }
    return json.dumps(symbol)
