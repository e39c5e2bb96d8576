"""The real service, and clients of it.

The program `norma` is the one that NORMA_PROGRAM names, or that of PATH. `norma` in a test is both clients,
one after the other, with the methods of the synchronous one.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from norma_client import AsyncNorma, Norma

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = "urn:nsb:std:nsb:4210:ed-1:en", "urn:nsb:std:nsb:4210:ed-2:en"
SERVICE = "0a11ce00-5e51-4ce0-8000-c11e47000001"
#: Variables of this machine must not change what is tested.
for name in [name for name in os.environ if name.startswith("NORMA_") or name.lower().endswith("_proxy")]:
    if name not in ("NORMA_PROGRAM", "NORMA_NODE_MODULES", "NORMA_OFFICE"):
        del os.environ[name]


def program() -> str:
    """The path of the program under test."""
    found = os.environ.get("NORMA_PROGRAM") or shutil.which("norma")
    assert found, "the program norma is missing: name it by NORMA_PROGRAM"
    return found


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Program:
    """A program in the background; it is ready once a condition holds, and ends with its block."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self.log = folder / f"{words[0]}-{uuid.uuid4()}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [program(), *words], stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=folder
            )

    def wait_for(self, condition: Any) -> Any:
        """What the condition gives as soon as it gives something, half a minute at most."""
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            if found := condition():
                return found
            time.sleep(0.02)
        raise AssertionError(self.log.read_text())

    def stop(self) -> None:
        """Asks it to stop, and waits."""
        self.process.terminate()
        self.process.wait(30)


def read_ready(path: Path) -> Any:
    """The JSON of a ready file, once it is there."""
    return json.loads(path.read_text()) if path.exists() else None


class Demo:
    """`norma demo` with a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, any_port = folder, "127.0.0.1:0"
        words = ["demo", "--data", "data", "--ready-file", "ready.json", *options]
        for listener in ("--listen", "--ops-listen", "--idp-listen", "--explorer-listen"):
            words += [listener, any_port]
        self.program = Program(folder, words)
        ready = self.program.wait_for(lambda: read_ready(folder / "ready.json"))
        self.environ = {
            "NORMA_BASE_URL": ready["baseUrl"],
            "NORMA_AUTH_URL": ready["authUrl"],
            "NORMA_TENANT_ID": ready["tenantId"],
            "NORMA_CLIENT_ID": ready["clientId"],
            "NORMA_CLIENT_SECRET": ready["clientSecret"],
            "NORMA_SCOPE": ready["scope"],
        }

    def operate(self, *words: str) -> str:
        """Runs a command of the operator on its store."""
        return run(*words, "--store", str(self.folder / "data/norma.db"))

    def get(self, *words: str) -> Any:
        """What `norma get` prints as its caller."""
        return json.loads(run("get", *words, environ=self.environ))


def run(*words: str, environ: dict[str, str] | None = None) -> str:
    """Runs `norma` to its end, and gives what it prints."""
    done = subprocess.run(
        [program(), *words],
        capture_output=True,
        text=True,
        env={**os.environ, **(environ or {})},
        check=False,
    )
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@contextlib.contextmanager
def demonstration(folder: Path, *options: str) -> Iterator[Demo]:
    """A demonstration that ends with the block."""
    demo = Demo(folder, *options)
    try:
        yield demo
    finally:
        demo.program.stop()


class Installation:
    """A development provider and `norma serve` with one standard, as programs of their own."""

    def __init__(self, folder: Path, tls: bool, lifetime: int) -> None:
        self.folder, self.port = folder, free_port()
        config = run("dev-idp", "--example").replace("127.0.0.1:8400", f"127.0.0.1:{self.port}")
        # A certificate of the caller, whose assertion msal sends several times.
        config = config.replace("refuse-replayed-assertions = true", "refuse-replayed-assertions = false")
        config = config.replace("tls = false", f'tls = {str(tls).lower()}\ncertificate-file = "root.pem"')
        config = config.replace("token-lifetime-seconds = 3600", f"token-lifetime-seconds = {lifetime}")
        config = config.replace(
            "certificates = []", f"certificates = [{json.dumps(make_certificate(folder))}]"
        )
        (folder / "idp.toml").write_text(config)
        self.auth_url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        self.provider = Program(folder, ["dev-idp", "--idp-config", "idp.toml"])
        self.provider.wait_for(lambda: self.auth_url in self.provider.log.read_text())
        self.environ = {
            "NORMA_AUTH_URL": self.auth_url,
            "NORMA_TENANT_ID": "7c0ffee0-1111-4222-8333-444455556666",
            "NORMA_CLIENT_ID": "7c0ffee0-aaaa-4bbb-8ccc-ddddeeeeffff",
            "NORMA_CLIENT_SECRET": "for-development-only",
            "NORMA_SCOPE": "api://norma/.default",
        }
        if tls:
            self.environ["NORMA_CA_FILE"] = str(folder / "root.pem")
        self.operate("ingest", str(ROOT / "samples/minimal"))
        self.operate("tenant", "add", self.environ["NORMA_TENANT_ID"])
        self.operate("grant", "add", self.environ["NORMA_TENANT_ID"], "--urn", "urn:nsb:*")
        self.service: Program | None = None
        self.restart()

    def operate(self, *words: str) -> str:
        """Runs a command of the operator."""
        return run(*words, "--store", str(self.folder / "norma.db"), "--auth-url", self.auth_url)

    def restart(self) -> None:
        """Starts the service, again where it runs."""
        if self.service:
            self.service.stop()
        (self.folder / "ready.json").unlink(missing_ok=True)
        words = ["serve", "--store", "norma.db", "--ready-file", "ready.json", "--auth-url", self.auth_url]
        words += ["--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--drain-time", "0s"]
        words += ["--audience", f"{SERVICE},api://norma", "--clock-skew", "1s"]
        if "NORMA_CA_FILE" in self.environ:
            words += ["--auth-ca", "root.pem"]
        self.service = Program(self.folder, words)
        ready = self.service.wait_for(lambda: read_ready(self.folder / "ready.json"))
        self.environ["NORMA_BASE_URL"] = ready["baseUrl"]


@contextlib.contextmanager
def installation(folder: Path, tls: bool = False, lifetime: int = 3600) -> Iterator[Installation]:
    """An installation that ends with the block."""
    world = Installation(folder, tls, lifetime)
    try:
        yield world
    finally:
        world.provider.stop()
        if world.service:
            world.service.stop()


def make_certificate(folder: Path, name: str = "client.pem") -> str:
    """Writes a certificate with its key into one file, and gives the certificate in PEM."""
    now = datetime.now(timezone.utc)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "client")])
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    )
    builder = builder.serial_number(1).not_valid_before(now - timedelta(days=1))
    certificate = builder.not_valid_after(now + timedelta(days=2)).sign(key, hashes.SHA256())
    pem = certificate.public_bytes(Encoding.PEM).decode()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    (folder / name).write_text(private + pem)
    return pem


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demonstration that tests share; none of them changes it."""
    with demonstration(tmp_path_factory.mktemp("demo")) as demo:
        yield demo


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose provider has TLS, with a certificate that it signed itself."""
    with installation(tmp_path_factory.mktemp("tls"), tls=True) as world:
        yield world


class Blocking:
    """An asynchronous client with the methods of the synchronous one, on an event loop of its own."""

    def __init__(self, client: AsyncNorma) -> None:
        self.client = client
        self.loop = asyncio.new_event_loop()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.client, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **options: Any) -> Any:
            result = found(*arguments, **options)
            if inspect.isawaitable(result):
                return self.loop.run_until_complete(result)
            return self._iterate(result)

        return call

    def _iterate(self, pages: Any) -> Iterator[Any]:
        items = aiter(pages)
        with contextlib.suppress(StopAsyncIteration):
            while True:
                yield self.loop.run_until_complete(anext(items))

    def close(self) -> None:
        """Closes the client and its loop."""
        self.loop.run_until_complete(self.client.aclose())
        self.loop.close()


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes clients of one of the two kinds, which are closed at the end of the test."""
    made: list[Any] = []

    def make(*arguments: Any, environ: dict[str, str] | None = None, **options: Any) -> Any:
        kind = Norma if request.param == "sync" else AsyncNorma
        client = kind.from_env(environ, **options) if environ else kind(*arguments, **options)
        made.append(client if isinstance(client, Norma) else Blocking(client))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def norma(make: Any, demo: Demo) -> Any:
    """A client of the shared demonstration."""
    return make(environ=demo.environ)


class Scripted:
    """A server whose answers a test writes: bytes as they are, after each of which the connection ends."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                scripted.requests.append((self.command, self.path, headers, self.rfile.read(length)))
                self.wfile.write(
                    scripted.answers.pop(0) if len(scripted.answers) > 1 else scripted.answers[0]
                )
                self.close_connection = True

            do_GET = do_POST = answer

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def stop(self) -> None:
        """Ends it."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def answer(status: int, body: Any, content_type: str = "application/json", **headers: str) -> bytes:
    """A response as bytes; JSON where the body is not bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Status", f"Content-Type: {content_type}", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + content


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """A server whose answers the test writes."""
    scripted = Scripted()
    yield scripted
    scripted.stop()
