"""Client of Norma, the content service for technical standards.

>>> for standard in norma.standards(number="4210", edition="latest", language="fr"):
...     print(standard["reference"])
NSB 4210:2025
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

from ._answers import Items
from ._client import Norma, Pages
from ._credentials import ClientCertificate, ClientSecret, Credential
from ._errors import (
    ConfigurationError,
    CredentialError,
    Forbidden,
    Gone,
    InvalidRequest,
    NormaError,
    NotAuthenticated,
    NotFound,
    NotLicensed,
    RateLimited,
    TokenRefused,
    Unavailable,
    UnexpectedAnswer,
    Unreachable,
)
from ._mirror import Mirror
from ._mirrored import MirrorRun

if TYPE_CHECKING:
    from ._async import AsyncNorma, AsyncPages
    from ._async_mirror import AsyncMirror

__all__ = [
    "AsyncMirror",
    "AsyncNorma",
    "AsyncPages",
    "ClientCertificate",
    "ClientSecret",
    "ConfigurationError",
    "Credential",
    "CredentialError",
    "Forbidden",
    "Gone",
    "InvalidRequest",
    "Items",
    "Mirror",
    "MirrorRun",
    "Norma",
    "NormaError",
    "NotAuthenticated",
    "NotFound",
    "NotLicensed",
    "Pages",
    "RateLimited",
    "TokenRefused",
    "Unavailable",
    "UnexpectedAnswer",
    "Unreachable",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """The asynchronous client, imported when it is asked for: most programs need one of the two."""
    if name in ("AsyncNorma", "AsyncPages"):
        from . import _async

        return getattr(_async, name)
    if name == "AsyncMirror":
        from . import _async_mirror

        return _async_mirror.AsyncMirror
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
