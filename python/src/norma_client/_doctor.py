"""Diagnosis of a caller's configuration: steps against provider and service, each with what to do.

The steps are those of `norma doctor caller`.
"""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import httpx2

from ._client import Norma
from ._credentials import from_environment
from ._errors import CredentialError, NormaError
from ._http import unreachable
from ._settings import SERVICE_CLIENT_ID, VARIABLES, mistakes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ._credentials import ClientCertificate, ClientSecret

#: Tolerated difference of clocks in seconds; a service allows a minute by default.
_SKEW = 60
_NO_ROLE = (
    "add the service's application permission to the app registration, and have an administrator of the "
    "tenant grant it; a token from before that does not have it"
)


@dataclass(frozen=True)
class Finding:
    """The result of one step; `remedy` is empty where it succeeded."""

    check: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        """One line, and a second one with what to do."""
        if not self.remedy:
            return f"ok       {self.check}: {self.message}"
        return f"problem  {self.check}: {self.message}\n         to do: {self.remedy}"


def diagnose(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Examines the variables of an environment, as far as each step has a meaning after those before it.

    Nothing is sent while the values themselves have a mistake.
    """
    values = {key: environ.get(name, "").strip() for key, name in VARIABLES.items()}
    wrong = mistakes(values, VARIABLES, environ.get(SERVICE_CLIENT_ID, ""))
    if wrong:
        yield from (Finding("configuration", mistake.message, mistake.remedy) for mistake in wrong)
        return
    try:
        credential = from_environment(environ)
        norma = Norma.from_env(environ, credential=credential, max_retries=0)
    except NormaError as error:
        yield Finding("configuration", error.detail, "correct the value")
        return
    with norma:
        yield Finding("configuration", "the values have the expected form")
        yield from _examine(norma, credential)


def _examine(norma: Norma, credential: ClientSecret | ClientCertificate) -> Iterator[Finding]:
    findings = [_credential(credential), *_service(norma, credential.scope), *_provider(norma, credential)]
    yield from findings
    if any(finding.remedy and finding.check in ("credential", "provider") for finding in findings):
        return
    try:
        claims = _claims(norma.token())
    except NormaError as error:
        yield Finding("token", str(error), "correct what the message names, then ask again")
        return
    yield from _token(claims)
    try:
        norma.limits()
    except NormaError as error:
        yield Finding("call", str(error), _refused(error, claims))
        return
    yield Finding("call", "the service accepts the token")
    try:
        total = next(norma.standards(limit=1).pages())["total"]
    except NormaError as error:
        yield Finding("standards", str(error), "ask the operator of the service")
        return
    nothing = "ask the operator of the service for a grant to this tenant or client"
    yield Finding("standards", f"the caller sees {total}", "" if total else nothing)


def _credential(credential: ClientSecret | ClientCertificate) -> Finding:
    try:
        credential.form(time.time())
    except CredentialError as error:
        advice = "name a file with the secret, or with certificate and RSA key in PEM"
        return Finding("credential", str(error), advice)
    return Finding("credential", f"{credential!r} can be read and used")


def _service(norma: Norma, scope: str) -> Iterator[Finding]:
    """Whether the service publishes its metadata (RFC 9728), and whether the scope is one of them."""
    url = f"{norma.base_url}/.well-known/oauth-protected-resource"
    advice = f"check {VARIABLES['base_url']}: scheme, host and port, without a path of an operation"
    metadata, _ = _document(norma, url)
    if isinstance(metadata, str) or "resource" not in metadata:
        other = f"{url} does not answer with the metadata of a Norma service"
        yield Finding("service", metadata if isinstance(metadata, str) else other, advice)
        return
    yield Finding("service", f"{norma.base_url} answers")
    scopes = metadata.get("scopes_supported") or [scope]
    if scope in scopes:
        yield Finding("scope", f"`{scope}` names the service")
    else:
        yield Finding(
            "scope",
            f"`{scope}` is not one of this service's: {', '.join(scopes)}",
            f"set {VARIABLES['scope']} to the service's application ID URI and `/.default`: `{scopes[0]}`",
        )


def _provider(norma: Norma, credential: ClientSecret | ClientCertificate) -> Iterator[Finding]:
    """Whether the provider knows the tenant, and whether its clock agrees."""
    url = f"{credential.provider_url}/v2.0/.well-known/openid-configuration"
    metadata, date = _document(norma, url)
    if isinstance(metadata, str):
        names = f"{VARIABLES['auth_url']} and {VARIABLES['tenant_id']}"
        yield Finding("provider", metadata, f"check {names}: the tenant is the caller's own")
        return
    yield Finding("provider", f"{metadata.get('issuer', 'a provider without a name')} answers")
    if date is not None:
        off = abs(time.time() - date)
        message = f"this machine's clock differs from the provider's by {off:.0f} s"
        fits = off <= _SKEW
        yield Finding("clock", message, "" if fits else "set the clock: tokens are valid for a limited time")


def _document(norma: Norma, url: str) -> tuple[dict[str, Any] | str, float | None]:
    """A public JSON document, or why it is not there; and the time of its `Date`."""
    try:
        response = norma._transport.http.get(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return str(unreachable(error, url)), None
    try:
        date = parsedate_to_datetime(response.headers["date"]).timestamp()
    except (KeyError, TypeError, ValueError):
        date = None
    try:
        document = json.loads(response.content)
    except ValueError:
        document = None
    if isinstance(document, dict) and response.status_code == 200:
        return document, date
    said = document.get("error_description", "") if isinstance(document, dict) else ""
    reason = said.splitlines()[0] if said else "expected a JSON document"
    return f"{url} answered with status {response.status_code}: {reason}", date


def _claims(token: str) -> dict[str, Any]:
    """The claims of a token without verification, for advice only."""
    try:
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    except (IndexError, ValueError):
        claims = {}
    return claims if isinstance(claims, dict) else {}


def _token(claims: dict[str, Any]) -> Iterator[Finding]:
    yield Finding("token", f"the provider issues one, for `{claims.get('aud', 'an unknown audience')}`")
    early = float(claims.get("nbf", 0)) - time.time()
    if early > _SKEW:
        message = f"the token becomes valid in {early:.0f} s by this machine's clock"
        yield Finding("clock", message, "set the clock: this machine's is slower than the provider's")
    if claims:
        roles = claims.get("roles") or []
        message = f"the token has {', '.join(roles)}" if roles else "the token has no application role"
        yield Finding("role", message, "" if roles else _NO_ROLE)


def _refused(error: NormaError, claims: dict[str, Any]) -> str:
    """The most likely reason why a service refuses a fresh token."""
    advice = {
        "token-invalid": f"either {VARIABLES['scope']} is not the service's (the token is for "
        f"`{claims.get('aud')}`), or the operator has not registered tenant `{claims.get('tid')}` (issuer "
        f"`{claims.get('iss')}`): compare the scope, then ask the operator",
        "token-expired": "set this machine's, the provider's and the service's clocks",
        "role-missing": _NO_ROLE,
        "caller-suspended": "ask the operator of the service to resume tenant or client",
        "rate-limited": "wait, then call less often",
        "unavailable": "try again later; if it does not end, tell the operator of the service",
    }
    other = f"check {VARIABLES['base_url']}: the answer is not one of the Content API"
    return advice.get(error.code or "", other)
