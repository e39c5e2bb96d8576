"""Credentials: tokens of the development provider and of one that others wrote."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import msal
import pytest
from conftest import NEW, ROOT, Demo, Installation, Scripted, answer, installation, make_certificate

import norma_client
from norma_client import AsyncNorma, ClientCertificate, ClientSecret, Norma

STANDARD = "urn:nsb:std:nsb:4201:ed-1:en"
REGISTRATION = {
    "tenant_id": "7c0ffee0-1111-4222-8333-444455556666",
    "client_id": "7c0ffee0-aaaa-4bbb-8ccc-ddddeeeeffff",
    "scope": "api://norma/.default",
}
ISSUED = {"access_token": "first", "expires_in": 3600, "token_type": "Bearer"}


def without_secret(environ: dict[str, str], **more: Any) -> dict[str, str]:
    return {**{key: value for key, value in environ.items() if key != "NORMA_CLIENT_SECRET"}, **more}


def test_a_secret_of_the_environment_or_of_a_file_gets_tokens_over_tls(
    make: Any, world: Installation, tmp_path: Path
) -> None:
    assert make(environ=world.environ).terms(STANDARD).urn == STANDARD
    secret = tmp_path / "secret"
    norma = make(environ=without_secret(world.environ, NORMA_CLIENT_SECRET_FILE=str(secret)))
    with pytest.raises(norma_client.CredentialError, match=f"{secret} cannot be read: No such file"):
        norma.token()
    secret.write_text(" \n")
    with pytest.raises(norma_client.CredentialError, match=f"{secret} is empty"):
        norma.token()
    secret.write_text("for-development-only\n")
    assert norma.terms(STANDARD).urn == STANDARD


def test_a_certificate_gets_tokens_and_is_read_again_when_its_file_changes(
    make: Any, world: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "client.pem"
    file.write_text((world.folder / "client.pem").read_text())
    environ = without_secret(world.environ, NORMA_CLIENT_CERTIFICATE=str(file))
    assert make(environ=environ).terms(STANDARD).urn == STANDARD
    norma = make(environ=environ)
    make_certificate(tmp_path)
    with pytest.raises(norma_client.TokenRefused, match="certificate") as caught:
        norma.token()
    assert (caught.value.code, caught.value.status) == ("invalid_client", 401)
    file.write_text((world.folder / "client.pem").read_text())
    assert norma.token()


def test_an_assertion_names_its_certificate_and_is_never_the_same(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    credential = ClientCertificate(tmp_path / "client.pem", auth_url="https://login.example", **REGISTRATION)
    first, second = (credential.form(1000.0)["client_assertion"].split(".") for _ in range(2))
    header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in first[:2])
    assert (header["alg"], len(header["x5t#S256"])) == ("PS256", 43)
    assert claims["aud"] == f"https://login.example/{REGISTRATION['tenant_id']}/oauth2/v2.0/token"
    assert (claims["iss"], claims["sub"]) == (REGISTRATION["client_id"],) * 2
    assert (claims["nbf"], claims["exp"]) == (1000, 1300)
    assert first[1] != second[1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hunter2", "no certificate in PEM"),
        ("-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----", "no private key in PEM"),
        (
            "-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----\n"
            "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----",
            "is damaged, or the key has a password",
        ),
    ],
)
def test_a_damaged_certificate_is_named_and_not_shown(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "client.pem"
    file.write_text(content)
    with pytest.raises(norma_client.CredentialError, match=said) as caught:
        ClientCertificate(file, auth_url="https://login.example", **REGISTRATION).form(0.0)
    assert str(file) in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_tokens_of_msal_by_secret_and_by_certificate(
    make: Any, world: Installation, monkeypatch: Any
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(world.folder / "root.pem"))
    pem = (world.folder / "client.pem").read_text()
    certificate = {
        "private_key": pem[: pem.index("-----BEGIN CERT")],
        "public_certificate": pem[pem.index("-----BEGIN CERT") :],
    }
    for credential in ("for-development-only", certificate):
        application = msal.ConfidentialClientApplication(
            REGISTRATION["client_id"],
            authority=f"{world.auth_url}/{REGISTRATION['tenant_id']}",
            client_credential=credential,
            instance_discovery=False,
        )

        def token(application: Any = application) -> str:
            return str(application.acquire_token_for_client([REGISTRATION["scope"]])["access_token"])

        norma = make(world.environ["NORMA_BASE_URL"], credential=token)
        assert norma.terms(STANDARD).urn == STANDARD


@pytest.fixture
def certified(world: Installation) -> Iterator[str]:
    """The issuer of a provider that others wrote, whose caller the service knows."""
    modules = os.environ.get("NORMA_NODE_MODULES")
    if not modules:
        pytest.skip("NORMA_NODE_MODULES is not set: the provider of others is absent")
    environ = {
        "CLIENT_ID": "reader",
        "CLIENT_SECRET": "for-this-test",
        "MODULES": modules,
        "ROLE": "Content.Read",
    }
    script = ROOT / "crates/cli/tests/identity/oidc_provider.mjs"
    words, pipe = ["node", str(script)], subprocess.PIPE
    with subprocess.Popen(
        words, env={**os.environ, **environ}, stdin=pipe, stdout=pipe, text=True
    ) as provider:
        assert provider.stdout
        issuer = provider.stdout.readline().strip()
        claims = ("--tenant-claim", "", "--role-claim", "groups", "--token-types", "at+jwt")
        world.operate(
            "tenant", "add", "acme", "--issuer", issuer, *claims, "--audience", "https://norma.test/api"
        )
        world.operate("grant", "add", "acme", "--urn", "urn:nsb:*")
        yield issuer
        provider.communicate()


def test_tokens_of_a_certified_provider_by_a_callable(make: Any, world: Installation, certified: str) -> None:
    asked = []

    def token() -> str:
        asked.append(1)
        form = {"grant_type": "client_credentials", "resource": "https://norma.test/api"}
        found = httpx2.post(f"{certified}/token", auth=("reader", "for-this-test"), data=form)
        return str(found.json()["access_token"])

    norma = make(world.environ["NORMA_BASE_URL"], credential=token)
    end = time.monotonic() + 20
    while True:
        # The service knows the new tenant within a second.
        try:
            assert norma.terms(STANDARD).urn == STANDARD
            break
        except norma_client.NormaError:
            assert time.monotonic() < end
            time.sleep(0.05)
    asked.clear()
    assert norma.metadata(STANDARD)
    assert not asked


def test_a_coroutine_function_gives_tokens_of_the_asynchronous_client(demo: Demo) -> None:
    async def read() -> None:
        async with AsyncNorma.from_env(demo.environ) as norma:
            token = await norma.token()

        async def credential() -> str:
            return token

        async with AsyncNorma(demo.environ["NORMA_BASE_URL"], credential=credential) as norma:
            assert await norma.terms(NEW)
        with (
            Norma(demo.environ["NORMA_BASE_URL"], credential=credential) as synchronous,
            pytest.raises(norma_client.CredentialError, match="returned coroutine: expected an access token"),
        ):
            synchronous.limits()

    asyncio.run(read())


@pytest.mark.parametrize("token", [None, b"bytes", "two words", "line\nbreak", "ünïcode", ""])
def test_a_callable_that_gives_no_token_is_an_error(make: Any, token: Any) -> None:
    with pytest.raises(norma_client.CredentialError, match="the credential's callable returned"):
        make("https://norma.example", credential=lambda: token).limits()


def test_an_expired_token_between_pages_is_replaced(make: Any, tmp_path: Path) -> None:
    with installation(tmp_path, lifetime=1) as world:
        world.operate(
            "ingest",
            str(ROOT / "samples/bicycle-anchors-ed1"),
            str(ROOT / "samples/bicycle-anchors-ed2-en"),
        )
        with Norma.from_env(world.environ) as norma:
            # The service looks at the catalogue in its poll-interval.
            while len(list(norma.standards())) < 3:
                time.sleep(0.1)
            expired = norma.token()
        tokens = [expired]

        def credential() -> str:
            if tokens:
                return tokens.pop()
            with Norma.from_env(world.environ) as norma:
                return norma.token()

        # The service tolerates a second: the first page is read by then, and the others when it is over.
        norma = make(world.environ["NORMA_BASE_URL"], credential=credential)
        pages = iter(norma.standards(limit=1))
        seen = [next(pages)["urn"]]
        time.sleep(max(0.0, norma_client._credentials.expiry(expired) + 2.1 - time.time()))
        seen += [standard["urn"] for standard in pages]
    assert (len(seen), tokens) == (3, [])


def test_a_clock_that_is_wrong_is_an_error_of_the_token(
    make: Any, world: Installation, monkeypatch: Any
) -> None:
    environ = without_secret(world.environ, NORMA_CLIENT_CERTIFICATE=str(world.folder / "client.pem"))
    right = time.time
    for off in (-7200, 7200):
        monkeypatch.setattr(time, "time", lambda off=off: right() + off)
        with pytest.raises(norma_client.TokenRefused) as caught:
            make(environ=environ).limits()
        assert (caught.value.code, caught.value.status) == ("invalid_client", 401)
        assert "clock" in str(caught.value)
    # A secret needs no clock: the lifetime of a token counts from when it came.
    assert make(environ=world.environ).terms(STANDARD).urn == STANDARD


def issued(token: str, seconds: float = 3600) -> bytes:
    return answer(200, {"access_token": token, "expires_in": seconds})


def scripted_client(make: Any, scripted: Scripted, monkeypatch: Any) -> tuple[Any, list[float]]:
    """A client of a scripted provider, and its clock."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    secret = ClientSecret("hunter2", auth_url=scripted.url, **REGISTRATION)
    return make("https://norma.example", credential=secret), now


def test_a_token_is_renewed_shortly_before_it_expires_and_used_to_its_end_when_that_fails(
    scripted: Scripted, monkeypatch: Any
) -> None:
    norma, now = scripted_client(Norma, scripted, monkeypatch)
    with norma:
        for at, response, token in (
            (0, issued("first"), "first"),
            (3299, issued("early"), "first"),
            (3300, answer(503, b"", "text/plain"), "first"),
            (3301, issued("second"), "second"),
        ):
            now[0] = 1000.0 + at
            scripted.answers = [response]
            assert norma.token() == token
        assert len(scripted.requests) == 3
        assert b"grant_type=client_credentials" in scripted.requests[0][3]
        now[0] = 1000.0 + 3301 + 3600
        scripted.answers = [answer(503, b"", "text/plain")]
        with pytest.raises(norma_client.UnexpectedAnswer, match=r"NORMA_AUTH_URL \(auth_url\)"):
            norma.token()


def test_all_who_wait_share_one_request_for_a_token(scripted: Scripted, tmp_path: Path) -> None:
    scripted.answers = [issued("only"), issued("another")]
    secret = ClientSecret("hunter2", auth_url=scripted.url, **REGISTRATION)
    with Norma("https://norma.example", credential=secret) as norma, ThreadPoolExecutor(20) as threads:
        gate = threading.Barrier(20)

        def token(_: int) -> str:
            gate.wait()
            return norma.token()

        assert set(threads.map(token, range(20))) == {"only"}

    async def tokens() -> set[str]:
        async with AsyncNorma("https://norma.example", credential=secret) as norma:
            return set(await asyncio.gather(*(norma.token() for _ in range(20))))

    assert asyncio.run(tokens()) == {"another"}
    assert len(scripted.requests) == 2


def test_a_refused_token_is_replaced_once(make: Any, scripted: Scripted) -> None:
    secret = ClientSecret("hunter2", auth_url=scripted.url, **REGISTRATION)
    norma = make(scripted.url, credential=secret)
    problem = {"code": "token-expired", "detail": "The token has expired", "instance": "1"}
    scripted.answers = [issued("old"), answer(401, problem), issued("new"), answer(200, {"maxPageSize": 1})]
    assert norma.limits() == {"maxPageSize": 1}
    sent = [headers.get("authorization") for _, _, headers, _ in scripted.requests]
    assert sent == [None, "Bearer old", None, "Bearer new"]
    scripted.answers = [answer(401, problem), issued("newest"), answer(401, problem)]
    with pytest.raises(
        norma_client.NotAuthenticated, match=r"401 token-expired: The token has expired. Request a new"
    ):
        norma.limits()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {
                "error": "invalid_client",
                "error_description": "AADSTS7000222: The secret has expired. Trace ID: t1 x",
            },
            r"invalid_client\): AADSTS7000222: The secret has expired; check the client secret or",
        ),
        ({"error": "invalid_client", "error_description": "Two.\r\nlines"}, "Two; check"),
        ({"error": "odd"}, r"odd\): no reason; compare tenant, client id and scope"),
    ],
)
def test_a_refusal_names_the_likeliest_mistake_and_no_secret(
    make: Any, scripted: Scripted, body: dict[str, str], said: str
) -> None:
    secret = ClientSecret("hunter2", auth_url=scripted.url, **REGISTRATION)
    scripted.answers = [answer(401, body)]
    with pytest.raises(norma_client.TokenRefused, match=said) as caught:
        make("https://norma.example", credential=secret).limits()
    message = str(caught.value)
    assert "hunter2" not in message + repr(caught.value)
    assert "Trace" not in message
    assert REGISTRATION["client_id"] in message
    assert len(message.splitlines()) == 1


def test_an_expired_secret_is_named(make: Any, world: Installation) -> None:
    environ = {**world.environ, "NORMA_CLIENT_SECRET": "already-expired"}
    with pytest.raises(norma_client.TokenRefused) as caught:
        make(environ=environ).limits()
    message = str(caught.value)
    assert "NORMA_CLIENT_SECRET" in message
    assert "AADSTS7000222" in message
    assert "already-expired" not in message
    assert caught.value.request_id
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"{}", b'{"access_token": "a"}', b'{"expires_in": 1, "access_token": null}']
)
def test_a_provider_that_is_another_server_is_named(make: Any, scripted: Scripted, body: bytes) -> None:
    scripted.answers = [answer(200, body, "text/html")]
    secret = ClientSecret("hunter2", auth_url=scripted.url, **REGISTRATION)
    with pytest.raises(norma_client.UnexpectedAnswer, match=r"NORMA_AUTH_URL \(auth_url\)") as caught:
        make("https://norma.example", credential=secret).limits()
    assert str(caught.value).startswith(scripted.url)


def test_no_representation_shows_a_secret(tmp_path: Path) -> None:
    secret = ClientSecret("hunter2", auth_url="https://login.example", **REGISTRATION)
    with Norma("https://norma.example", credential=secret) as norma:
        norma._transport._token = norma_client._http.Token("hunter2", 0, 0)
        shown = [repr(value) for value in (secret, norma, norma._transport, norma._transport._token)]
    assert "hunter2" not in "".join(shown)
    assert shown[1] == "Norma(https://norma.example)"
