"""`workspace/executeCommand` with `ptx.lastWrites`: from a register to the instructions that wrote its value."""

from typing import Any

from ptx_lsp.features import last_writes as feature
from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather

Json = dict[str, Any]


async def last_writes(server: Server, *arguments: Any) -> list[Json] | None:
    """The places of the register at `{"uri": ..., "position": ...}` in its last writes: locations of the protocol.

    The list is empty if there is no register, or nothing writes it before. The result is null if the document is edited
    meanwhile.
    """
    argument = arguments[0] if arguments else None
    if not isinstance(argument, dict):
        raise InvalidParamsError('the command takes {"uri": ..., "position": ...}')
    document = server.document(str(argument.get("uri")))
    if document is None:
        raise InvalidParamsError("this document is not open")
    try:
        position = document.position(argument["position"])
    except (KeyError, TypeError) as error:
        raise InvalidParamsError("`position` is not a position") from error
    found = await gather(server, document, lambda module: feature.last_writes(module, position))
    return None if found is None else [{"uri": document.uri, "range": document.wire_range(each)} for each in found]
