"""Values that cannot work: one line that names the value at fault, and never a secret."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import httpx2
import pytest
from conftest import Demo, Installation, Scripted, answer, free_port

import norma_client
from norma_client import ClientSecret, Norma
from norma_client._http import query_string, retry_after
from norma_client._settings import without_secrets

RIGHT = {
    "NORMA_BASE_URL": "https://norma.example",
    "NORMA_AUTH_URL": "https://login.example/",
    "NORMA_TENANT_ID": "reader.example",
    "NORMA_CLIENT_ID": "5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f",
    "NORMA_CLIENT_SECRET": "hunter2",
    "NORMA_SCOPE": "api://norma.example/.default",
}
OWN = RIGHT["NORMA_CLIENT_ID"]


@pytest.mark.parametrize("name", RIGHT)
def test_a_missing_variable_is_named_with_what_it_is(make: Any, name: str) -> None:
    with pytest.raises(norma_client.ConfigurationError, match=f"^{name} is not set: expected the") as caught:
        make(environ={**RIGHT, name: " " if name != "NORMA_CLIENT_SECRET" else ""})
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("NORMA_BASE_URL", "norma.example", "`norma.example` is not an http or https URL"),
        ("NORMA_BASE_URL", "http://norma.example", "must begin with https, except on loopback"),
        (
            "NORMA_BASE_URL",
            "https://u:hunter2@norma.example",
            "`https://…@norma.example` must not hold a user",
        ),
        (
            "NORMA_BASE_URL",
            "https://norma.example?token=hunter2",
            "`https://norma.example` must not have a query",
        ),
        ("NORMA_BASE_URL", "https://norma.example/api/content/v1", "must not name an operation"),
        ("NORMA_BASE_URL", "https://norma.example:port", "is not a URL"),
        ("NORMA_BASE_URL", "https://[::1", "is not a URL"),
        ("NORMA_AUTH_URL", "https://login.example/t/oauth2/v2.0/token", "must not name an endpoint"),
        ("NORMA_AUTH_URL", "ftp://login.example", "is not an http or https URL"),
        ("NORMA_TENANT_ID", "common", "does not name a single tenant"),
        ("NORMA_TENANT_ID", "a/b", "does not name a single tenant"),
        ("NORMA_CLIENT_ID", "api://norma", "is not a client id"),
        ("NORMA_SCOPE", "api://norma.example", "does not end in `/.default`"),
        ("NORMA_SCOPE", "/.default", "does not name one resource"),
        ("NORMA_SCOPE", "api://a/.default api://b/.default", "does not name one resource"),
        ("NORMA_SCOPE", f"api://{OWN.upper()}/.default", "asks for a token for the client itself"),
        ("NORMA_CA_FILE", "/nowhere.pem", "(ca_file) `/nowhere.pem` cannot be used: No such file"),
        ("NORMA_CA_FILE", __file__, "expected certificates in PEM"),
    ],
)
def test_a_wrong_value_is_named_before_anything_is_sent(make: Any, name: str, value: str, said: str) -> None:
    with pytest.raises(norma_client.ConfigurationError) as caught:
        make(environ={**RIGHT, name: value})
    message = str(caught.value)
    assert message.startswith(name)
    assert said in message
    assert "hunter2" not in message
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8480", "http://localhost", "http://[::1]:1", "https://a.example/sub/"]
)
def test_a_right_url_is_accepted(make: Any, url: str) -> None:
    make(environ={**RIGHT, "NORMA_BASE_URL": url})


def test_an_argument_is_named_as_the_caller_wrote_it() -> None:
    registration = {
        "auth_url": "https://login.example",
        "tenant_id": "t",
        "client_id": "c",
        "scope": "api://n",
    }
    with pytest.raises(norma_client.ConfigurationError, match=r"^scope `api://n` does not end"):
        ClientSecret("hunter2", **registration)
    with pytest.raises(norma_client.ConfigurationError, match=r"^secret is not set"):
        ClientSecret("", **{**registration, "scope": "api://n/.default"})
    with pytest.raises(norma_client.ConfigurationError, match=r"^base_url is not set"):
        Norma("", credential=lambda: "token")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("http://u:hunter2@proxy", "http://…@proxy"),
        ("http:/u:hunter2@proxy", "http:/…@proxy"),
        ("u:hunter2@proxy:1", "…@proxy:1"),
        ("https://u:p@hunter2@norma/a?hunter2#hunter2", "https://…@norma/a"),
        ("https://norma\n/a", "https://norma /a"),
    ],
)
def test_urls_are_shown_without_secrets(value: str, shown: str) -> None:
    assert without_secrets(value) == shown


def test_a_proxy_that_is_away_is_named(make: Any, demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("HTTP_PROXY", f"http://u:hunter2@{proxy}")
    norma = make(environ=demo.environ, max_retries=0)
    with pytest.raises(norma_client.Unreachable) as caught:
        norma.limits()
    assert f"check the proxy HTTP_PROXY `http://…@{proxy}`, or except the host by NO_PROXY" in str(
        caught.value
    )
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert make(environ=demo.environ).limits()


@pytest.mark.parametrize("proxy", ["socks5://u:hunter2@127.0.0.1:1", "gopher://u:hunter2@127.0.0.1:1"])
def test_a_proxy_that_cannot_be_used_is_named(
    make: Any, demo: Demo, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(
        norma_client.ConfigurationError, match=r"^ALL_PROXY `.*://…@127.0.0.1:1` cannot be used: "
    ) as caught:
        make(environ=demo.environ)
    assert "hunter2" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_self_signed_certificate_is_named(make: Any, world: Installation) -> None:
    environ = {name: value for name, value in world.environ.items() if name != "NORMA_CA_FILE"}
    with pytest.raises(norma_client.Unreachable) as caught:
        make(environ=environ).limits()
    message = str(caught.value)
    assert message.startswith(
        f"{world.auth_url} cannot be reached: its certificate is not trusted (self-signed"
    )
    assert "name a PEM file with its root by NORMA_CA_FILE (ca_file)" in message
    assert len(message.splitlines()) == 1
    found = doctor(environ)
    assert "problem  provider: " in found.stdout
    assert "NORMA_CA_FILE" in found.stdout
    assert doctor(world.environ).returncode == 0


def doctor(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "norma_client", *(words or ("doctor",))]
    found = subprocess.run(
        command, env={**os.environ, **environ}, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in found.stderr
    return found


def test_the_doctor_finds_nothing_wrong_with_the_demonstration(demo: Demo) -> None:
    found = doctor(demo.environ)
    assert (found.returncode, found.stderr) == (0, "")
    checks = [line.split()[1].rstrip(":") for line in found.stdout.splitlines() if line.startswith("ok ")]
    # In the order of `norma doctor caller`.
    theirs = subprocess.run(
        [os.environ.get("NORMA_PROGRAM", "norma"), "doctor", "caller"],
        env={**os.environ, **demo.environ},
        capture_output=True,
        text=True,
        check=True,
    )
    assert checks == [line.split()[1].rstrip(":") for line in theirs.stdout.splitlines()]


@pytest.mark.parametrize(
    ("changed", "check", "said"),
    [
        ({"NORMA_SCOPE": "", "NORMA_TENANT_ID": "common"}, "configuration", "NORMA_SCOPE is not set"),
        (
            {"NORMA_SERVICE_CLIENT_ID": "{client}"},
            "configuration",
            "is the service's, which is for consent only",
        ),
        ({"NORMA_CLIENT_SECRET": ""}, "configuration", "NORMA_CLIENT_SECRET is not set"),
        ({"NORMA_CLIENT_SECRET_FILE": "/nowhere"}, "credential", "/nowhere cannot be read"),
        ({"NORMA_BASE_URL": "{provider}"}, "service", "status 404"),
        ({"NORMA_BASE_URL": "http://127.0.0.1:1"}, "service", "cannot be reached"),
        ({"NORMA_SCOPE": "api://other/.default"}, "scope", "NORMA_SCOPE"),
        ({"NORMA_TENANT_ID": "7c0ffee0-0000-4222-8333-444455556666"}, "provider", "NORMA_TENANT_ID"),
        ({"NORMA_CLIENT_SECRET": "hunter2"}, "token", "NORMA_CLIENT_SECRET"),
    ],
)
def test_the_doctor_says_which_value_is_wrong(
    demo: Demo, changed: dict[str, str], check: str, said: str
) -> None:
    known = {"{provider}": demo.environ["NORMA_AUTH_URL"], "{client}": demo.environ["NORMA_CLIENT_ID"]}
    found = doctor({**demo.environ, **{name: known.get(value, value) for name, value in changed.items()}})
    assert found.returncode == 1
    assert f"problem  {check}: " in found.stdout
    assert said in found.stdout
    assert "to do: " in found.stdout
    assert "hunter2" not in found.stdout


def test_the_doctor_sees_a_wrong_clock_and_a_missing_grant(scripted: Scripted, demo: Demo) -> None:
    early = httpx2.get(demo.environ["NORMA_BASE_URL"] + "/.well-known/oauth-protected-resource").json()
    document = {"issuer": "it", "resource": early["resource"], "access_token": "a.b.c", "expires_in": 60}
    document |= {"maxPageSize": 1, "items": [], "total": 0}
    scripted.answers = [answer(200, document, Date="Sun, 06 Nov 1994 08:49:37 GMT")]
    urls = {"NORMA_BASE_URL": scripted.url, "NORMA_AUTH_URL": scripted.url}
    found = doctor({**demo.environ, **urls})
    assert "problem  clock: this machine's clock differs from the provider's by" in found.stdout
    assert "problem  standards: the caller sees 0" in found.stdout


def test_another_command_is_refused() -> None:
    found = doctor({}, "patient")
    assert found.returncode == 2
    assert found.stderr.startswith("usage: python -m norma_client doctor")


def test_queries_and_waits_are_written_and_read_as_http_says() -> None:
    assert (
        query_string({"a": None, "b": [], "c": "x&y", "d": False, "e": ("1", "2")})
        == "?c=x%26y&d=false&e=1&e=2"
    )
    assert query_string({}) == ""
    now = 784111777.0
    cases = {
        "120": 120.0,
        "Sun, 06 Nov 1994 08:49:47 GMT": 10.0,
        "Sun, 06 Nov 1994 08:49:27 GMT": 0.0,
        "soon": None,
    }
    assert {value: retry_after(value, now) for value in cases} == cases
    assert retry_after(None, now) is None
