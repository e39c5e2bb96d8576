"""An ingest killed again and again at any moment: in the end nothing is half there, and all is as if it had never been."""

import hashlib
import random
import sqlite3
import subprocess
import time

from . import world


def measure(folder, archive, kills, seed=1):
    """Ingests an archive whole, and again into another store with `kills` interruptions; compares the two."""
    whole, killed = folder / "whole.db", folder / "killed.db"
    began = time.monotonic()
    _ingest(whole, archive).wait()
    length = time.monotonic() - began
    chance, survived = random.Random(seed), []
    while len(survived) < kills:
        process = _ingest(killed, archive)
        time.sleep(chance.uniform(0.05, 2 * length / kills))
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        survived.append(_editions(killed))
    if code := _ingest(killed, archive).wait():
        raise SystemExit(f"the ingest after {len(survived)} kills ended with {code}")
    checked = subprocess.run([world.RELEASE / "norma", "store", "verify", "--store", killed], capture_output=True, text=True)
    return {"kills": len(survived), "editions after each": survived, "editions": _editions(killed),
            "equal": _digest(whole) == _digest(killed), "verified": checked.stdout.strip()}


def _ingest(store, archive):
    quiet = subprocess.DEVNULL
    return subprocess.Popen([world.RELEASE / "norma", "ingest", archive, "--store", store], stdout=quiet, stderr=quiet)


def _read(store, sql):
    try:
        connection = sqlite3.connect(store, timeout=60)
        try:
            yield from connection.execute(sql)
        finally:
            connection.close()
    except sqlite3.OperationalError:
        # Killed before there was a store.
        return


def _editions(store):
    return next(_read(store, "SELECT COUNT(*) FROM editions"), (0,))[0]


def _digest(store):
    """Everything of every edition but times and numbers of rows: its blobs stand in it by their digests."""
    digest = hashlib.sha256()
    for row in _read(store, "SELECT e.urn, e.revision, e.source, e.status, e.title, p.directory, p.assets,"
                            " p.provisions, p.aliases, p.citations FROM editions e JOIN edition_parts p ON p.edition = e.id ORDER BY e.urn"):
        digest.update(repr(row).encode())
    for row in _read(store, "SELECT digest, size FROM blobs WHERE id IN (SELECT blob FROM blob_refs) ORDER BY digest"):
        digest.update(repr(row).encode())
    return digest.hexdigest()
