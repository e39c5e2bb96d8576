"""The peers and the limit, each serving the bodies that Norma gave."""

import hashlib
import pathlib
import sqlite3
import time
import urllib.request
import xml.etree.ElementTree

from BaseXClient import BaseXClient

from . import tokens
from .process import Server, free_port

HERE = pathlib.Path(__file__).parent.parent / "peers"


def store(folder, bodies):
    """Bodies as static files and as rows of one SQLite file."""
    files = folder / "bodies"
    files.mkdir(exist_ok=True)
    path = folder / "peers.db"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA page_size = 16384")
        database.execute("CREATE TABLE views (name TEXT PRIMARY KEY, etag TEXT NOT NULL, body BLOB NOT NULL)")
        for body in bodies:
            (files / body.name).write_bytes(body.bytes)
            tag = f'"{hashlib.sha256(body.bytes).hexdigest()[:32]}"'
            database.execute("INSERT INTO views VALUES (?, ?, ?)", (body.name, tag, body.bytes))
    database.close()
    return files, path


def nginx(folder, files):
    port = free_port()
    conf = folder / "nginx.conf"
    text = (HERE / "nginx.conf").read_text()
    for name, value in {"folder": folder, "port": port, "bodies": files}.items():
        text = text.replace("{%s}" % name, str(value))
    conf.write_text(text)
    return Server("nginx", ["/usr/sbin/nginx", "-p", folder, "-c", conf], port, folder)


def _environment(provider, database, port):
    return {
        "BENCH_STORE": str(database), "BENCH_KEYS": str(provider.keys_file), "BENCH_ISSUER": provider.issuer,
        "BENCH_AUDIENCE": tokens.AUDIENCE, "BENCH_TENANT": provider.tenant, "BENCH_ROLE": tokens.ROLE,
        "BENCH_PORT": str(port),
    }


def fastapi(folder, provider, database, python):
    port = free_port()
    command = [python, "-m", "uvicorn", "fastapi_app:app", "--app-dir", HERE, "--host", "127.0.0.1",
               "--port", port, "--workers", "1", "--no-access-log", "--log-level", "warning"]
    return Server("fastapi", command, port, folder, _environment(provider, database, port))


def fastify(folder, provider, database):
    port = free_port()
    environment = {**_environment(provider, database, port), "NODE_ENV": "production"}
    return Server("fastify", ["node", HERE / "fastify_app.cjs"], port, folder, environment)


class BaseX:
    """BaseX over its own protocol, asked for one section of a source that it holds in its database."""

    def __init__(self, folder, source):
        port = free_port()
        (folder / "basex").mkdir(exist_ok=True)
        document = folder / "basex-source.xml"
        document.write_bytes(source)
        environment = {"JAVA_ARGS": f"-Dorg.basex.path={folder / 'basex'} -Xmx2g"}
        command = ["basexserver", "-z", f"-p{port}"]
        self.server = Server("basex", command, port, folder, environment)
        self.session = BaseXClient.Session("127.0.0.1", port, "admin", "admin")
        self.session.execute(f"create db bench {document}")
        query = f'(db:open("bench")//sec[title = "{a_title(source)}"])[1]'
        self.query = self.session.query(query)

    def measure(self, seconds):
        requests, before, until = 0, self.server.cpu(), time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.query.execute():
                raise SystemExit("BaseX finds no such section")
            requests += 1
        return {"cpu": (self.server.cpu() - before) / requests, "requests": requests}


def a_title(source):
    """Title of a clause in the middle of a document."""
    titles = [t.text for t in xml.etree.ElementTree.fromstring(source).iterfind(".//body/sec/title") if t.text]
    return titles[len(titles) // 2].replace('"', '""')


def etag(server, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}") as answer:
        return answer.headers["ETag"]
