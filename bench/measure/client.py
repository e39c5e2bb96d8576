"""The client for Python: its import beside that of httpx2, and 1,000 provisions read one by one beside the same by httpx2 by hand."""

import json
import os
import resource
import subprocess
import sys
import time

from . import world

PROVISIONS = 1000


def measure(folder, provider, path, rounds):
    """Seconds of CPU of both sides, in each round one after the other."""
    world.license(path, provider)
    norma = world.Norma(folder, provider, path)
    base, token = f"http://127.0.0.1:{norma.port}", provider.token()
    try:
        ids = []
        for urn in world.urns(norma, token, 50):
            ids += [one["id"] for one in norma.json(f"{world.BASE}/standards/{world.quote(urn)}/provisions", token)["items"]]
            if len(ids) >= PROVISIONS:
                break
        samples = {"import": [], "reads": []}
        for _ in range(rounds):
            bare = _import("sys")
            samples["import"].append({name: _import(name) - bare for name in ("httpx2", "norma_client")})
            samples["reads"].append({"httpx2": _by_hand(base, token, ids[:PROVISIONS]), "norma_client": _by_client(base, token, ids[:PROVISIONS])})
    finally:
        norma.stop()
    return samples


def _import(module):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True, env=os.environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _by_hand(base, token, ids):
    import httpx2

    with httpx2.Client(headers={"Authorization": f"Bearer {token}", "Accept": "application/json"}) as http:
        start = time.process_time()
        for id in ids:
            answer = http.get(f"{base}{world.BASE}/provisions/{id}")
            answer.raise_for_status()
            json.loads(answer.content)
        return time.process_time() - start


def _by_client(base, token, ids):
    from norma_client import Norma

    with Norma(base, credential=lambda: token) as client:
        start = time.process_time()
        for id in ids:
            client.provision(id)
        return time.process_time() - start
