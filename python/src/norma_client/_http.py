"""What needs no connection: URLs, retries, the cache of answers, and errors of HTTP and of the network."""

from __future__ import annotations

import json
import logging
import random
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeGuard
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from ._errors import ConfigurationError, NormaError, UnexpectedAnswer, Unreachable, problem_error
from ._settings import CA_FILE, VARIABLES, without_secrets

if TYPE_CHECKING:
    from . import types

JSON = "application/json"
#: What is before the signature in the address of a picture.
ASSETS = "/api/content/v1/assets/"
#: Most bytes of an answer, unless the client is given another number: far more than any standard has.
MOST_ANSWER_BYTES = 256 << 20
#: Most quotations of one request, and their bytes: the body may have 256 KiB.
MOST_QUOTATIONS, MOST_QUOTATION_BYTES = 100, 250_000
#: Longest wait between two attempts, in seconds. Where the service asks for a longer one, the call fails.
LONGEST_WAIT = 30.0
#: First wait where the service asks for none; it doubles each time.
_FIRST_WAIT = 0.5
#: Longest time before its expiry at which a token is renewed, in seconds, and as a part of its lifetime.
_RENEWAL_MARGIN, _RENEWAL_PART = 300.0, 0.1

Value: TypeAlias = str | int | bool | date | None
Query: TypeAlias = Mapping[str, Value | Iterable[str]]


def path(template: str, **arguments: str) -> str:
    """The path of an operation, with each argument as one segment.

    >>> path("/standards/{urn}/tables/{table}", urn="urn:iso:std:iso:1", table="A.1")
    '/standards/urn%3Aiso%3Astd%3Aiso%3A1/tables/A.1'

    Raises:
        ValueError: An argument is empty; the path would be that of another operation.
    """
    for name, value in arguments.items():
        if not isinstance(value, str) or not value.strip(". "):
            raise ValueError(f"{name} is {value!r}: expected a text that names something")
    return template.format(**{name: quote(value, safe="") for name, value in arguments.items()})


def query_string(query: Query) -> str:
    """A query with `?`, or an empty text; what is `None` is left out, several values repeat the name.

    >>> query_string({"type": ["requirement", "permission"], "normative": True, "q": None})
    '?type=requirement&type=permission&normative=true'
    """
    pairs = []
    for name, value in query.items():
        values = [value] if isinstance(value, (str, int, date)) or value is None else value
        pairs += [(name, _text(each)) for each in values if each is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def batches(values: Iterable[str], most: int, name: str) -> list[list[str]]:
    """Values in lists of at most so many.

    Raises:
        ValueError: There are no values, or one text in place of several.
    """
    whole = [] if isinstance(values, str) else list(values)
    if not whole:
        raise ValueError(f"{name} is {values!r}: expected one text or more, in a list")
    return [whole[start : start + most] for start in range(0, len(whole), most)]


def quotation_batches(quotations: Iterable[types.SentQuotation]) -> Iterator[list[types.SentQuotation]]:
    """Quotations in lists that one request takes.

    Raises:
        ValueError: There are no quotations.
    """
    batch: list[types.SentQuotation] = []
    size = 0
    for quotation in quotations:
        # At least as long as the request writes it.
        length = len(json.dumps(quotation)) + 2
        if batch and (len(batch) == MOST_QUOTATIONS or size + length > MOST_QUOTATION_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(quotation)
        size += length
    if not batch:
        raise ValueError("quotations is empty: expected one dict or more, in a list")
    yield batch


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError(
            f"{value.isoformat()} has no time zone: expected an instant such as datetime.now(UTC)"
        )
    return value.isoformat() if isinstance(value, date) else str(value)


@dataclass(frozen=True)
class Token:
    """An access token; never shown. Times are those of `time.monotonic`."""

    text: str
    renew: float
    expires: float

    def __repr__(self) -> str:
        return "Token(…)"


def is_token(text: object) -> TypeGuard[str]:
    """Whether it can be sent in a header."""
    return isinstance(text, str) and text.isascii() and text.isprintable() and " " not in text and text != ""


def token_for(text: str, lifetime: float, now: float) -> Token:
    """A token that is renewed shortly before it expires."""
    expires = now + lifetime
    return Token(text, expires - min(_RENEWAL_MARGIN, lifetime * _RENEWAL_PART), expires)


@dataclass(frozen=True)
class Retries:
    """How often a call is repeated after 429, 503 or a broken connection, and after how long."""

    most: int

    def wait(self, attempt: int, requested: float | None) -> float | None:
        """Seconds before the attempt after `attempt` (from 0); `None` to give up."""
        if attempt >= self.most or (requested or 0.0) > LONGEST_WAIT:
            return None
        if requested is not None:
            return requested
        # Half of it is by chance, so that clients that failed together do not come back together.
        return float(min(_FIRST_WAIT * 2**attempt, LONGEST_WAIT) * random.uniform(0.5, 1.0))  # noqa: S311


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds of `Retry-After` (RFC 9110, 10.2.3), a number or a date."""
    if value is None:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True)
class Received:
    """A response whose body was read."""

    status_code: int
    headers: httpx2.Headers
    content: bytes
    url: str


@dataclass(frozen=True)
class Answer:
    """A body with what belongs to it."""

    body: bytes
    url: str
    status: int
    etag: str | None

    def json(self) -> dict[str, Any]:
        """The JSON object.

        Raises:
            UnexpectedAnswer: It is not one.
        """
        try:
            value = json.loads(self.body)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self.unexpected("a JSON object")
        return value

    def items(self, member: str = "items") -> list[Any]:
        """The objects in the member with the list of the answer, which must be there."""
        items = self.json().get(member)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self.unexpected(f"a JSON object with objects in `{member}`")
        return items

    def text(self) -> str:
        """The body as text."""
        try:
            return self.body.decode()
        except UnicodeDecodeError:
            raise self.unexpected("UTF-8") from None

    def unexpected(self, expected: str) -> UnexpectedAnswer:
        """The error that something else was expected here."""
        return _unexpected(self.url, self.status, f"an answer that is not {expected}")


class Cursors:
    """The cursor of each page after the first, which must be another one each time."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def after(self, answer: Answer) -> str | None:
        """The cursor of the page that follows an answer; `None` at the end.

        Raises:
            UnexpectedAnswer: The service gave it before: the pages would never end.
        """
        cursor = answer.json().get("next")
        if cursor is None:
            return None
        if not isinstance(cursor, str) or cursor in self._seen:
            raise answer.unexpected("a page with a cursor of its own in `next`")
        self._seen.add(cursor)
        return cursor


class AnswerCache:
    """Answers by URL and media type, the latest used, at most so many bytes together."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._bytes = most_bytes, 0
        self._answers: OrderedDict[tuple[str, ...], Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, ...]) -> Answer | None:
        """The answer to revalidate, if any."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: tuple[str, ...], answer: Answer) -> None:
        """Stores an answer that fits, and drops those that were not used for the longest time."""
        if len(answer.body) > self._most:
            return
        with self._lock:
            old = self._answers.pop(key, None)
            self._bytes += len(answer.body) - (len(old.body) if old else 0)
            self._answers[key] = answer
            while self._bytes > self._most:
                _, dropped = self._answers.popitem(last=False)
                self._bytes -= len(dropped.body)


def bare(url: str) -> str:
    """A URL for messages: without query, and without the signature of a picture's address."""
    before, assets, rest = without_secrets(url).partition("/assets/")
    return before + assets + ("…" if assets and rest != "resolve" else rest)


class WithoutSignatures(logging.Filter):
    """Leaves the signature of a picture's address out of the lines that httpx2 logs at INFO.

    Whoever has such a URL can read the picture for as long as it works, without a token.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Changes the URLs of pictures in a line, and lets each line through."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                bare(str(value)) if isinstance(value, httpx2.URL) and ASSETS in value.path else value
                for value in record.args
            )
        return True


logging.getLogger("httpx2").addFilter(WithoutSignatures())


def answer_of(response: Received, accept: str) -> Answer:
    """The body of a successful response of the media type that was asked for (any, with an empty text).

    Raises:
        UnexpectedAnswer: It has another media type: a page of a proxy, or of another service.
    """
    found = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    url = response.url
    if response.status_code != 200 or (accept and found != accept):
        raise _unexpected(url, response.status_code, f"{found or 'no media type'} in place of {accept}")
    return Answer(response.content, url, response.status_code, response.headers.get("etag"))


def failure_of(response: Received) -> NormaError:
    """The error of a response that is not successful."""
    status, url = response.status_code, response.url
    wait = retry_after(response.headers.get("retry-after"), time.time())
    try:
        problem = json.loads(response.content)
    except ValueError:
        problem = None
    if isinstance(problem, dict) and "code" in problem:
        return problem_error(status, problem, wait)  # type: ignore[arg-type]
    if location := response.headers.get("location"):
        return _unexpected(url, status, f"a redirect to {bare(location)}", retry_after=wait)
    found = response.headers.get("content-type", "").partition(";")[0] or "no media type"
    return _unexpected(url, status, f"{found} in place of a problem document", retry_after=wait)


def too_long(url: str, status: int, most: int) -> UnexpectedAnswer:
    """The error of an answer with more bytes than are read."""
    return _unexpected(url, status, f"more than {most} bytes, the max_answer_bytes of this client")


def _unexpected(url: str, status: int, found: str, **attributes: Any) -> UnexpectedAnswer:
    base = f"{VARIABLES['base_url']} (base_url)"
    return UnexpectedAnswer(
        f"{bare(url)} answered {status} with {found}: check that {base} is the URL of a Norma service, and "
        "which proxies are between",
        status=status,
        **attributes,
    )


def is_transient(error: httpx2.HTTPError) -> bool:
    """Whether a request may succeed when it is sent again: no connection, or a broken one."""
    if _cause(error, ssl.SSLCertVerificationError):
        return False
    return isinstance(error, (httpx2.NetworkError, httpx2.RemoteProtocolError, httpx2.ConnectTimeout))


def unreachable(error: Exception, url: str) -> Unreachable:
    """The error of a request that got no answer, with the value that is most likely wrong."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(bare(url)))
    reason = " ".join(str(error).split()) or type(error).__name__
    if untrusted := _cause(error, ssl.SSLCertVerificationError):
        advice = f"for a private certificate name a PEM file with its root by {CA_FILE} (ca_file)"
        reason = f"its certificate is not trusted ({getattr(untrusted, 'verify_message', untrusted)})"
    elif isinstance(error, httpx2.TimeoutException):
        advice = "check the network, or give a longer timeout"
        reason = f"no answer in time ({type(error).__name__})"
    else:
        advice = "check the URL and the network"
    if proxy := _proxy(url):
        advice = f"check the proxy {proxy}, or except the host by NO_PROXY; else {advice}"
    return Unreachable(f"{origin} cannot be reached: {reason}; {advice}", detail=reason)


def raise_for_proxies(error: Exception) -> NoReturn:
    """Names the variable whose value is not the URL of a proxy that can be used."""
    for scheme, value in getproxies().items():
        if scheme in ("http", "https", "all"):
            _check_proxy(f"{scheme.upper()}_PROXY", value)
    raise error


def _check_proxy(name: str, value: str) -> None:
    try:
        httpx2.HTTPTransport(proxy=value if "://" in value else f"http://{value}").close()
    except (ValueError, ImportError, httpx2.InvalidURL) as wrong:
        reason = without_secrets(str(wrong).replace(value, "it"))
        raise ConfigurationError(f"{name} `{without_secrets(value)}` cannot be used: {reason}") from None


def _proxy(url: str) -> str:
    """The variable with the proxy that a URL is requested through, with its value; empty for none."""
    scheme, host = urlsplit(url).scheme, urlsplit(url).hostname or ""
    if proxy_bypass(host):
        return ""
    proxies = getproxies()
    found = [key for key in (scheme, "all") if proxies.get(key)]
    return f"{found[0].upper()}_PROXY `{without_secrets(proxies[found[0]])}`" if found else ""


def _cause(error: BaseException | None, kind: type[BaseException]) -> BaseException | None:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error
