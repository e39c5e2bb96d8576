"""Bounds: what 250 requests of one caller at once take from the service, and how long another tenant waits meanwhile.

The caller reads six large editions of one document. The other tenant reads two small editions, a provision and a comparison in
turn, from a process of its own. Memory is what the kernel counts as RssAnon, looked at every 10 ms.
"""

import asyncio
import concurrent.futures
import http.client
import json
import multiprocessing
import random
import re
import statistics
import subprocess
import threading
import time

from . import world

AT_ONCE, SLOW, LARGE_PAIRS = 250, 120, 35
LATE = 60  # seconds after which an answer is not waited for
EDITIONS = 6
API = "/api/content/v1"


def measure(folder, provider, data, provisions, seconds):
    """The bound that the service prints, and of each attack the most memory and the 99th percentiles of the other tenant."""
    path = world.store_of(data / f"bounds-{provisions}.db", _documents(provisions))
    other = provider.another_tenant()
    world.license(path, provider)
    world.license(path, other)
    norma = world.Norma(folder, provider, path, options=["--audit-file", folder / "audit.log"], cores="0,1")
    try:
        said = re.search(r"memory is at most (\d+) MiB", norma.log.read_text())
        bound = int(said[1]) << 20
        attacks = _attacks(norma, provider.token())
        before, measured = _size(path), {}
        for name, requests in attacks.items():
            measured[name] = _attack(norma, provider.token(), other.token(), requests, max(5, seconds))
        return {"bound": bound, "provisions": provisions, "attacks": measured, "grown": max(0, _size(path) - before)}
    finally:
        norma.stop()


WORDS = """bearing bolt bracket casing coupling cover drain filter flange gasket gauge housing hose impeller inlet lever motor nozzle
outlet panel pipe plate rotor seal shaft shell sleeve socket spring switch tank thread valve washer wheel wire""".split()


def _standard(number, edition, provisions):
    """A document of NISO STS with so many requirements of about 25 words, of which each edition words some anew."""
    words = random.Random(1)
    clauses = []
    for clause in range(provisions // 20):
        sentences = []
        for pump in range(20):
            own = random.Random(f"{clause}-{pump}-{max(e for e in range(edition) if e == 0 or words.random() < 0.03)}")
            text = " ".join(f"the {own.choice(WORDS)} of {own.choice(WORDS)} {own.randrange(10**4)}" for _ in range(6))
            sentences.append(f"<p>Pump {clause}-{pump} shall hold {text} at a pressure of {pump + 1} kPa.</p>")
        clauses.append(f"<sec id='s{clause}'><label>{clause + 4}</label><title>Pump {clause}</title>{''.join(sentences)}</sec>")
    return (
        "<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>Pumps</main></title-wrap><std-ident>"
        f"<originator>NSB</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number><edition>{edition}</edition></std-ident>"
        f"<content-language>en</content-language><std-ref type='dated'>NSB {number}:{2000 + 4 * edition}</std-ref></std-meta></front>"
        f"<body>{''.join(clauses)}</body></standard>"
    )


def _urn(number, edition):
    return f"urn:nsb:std:nsb:{number}:ed-{edition}:en"


LARGE, SMALL = 9901, 9902


def _documents(provisions):
    for number, editions, size in ((LARGE, EDITIONS, provisions), (SMALL, 2, 40)):
        for edition in range(1, editions + 1):
            yield f"{number}-{edition}.xml", _standard(number, edition, size)


def _size(path):
    """Bytes of the comparisons and lineages of a store."""
    command = [world.RELEASE / "norma", "store", "stats", "--format", "json", "--store", path]
    stats = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return sum(value for name, value in _numbers(stats) if re.search("comparison|lineage", name, re.I) and "bytes" in name.lower())


def _preview(edition):
    return f"{API}/standards/{_urn(LARGE, edition)}"


def _numbers(value, name=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, f"{name}.{key}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name, value


def _attacks(norma, token):
    """Requests by attack: method, path, headers, body, and whether their answers are read slowly."""
    standard = lambda edition: f"{world.BASE}/standards/{_urn(LARGE, edition)}"
    provision = norma.json(f"{standard(1)}/provisions/4", token)["items"][0]["id"]
    lineage = norma.json(f"{world.BASE}/provisions/{provision}", token)["lineage"]["id"]
    prefix, digits = lineage.split("_")
    made_up = lambda: f"{prefix}_{''.join(random.sample(digits, len(digits)))}"
    gzip = {"Accept-Encoding": "gzip"}
    compared = lambda older, newer, **query: (
        f"{_preview(newer)}/comparison?with={_urn(LARGE, older)}" + "".join(f"&{name}={value}" for name, value in query.items()))
    pairs = [(older, newer) for newer in range(1, EDITIONS + 1) for older in range(1, newer)]
    far = [(older, newer) for older, newer in pairs if newer - older > 1]
    near = [(older, newer) for older, newer in pairs if newer - older == 1]
    nth = lambda items, n: items[n % len(items)]
    attacks = {
        "filters": [("GET", f"{standard(1 + n % EDITIONS)}/provisions?q=zz{n}", {}, None, False) for n in range(AT_ONCE)],
        "comparisons with texts": [("GET", compared(*nth(near, n), include="text"), gzip, None, False) for n in range(AT_ONCE)],
        "comparisons read slowly": [("GET", compared(*nth(near, n), include="text"), {}, None, True) for n in range(SLOW)],
        "HEAD of comparisons": [("HEAD", compared(*nth(near, n)), {}, None, False) for n in range(AT_ONCE)],
        "migrate": [("POST", f"{_preview(6)}/migrate", {}, json.dumps({"ids": [made_up()]}), False) for _ in range(AT_ONCE)],
        "large pairs": [("GET", compared(*nth(far, n)), gzip, None, False) for n in range(LARGE_PAIRS)],
        "whole standards read slowly": [("GET", standard(1 + n % EDITIONS), {}, None, True) for n in range(AT_ONCE)],
        "graphs": [("GET", f"/api/content/preview/knowledge-graph/standards/{_urn(LARGE, 1 + n % EDITIONS)}", gzip, None, False) for n in range(AT_ONCE)],
    }
    everything = [request for requests in attacks.values() for request in requests]
    random.Random(1).shuffle(everything)
    return attacks | {"all together": everything[:AT_ONCE]}


def _attack(norma, token, other, requests, seconds):
    """Sends the requests at once, again and again, while memory and another tenant are watched."""
    ended, most = threading.Event(), [0]
    counts = multiprocessing.get_context("spawn").Queue()
    attacker = multiprocessing.get_context("spawn").Process(target=_flood, args=(norma.port, token, requests, seconds, counts))

    def watch():
        while not ended.wait(0.01):
            most[0] = max(most[0], norma.memory())

    small = f"{world.BASE}/standards/{_urn(SMALL, 1)}/sections"
    comparison = f"{API}/standards/{_urn(SMALL, 2)}/comparison?with={_urn(SMALL, 1)}"
    with concurrent.futures.ThreadPoolExecutor() as threads:
        watching = threads.submit(watch)
        probes = [threads.submit(_probe, norma.port, other, path, ended) for path in (small, comparison)]
        attacker.start()
        statuses = counts.get(timeout=600)
        attacker.join()
        ended.set()
        reads, comparisons = (probe.result() for probe in probes)
        watching.result()
    p99 = lambda taken: statistics.quantiles(taken, n=100)[98] if len(taken) > 1 else max(taken)
    return {"memory": most[0], "read": p99(reads), "comparison": p99(comparisons), "statuses": statuses,
            "reads": len(reads), "comparisons": len(comparisons)}


def _probe(port, token, path, ended):
    """Seconds that each of the requests took that were sent one after the other."""
    taken = []
    while not ended.is_set() or not taken:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LATE)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}", "Cache-Control": "no-cache"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        taken.append(time.monotonic() - began if answer.status == 200 else LATE)
        ended.wait(0.02)
    return taken


def _flood(port, token, requests, seconds, counts):
    counts.put(asyncio.run(_send(port, token, requests, seconds)))


async def _send(port, token, requests, seconds):
    """How often which status came, of requests sent at once until the time is over. Those that read slowly end with it."""
    until, statuses = time.monotonic() + seconds, {}
    while time.monotonic() < until:
        for status in await asyncio.gather(*(_in_time(port, token, request, until) for request in requests)):
            statuses[status] = statuses.get(status, 0) + 1
    return statuses


async def _in_time(port, token, request, until):
    try:
        return await asyncio.wait_for(_request(port, token, request, until), LATE)
    except TimeoutError:
        return "late"


async def _request(port, token, request, until):
    method, path, headers, body, slow = request
    if path.find("q=zz") > 0:
        path += str(random.randrange(10**9))
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
        lines = [f"{method} {path} HTTP/1.1", "Host: norma", f"Authorization: Bearer {token}", "Connection: close",
                 *(f"{name}: {value}" for name, value in headers.items())]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        writer.write(("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        while slow and time.monotonic() < until:
            if not await reader.read(256):
                break
            await asyncio.sleep(0.2)
        while not slow and await reader.read(1 << 16):
            pass
        writer.close()
        return int(head.split()[1])
    except (OSError, asyncio.IncompleteReadError) as error:
        return type(error).__name__
