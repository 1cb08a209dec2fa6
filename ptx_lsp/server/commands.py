"""Commands of `workspace/executeCommand`: wrong arguments are answered with an error, which is no failure to log."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from ptx_lsp.server.invalid_params import InvalidParamsError
from ptx_lsp.server.protocol import ErrorResult


def answering(handler: Callable[..., Any]) -> Callable[..., Any]:
    """A handler that returns an error instead of raising `InvalidParamsError`."""

    def refusal(error: InvalidParamsError) -> ErrorResult:
        return ErrorResult(JsonRpcInvalidParams.CODE, str(error))

    @wraps(handler)
    def answer(server: Any, *arguments: Any) -> Any:
        try:
            return handler(server, *arguments)
        except InvalidParamsError as error:
            return refusal(error)

    @wraps(handler)
    async def answer_later(server: Any, *arguments: Any) -> Any:
        try:
            found: Awaitable[Any] = handler(server, *arguments)
            return await found
        except InvalidParamsError as error:
            return refusal(error)

    return answer_later if asyncio.iscoroutinefunction(handler) else answer
