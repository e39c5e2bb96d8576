"""`norma usage` on audit files of a busy month: time and memory, next to their limits."""

import datetime
import random
import subprocess
import time
import uuid

from . import world
from .process import finish

MONTH = "2026-10"
BEGIN = datetime.datetime(2026, 10, 1, tzinfo=datetime.UTC)
SECONDS = 31 * 24 * 3600
# Bytes of an audit file, as `audit-file-size` has them by default.
FILE_SIZE = 100 << 20
TENANTS, CLIENTS, STANDARDS = 200, 3, 50_000
# Most for ten million lines: seconds, and bytes of memory.
MOST_SECONDS, MOST_MEMORY = 60, 256_000_000

API = "/api/content/v1/standards/{id}"
# Path behind the standard's, and status; each as often as the others.
READS = [("/content", 200), ("/provisions", 200), ("/provisions/{selection}", 200), ("/metadata", 200), ("/sections", 304),
         ("", 200), ("/terms", 200), ("/content", 403)]


def measure(folder, lines, collection):
    """Writes the files of a month in which each tenant reads so many standards, reports its usage once, and removes the files."""
    path = folder / "audit.jsonl"
    try:
        size = write(path, lines, collection)
        command = [world.RELEASE / "norma", "usage", "--month", MONTH, "--audit-file", path]
        with (folder / "report").open("wb") as report:
            began = time.monotonic()
            process = subprocess.Popen(command, stdout=report, stderr=subprocess.DEVNULL)
            [(status, used, memory)] = finish([process])
            seconds = time.monotonic() - began
        if status:
            raise SystemExit(f"norma usage ended with {status}")
        return {"lines": lines, "collection": collection, "bytes": size, "seconds": seconds, "cpu": used.ru_utime + used.ru_stime,
                "memory": memory, "report": (folder / "report").stat().st_size}
    finally:
        for file in folder.glob("audit.jsonl*"):
            file.unlink()


def write(path, lines, collection, seed=1):
    """Lines as the service writes them, evenly over the month, in files as it rotates them; the bytes of all."""
    chance = random.Random(seed)
    guid = lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4))
    clients = [(tenant, guid()) for tenant in [guid() for _ in range(TENANTS)] for _ in range(CLIENTS)]
    total, written, chunk, file, before = 0, 0, [], path.open("w"), None
    for number in range(lines):
        at = number * SECONDS / lines
        second = int(at)
        caller = int(chance.random() * len(clients))
        tenant, client = clients[caller]
        # Of its collection a tenant reads a few standards much, most of them rarely; collections overlap.
        first = caller // CLIENTS * 997
        standard = f"urn:iso:std:iso:{1000 + (first + 7 * int(collection * chance.random() ** 3)) % STANDARDS}:ed-1:en"
        part, status = READS[number * 5 % len(READS)]
        access = '"access":"discover",' if status == 403 else ""
        if second != before:
            before, stamp = second, (BEGIN + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")
        chunk.append(
            f'{{"timestamp":"{stamp}.{int(at % 1 * 1e9):09}Z","level":"INFO","target":"norma::audit","message":"read",'
            f'"request":"0b5e1f9c-6b8e-4d5b-9d0c-{number:012x}","tenant":"{tenant}","client":"{client}","standard":"{standard}",'
            f'"method":"GET","part":"{API}{part}","path":"/api/content/v1/standards/{standard}{part}",{access}"status":{status},"bytes":15321}}\n')
        if len(chunk) == 10_000 or number + 1 == lines:
            text = "".join(chunk)
            file.write(text)
            written, total, chunk = written + len(text), total + len(text), []
            if written > FILE_SIZE:
                file.close()
                path.rename(f"{path}.{stamp.replace('-', '').replace(':', '')}.{int(at % 1 * 1e9):09}Z")
                written, file = 0, path.open("w")
    file.close()
    return total
