"""Reads in random order over a whole catalogue, which is larger than the caches, beside nginx with the same bodies.

Files and store are in the page cache, the audit goes to a file. `gzip` is measured against `gzip_static`, identity against plain
files; each request goes to another address, in an order that is shuffled once.
"""

import gzip
import random

from . import load, peers, world

# Runs through the addresses of a file again and again; `wrk` has one thread, so that no address is asked for twice in a row.
SCRIPT = """
local paths, next = {{}}, 0
for line in io.lines("{file}") do paths[#paths + 1] = line end
request = function()
  next = next % #paths + 1
  return wrk.format("GET", paths[next])
end
"""

CACHES = {"small caches": ["--cache-size", "4MiB", "--response-cache", "1MiB"], "default caches": []}


def measure(folder, provider, path, rounds, seconds):
    """Samples by view, coding and server, and the mean size of each view."""
    world.license(path, provider)
    token = provider.token()
    norma = {name: world.Norma(folder, provider, path, f"norma-{name.replace(' ', '-')}",
                               [*caches, "--audit-file", folder / f"audit-{number}.log"])
             for number, (name, caches) in enumerate(CACHES.items())}
    first = norma["small caches"]
    files = folder / "catalogue"
    views = {name: _fetch(first, token, files / name, paths) for name, paths in _addresses(first, token).items()}
    limit = peers.nginx(folder, files)
    cases = []
    for view, paths in views.items():
        own = _script(folder, f"{view}-norma", paths)
        static = _script(folder, f"{view}-nginx", [f"/{view}/{number}" for number in range(len(paths))])
        for coding in ("gzip", "identity"):
            headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": coding}
            cases.append((f"nginx {view} {coding}", limit, headers, static))
            cases += [(f"norma {view} {coding}, {name}", server, headers, own) for name, server in norma.items()]
    samples = {name: [] for name, *_ in cases}
    try:
        for number in range(rounds + 1):
            random.Random(number).shuffle(cases)
            for name, server, headers, script in cases:
                sample = load.saturate(server, "/", headers, seconds, script)
                if number > 0:  # the first round fills the page cache
                    samples[name].append(sample)
    finally:
        for server in (limit, *norma.values()):
            server.stop()
    sizes = {view: sum(f.stat().st_size for f in (files / view).iterdir() if f.suffix != ".gz") / len(paths)
             for view, paths in views.items()}
    return {"samples": samples, "sizes": sizes}


def _addresses(norma, token):
    """Paths of one view of each standard, and of one provision of each, in random order."""
    chance = random.Random(1)
    urns = world.urns(norma, token, 1000)
    chance.shuffle(urns)
    standard = lambda urn: f"{world.BASE}/standards/{world.quote(urn)}"
    provisions = []
    for urn in urns:
        items = norma.json(f"{standard(urn)}/provisions", token)["items"]
        provisions += [f"{world.BASE}/provisions/{chance.choice(items)['id']}"] if items else []
    graphs = [f"/api/content/preview/knowledge-graph/standards/{world.quote(urn)}" for urn in urns]
    return {"provision": provisions, "graph": graphs} | {
        view: [f"{standard(urn)}/{view}" for urn in urns] for view in ("sections", "provisions", "content")
    }


def _fetch(norma, token, folder, paths):
    """The bodies as files and as `.gz` beside them: the service's own gzip where it offers one."""
    folder.mkdir(parents=True)
    for number, path in enumerate(paths):
        with norma.get(path, token, Accept_Encoding="identity") as answer:
            body = answer.read()
        with norma.get(path, token, Accept_Encoding="gzip") as answer:
            packed = answer.read() if answer.headers["Content-Encoding"] == "gzip" else gzip.compress(body, 6)
        (folder / str(number)).write_bytes(body)
        (folder / f"{number}.gz").write_bytes(packed)
    return paths


def _script(folder, name, paths):
    file, script = folder / f"{name}.paths", folder / f"{name}.lua"
    file.write_text("\n".join(paths) + "\n")
    script.write_text(SCRIPT.format(file=file))
    return script
