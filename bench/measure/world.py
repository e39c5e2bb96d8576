"""What is measured: an archive of invented standards, a store with them in it, and Norma serving it."""

import dataclasses
import json
import os
import pathlib
import random
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from . import tokens
from .process import Server, free_port

RELEASE = pathlib.Path(os.environ.get("NORMA_RELEASE", "target/release")).resolve()
BASE = "/api/content/v1"


def run(*command, **how):
    return subprocess.run([str(part) for part in command], check=True, text=True, **how)


def archive(folder, standards, size=1.0):
    """A folder of documents, made once and kept."""
    out = folder / f"archive-{standards}-{size}"
    if not (out / ".whole").exists():
        run("rm", "-rf", out)
        run(RELEASE / "norma-bench-data", out, "--standards", standards, "--size", size, stdout=subprocess.DEVNULL)
        (out / ".whole").touch()
    return out


def store(folder, standards, size=1.0):
    """An embedded store with an archive in it, made once and kept."""
    path = folder / f"store-{standards}-{size}.db"
    done = path.with_suffix(".whole")
    if not done.exists():
        report = subprocess.DEVNULL
        run(RELEASE / "norma", "ingest", archive(folder, standards, size), "--store", path, stdout=report, stderr=report)
        done.touch()
    return path


def store_of(path, documents):
    """An embedded store with these documents, pairs of a file's name and its text, made once and kept."""
    done = path.with_suffix(".whole")
    if not done.exists():
        folder = path.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in documents:
            (folder / name).write_text(text)
        run(RELEASE / "norma", "ingest", folder, "--store", path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run("rm", "-rf", folder)
        done.touch()
    return path


def license(path, provider, patterns=("urn:*",)):
    """Lets the provider's tenant read what the patterns name, and nothing else."""
    norma = [RELEASE / "norma"]
    subprocess.run([*norma, "tenant", "remove", provider.tenant, "--store", path], capture_output=True)
    run(*norma, "tenant", "add", provider.tenant, "--name", "bench", "--store", path, stdout=subprocess.DEVNULL)
    for pattern in patterns:
        run(*norma, "grant", "add", provider.tenant, "--urn", pattern, "--store", path, stdout=subprocess.DEVNULL)


class Norma(Server):
    """The service on a store, with its defaults but for addresses, identity and the rate limit."""

    def __init__(self, folder, provider, path, name="norma", options=(), **how):
        port, self.ops = free_port(), free_port()
        command = [
            RELEASE / "norma", "serve", "--store", path, "--listen", f"127.0.0.1:{port}",
            "--ops-listen", f"127.0.0.1:{self.ops}", "--auth-url", provider.url, "--audience", tokens.AUDIENCE,
            "--rate-limit", "0", *options,
        ]
        self.port = port
        super().__init__(name, command, port, folder, ready=self._is_ready, **how)

    def _is_ready(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.ops}/readyz", timeout=5).status == 200
        except OSError:
            return False

    def get(self, path, token, method="GET", **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        request.add_header("Authorization", f"Bearer {token}")
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        return urllib.request.urlopen(request, timeout=60)

    def json(self, path, token):
        with self.get(path, token) as answer:
            return json.load(answer)


def quote(urn):
    return urllib.parse.quote(urn, safe=":")


@dataclasses.dataclass
class Body:
    """One answer of Norma that every server shall give."""

    name: str
    path: str
    bytes: bytes
    etag: str


def urns(norma, token, most=2000):
    first, found = f"{BASE}/standards?limit=500", []
    path = first
    while path and len(found) < most:
        page = norma.json(path, token)
        found += [item["urn"] for item in page["items"]]
        path = page.get("next") and f"{first}&cursor={page['next']}"
    return found


def bodies(norma, token):
    """Real answers nearest to 1 KB, 20 KB, 200 KB and 1 MB, out of a sample."""
    sample = random.Random(1).sample(all_urns := urns(norma, token), min(400, len(all_urns)))

    def nearest(name, target, paths):
        sizes = {}
        for path in paths:
            with norma.get(path, token, method="HEAD", Accept_Encoding="identity") as answer:
                sizes[path] = int(answer.headers["Content-Length"])
        path = min(sizes, key=lambda p: abs(sizes[p] - target))
        with norma.get(path, token, Accept_Encoding="identity") as answer:
            return Body(name, path, answer.read(), answer.headers["ETag"])

    provisions = norma.json(f"{BASE}/standards/{quote(sample[0])}/provisions", token)["items"][:50]
    view = lambda part: [f"{BASE}/standards/{quote(urn)}{part}" for urn in sample]
    return [
        nearest("provision", 1_000, [f"{BASE}/provisions/{quote(one['id'])}" for one in provisions]),
        nearest("sections", 20_000, view("/sections")),
        nearest("content", 200_000, view("/content")),
        nearest("complete", 1_000_000, view("")),
    ]
