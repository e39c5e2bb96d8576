"""Where the synchronous and the asynchronous client differ: waiting, locks and foreign functions.

`generate.py` writes `Threads` for `Tasks`. A file of secrets is small, so that reading it in a task of an
event loop does no harm; a callable of the caller may take long.
"""

from __future__ import annotations

import inspect
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from ._credentials import TokenCallable


class Threads:
    """Waiting, locks and functions of threads."""

    sleep = staticmethod(time.sleep)

    @staticmethod
    def lock() -> threading.Lock:
        """A lock."""
        return threading.Lock()

    @staticmethod
    def call(function: TokenCallable) -> object:
        """What the function returns; a coroutine is not a token."""
        result = function()
        if inspect.iscoroutine(result):
            result.close()
        return result


class Tasks:
    """Waiting, locks and functions of tasks of an event loop."""

    @staticmethod
    async def sleep(seconds: float) -> None:
        """Waits, and lets other tasks run."""
        import asyncio

        await asyncio.sleep(seconds)

    @staticmethod
    def lock() -> asyncio.Lock:
        """A lock."""
        import asyncio

        return asyncio.Lock()

    @staticmethod
    async def call(function: TokenCallable) -> object:
        """What the function returns, on a thread of its own where it is not a coroutine function."""
        import asyncio

        result = function() if inspect.iscoroutinefunction(function) else await asyncio.to_thread(function)
        return await result if inspect.isawaitable(result) else result
