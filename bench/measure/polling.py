"""Polling: what callers who ask for changes take from the service while nothing changes that they see.

Each of 1,000 callers has a token and a cursor of its own, and sends the entity tag of its last answer. Half of the editions are of a
publisher whose standards they may not see. Before the second case 1,000 more of that publisher are published, after every cursor.
"""

import json
import shutil
import statistics
import urllib.error
import urllib.parse

from . import load, world

CALLERS, SECONDS_BETWEEN = 1000, 10
UNSEEN = 1000  # editions published between both cases
CHANGES = f"{world.BASE}/changes"

SCRIPT = """
local callers, next = {{}}, 0
for line in io.lines("{file}") do
  local token, cursor, tag = line:match("(%S+) (%S+) (%S+)")
  callers[#callers + 1] = {{ "{path}?since=" .. cursor, {{ ["Authorization"] = "Bearer " .. token, ["If-None-Match"] = tag }} }}
end
request = function()
  next = next % #callers + 1
  return wrk.format("GET", callers[next][1], callers[next][2])
end
"""


def measure(folder, provider, data, standards, rounds, seconds):
    """CPU seconds of a request in both cases, in each round, and the bytes of the head of an answer without a body."""
    kept = world.store_of(data / f"polling-{standards}.db", _documents(1, standards))
    path = folder / "polling.db"
    shutil.copy(kept, path)
    world.license(path, provider, ["urn:nsb:*"])
    norma = world.Norma(folder, provider, path, options=["--audit-file", folder / "audit.log"])
    try:
        callers = [_caller(norma, provider.token_of_new_client()) for _ in range(CALLERS)]
        file, script = folder / "callers", folder / "polling.lua"
        file.write_text("\n".join(" ".join(caller) for caller in callers))
        script.write_text(SCRIPT.format(file=file, path=CHANGES))
        sample = lambda: [load.saturate(norma, CHANGES, {}, seconds, script)["cpu"] for _ in range(rounds)]
        sample()
        quiet = sample()
        _publish_unseen(folder, path, standards)
        heads = [_head_of_unchanged(norma, caller) for caller in callers]
        unseen = sample()
        return {"standards": standards, "quiet": quiet, "unseen": unseen, "head": max(heads)}
    finally:
        norma.stop()


def share_of_core(samples):
    """What 1,000 callers, each with a request every 10 seconds, take of a core: the median of the rounds."""
    return statistics.median(samples) * CALLERS / SECONDS_BETWEEN


def _caller(norma, token):
    """Token, cursor and entity tag of a caller that has asked twice."""
    cursor = norma.json(CHANGES, token)["next"]
    with norma.get(f"{CHANGES}?since={urllib.parse.quote(cursor)}", token) as answer:
        if json.load(answer)["next"] != cursor:
            raise SystemExit("the cursor moved although nothing changed")
        return token, cursor, answer.headers["ETag"]


def _head_of_unchanged(norma, caller):
    """Bytes of the status line and headers of a 304, which it must be."""
    token, cursor, tag = caller
    try:
        norma.get(f"{CHANGES}?since={cursor}", token, If_None_Match=tag).close()
    except urllib.error.HTTPError as answer:
        if answer.code == 304:
            lines = [f"HTTP/1.1 304 {answer.reason}", *(f"{name}: {value}" for name, value in answer.headers.items()), "", ""]
            return len("\r\n".join(lines))
    raise SystemExit("a caller was told of editions that it may not see")


def _publish_unseen(folder, path, after):
    documents = folder / "unseen"
    documents.mkdir()
    for name, text in _documents(after + 1, UNSEEN, publishers=("XNB",)):
        (documents / name).write_text(text)
    with (folder / "ingest.log").open("w") as log:
        world.run(world.RELEASE / "norma", "ingest", documents, "--store", path, stdout=log, stderr=log)


def _documents(first, count, publishers=("NSB", "XNB")):
    """Small documents of NISO STS, of the publishers in turn."""
    for number in range(first, first + count):
        publisher = publishers[number % len(publishers)]
        yield f"{number}.xml", (
            f"<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>Pump {number}</main></title-wrap><std-ident>"
            f"<originator>{publisher}</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number><edition>1</edition></std-ident>"
            f"<content-language>en</content-language><std-ref type='dated'>{publisher} {number}:2024</std-ref></std-meta></front>"
            f"<body><sec id='s1'><label>4</label><title>Pressure</title><p>Pump {number} shall hold a pressure of 5 kPa.</p></sec></body>"
            "</standard>"
        )
