"""The mirror against a service that changes, and that fails at any request."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from norma_client import AsyncMirror, ConfigurationError, Gone, Mirror, NotFound

if TYPE_CHECKING:
    from pathlib import Path


def problem(kind: Any, status: int, code: str) -> Exception:
    """An error as the client raises it."""
    error: Exception = kind.__new__(kind)
    Exception.__init__(error, code)
    error.__dict__.update(code=code, status=status)
    return error


class Stop(Exception):
    """The process ends here."""


class Service:
    """A service with some standards, the changes of which are numbered."""

    def __init__(self, seed: int) -> None:
        """Nothing is there yet."""
        self.random = random.Random(seed)
        self.standing: dict[str, dict[str, Any]] = {}
        self.log: list[dict[str, Any]] = []
        self.epoch = 0
        self.calls_left: int | None = None

    def step(self) -> None:
        """Publishes, corrects, recalls or removes a standard, changes grants, or loses its cursors."""
        urn = f"urn:nsb:std:nsb:{self.random.randrange(12)}:ed-1:en"
        what = self.random.randrange(12)
        if what < 7:
            kind = "update" if urn in self.standing else "create"
            revision = f"r{self.random.random()}"
            self.standing[urn] = {"urn": urn, "revision": revision, "status": "published", "access": "read"}
            self.log.append({"type": kind, **self.standing[urn]})
        elif what < 10:
            if self.standing.pop(urn, None):
                self.log.append({"type": self.random.choice(["recall", "remove"]), "urn": urn})
        elif what == 10:
            self.standing.pop(urn, None)
            self.log.append({"type": "refresh", "scope": "entitlements"})
        else:
            self.epoch += 1

    def call(self) -> None:
        """Counts a request, and stops the program at the last one."""
        if self.calls_left is not None:
            if self.calls_left == 0:
                raise Stop
            self.calls_left -= 1

    def changes(self, since: str | None = None, *, limit: int = 3) -> dict[str, Any]:
        """As the client's method."""
        self.call()
        if since is None:
            return {"items": [], "more": False, "next": f"{self.epoch}.{len(self.log)}"}
        epoch, number = map(int, since.split("."))
        if epoch != self.epoch:
            raise problem(Gone, 410, "cursor-ended")
        items = self.log[number : number + limit]
        after = number + len(items)
        return {"items": items, "more": after < len(self.log), "next": f"{epoch}.{after}"}

    def standards(self, **_: Any) -> Any:
        """As the client's method."""
        for urn in sorted(self.standing):
            self.call()
            if urn in self.standing:
                yield self.standing[urn]

    def standard(self, urn: str, **_: Any) -> dict[str, Any]:
        """As the client's method."""
        self.call()
        if urn not in self.standing:
            raise problem(NotFound, 404, "standard-not-found")
        return self.standing[urn]


def copies(mirror: Any) -> dict[str, Any]:
    """What the files have, by URN."""
    files = (mirror.folder / "standards").glob("*.json")
    found = [json.loads(file.read_text()) for file in files]
    return {copy["urn"]: copy for copy in found}


def test_a_mirror_has_what_the_service_has_whatever_happens_and_wherever_it_stops(tmp_path: Path) -> None:
    """2,000 steps, with a run after each five of them, of which a half is stopped."""
    service = Service(7)
    for step in range(2000):
        service.step()
        if step % 5:
            continue
        service.calls_left = service.random.randrange(12)
        with contextlib.suppress(Stop):
            Mirror(service, tmp_path).run()  # type: ignore[arg-type]
        service.calls_left = None
        mirror = Mirror(service, tmp_path)  # type: ignore[arg-type]
        mirror.run()
        assert copies(mirror) == service.standing, step
    Mirror(service, tmp_path).run()  # type: ignore[arg-type]
    assert Mirror(service, tmp_path).run() == ([], [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"cursor": null, "listing": true, "standards": []}',
        '{"cursor": null, "listing": true, "standards": {"urn:a": {}}}',
        # The state of `norma mirror`.
        '{"version": 1, "service": "s", "cursor": "c", "listing": false, "standards": {}}',
    ],
)
def test_a_file_that_is_no_state_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    """The file stays as it is."""
    file = tmp_path / "mirror.json"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=r"mirror\.json is not the state .* remove the file"):
        Mirror(Service(1), tmp_path)  # type: ignore[arg-type]
    assert file.read_text() == text


def test_the_asynchronous_mirror_does_the_same(tmp_path: Path) -> None:
    """By the same service."""
    service = Service(3)

    class Later:
        """The methods of the service as those of the asynchronous client."""

        async def changes(self, since: str | None = None) -> Any:
            return service.changes(since)

        async def standard(self, urn: str, **options: Any) -> Any:
            return service.standard(urn, **options)

        async def standards(self, **options: Any) -> Any:
            for item in service.standards(**options):
                yield item

    async def follow() -> None:
        for _ in range(200):
            service.step()
            mirror = AsyncMirror(Later(), tmp_path)  # type: ignore[arg-type]
            await mirror.run()
            assert copies(mirror) == service.standing

    asyncio.run(follow())
