"""A provider of keys and tokens for the measurement: discovery and key set as files, tokens signed here."""

import base64
import concurrent.futures
import copy
import functools
import http.server
import json
import pathlib
import threading
import time
import uuid

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

AUDIENCE = "api://norma-bench"
ROLE = "Content.Read"
KEY_ID = "bench-1"


def _sign(key, claims):
    return jwt.encode(claims, key, algorithm="RS256", headers={"kid": KEY_ID})


class Provider:
    """Issuers of tenants, served on loopback from a thread: it is asked once per server start."""

    def __init__(self, folder):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.root = pathlib.Path(folder) / "provider"
        handler = functools.partial(_Quiet, directory=str(self.root))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self._add_tenant()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def another_tenant(self):
        """The same provider with tokens of a new tenant."""
        other = copy.copy(self)
        other._add_tenant()
        return other

    def _add_tenant(self):
        self.tenant, self.client = str(uuid.uuid4()), str(uuid.uuid4())
        self.issuer = f"{self.url}/{self.tenant}/v2.0"
        discovery = self.root / self.tenant / "v2.0/.well-known/openid-configuration"
        keys = self.root / self.tenant / "discovery/v2.0/keys"
        older = self.root / self.tenant / "discovery/keys"
        for file, content in [(discovery, self._discovery()), (keys, self._keys()), (older, self._keys())]:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content))
        self.keys_file = keys

    def _discovery(self):
        at = f"{self.url}/{self.tenant}"
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{at}/discovery/v2.0/keys",
            "token_endpoint": f"{at}/oauth2/v2.0/token",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _keys(self):
        public = self.key.public_key().public_numbers()
        number = lambda n: base64.urlsafe_b64encode(n.to_bytes((n.bit_length() + 7) // 8, "big")).rstrip(b"=").decode()
        key = {"kty": "RSA", "use": "sig", "kid": KEY_ID, "n": number(public.n), "e": number(public.e)}
        return {"keys": [{**key, "issuer": self.issuer}]}

    def claims(self):
        now = int(time.time())
        return {
            "iss": self.issuer, "aud": AUDIENCE, "tid": self.tenant, "azp": self.client, "azpacr": "1",
            "sub": self.client, "oid": self.client, "roles": [ROLE], "ver": "2.0", "idtyp": "app",
            "iat": now, "nbf": now, "exp": now + 86400, "uti": uuid.uuid4().hex,
        }

    def token(self):
        return _sign(self.key, self.claims())

    def token_of_new_client(self):
        """A token of a client of the tenant that has sent none before."""
        client = str(uuid.uuid4())
        return _sign(self.key, {**self.claims(), "azp": client, "sub": client, "oid": client})

    def tokens(self, count):
        """Tokens that no server has seen; signing lets go of the interpreter, so all cores help."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(lambda _: self.token(), range(count)))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
