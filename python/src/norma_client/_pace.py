"""The pace of a client's requests, by the headers in which the service says how many it still takes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Longest time between two requests that is taken from headers, in seconds.
_LONGEST_GAP = 30.0


class Pace:
    """When the next request may be sent: the service's count of requests, as its answers tell it.

    The service lets `X-RateLimit-Limit` requests through at once, of which `X-RateLimit-Remaining` are left,
    and in `X-RateLimit-Reset` seconds all are back. All threads or tasks of a client share one pace: each
    takes its place in the order, so that none is refused because of the others. Times are those of
    `time.monotonic`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._limit = 0.0
        # Requests a second: 0 until an answer says that there is a limit.
        self._rate = 0.0
        # Requests that are left; below 0 where others already wait.
        self._left = 0.0
        self._at = 0.0
        # Requests that wait or are on their way, which the service has not counted yet.
        self._unanswered = 0

    def begin(self, now: float) -> float:
        """Takes a place for one request, and gives the seconds to wait before it is sent."""
        with self._lock:
            self._unanswered += 1
            if not self._rate:
                return 0.0
            self._refill(now)
            self._left -= 1
            return max(0.0, -self._left / self._rate)

    def end(self, headers: Mapping[str, str] | None, now: float, *, refused: bool = False) -> None:
        """Ends one request, with the headers of its answer if it has one; `refused` where that was 429."""
        with self._lock:
            self._unanswered -= 1
            numbers = [_number(headers, name) for name in ("limit", "remaining", "reset")] if headers else []
            if not numbers or None in numbers:
                return
            limit, remaining, reset = (float(number or 0) for number in numbers)
            self._refill(now)
            # The seconds are rounded up, so that the true rate is this one or higher.
            seen = max((limit - remaining) / max(reset, 1.0), 1 / _LONGEST_GAP)
            if refused or limit != self._limit or not self._rate:
                self._rate, self._left = seen, limit
            self._limit, self._rate = limit, max(self._rate, seen)
            self._left = min(self._left, remaining - self._unanswered)

    def _refill(self, now: float) -> None:
        elapsed, self._at = max(0.0, now - self._at), max(now, self._at)
        self._left = min(self._limit, self._left + elapsed * self._rate)


def _number(headers: Mapping[str, str], name: str) -> int | None:
    value = headers.get(f"x-ratelimit-{name}", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
