"""Messages of the client: JSON objects, and a substitute for a body that is not a JSON object."""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

Message = dict[str, Any]

UNREADABLE = "$/unreadable"
"""The method of the message that replaces a body that is not a JSON object; its parameter is the reason."""


def read_message(body: bytes, hook: Callable[[Message], Message] | None = None) -> Message:
    """The message of a body; `hook` may change each of its objects. Never raises."""
    try:
        message = json.loads(body, object_hook=hook)
    except (ValueError, RecursionError) as error:
        return unreadable(f"this is not JSON: {error}")
    return message if isinstance(message, dict) else unreadable("a message must be an object")


def unreadable(reason: str) -> Message:
    """The message that replaces a body that cannot be parsed."""
    return {"method": UNREADABLE, "params": reason}


def cancelled(messages: list[Message]) -> set[object]:
    """The ids of the requests that these messages cancel, without values that cannot be an id."""
    found = (message.get("params") for message in messages if message.get("method") == "$/cancelRequest")
    ids = (params.get("id") for params in found if isinstance(params, dict))
    return {id_ for id_ in ids if is_id(id_)}


def is_id(value: object) -> bool:
    """Whether a value can be the id of a request: a number or a string."""
    if isinstance(value, float):
        return isfinite(value)  # Python reads `NaN` and `Infinity`, which are not JSON
    return isinstance(value, (int, str)) and not isinstance(value, bool)
