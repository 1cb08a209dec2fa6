"""The wait for a client that has not read everything when the server ends."""

import asyncio
from collections.abc import Callable

_LOOKS = 200
_TIME_BETWEEN_LOOKS = 0.005  # seconds


async def everything_sent(unsent: Callable[[], int]) -> None:
    """Wait until the number of unsent bytes is 0, but at most a second: the client may never read the rest."""
    for _ in range(_LOOKS):
        if not unsent():
            return
        await asyncio.sleep(_TIME_BETWEEN_LOOKS)
