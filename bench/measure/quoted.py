"""Quotations and citations: the CPU time of a request with 100 of them, in an index of a million units.

Each invented edition has 1,000 requirements of about 300 characters, with words as frequent as Zipf's law says. The quotations of a
request are of one edition or of 100; they are true, have one changed word, or are of no edition. They say the document alone, so that
the index has to find their units.
"""

import functools
import http.client
import json
import random
import statistics
import time

from . import turns, world

PROVISIONS, SECTIONS = 1000, 40  # of an edition
WORDS_OF_SENTENCE = 48  # about 300 characters
AT_ONCE = 100
VERIFY, RESOLVE = f"{world.BASE}/quotations/verify", f"{world.BASE}/citations/resolve"
# What a quotation is to its edition, and whether all of a request are of one.
CASES = [(kind, hot) for kind in ("true", "altered", "absent") for hot in (True, False)]


def measure(folder, provider, data, units, rounds):
    """CPU milliseconds and seconds of each request, by what it asks for."""
    standards = max(AT_ONCE, units // (PROVISIONS + SECTIONS + 1))
    documents = ((f"{number}.xml", _standard(number)) for number in range(1, standards + 1))
    path = world.store_of(data / f"quoted-{standards}.db", documents)
    world.license(path, provider)
    norma = world.Norma(folder, provider, path, options=["--audit-file", folder / "audit.log"], cores="0,1")
    try:
        token = provider.token()
        turns.until_complete(norma, token)
        connection = http.client.HTTPConnection("127.0.0.1", norma.port, timeout=600)
        chosen, samples = random.Random(3), {}
        for number in range(rounds * len(CASES)):
            kind, hot = CASES[number % len(CASES)]
            name = f"100 {kind} quotations of {'one edition' if hot else '100 editions'}"
            body = {"quotations": [_quotation(chosen, kind, standard) for standard in _standards(chosen, hot, standards)]}
            samples.setdefault(name, []).append(_asked(norma, connection, token, VERIFY, body, kind))
        for number in range(2 * rounds):
            hot = number % 2 == 0
            cited = [f"NSB {one}:2024, {_label(chosen.randrange(PROVISIONS))}" for one in _standards(chosen, hot, standards)]
            name = f"100 citations of {'one edition' if hot else '100 editions'}"
            samples.setdefault(name, []).append(_asked(norma, connection, token, RESOLVE, {"citations": cited}, "resolved"))
        connection.close()
        return {"units": standards * (PROVISIONS + SECTIONS + 1), "requests": samples, "memory": norma.memory()}
    finally:
        norma.stop()


def _label(number):
    each = PROVISIONS // SECTIONS
    return f"{number // each + 4}({number % each + 1})"


def _standards(chosen, hot, standards):
    return [chosen.randrange(1, standards + 1)] * AT_ONCE if hot else chosen.sample(range(1, standards + 1), AT_ONCE)


@functools.lru_cache(maxsize=2 * AT_ONCE)
def _sentences(number):
    words, weights = _vocabulary()
    own = random.Random(number)
    sentences = []
    for _ in range(PROVISIONS):
        text = " ".join(own.choices(words, cum_weights=weights, k=WORDS_OF_SENTENCE))
        sentences.append(f"The {own.choice(words)} shall hold at least {own.randint(2, 900)} {text}.")
    return sentences


def _quotation(chosen, kind, standard):
    """A provision of the edition; with another number; or of words in another order."""
    words, weights = _vocabulary()
    text = chosen.choice(_sentences(standard))
    if kind == "altered":
        text = text.replace("at least", "at most")
    if kind == "absent":
        text = f"The {chosen.choice(words)} shall hold {' '.join(chosen.choices(words, cum_weights=weights, k=WORDS_OF_SENTENCE))}."
    return {"text": text, "citation": f"NSB {standard}:2024"}


@functools.cache
def _vocabulary():
    return turns.common_words(), turns.zipf_weights()


def _asked(norma, connection, token, path, body, kind):
    """CPU seconds and seconds of one request. What it answers must be what was asked for."""
    expected = {"true": {"exact"}, "altered": {"altered"}, "absent": {"absent", "altered"}, "resolved": {"resolved"}}[kind]
    before, began = norma.cpu(), time.monotonic()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", path, body=json.dumps(body), headers=headers)
    answer = connection.getresponse()
    items = json.loads(answer.read())
    seconds, cpu = time.monotonic() - began, norma.cpu() - before
    found = {item.get("verdict", item.get("outcome")) for item in items["items"]}
    if answer.status != 200 or not found <= expected:
        raise SystemExit(f"{kind}: {answer.status}, {found}")
    return {"cpu": cpu, "seconds": seconds}


def _standard(number):
    """A document of NISO STS."""
    words, _ = _vocabulary()
    sentences, sections = _sentences(number), []
    each = PROVISIONS // SECTIONS
    for section in range(SECTIONS):
        own = "".join(f"<p>{sentence}</p>" for sentence in sentences[section * each:(section + 1) * each])
        sections.append(f"<sec id='s{section}'><label>{section + 4}</label><title>{words[section]}</title>{own}</sec>")
    return (
        f"<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>Standard {number}</main></title-wrap><std-ident>"
        f"<originator>NSB</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number><edition>1</edition></std-ident>"
        f"<content-language>en</content-language><std-ref type='dated'>NSB {number}:2024</std-ref></std-meta></front>"
        f"<body>{''.join(sections)}</body></standard>"
    )


def medians(samples):
    """Milliseconds of CPU and of waiting: the median, and the slowest of the requests."""
    cpu = [1000 * sample["cpu"] for sample in samples]
    waited = [1000 * sample["seconds"] for sample in samples]
    return statistics.median(cpu), max(cpu), statistics.median(waited), max(waited)
