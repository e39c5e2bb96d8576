"""Credentials of a caller: a secret, a certificate that signs an assertion, or a callable of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ._errors import ConfigurationError, CredentialError
from ._settings import CERTIFICATE, SECRET, SECRET_FILE, VARIABLES, check

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

#: Lifetime of an assertion in seconds; providers accept at most ten minutes.
_ASSERTION_LIFETIME = 300


class _Registration:
    """An app registration in a tenant of an identity provider: who asks for a token, where, and for what."""

    def __init__(
        self,
        *,
        auth_url: str,
        tenant_id: str,
        client_id: str,
        scope: str,
        names: Mapping[str, str] | None = None,
    ) -> None:
        values = {"auth_url": auth_url, "tenant_id": tenant_id, "client_id": client_id, "scope": scope}
        check(values, names)
        self.auth_url, self.tenant_id, self.client_id, self.scope = (
            auth_url.rstrip("/"),
            tenant_id,
            client_id,
            scope,
        )
        self.provider_url = f"{self.auth_url}/{tenant_id}"
        self.token_url = f"{self.provider_url}/oauth2/v2.0/token"

    def form(self, now: float) -> dict[str, str]:
        """The form of a token request at a time, in seconds since 1970.

        Files are read each time, so that a credential can be replaced while the program runs.

        Raises:
            CredentialError: A file cannot be read or used.
        """
        identity = {"grant_type": "client_credentials", "client_id": self.client_id, "scope": self.scope}
        return {**identity, **self._fields(now)}

    def _fields(self, now: float) -> dict[str, str]:
        raise NotImplementedError


class ClientSecret(_Registration):
    """A client secret: the text of it, or the path of a file that holds it.

    >>> ClientSecret(
    ...     Path("/run/secrets/norma"),
    ...     auth_url="https://login.microsoftonline.com",
    ...     tenant_id="7c0ffee0-1111-4222-8333-444455556666",
    ...     client_id="7c0ffee0-aaaa-4bbb-8ccc-ddddeeeeffff",
    ...     scope="api://norma/.default",
    ... )
    ClientSecret(file /run/secrets/norma, client 7c0ffee0-aaaa-4bbb-8ccc-ddddeeeeffff)
    """

    def __init__(self, secret: str | os.PathLike[str], **registration: Any) -> None:
        """Takes the secret (`str`) or its file (`Path`), and `auth_url`, `tenant_id`, `client_id`, `scope`.

        Raises:
            ConfigurationError: A value is missing or cannot be right; the error names it.
        """
        super().__init__(**registration)
        if not secret:
            raise ConfigurationError(
                "secret is not set: expected a client secret, or the path of a file with it"
            )
        self._secret = secret if isinstance(secret, str) else Path(secret)
        self._variable = "secret"

    def _fields(self, now: float) -> dict[str, str]:
        if isinstance(self._secret, str):
            return {"client_secret": self._secret}
        secret = _read(self._secret).strip()
        if not secret:
            raise CredentialError(f"{self._secret} is empty: expected the client secret")
        return {"client_secret": secret}

    def __repr__(self) -> str:
        """Names the file and the client, never the secret."""
        where = self._variable if isinstance(self._secret, str) else f"file {self._secret}"
        return f"ClientSecret({where}, client {self.client_id})"


class ClientCertificate(_Registration):
    """A certificate whose RSA key signs an assertion (RFC 7523, PS256), in PEM.

    Needs the package `cryptography`, which the extra `certificate` of this package brings.
    """

    def __init__(
        self,
        certificate: str | os.PathLike[str],
        key: str | os.PathLike[str] | None = None,
        **registration: Any,
    ) -> None:
        """Takes the files of certificate and key (one file for both where `key` is absent).

        Further arguments are `auth_url`, `tenant_id`, `client_id` and `scope`.

        Raises:
            ConfigurationError: A value is missing or cannot be right; the error names it.
        """
        super().__init__(**registration)
        self._certificate, self._key = Path(certificate), Path(key or certificate)

    def _fields(self, now: float) -> dict[str, str]:
        begin = int(now)
        claims = {
            "iss": self.client_id,
            "sub": self.client_id,
            "aud": self.token_url,
            "jti": str(uuid.uuid4()),
            "iat": begin,
            "nbf": begin,
            "exp": begin + _ASSERTION_LIFETIME,
        }
        return {
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": _sign(claims, self._certificate, self._key),
        }

    def __repr__(self) -> str:
        """Names the file and the client."""
        return f"ClientCertificate({self._certificate}, client {self.client_id})"


#: What returns an access token: a function, or a coroutine function for `AsyncNorma`. It is called when there
#: is no token, when the one it returned is about to expire (claim `exp`), and once more after a 401.
TokenCallable: TypeAlias = Callable[[], str | Awaitable[str]]
Credential: TypeAlias = ClientSecret | ClientCertificate | TokenCallable


def from_environment(environ: Mapping[str, str]) -> ClientSecret | ClientCertificate:
    """The credential that the variables of `norma get` name.

    Raises:
        ConfigurationError: A variable is missing or cannot be right; the error names it.
    """
    keys = ("auth_url", "tenant_id", "client_id", "scope")
    registration: dict[str, Any] = {key: environ.get(VARIABLES[key], "").strip() for key in keys}
    registration["names"] = VARIABLES
    if environ.get(CERTIFICATE):
        return ClientCertificate(environ[CERTIFICATE], **registration)
    if environ.get(SECRET_FILE):
        return ClientSecret(Path(environ[SECRET_FILE]), **registration)
    if environ.get(SECRET):
        credential = ClientSecret(environ[SECRET], **registration)
        credential._variable = SECRET
        return credential
    check({key: registration[key] for key in keys}, VARIABLES)
    raise ConfigurationError(
        f"{SECRET} is not set: expected the client secret in it, or the path of a file in {SECRET_FILE} or "
        f"{CERTIFICATE}"
    )


def expiry(token: str) -> float | None:
    """The claim `exp` of a token, read without verification; only for when to ask for another one."""
    try:
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        return float(claims["exp"])
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CredentialError(f"{path} cannot be read: {reason}") from None


def _sign(claims: dict[str, Any], certificate_file: Path, key_file: Path) -> str:
    """A signed assertion that names its certificate by the SHA-256 digest of it."""
    try:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding, rsa
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise CredentialError(
            "a certificate needs the package `cryptography`: pip install cryptography"
        ) from None
    certificate = _pem_block(_read(certificate_file), "CERTIFICATE")
    key_pem = _pem_block(_read(key_file), "[A-Z ]*PRIVATE KEY")
    if certificate is None:
        raise CredentialError(f"{certificate_file} has no certificate in PEM")
    if key_pem is None:
        raise CredentialError(f"{key_file} has no private key in PEM")
    try:
        der = base64.b64decode("".join(certificate.splitlines()[1:-1]), validate=True)
        key = load_pem_private_key(key_pem.encode(), password=None)
    except (ValueError, TypeError):
        raise CredentialError(
            f"certificate or key in {key_file} is damaged, or the key has a password"
        ) from None
    if not isinstance(key, rsa.RSAPrivateKey):
        raise CredentialError(f"the key in {key_file} is not an RSA key")
    header = {"alg": "PS256", "typ": "JWT", "x5t#S256": _base64url(hashlib.sha256(der).digest())}
    signed = f"{_base64url(json.dumps(header).encode())}.{_base64url(json.dumps(claims).encode())}"
    pss = padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=hashes.SHA256.digest_size)
    return f"{signed}.{_base64url(key.sign(signed.encode(), pss, hashes.SHA256()))}"


def _pem_block(text: str, label: str) -> str | None:
    found = re.search(rf"-----BEGIN ({label})-----.*?-----END \1-----", text, re.DOTALL)
    return found.group() if found else None


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
