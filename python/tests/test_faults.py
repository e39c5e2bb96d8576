"""Bad days: refusals, a busy service, broken connections, damaged answers.

They are those of the real service where it can be brought to them, else of a scripted one.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import NEW, OLD, Demo, Scripted, answer, demonstration, installation

import norma_client
from norma_client import AsyncNorma, Norma

if TYPE_CHECKING:
    from typing_extensions import Self

LIMITS = answer(200, {"maxPageSize": 500})


@pytest.mark.parametrize(
    ("call", "error", "status", "code"),
    [
        (lambda n: n.terms("abc"), norma_client.InvalidRequest, 400, "invalid-urn"),
        (lambda n: n.selection(NEW, "5-4"), norma_client.InvalidRequest, 400, "invalid-selection"),
        (
            lambda n: n.content("urn:nsb:std:nsb:4220:ed-1:en"),
            norma_client.NotLicensed,
            403,
            "content-not-licensed",
        ),
        (
            lambda n: n.terms("urn:nsb:std:nsb:ts:4250:ed-1:en"),
            norma_client.NotFound,
            404,
            "standard-not-found",
        ),
        (lambda n: n.selection(NEW, "99"), norma_client.NotFound, 404, "selection-not-found"),
        (lambda n: n.asset(NEW, "nothing.png"), norma_client.NotFound, 404, "asset-not-found"),
        (lambda n: n.table(NEW, "99"), norma_client.NotFound, 404, "table-not-found"),
    ],
)
def test_each_refusal_is_an_error_that_says_what_to_do(
    norma: Any, call: Any, error: type[norma_client.NormaError], status: int, code: str
) -> None:
    with pytest.raises(error) as caught:
        call(norma)
    found = caught.value
    assert (found.status, found.code) == (status, code)
    assert found.problem
    assert found.request_id == found.problem["instance"]
    assert str(found).startswith(f"{status} {code}: {found.detail.rstrip('.')}. ")
    assert str(found).endswith(f"(request {found.request_id})")
    assert len(str(found).splitlines()) == 1


def test_a_token_that_nobody_issued_is_asked_for_once_more_and_then_refused(make: Any, demo: Demo) -> None:
    asked = []
    norma = make(demo.environ["NORMA_BASE_URL"], credential=lambda: asked.append(1) or "not.a.token")
    with pytest.raises(norma_client.NotAuthenticated) as caught:
        norma.limits()
    assert (caught.value.status, caught.value.code, len(asked)) == (401, "token-invalid", 2)


def test_what_the_operator_changes_is_an_error_that_says_so(make: Any, tmp_path: Path) -> None:
    with demonstration(tmp_path) as demo:
        norma = make(environ=demo.environ)
        assert norma.terms(OLD)
        demo.operate("recall", OLD, "--reason", "Table 1 is wrong")
        error = until(lambda: norma.terms(OLD), norma_client.Gone)
        assert (error.status, error.code) == (410, "standard-recalled")
        assert "Delete your copies" in str(error)
        demo.operate("client", "suspend", demo.environ["NORMA_TENANT_ID"], demo.environ["NORMA_CLIENT_ID"])
        error = until(norma.limits, norma_client.Forbidden)
        assert (error.status, error.code) == (403, "caller-suspended")
        assert not isinstance(error, norma_client.NotLicensed)
        demo.operate("tenant", "remove", demo.environ["NORMA_TENANT_ID"])
        error = until(norma.limits, norma_client.NotAuthenticated)
        assert (error.status, error.code) == (401, "token-invalid")


def until(call: Any, kind: type[norma_client.NormaError]) -> norma_client.NormaError:
    """Calls until it raises the error: an operator's change is seen within a second."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            call()
        except kind as error:
            return error
        except norma_client.NormaError:
            pass
        time.sleep(0.05)
    raise AssertionError(kind)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demonstration(tmp_path_factory.mktemp("busy"), "--rate-limit", "1", "--rate-burst", "1") as demo:
        yield demo


def test_a_busy_service_is_asked_again_when_it_says(make: Any, busy: Demo) -> None:
    # One client would wait for its turn; those of several programs do not know of each other.
    hasty = [make(environ=busy.environ, max_retries=0) for _ in range(3)]
    with pytest.raises(norma_client.RateLimited) as caught:
        [one.limits() for one in hasty]
    assert (caught.value.status, caught.value.code) == (429, "rate-limited")
    assert caught.value.retry_after == 1
    patient = make(environ=busy.environ, max_retries=10)
    started = time.monotonic()
    assert [patient.limits() for _ in range(2)]
    assert time.monotonic() - started > 0.9


def test_threads_that_call_more_than_the_service_takes_wait_for_their_turn(tmp_path: Path) -> None:
    with demonstration(tmp_path, "--rate-limit", "5", "--rate-burst", "5") as demo:
        started = time.monotonic()
        with Norma.from_env(demo.environ) as norma, ThreadPoolExecutor(12) as threads:
            answers = list(threads.map(lambda _: norma.limits(), range(60)))
        assert len(answers) == 60
        assert time.monotonic() - started > 54 / 5


def test_tasks_that_call_more_than_the_service_takes_wait_for_their_turn(tmp_path: Path) -> None:
    async def read(environ: dict[str, str]) -> int:
        async with AsyncNorma.from_env(environ) as norma:
            return len(await asyncio.gather(*(norma.limits() for _ in range(40))))

    with demonstration(tmp_path, "--rate-limit", "5", "--rate-burst", "5") as demo:
        assert asyncio.run(read(demo.environ)) == 40


def test_a_service_that_cannot_verify_tokens_is_unavailable(make: Any, tmp_path: Path) -> None:
    with installation(tmp_path) as world:
        with Norma.from_env(world.environ) as norma:
            token = norma.token()
        # A service that never saw the provider's keys, while the provider is away.
        world.provider.stop()
        world.restart()
        with pytest.raises(norma_client.Unavailable) as caught:
            make(world.environ["NORMA_BASE_URL"], credential=lambda: token, max_retries=0).limits()
    assert (caught.value.status, caught.value.code) == (503, "unavailable")
    assert caught.value.retry_after


def test_retries_end_and_wait_longer_each_time(
    make: Any, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("norma_client._concurrency.Threads.sleep", waits.append)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("norma_client._concurrency.Tasks.sleep", sleep)
    problem = {"code": "unavailable", "detail": "The store is away", "instance": "1"}
    norma = make(scripted.url, credential=lambda: "token")

    scripted.answers = [answer(503, problem, "application/problem+json")]
    with pytest.raises(norma_client.Unavailable):
        norma.limits()
    assert len(scripted.requests) == 4
    assert all(most / 2 <= wait <= most for wait, most in zip(waits, (0.5, 1, 2), strict=True))

    waits.clear()
    scripted.answers = [answer(429, problem, Retry_After="7"), answer(503, problem, Retry_After="0"), LIMITS]
    assert norma.limits() == {"maxPageSize": 500}
    assert waits == [7, 0]

    scripted.requests.clear()
    scripted.answers = [answer(429, problem, Retry_After="31"), LIMITS]
    with pytest.raises(norma_client.RateLimited) as caught:
        norma.limits()
    assert (caught.value.retry_after, len(scripted.requests)) == (31, 1)

    # Not what another attempt would not change; a POST is repeated, as all of them are reads.
    for status, expected in ((500, 1), (504, 1), (403, 1), (503, 4)):
        scripted.requests.clear()
        scripted.answers = [answer(status, problem)]
        with pytest.raises(norma_client.NormaError):
            norma.migrate(NEW, ["prv_1"])
        assert [method for method, *_ in scripted.requests] == ["POST"] * expected


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("norma_client._http._FIRST_WAIT", 0.01)


@pytest.mark.usefixtures("short_waits")
def test_a_broken_connection_is_repeated(make: Any, scripted: Scripted) -> None:
    norma = make(scripted.url, credential=lambda: "token", max_retries=1)
    for broken in (b"", b"HTTP/1.1 200 OK\r\nContent-", LIMITS[:-5]):
        scripted.requests.clear()
        scripted.answers = [broken, LIMITS]
        assert norma.limits() == {"maxPageSize": 500}
        assert len(scripted.requests) == 2
        scripted.answers = [broken]
        with pytest.raises(norma_client.Unreachable, match="cannot be reached"):
            norma.limits()


@pytest.mark.usefixtures("short_waits")
def test_a_connection_of_the_real_service_that_breaks_between_pages_is_repeated(
    make: Any, demo: Demo
) -> None:
    with Breaking(demo.environ["NORMA_BASE_URL"]) as proxy:
        norma = make(environ={**demo.environ, "NORMA_BASE_URL": proxy.url})
        whole = demo.get("standards")["items"]
        pages = iter(norma.standards(limit=2))
        assert next(pages) == whole[0]
        proxy.break_next = 2
        assert list(pages) == whole[1:]
        assert proxy.break_next == 0


class Breaking:
    """A proxy that breaks connections: of the next so many, in the middle of the answer."""

    def __init__(self, target: str) -> None:
        self.target = int(target.rpartition(":")[2])
        self.break_next = 0
        self.open: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.threads = [threading.Thread(target=self.accept)]

    def __enter__(self) -> Self:
        self.threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        # On Linux `close` alone does not wake a thread that waits in `accept`.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for one in self.open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for one in self.open:
            one.close()

    def accept(self) -> None:
        while True:
            try:
                caller, _ = self.listener.accept()
            except OSError:
                return
            service = socket.create_connection(("127.0.0.1", self.target))
            self.open += [caller, service]
            thread = threading.Thread(target=self.exchange, args=(caller, service))
            thread.start()
            self.threads.append(thread)

    def exchange(self, caller: socket.socket, service: socket.socket) -> None:
        try:
            while request := caller.recv(65536):
                service.sendall(request)
                response = service.recv(65536)
                if self.break_next:
                    self.break_next -= 1
                    caller.sendall(response[: len(response) // 2])
                    break
                caller.sendall(response)
            caller.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (answer(200, b"<html>Sign in</html>", "text/html"), "answered 200 with text/html in place of"),
        (answer(502, b"<html>Bad gateway</html>", "text/html"), "answered 502 with text/html in place of"),
        (
            answer(302, b"", "text/html", Location="https://u:hunter2@sso.example/?x=hunter2"),
            "a redirect to https://…@sso",
        ),
        (answer(200, b'{"items": [', "application/json"), "not a JSON object"),
        (answer(200, b"\xff\xfe", "application/json"), "not a JSON object"),
        (answer(200, []), "not a JSON object"),
        (answer(200, {}), "not a JSON object with `urn`"),
        (
            answer(200, {"urn": NEW, "revision": "1", "items": None}),
            "not a JSON object with objects in `items`",
        ),
        (answer(404, {"error": "no such page"}), "application/json in place of a problem document"),
        (answer(403, b""), "answered 403"),
        (answer(204, b""), "answered 204"),
    ],
)
def test_an_answer_that_is_not_of_norma_names_the_url(
    make: Any, scripted: Scripted, damaged: bytes, said: str
) -> None:
    scripted.answers = [damaged]
    with pytest.raises(norma_client.UnexpectedAnswer) as caught:
        make(scripted.url, credential=lambda: "token").terms(NEW)
    message = str(caught.value)
    assert said in message
    assert message.startswith(scripted.url)
    assert "NORMA_BASE_URL (base_url)" in message
    assert "hunter2" not in message
    assert len(message.splitlines()) == 1


def test_damaged_pages_and_pictures_are_errors(make: Any, scripted: Scripted) -> None:
    norma = make(scripted.url, credential=lambda: "token", max_retries=0)
    for body in ({}, {"items": 3}, {"items": [3]}, {"total": 1}):
        scripted.answers = [answer(200, body)]
        with pytest.raises(norma_client.UnexpectedAnswer):
            list(norma.standards())
        with pytest.raises(norma_client.UnexpectedAnswer):
            norma.asset(NEW, "fig_1")
    signed = f"{scripted.url}/api/content/v1/assets/hunter2"
    scripted.answers = [answer(200, {"url": signed}), answer(500, b"oh", "text/plain")]
    with pytest.raises(norma_client.UnexpectedAnswer) as caught:
        norma.asset(NEW, "fig_1")
    assert "/assets/…" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    # The second request goes to the signed URL, without the token.
    assert [("authorization" in headers) for _, _, headers, _ in scripted.requests[-2:]] == [True, False]


def test_an_answer_with_more_bytes_than_the_client_takes_is_an_error(make: Any, scripted: Scripted) -> None:
    norma = make(scripted.url, credential=lambda: "token", max_answer_bytes=1000)
    packed = gzip.compress(b'{"a": "' + b" " * 100_000 + b'"}')
    for long in (answer(200, {"a": "b" * 1000}), answer(200, packed, Content_Encoding="gzip")):
        scripted.requests.clear()
        scripted.answers = [long]
        with pytest.raises(norma_client.UnexpectedAnswer, match="more than 1000 bytes, the max_answer_bytes"):
            norma.limits()
        assert len(scripted.requests) == 1
    signed = f"{scripted.url}/api/content/v1/assets/hunter2"
    scripted.answers = [answer(200, {"url": signed}), answer(200, b"x" * 1001, "image/png")]
    with pytest.raises(norma_client.UnexpectedAnswer, match="more than 1000 bytes"):
        norma.asset(NEW, "fig_1")
    scripted.answers = [answer(200, {"a": "b" * 900})]
    assert norma.limits()


def test_a_cursor_that_repeats_ends_the_pages(make: Any, scripted: Scripted) -> None:
    norma = make(scripted.url, credential=lambda: "token", max_retries=0)
    pages = [{"items": [{"urn": NEW}], "standards": [], "next": cursor} for cursor in ("a", "b", "a")]
    for call in (
        lambda: list(norma.standards()),
        lambda: list(norma.search("lock")),
        lambda: norma.compare(OLD, NEW),
    ):
        scripted.requests.clear()
        scripted.answers = [answer(200, page) for page in pages]
        with pytest.raises(norma_client.UnexpectedAnswer, match="a cursor of its own"):
            call()
        assert len(scripted.requests) == 3


def test_no_signature_is_logged(make: Any, scripted: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    signed = f"{scripted.url}/api/content/v1/assets/hunter2?x=hunter2"
    scripted.answers = [answer(200, {"url": signed}), answer(200, b"picture", "image/png")]
    assert make(scripted.url, credential=lambda: "token").asset(NEW, "fig_1") == b"picture"
    assert "/assets/…" in caplog.text
    assert "/assets/resolve" in caplog.text
    assert "hunter2" not in caplog.text


def test_words_of_a_later_service_arrive_as_they_are(make: Any, scripted: Scripted, demo: Demo) -> None:
    provision = dict(demo.get("provisions", NEW)["items"][0])
    provision |= {"type": "wish", "container": "hologram", "strength": 7}
    quantity = {"comparator": "roughly", "value": "40", "text": "40", "start": 0, "end": 2}
    provision["quantities"] = [quantity]
    found = {"urn": NEW, "revision": "1", "items": [provision]}
    metadata = {"metadata": {"reference": "NSB 4210"}, "status": "dormant"}
    scripted.answers = [answer(200, found)]
    norma = make(scripted.url, credential=lambda: "token", cache_bytes=0)
    assert norma.provisions(NEW)[0]["type"] == "wish"
    scripted.answers = [answer(200, found), answer(200, metadata), answer(200, {**found, "items": []})]
    scripted.answers.append(answer(200, {"urn": NEW, "revision": "1", "sections": []}))
    [row] = norma.rows(NEW)
    assert (row["type"], row["status"], row["quantities"]) == ("wish", "dormant", "? 40")
    scripted.answers = [answer(200, {"total": 0, "state": "resting", "items": [], "standards": []})]
    assert list(norma.search("lock")) == []


def test_a_service_that_does_not_answer_is_given_up(make: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(norma_client.Unreachable, match=r"no answer in time \(ReadTimeout\)"):
            make(url, credential=lambda: "token", timeout=0.1).limits()
    with pytest.raises(norma_client.Unreachable, match=r"Connection refused|All connection attempts failed"):
        make(url, credential=lambda: "token", max_retries=0).limits()


def test_a_cancelled_call_ends_at_once(scripted: Scripted) -> None:
    scripted.answers = [answer(503, {"code": "unavailable"}, Retry_After="30")]

    async def read() -> None:
        async with AsyncNorma(scripted.url, credential=lambda: "token") as norma:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(norma.limits(), 0.2)

    started = time.monotonic()
    asyncio.run(read())
    assert time.monotonic() - started < 5
