"""Makes a container at the Azure Blob emulator, whose account and key are published: azure-container.py URL NAME."""

import base64
import email.utils
import hashlib
import hmac
import sys
import urllib.error
import urllib.request

ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

url, name = sys.argv[1:]
date, version = email.utils.formatdate(usegmt=True), "2021-08-06"
# Shared key authorization: verb, eleven empty headers, then x-ms- headers and the resource.
text = f"PUT{chr(10) * 12}x-ms-date:{date}\nx-ms-version:{version}\n/{ACCOUNT}/{ACCOUNT}/{name}\nrestype:container"
signature = base64.b64encode(hmac.digest(base64.b64decode(KEY), text.encode(), hashlib.sha256)).decode()
headers = {
    "x-ms-date": date,
    "x-ms-version": version,
    "Authorization": f"SharedKey {ACCOUNT}:{signature}",
    "Content-Length": "0",
}
request = urllib.request.Request(f"{url}/{ACCOUNT}/{name}?restype=container", method="PUT", headers=headers)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    if error.code != 409:  # It is there already.
        raise
