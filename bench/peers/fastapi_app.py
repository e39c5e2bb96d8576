"""Stored JSON out of SQLite behind the same token checks: FastAPI and PyJWT."""

import json
import os
import sqlite3

import jwt
from fastapi import FastAPI, HTTPException, Request, Response

app = FastAPI(openapi_url=None)
store = sqlite3.connect(f"file:{os.environ['BENCH_STORE']}?mode=ro", uri=True)
store.execute("PRAGMA mmap_size = 1073741824")
with open(os.environ["BENCH_KEYS"]) as file:
    keys = {key["kid"]: jwt.PyJWK(key).key for key in json.load(file)["keys"]}
issuer, audience = os.environ["BENCH_ISSUER"], os.environ["BENCH_AUDIENCE"]
tenant, role = os.environ["BENCH_TENANT"], os.environ["BENCH_ROLE"]


def check(request):
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        key = keys[jwt.get_unverified_header(token)["kid"]]
        claims = jwt.decode(token, key, algorithms=["RS256"], audience=audience, issuer=issuer,
                            options={"require": ["exp", "nbf", "iss", "aud"]})
    except (jwt.PyJWTError, KeyError):
        raise HTTPException(401)
    if kind.lower() != "bearer" or claims.get("tid") != tenant:
        raise HTTPException(401)
    if role not in claims.get("roles", ()):
        raise HTTPException(403)


@app.get("/{name}")
async def read(name: str, request: Request):
    check(request)
    row = store.execute("SELECT etag, body FROM views WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise HTTPException(404)
    etag, body = row
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers={"etag": etag})
    return Response(body, media_type="application/json", headers={"etag": etag})
