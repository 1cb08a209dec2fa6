"""Messages as the client sends them: JSON objects, and what to make of a body that is none."""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

Message = dict[str, Any]

UNREADABLE = "$/unreadable"
"""The method that a body which is no JSON object is given, with the reason as its parameter."""


def read_message(body: bytes, hook: Callable[[Message], Message] | None = None) -> Message:
    """The message of a body; `hook` may change each of its objects. Never raises."""
    try:
        message = json.loads(body, object_hook=hook)
    except (ValueError, RecursionError) as error:
        return unreadable(f"this is no JSON: {error}")
    return message if isinstance(message, dict) else unreadable("a message must be an object")


def unreadable(reason: str) -> Message:
    """What stands for a body that cannot be read."""
    return {"method": UNREADABLE, "params": reason}


def cancelled(messages: list[Message]) -> set[object]:
    """The ids of the requests that `messages` themselves ask to cancel; what cannot be an id is left out."""
    found = (message.get("params") for message in messages if message.get("method") == "$/cancelRequest")
    ids = (params.get("id") for params in found if isinstance(params, dict))
    return {id_ for id_ in ids if is_id(id_)}


def is_id(value: object) -> bool:
    """Whether a value can be the id of a request: a number or a string."""
    if isinstance(value, float):
        return isfinite(value)  # Python reads `NaN` and `Infinity`, which are no JSON
    return isinstance(value, (int, str)) and not isinstance(value, bool)
