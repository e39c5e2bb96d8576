"""How cost grows with the number of standards, of ingest, reads and searches, in each engine; and a selection's with what it returns.

SQLite is filled by one instance with two workers, PostgreSQL with an object store by two instances with one worker each, at once, of which
each has every other document: neighbouring editions meet. The engines' own CPU is not counted.

In PostgreSQL the search index of two instances is measured: the first builds it, the second fetches it.
"""

import dataclasses
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time

from . import archive, load, turns, world
from .process import finish

# Grants of a caller who is licensed for single editions.
NARROW_GRANTS = 50

# Searches whose cost is measured, each for other words.
SEARCHES = 200


@dataclasses.dataclass
class Engine:
    """Where a store is, with the options that say so, and how many instances fill it."""

    name: str
    store: str
    options: tuple
    instances: int

    def search_dir(self, folder, instance):
        """The index of an instance, for this store alone: one of the same documents would be taken over."""
        return folder / f"{self.store.rsplit('/', 1)[-1]}-{instance}-search"


def measure(folder, provider, data, sizes, size, rounds, seconds):
    """By engine and number of standards: ingest, and CPU per request of list pages, narrow grants, a view, selections."""
    results = {}
    for standards in sizes:
        documents = world.archive(data, standards, size)
        for engine in _engines(folder, standards):
            ingest = _ingest(folder, engine, sorted(documents.rglob("*.xml")))
            row = {"ingest": ingest, "stored": _stored(engine)} | _index(folder, provider, engine)
            row |= _reads(folder, provider, engine, rounds, seconds)
            results.setdefault(engine.name, {})[standards] = row
            # The large ones take long: what was measured is known where one fails.
            print(engine.name, standards, json.dumps(row), file=sys.stderr)
    return results


def _engines(folder, standards):
    """SQLite, and PostgreSQL with an object store where `bench/run` started them."""
    yield Engine("SQLite", str(folder / f"growth-{standards}.db"), (), 1)
    if server := os.environ.get("NORMA_TEST_POSTGRES"):
        name = f"growth_{standards}"
        world.run("psql", "--quiet", server, "-c", f"DROP DATABASE IF EXISTS {name}", "-c", f"CREATE DATABASE {name}")
        place = os.environ["NORMA_TEST_S3"].replace("/tests?", f"/{name}-{os.getpid()}?")
        yield Engine("PostgreSQL, S3", re.sub("/[^/]*$", f"/{name}", server), ("--blobs", place), 2)


def _ingest(folder, engine, sources):
    """CPU and wall time, the most memory of an instance, and blobs: each is an object of the object store, if there is one."""
    workers = 2 // engine.instances
    running, began = [], time.monotonic()
    for number in range(engine.instances):
        linked = archive.linked(folder, sources[number :: engine.instances], f"sources-{number}")
        options = ["--store", engine.store, *engine.options, "--workers", str(workers)]
        with (folder / f"ingest-{number}.log").open("wb") as log:
            command = [world.RELEASE / "norma", "ingest", linked, *options]
            running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log))
    ended = finish(running)
    if any(status for status, *_ in ended):
        raise SystemExit(f"an ingest into {engine.name} failed: see {folder}")
    seconds = time.monotonic() - began
    stats = world.run(world.RELEASE / "norma", "store", "stats", "--format", "json", "--store", engine.store, capture_output=True)
    return {
        "documents": len(sources), "bytes": sum(file.stat().st_size for file in sources), "seconds": seconds,
        "cpu": sum(used.ru_utime + used.ru_stime for _, used, _ in ended), "memory": max(most for *_, most in ended),
        "stats": json.loads(stats.stdout),
    }


def _stored(engine):
    """Bytes of the catalogue: of the file, which has the blobs as well, or of the database."""
    if engine.instances == 1:
        return os.path.getsize(engine.store)
    size = "SELECT pg_database_size(current_database())"
    return int(world.run("psql", "--quiet", "--no-align", "--tuples-only", engine.store, "-c", size, capture_output=True).stdout)


def _index(folder, provider, engine):
    """Seconds and CPU until an instance finds all texts: of the first one, which builds the index, and of the next, which fetches it.

    SQLite has one instance, which builds it. What searches cost is measured with the last one.
    """
    world.license(engine.store, provider)
    token, measured, running = provider.token(), {}, []
    try:
        for name in ("builder", "fetcher")[:engine.instances]:
            options = [*engine.options, "--search-dir", engine.search_dir(folder, name)]
            running.append(world.Norma(folder, provider, engine.store, name, options, cores="0,1"))
            most = 0
            # A rare word, since the looks count as well.
            while running[-1].json(f"{world.BASE}/search?q=zyzzyva&limit=1", token)["state"] != "complete":
                most = max(most, running[-1].memory())
                time.sleep(0.2)
            took = time.monotonic() - running[-1].spawned
            measured[name] = {"seconds": took, "cpu": running[-1].cpu(), "most memory": most}
        turns.until_complete(running[-1], token)
        searches = _searches(running[-1], token)
    finally:
        for norma in running:
            norma.stop()
    size = sum(file.stat().st_size for file in engine.search_dir(folder, "builder").rglob("*") if file.is_file())
    return {"index": measured | {"bytes": size}, "searches": searches}


def _searches(norma, token):
    """CPU and seconds of searches for two words of titles, and how many texts each finds. No search is repeated."""
    titles = norma.json(f"{world.BASE}/standards?limit=500&sort=-updated", token)["items"]
    words = sorted({word for item in titles for word in re.findall(r"\b[a-z]{4,}\b", item["title"])})
    chosen, found = random.Random(1), []
    for _ in range(SEARCHES):
        path = f"{world.BASE}/search?q={'+'.join(chosen.sample(words, 2))}&limit=20&edition=all"
        before, began = norma.cpu(), time.monotonic()
        total = norma.json(path, token)["total"]
        found.append({"seconds": time.monotonic() - began, "cpu": norma.cpu() - before, "total": total})
    return found


def _reads(folder, provider, engine, rounds, seconds):
    token = provider.token()
    bearer, row = {"Authorization": f"Bearer {token}"}, {}
    patterns = ("urn:*",)
    for name in ("all", "narrow grants"):
        world.license(engine.store, provider, patterns)
        options = [*engine.options, "--search-dir", engine.search_dir(folder, "builder")]
        norma = world.Norma(folder, provider, engine.store, options=options)
        try:
            listing = f"{world.BASE}/standards?limit=50"
            for what, path in [("list", listing), ("list by word", f"{listing}&q=pump")]:
                # The first page after a start is put in order.
                before = norma.cpu()
                page = norma.json(path, token)
                row[f"first {what}, {name}"] = norma.cpu() - before
                if what == "list" and len(page["items"]) != 50:
                    raise SystemExit(f"{path} has {len(page['items'])} standards for a caller with {name}, and not 50")
                row[f"{what}, {name}"] = _median(norma, path, bearer, rounds, seconds)
            if name == "all":
                urns = world.urns(norma, token, 10**6)
                patterns = random.Random(1).sample(urns, NARROW_GRANTS)
                urn = urns[250]
                view = f"{world.BASE}/standards/{world.quote(urn)}/sections"
                row["sections"] = _median(norma, view, bearer, rounds, seconds)
                row["selections"] = _selections(norma, _longest(norma, token), token, bearer, rounds, seconds)
                row["memory"] = norma.memory()
        finally:
            norma.stop()
    return row


def _median(norma, path, headers, rounds, seconds):
    return statistics.median(load.saturate(norma, path, headers, seconds)["cpu"] for _ in range(rounds))


def _longest(norma, token):
    """Of the first hundred standards the one with the most to select from."""
    def length(urn):
        path = f"{world.BASE}/standards/{world.quote(urn)}/provisions"
        with norma.get(path, token, method="HEAD", Accept_Encoding="identity") as answer:
            return int(answer.headers["Content-Length"])

    return max(world.urns(norma, token, 100), key=length)


def _selections(norma, urn, token, bearer, rounds, seconds):
    """Bytes and CPU of selections of growing width."""
    found = []
    for last in range(4, 12):
        path = f"{world.BASE}/standards/{world.quote(urn)}/provisions/4-{last}"
        try:
            with norma.get(path, token, Accept_Encoding="identity") as answer:
                size = len(answer.read())
        except OSError:
            break
        found.append({"bytes": size, "cpu": _median(norma, path, bearer, rounds, seconds)})
    return found
