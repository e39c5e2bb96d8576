"""Errors of calls, each with what to do about it.

Messages name the value at fault. None holds a secret, a token or the address of a picture, which is as good
as the picture.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._remedies import REMEDIES

if TYPE_CHECKING:
    from .types import Problem


class NormaError(Exception):
    """Base of all errors of this package."""

    #: Code of the problem (`docs/problems.md`), or the error code of the identity provider.
    code: str | None = None
    #: HTTP status of the answer.
    status: int | None = None
    #: Id of the request, by which the operator of the service finds it.
    request_id: str | None = None
    #: What is wrong in this occurrence, without what to do about it.
    detail: str = ""
    #: Seconds after which the service wants to be asked again.
    retry_after: float | None = None
    #: The whole problem document (RFC 9457), where the service sent one.
    problem: Problem | None = None

    def __init__(self, message: str, **attributes: Any) -> None:
        """Makes an error; attributes are those of the class."""
        super().__init__(message)
        self.detail = message
        for name, value in attributes.items():
            setattr(self, name, value)


class ConfigurationError(NormaError, ValueError):
    """The configuration cannot work; nothing was sent."""


class CredentialError(NormaError):
    """Secret, certificate or callable gives nothing that can be sent."""


class TokenRefused(NormaError):
    """The identity provider refused to issue a token."""


class InvalidRequest(NormaError):
    """The service cannot use the request: parameters, a URN, a selection or a body are wrong."""


class NotAuthenticated(NormaError):
    """The service does not accept the token, not a new one either."""


class Forbidden(NormaError):
    """The service accepts the token, but not this caller or this call."""


class NotLicensed(Forbidden):
    """The caller may discover the standard and not read it."""


class NotFound(NormaError):
    """Nothing that the caller may see has this URN, id, number or selection."""


class Gone(NormaError):
    """It was there: a recalled edition, a provision that another one replaced (`problem["successors"]`)."""


class RateLimited(NormaError):
    """Too many requests, and retries did not help or would have to wait too long."""


class Unavailable(NormaError):
    """The service cannot answer now, and retries did not help."""


class Unreachable(NormaError):
    """The service or the identity provider cannot be reached."""


class UnexpectedAnswer(NormaError):
    """The answer is not one of Norma, or is damaged."""


#: By code where the status does not say enough.
_BY_CODE = {"content-not-licensed": NotLicensed}

_BY_STATUS = {
    401: NotAuthenticated,
    403: Forbidden,
    404: NotFound,
    410: Gone,
    429: RateLimited,
    500: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def problem_error(status: int, problem: Problem, retry_after: float | None = None) -> NormaError:
    """The error of a problem document that the service sent."""
    code, detail = str(problem["code"]), str(problem.get("detail", ""))
    request_id = problem.get("instance")
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status, InvalidRequest)
    parts = [f"{status} {code}: {detail.rstrip('.')}.", REMEDIES.get(code, "")]
    if request_id:
        parts.append(f"(request {request_id})")
    return kind(
        " ".join(filter(None, parts)),
        code=code,
        status=status,
        request_id=request_id,
        detail=detail,
        retry_after=retry_after,
        problem=problem,
    )


#: The likeliest mistake for each error code of a token endpoint (RFC 6749, 5.2).
_TOKEN_HINTS = {
    "invalid_client": "check the client secret or certificate, also whether it has expired, this "
    "machine's clock, and that the client id is that of the caller's own app registration, not the service's",
    "unauthorized_client": "check that the client id is the caller's own app registration, not the "
    "service's, and that the tenant is the caller's own",
    "invalid_scope": "expected the service's application ID URI followed by `/.default` as scope",
    "invalid_resource": "the service is not known in this tenant: an administrator must consent to it, or "
    "the scope names another application",
    "invalid_grant": "an administrator of the tenant must grant the application role to the client",
}


def token_refused(status: int, code: str, description: str, credential: str) -> TokenRefused:
    """The refusal of a token endpoint; `credential` says which values were sent, without a secret."""
    # Microsoft Entra ID appends what its support asks for.
    found = re.match(r"(.*?)[.\s]*(?:Trace ID: (\S+).*)?$", description.partition("\n")[0].strip())
    said, request_id = found.groups() if found else ("", None)
    hint = _TOKEN_HINTS.get(code, "compare tenant, client id and scope with those of the app registration")
    why = said or "no reason"
    return TokenRefused(
        f"the identity provider refused a token for {credential} ({status} {code}): {why}; {hint}",
        status=status,
        code=code,
        request_id=request_id,
        detail=said,
    )
