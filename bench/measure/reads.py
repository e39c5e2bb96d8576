"""Reads: Norma against the limit and the peers, interleaved, with CPU time of the server per request."""

import random
import sys

from . import load, peers, world

FRESH_TOKENS = 4000

FRESH_SCRIPT = """
local tokens, next = {{}}, 0
for line in io.lines("{file}") do tokens[#tokens + 1] = "Bearer " .. line end
request = function()
  next = next % #tokens + 1
  return wrk.format("GET", nil, {{ ["Authorization"] = tokens[next] }})
end
local answers = 0
response = function() answers = answers + 1; if answers >= #tokens - 16 then wrk.thread:stop() end end
"""


class Case:
    """One server asked for one thing in one way."""

    def __init__(self, name, server, path, headers):
        self.name, self.server, self.path, self.headers, self.samples = name, server, path, headers, []

    def round(self, _number, seconds):
        self.samples.append(load.saturate(self.server, self.path, self.headers, seconds))


class Fresh(Case):
    """Each request with a token that was never seen."""

    def __init__(self, name, server, path, folder, provider, rounds):
        super().__init__(name, server, path, {})
        self.scripts = []
        for number in range(rounds):
            file, script = folder / f"tokens-{number}", folder / f"tokens-{number}.lua"
            file.write_text("\n".join(provider.tokens(FRESH_TOKENS)))
            script.write_text(FRESH_SCRIPT.format(file=file))
            self.scripts.append(script)

    def round(self, number, seconds):
        script = self.scripts[number]
        self.samples.append(load.saturate(self.server, self.path, {}, seconds, script))


class Section(Case):
    """BaseX speaks no HTTP here, which spares it that work."""

    def __init__(self, name, basex):
        super().__init__(name, basex.server, "", {})
        self.basex = basex

    def round(self, _number, seconds):
        self.samples.append(self.basex.measure(seconds))


def measure(folder, provider, path, rounds, seconds):
    """Samples of every case, by name."""
    token = provider.token()
    bearer = {"Authorization": f"Bearer {token}"}
    world.license(path, provider)
    norma = world.Norma(folder, provider, path)
    cold = world.Norma(folder, provider, path, "norma-cold", ["--cache-size", "0KiB"])
    bodies = world.bodies(norma, token)
    files, database = peers.store(folder, bodies)
    limit = peers.nginx(folder, files)
    fastapi = peers.fastapi(folder, provider, database, sys.executable)
    fastify = peers.fastify(folder, provider, database)
    with norma.get(bodies[2].path, token, Accept="application/xml") as source:
        basex = peers.BaseX(folder, source.read())

    cases = []
    for body in bodies:
        cases += [
            Case(f"nginx {body.name}", limit, f"/{body.name}", bearer),
            Case(f"norma {body.name}", norma, body.path, bearer),
            Case(f"norma gzip {body.name}", norma, body.path, {**bearer, "Accept-Encoding": "gzip"}),
            Case(f"norma cold {body.name}", cold, body.path, bearer),
        ]
    small, sections = bodies[0], bodies[1]
    with norma.get(sections.path, token) as answer:
        known = {**bearer, "If-None-Match": answer.headers["ETag"]}
    nginx_known = {**bearer, "If-None-Match": peers.etag(limit, f"/{sections.name}")}
    urn_path = bodies[2].path.removesuffix("/content")
    cases += [
        Case("nginx 304", limit, f"/{sections.name}", nginx_known),
        Case("norma 304", norma, sections.path, known),
        Case("norma list", norma, f"{world.BASE}/standards?limit=50", bearer),
        Case("norma selection", norma, f"{urn_path}/provisions/5-6", bearer),
        Fresh("norma new token", norma, small.path, folder, provider, rounds),
        Case("fastify sections", fastify, f"/{sections.name}", bearer),
        Case("fastapi sections", fastapi, f"/{sections.name}", bearer),
        Section("basex section", basex),
    ]
    servers = [norma, cold, limit, fastapi, fastify, basex.server]
    try:
        for case in cases:
            case.round(0, 1)
            case.samples.clear()
        idle = norma.memory()
        shuffle = random.Random(7)
        for number in range(rounds):
            shuffle.shuffle(cases)
            for case in cases:
                case.round(number, seconds)
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
        rate = {c.name: c.samples[-1].get("rate") for c in cases}
        tail = load.latencies(norma, sections.path, bearer, rate["norma sections"] / 2, max(5, seconds))
        loaded = norma.memory()
    finally:
        for server in servers:
            server.stop()
    return {
        "bodies": {body.name: {"path": body.path, "bytes": len(body.bytes)} for body in bodies},
        "samples": {case.name: case.samples for case in cases},
        "latency": {"p50": tail[len(tail) // 2], "p99": tail[len(tail) * 99 // 100], "requests": len(tail)},
        "memory": {"warm": idle, "under load": loaded},
    }
