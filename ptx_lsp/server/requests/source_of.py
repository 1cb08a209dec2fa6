"""`workspace/executeCommand` with `ptx.sourceOf` and `ptx.ptxOf`: between PTX and the source it was compiled from."""

from functools import partial
from typing import Any

from pygls.uris import to_fs_path

from ptx_lsp.explanations.source_places import SourcePlace, in_force_steps
from ptx_lsp.features.source_lines import lines_of, source_files
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather, result_for
from ptx_lsp.server.source_files import source_file

Json = dict[str, Any]


async def source_of(server: Server, *arguments: Any) -> list[Json]:
    """The places in the source of the statement at `{"uri": ..., "position": ...}`: the first one is the innermost.

    Then follow the calls that the code was inlined at. Each has the `path` in the PTX, `line` and `column` from 0, the
    `function` that was inlined, and the `uri` of the file, null if it does not exist.
    """
    argument = _argument(arguments, '{"uri": ..., "position": ...}')
    document = _document(server, argument)
    try:
        line = document.position(argument["position"]).line
    except (KeyError, TypeError) as error:
        raise InvalidParamsError("`position` is not a position") from error
    found = await result_for(server, document, lambda module: in_force_steps(module, line))
    return [_place(server, document, place) for place in found or []]


def _place(server: Server, document: OpenDocument, place: SourcePlace) -> Json:
    uri = source_file(server, document.uri, place.path)
    line, column = max(place.line - 1, 0), max(place.column - 1, 0)
    return {"uri": uri, "path": place.path, "line": line, "column": column, "function": place.function}


async def ptx_of(server: Server, *arguments: Any) -> list[Json]:
    """The lines of the open PTX documents that come from the `line` (from 0) of the source file `uri`.

    Each item has the `uri` of a document and its `lines`, pairs of the first and the last line, both from 0.
    """
    argument = _argument(arguments, '{"uri": ..., "line": ...}')
    line = argument.get("line")
    if not isinstance(line, int):
        raise InvalidParamsError("`line` is not a number")
    wanted = to_fs_path(str(argument.get("uri")))
    answer: list[Json] = []
    for document in server.ptx_documents().values():
        files = await gather(server, document, source_files)
        numbers = frozenset(
            number
            for number, path in files or []
            if (uri := source_file(server, document.uri, path)) is not None and to_fs_path(uri) == wanted
        )
        if numbers:
            found = await gather(server, document, partial(lines_of, files=numbers, line=line + 1))
            if found:
                answer.append({"uri": document.uri, "lines": [[each.first, each.last] for each in found]})
    return answer


def _argument(arguments: tuple[Any, ...], expected: str) -> Json:
    argument = arguments[0] if arguments else None
    if not isinstance(argument, dict):
        raise InvalidParamsError(f"the command takes {expected}")
    return argument


def _document(server: Server, argument: Json) -> OpenDocument:
    document = server.document(str(argument.get("uri")))
    if document is None:
        raise InvalidParamsError("this document is not open")
    return document
