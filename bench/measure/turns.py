"""Turns of searches: how long another tenant's searches take while one tenant sends searches of frequent words without a pause.

Standards are invented so that the number of their units is known: each has SECTIONS sections of PROVISIONS requirements, with words
as frequent as Zipf's law says. Both tenants may read all of them. The other tenant sends one search after the other, from a process
of its own; the times without the first tenant stand beside those with 16 and with 200 of its connections.
"""

import asyncio
import http.client
import itertools
import multiprocessing
import random
import statistics
import time
import urllib.parse

from . import world

SECTIONS, PROVISIONS = 4, 24
UNITS = 1 + SECTIONS * (1 + PROVISIONS)  # of a standard
WORDS_OF_SENTENCE, VOCABULARY = 14, 20_000
CONNECTIONS = (16, 200)
LATE = 60  # seconds after which an answer is not waited for
SEARCH = f"{world.BASE}/search"
# What the first tenant looks for, with {0} and {1} as frequent words: all units, a phrase, a beginning of words, groups and counts.
ATTACKS = ("q=shall&limit=100", "q=%22shall+hold%22+{0}", "q=sha*+{0}", "q={0}*&group=standard", "q=shall+{0}+{1}&edition=all",
           "q=shall+-{0}&facets=kind,type,status,publisher,language,ics,normative")


def measure(folder, provider, data, units, seconds):
    """Seconds of the other tenant's searches, alone and by the number of the first tenant's connections, and what that tenant got."""
    standards = max(1, units // UNITS)
    path = world.store_of(data / f"turns-{standards}.db", _documents(standards))
    other = provider.another_tenant()
    world.license(path, provider)
    world.license(path, other)
    norma = world.Norma(folder, provider, path, options=["--audit-file", folder / "audit.log"], cores="0,1")
    try:
        until_complete(norma, other.token())
        measured = {"alone": {"others": _others(norma, other.token(), seconds)}}
        for connections in CONNECTIONS:
            measured[f"{connections} connections"] = _attacked(norma, provider.token(), other.token(), connections, seconds)
        return {"units": units // UNITS * UNITS, "runs": measured, "memory": norma.memory()}
    finally:
        norma.stop()


def common_words():
    """Invented words, the most frequent first."""
    invented = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il")]
    return list(dict.fromkeys("".join(invented.choices(syllables, k=invented.randint(2, 4))) for _ in range(2 * VOCABULARY)))[:VOCABULARY]


def zipf_weights():
    """Sums of the weights of the words up to each one, which are added up once and not for each choice."""
    return list(itertools.accumulate(1 / (rank + 2) for rank in range(VOCABULARY)))


def _standard(number, words, weights):
    """A document of NISO STS."""
    own = random.Random(number)
    sections = []
    for section in range(SECTIONS):
        sentences = []
        for _ in range(PROVISIONS):
            text = " ".join(own.choices(words, cum_weights=weights, k=WORDS_OF_SENTENCE))
            sentences.append(f"<p>The {own.choice(words)} shall hold the {text}.</p>")
        title = " ".join(own.choices(words, cum_weights=weights, k=2))
        sections.append(f"<sec id='s{section}'><label>{section + 4}</label><title>{title}</title>{''.join(sentences)}</sec>")
    title = " ".join(own.choices(words, cum_weights=weights, k=4))
    return (
        f"<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>{title}</main></title-wrap><std-ident>"
        f"<originator>NSB</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number><edition>1</edition></std-ident>"
        f"<content-language>en</content-language><std-ref type='dated'>NSB {number}:2024</std-ref></std-meta></front>"
        f"<body>{''.join(sections)}</body></standard>"
    )


def _documents(standards):
    words, weights = common_words(), zipf_weights()
    for number in range(1, standards + 1):
        yield f"{number}.xml", _standard(number, words, weights)


def until_complete(norma, token):
    """Waits until all standards are in the index. The next searches then find it at rest: no segment is merged any more."""
    while norma.json(f"{SEARCH}?q=shall&limit=1", token)["state"] != "complete":
        time.sleep(1)
    used = None
    while used is None or norma.cpu() > used + 0.05:
        used = norma.cpu()
        time.sleep(2)


def _attacked(norma, token, other, connections, seconds):
    """Seconds of the other tenant's searches while the first tenant has this many connections, and its own answers by status."""
    counts = multiprocessing.get_context("spawn").Queue()
    attacker = multiprocessing.get_context("spawn").Process(target=_flood, args=(norma.port, token, connections, seconds + 4, counts))
    attacker.start()
    time.sleep(2)  # until all connections are busy
    taken = _others(norma, other, seconds)
    statuses = counts.get(timeout=600)
    attacker.join()
    return {"others": taken, "statuses": statuses}


def _others(norma, token, seconds):
    """Seconds of searches for one to three words, from frequent to rare, that are sent one after the other."""
    chosen, words, weights = random.Random(2), common_words(), zipf_weights()
    taken, until = [], time.monotonic() + seconds
    connection = http.client.HTTPConnection("127.0.0.1", norma.port, timeout=LATE)
    while time.monotonic() < until:
        query = urllib.parse.quote_plus(" ".join(chosen.choices(words, cum_weights=weights, k=chosen.randint(1, 3))))
        began = time.monotonic()
        connection.request("GET", f"{SEARCH}?q={query}", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        taken.append(time.monotonic() - began if answer.status == 200 else LATE)
    connection.close()
    return taken


def _flood(port, token, connections, seconds, counts):
    counts.put(asyncio.run(_send(port, token, connections, seconds)))


async def _send(port, token, connections, seconds):
    """How often which status came on all connections until the time is over."""
    words = common_words()[:100]
    until, statuses = time.monotonic() + seconds, {}
    await asyncio.gather(*(_client(port, token, number, words, until, statuses) for number in range(connections)))
    return statuses


async def _client(port, token, number, words, until, statuses):
    """Sends one search after the other on a connection."""
    chosen = random.Random(number)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        while time.monotonic() < until:
            query = chosen.choice(ATTACKS).format(*chosen.choices(words, k=2))
            head = f"GET {SEARCH}?{query} HTTP/1.1\r\nHost: norma\r\nAuthorization: Bearer {token}\r\n\r\n"
            writer.write(head.encode())
            answered = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), LATE)).decode()
            length = next(int(line.split(":")[1]) for line in answered.lower().splitlines() if line.startswith("content-length"))
            await reader.readexactly(length)
            status = int(answered.split()[1])
            statuses[status] = statuses.get(status, 0) + 1
        writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        name = type(error).__name__
        statuses[name] = statuses.get(name, 0) + 1


def p99(taken):
    return statistics.quantiles(taken, n=100)[98] if len(taken) > 1 else max(taken)

