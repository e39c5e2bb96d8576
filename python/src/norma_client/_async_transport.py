"""Requests with a token, answered from the cache where nothing changed, and repeated where that helps."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import httpx2

from ._concurrency import Tasks
from ._credentials import expiry
from ._errors import CredentialError, NormaError, UnexpectedAnswer, token_refused
from ._http import (
    JSON,
    Answer,
    AnswerCache,
    Received,
    Retries,
    Token,
    answer_of,
    bare,
    failure_of,
    is_token,
    is_transient,
    token_for,
    too_long,
    unreachable,
)
from ._pace import Pace

if TYPE_CHECKING:
    from ._credentials import Credential


class AsyncTransport:
    """Connections, tokens and cached answers of a client."""

    def __init__(
        self,
        service: str,
        credential: Credential,
        http: httpx2.AsyncClient,
        retries: Retries,
        cache_bytes: int,
        max_answer_bytes: int,
    ) -> None:
        self.service, self.credential, self.http = service, credential, http
        self._retries = retries
        self._max_answer_bytes = max_answer_bytes
        self._pace = Pace()
        self._cache = AnswerCache(cache_bytes) if cache_bytes > 0 else None
        self._token: Token | None = None
        # Held while a token is requested, so that all who wait share one request.
        self._requesting = Tasks.lock()

    async def get(self, target: str, accept: str = JSON, language: str | None = None) -> Answer:
        """The answer to GET of a path with its query."""
        url = self.service + target
        headers = {"Accept": accept}
        if language is not None:
            headers["Accept-Language"] = language
        key = (url, accept, language or "")
        cached = self._cache.get(key) if self._cache else None
        if cached and cached.etag:
            headers["If-None-Match"] = cached.etag
        response = await self._send("GET", url, headers)
        if cached and response.status_code == 304:
            return cached
        answer = answer_of(response, accept)
        if self._cache and answer.etag:
            self._cache.put(key, answer)
        return answer

    async def post(self, target: str, body: dict[str, Any], language: str | None = None) -> Answer:
        """The answer to POST of a JSON body; all of Norma's are reads, so that they may be repeated."""
        headers = {"Accept": JSON, "Content-Type": JSON}
        if language is not None:
            headers["Accept-Language"] = language
        response = await self._send("POST", self.service + target, headers, json.dumps(body).encode())
        return answer_of(response, JSON)

    async def get_signed(self, url: str) -> bytes:
        """The body at a signed URL, which no token is sent to."""
        try:
            response = await self._exchange("GET", url)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise unreachable(error, url) from None
        if response.status_code != 200:
            raise failure_of(response)
        return answer_of(response, "").body

    async def token(self) -> Token:
        """A token that is good now.

        One that will soon expire is renewed by one caller while the others go on using it; when that fails,
        it is used until it expires.
        """
        token = self._token
        now = time.monotonic()
        if token and (now < token.renew or (now < token.expires and self._requesting.locked())):
            return token
        async with self._requesting:
            token = self._token
            now = time.monotonic()
            if token and now < token.renew:
                # Another caller has requested it meanwhile.
                return token
            try:
                self._token = await self._request_token(now)
            except NormaError:
                if not token or now >= token.expires:
                    raise
                return token
            return self._token

    def _forget(self, token: Token) -> None:
        """Drops a token that the service refused, unless it was replaced already."""
        if self._token is token:
            self._token = None

    async def _request_token(self, now: float) -> Token:
        if callable(self.credential):
            text = await Tasks.call(self.credential)
            if not is_token(text):
                raise CredentialError(
                    f"the credential's callable returned {type(text).__name__}: expected an access token"
                )
            expires = expiry(text)
            return token_for(text, expires - time.time() if expires else 0.0, now)
        url = self.credential.token_url
        form = self.credential.form(time.time())
        try:
            response = await self._exchange("POST", url, data=form)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise unreachable(error, url) from None
        status = response.status_code
        try:
            answer = json.loads(response.content)
            if status == 200 and is_token(answer["access_token"]):
                return token_for(str(answer["access_token"]), float(answer["expires_in"]), now)
            code, description = str(answer["error"]), str(answer.get("error_description", ""))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise UnexpectedAnswer(
                f"{bare(url)} answered {status} with something that is not of a token endpoint: check that "
                "NORMA_AUTH_URL (auth_url) is the URL of the identity provider",
                status=status,
            ) from None
        raise token_refused(status, code, description, repr(self.credential))

    async def _send(
        self, method: str, url: str, headers: dict[str, str], content: bytes | None = None
    ) -> Received:
        """Sends a request with a token until it is answered with what is not worth another attempt."""
        refused_token, attempt = False, 0
        while True:
            token = await self.token()
            authorized = {**headers, "Authorization": f"Bearer {token.text}"}
            failure: NormaError
            try:
                response = await self._paced(method, url, headers=authorized, content=content)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                failure = unreachable(error, url)
                repeat = isinstance(error, httpx2.HTTPError) and is_transient(error)
            else:
                if response.status_code in (200, 304):
                    return response
                # The key that signed the token may have been withdrawn before the token expired.
                if response.status_code == 401 and not refused_token:
                    refused_token = True
                    self._forget(token)
                    continue
                failure = failure_of(response)
                repeat = response.status_code in (429, 503)
            wait = self._retries.wait(attempt, failure.retry_after) if repeat else None
            if wait is None:
                raise failure from None
            await Tasks.sleep(wait)
            attempt += 1

    async def _paced(self, method: str, url: str, **options: Any) -> Received:
        """Sends a request when the service takes it."""
        wait = self._pace.begin(time.monotonic())
        headers, refused = None, False
        try:
            if wait:
                await Tasks.sleep(wait)
            response = await self._exchange(method, url, **options)
            headers, refused = response.headers, response.status_code == 429
            return response
        finally:
            self._pace.end(headers, time.monotonic(), refused=refused)

    async def _exchange(self, method: str, url: str, **options: Any) -> Received:
        """Sends a request, and reads at most the allowed bytes of its answer."""
        request = self.http.build_request(method, url, **options)
        response = await self.http.send(request, stream=True)
        body = bytearray()
        try:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > self._max_answer_bytes:
                    raise too_long(url, response.status_code, self._max_answer_bytes)
        finally:
            await response.aclose()
        return Received(response.status_code, response.headers, bytes(body), str(response.url))
