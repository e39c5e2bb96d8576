"""Gets app-only tokens with msal for Python: by secret, and by certificate in both of its ways.

Reads its case from the environment and prints one JSON object: way to access token.
The provider is trusted through REQUESTS_CA_BUNDLE.
"""

import json
import os
import sys

import msal

env = os.environ


def ask(credential):
    app = msal.ConfidentialClientApplication(
        env["CLIENT_ID"],
        authority=env["AUTHORITY"],
        client_credential=credential,
        instance_discovery=False,
    )
    return app.acquire_token_for_client(scopes=[env["SCOPE"]])


def token(credential):
    answer = ask(credential)
    if "access_token" not in answer:
        sys.exit(f"no token: {answer.get('error')} {answer.get('error_codes')}")
    return answer["access_token"]


with open(env["KEY_FILE"]) as file:
    key = file.read()
with open(env["CERTIFICATE_FILE"]) as file:
    certificate = file.read()

wrong = ask("wrong")

print(json.dumps({
    "secret": token(env["CLIENT_SECRET"]),
    "certificate-sha256": token({"private_key": key, "public_certificate": certificate}),
    "certificate-sha1": token({"private_key": key, "thumbprint": env["SHA1"]}),
    "wrong-secret": {"error": wrong["error"], "codes": wrong["error_codes"]},
}))
