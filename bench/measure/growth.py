"""How cost grows with the number of standards, and a selection's with what it returns."""

import statistics

from . import load, world

# A caller licensed for a tenth of the catalogue by many narrow patterns, and one licensed for all.
NARROW = [f"urn:iso:std:iso:{number}:*" for number in range(1000, 1050)]


def measure(folder, provider, data, sizes, size, rounds, seconds):
    """CPU per request by number of standards: list page, narrow grants, a view."""
    results = {}
    for standards in sizes:
        path = world.store(data, standards, size)
        token, bearer = provider.token(), None
        bearer = {"Authorization": f"Bearer {token}"}
        row = {}
        for name, patterns in [("all", ("urn:*",)), ("narrow grants", NARROW)]:
            world.license(path, provider, patterns)
            norma = world.Norma(folder, provider, path)
            try:
                listing = f"{world.BASE}/standards?limit=50"
                row[f"list, {name}"] = _median(norma, listing, bearer, rounds, seconds)
                row[f"list by word, {name}"] = _median(norma, f"{listing}&q=pump", bearer, rounds, seconds)
                if name == "all":
                    urn = world.urns(norma, token, 500)[250]
                    view = f"{world.BASE}/standards/{world.quote(urn)}/sections"
                    row["sections"] = _median(norma, view, bearer, rounds, seconds)
                    row["selections"] = _selections(norma, _longest(norma, token), token, bearer, rounds, seconds)
                    row["memory"] = norma.memory()
            finally:
                norma.stop()
        results[standards] = row
    return results


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
