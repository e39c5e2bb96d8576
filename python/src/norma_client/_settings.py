"""Values of a caller: from arguments or from the environment, checked before anything is sent."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ._errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The variables of `norma get`, by the names of arguments.
VARIABLES = {
    "base_url": "NORMA_BASE_URL",
    "auth_url": "NORMA_AUTH_URL",
    "tenant_id": "NORMA_TENANT_ID",
    "client_id": "NORMA_CLIENT_ID",
    "scope": "NORMA_SCOPE",
}
SECRET, SECRET_FILE = "NORMA_CLIENT_SECRET", "NORMA_CLIENT_SECRET_FILE"
CERTIFICATE, CA_FILE = "NORMA_CLIENT_CERTIFICATE", "NORMA_CA_FILE"
SERVICE_CLIENT_ID = "NORMA_SERVICE_CLIENT_ID"

_EXPECTED = {
    "base_url": "the URL of the service, such as https://norma.example",
    "auth_url": "the URL of the identity provider, such as https://login.microsoftonline.com",
    "tenant_id": "the id or domain of the caller's own tenant",
    "client_id": "the client id of the caller's own app registration",
    "scope": "the service's application ID URI followed by `/.default`",
}


@dataclass(frozen=True)
class Mistake:
    """A value that cannot work, and what to do."""

    message: str
    remedy: str

    def error(self) -> ConfigurationError:
        """The mistake as an error."""
        return ConfigurationError(f"{self.message}: {self.remedy}", detail=self.message)


def mistakes(
    values: Mapping[str, str], names: Mapping[str, str] | None = None, service_client_id: str = ""
) -> list[Mistake]:
    """What is wrong with values, by the names of arguments; `names` gives others for messages."""
    found = []
    for key, value in values.items():
        name, shown = (names or {}).get(key, key), without_secrets(value)
        if not value:
            found.append(Mistake(f"{name} is not set", f"expected {_EXPECTED[key]}"))
        elif wrong := _CHECKS[key](value, values.get("client_id", "")):
            found.append(Mistake(f"{name} `{shown}` {wrong}", f"expected {_EXPECTED[key]}"))
        elif key == "client_id" and value.lower() == service_client_id.lower():
            wrong = "is the service's, which is for consent only"
            found.append(Mistake(f"{name} `{shown}` {wrong}", f"expected {_EXPECTED[key]}"))
    return found


def without_secrets(url: str) -> str:
    """A value on one line, without user, password, query and fragment where it is a URL that has them."""
    return re.sub(r"[?#].*", "", re.sub(r"^(\w+:/+|).*@", r"\1…@", " ".join(url.split())))


def check(values: Mapping[str, str], names: Mapping[str, str] | None = None) -> None:
    """Raises the first mistake as a `ConfigurationError`."""
    for mistake in mistakes(values, names):
        raise mistake.error()


def _wrong_url(value: str, _: str) -> str:
    try:
        url = urlsplit(value)
        _ = str(url.port)
    except ValueError:
        return "is not a URL"
    if url.scheme not in ("http", "https") or not url.hostname:
        return "is not an http or https URL"
    if url.scheme == "http" and not _is_loopback(url.hostname):
        return "must begin with https, except on loopback"
    if "@" in url.netloc:
        return "must not hold a user or password"
    if url.query or url.fragment:
        return "must not have a query or fragment"
    if "/oauth2/" in url.path:
        return "must not name an endpoint"
    if url.path.startswith("/api/"):
        return "must not name an operation"
    return ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _wrong_tenant(value: str, _: str) -> str:
    plain = value.replace("-", "").replace(".", "")
    if value in ("common", "organizations", "consumers") or not (plain.isascii() and plain.isalnum()):
        return "does not name a single tenant"
    return ""


def _wrong_client_id(value: str, _: str) -> str:
    return "is not a client id" if set("/: ") & set(value) else ""


def _wrong_scope(value: str, client_id: str) -> str:
    resource = value.removesuffix("/.default").rstrip("/")
    if not value.endswith("/.default"):
        return "does not end in `/.default`"
    if not resource or len(resource.split()) != 1:
        return "does not name one resource"
    if client_id and resource.removeprefix("api://").lower() == client_id.lower():
        return "asks for a token for the client itself"
    return ""


_CHECKS = {
    "base_url": _wrong_url,
    "auth_url": _wrong_url,
    "tenant_id": _wrong_tenant,
    "client_id": _wrong_client_id,
    "scope": _wrong_scope,
}
