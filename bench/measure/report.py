"""From samples to a table of goals, plots, and the raw figures beside them."""

import json
import statistics

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from . import polling, quoted, turns  # noqa: E402
from .usage import MOST_MEMORY, MOST_SECONDS  # noqa: E402

# Goal, the two cases, whether more is better when the first is divided by the second.
READ_GOALS = [
    ("1 KB provision, cached token, against nginx", "nginx provision", "norma provision", 0.90),
    ("20 KB sections, against nginx", "nginx sections", "norma sections", 0.80),
    ("200 KB content, against nginx", "nginx content", "norma content", 0.80),
    ("1 MB complete, against nginx", "nginx complete", "norma complete", 1.0),
    ("304, against nginx's", "nginx 304", "norma 304", 0.90),
    ("gzip 20 KB, against nginx's identity", "nginx sections", "norma gzip sections", 1.0),
    ("hot 20 KB, against Fastify", "fastify sections", "norma sections", 8),
    ("hot 20 KB, against FastAPI", "fastapi sections", "norma sections", 24),
    ("hot section, against BaseX", "basex section", "norma sections", 120),
    ("cold 20 KB, against Fastify", "fastify sections", "norma cold sections", 4),
    ("cold 20 KB, against FastAPI", "fastapi sections", "norma cold sections", 12),
    ("cold section, against BaseX", "basex section", "norma cold sections", 60),
]

# View, coding, caches, least share of nginx's rate.
CATALOGUE_GOALS = [
    *((view, "gzip", "small caches", 0.5) for view in ("sections", "provisions", "content")),
    *((view, "identity", "small caches", 0.3) for view in ("sections", "provisions", "content")),
    ("provision", "gzip", "small caches", 0.15),
    *((view, "gzip", "default caches", 0.8) for view in ("sections", "provisions", "content")),
]

# Archive by the beginning of its name, most bytes of the store for each byte of the source.
SIZE_GOALS = {"invented": 1.4, "documents of 8 KB": 4}


# Most milliseconds of CPU for a small document.
INGEST_GOALS = {"SQLite": 3.5, "PostgreSQL, S3": 5}


def _growth(results):
    return [(engine, standards, row) for engine, rows in results.get("growth", {}).items() for standards, row in rows.items()]


def _ratio(samples, slower, quicker):
    """Median over the rounds of how many times the first's CPU time the second's goes into."""
    pairs = zip(samples[slower], samples[quicker])
    return statistics.median(a["cpu"] / b["cpu"] for a, b in pairs)


def _cpu(samples, name):
    return statistics.median(sample["cpu"] for sample in samples[name])


def goals(results):
    """Rows of: what, measured, goal, reached."""
    rows = []

    def at_least(what, value, goal, unit=""):
        rows.append((what, f"{value:.2f}{unit}", f"≥ {goal}{unit}", value >= goal))

    def at_most(what, value, goal, unit=""):
        rows.append((what, f"{value:.2f}{unit}", f"≤ {goal}{unit}", value <= goal))

    if reads := results.get("reads"):
        samples = reads["samples"]
        for what, slower, quicker, goal in READ_GOALS:
            at_least(what, _ratio(samples, slower, quicker), goal, " ×")
        new = (_cpu(samples, "norma new token") - _cpu(samples, "norma provision")) * 1e6
        at_most("a token not seen before, more than a cached one", new, 35, " µs")
        at_most("p99 against p50 at half of the saturating load",
                reads["latency"]["p99"] / reads["latency"]["p50"], 4, " ×")
    for group, measured in results.get("ingest", {}).items():
        ratio = statistics.median(a / b for a, b in zip(measured["norma"], measured["xmllint"]))
        at_least(f"ingest of {group}, against xmllint --noout", ratio, 1.0, " ×")
    for group, samples in results.get("html", {}).items():
        at_most(f"HTML of sections of {group}, against their JSON", statistics.median(s["ratio"] for s in samples), 3, " ×")
    for name, measured in results.get("archive", {}).items():
        median = lambda program, what: statistics.median(sample[what] for sample in measured[program])
        at_most(f"whole ingest of {name}: CPU against BaseX's import", median("norma", "cpu") / median("basex", "cpu"), 1.0, " ×")
        goal = next((goal for start, goal in SIZE_GOALS.items() if name.startswith(start)), 1.5)
        at_most(f"store of {name}, against the source", median("norma", "size") / measured["bytes"], goal, " ×")
        at_most(f"written for {name}, against the source", median("norma", "written") / measured["bytes"], 4, " ×")
    if catalogue := results.get("catalogue"):
        for view, coding, caches, goal in CATALOGUE_GOALS:
            value = _ratio(catalogue["samples"], f"nginx {view} {coding}", f"norma {view} {coding}, {caches}")
            at_least(f"random reads: {view} of {catalogue['sizes'][view] / 1000:.0f} KB, {coding}, {caches}, against nginx", value, goal, " ×")
    if startup := results.get("startup"):
        starts = startup["starts"]
        at_most("start to ready", statistics.median(s["ready"] for s in starts) * 1e3, 100, " ms")
        at_most("idle memory", statistics.median(s["memory"] for s in starts) / 1e6, 60, " MB")
    if killed := results.get("kill"):
        at_least("kills of an ingest after which all is as it should be", killed["kills"] if killed["equal"] else 0, 20)
    if bounds := results.get("bounds"):
        for attack, row in bounds["attacks"].items():
            at_most(f"{attack}: memory, of the sum that the start prints", row["memory"] / bounds["bound"], 1.0, " ×")
            at_most(f"{attack}: another tenant's small read, p99", row["read"] * 1e3, 250, " ms")
            at_most(f"{attack}: another tenant's comparison of small editions, p99", row["comparison"], 2, " s")
        at_most("growth of the store by all of them", float(bounds["grown"]), 0, " bytes")
    for name, what in (("import", "import of the client for Python"), ("reads", "1,000 provisions by it, one by one")):
        if client := results.get("client"):
            ratio = statistics.median(sample["norma_client"] / sample["httpx2"] for sample in client[name])
            at_most(f"{what}: CPU against httpx2 alone", ratio, 1.2, " ×")
    if search := results.get("search"):
        norma, fts5 = search["norma"], search["fts5"]
        p99 = lambda engine: sorted(engine["queries"])[int(0.99 * len(engine["queries"]))]
        what = f"search in {search['units']:,} units"
        # Totals are exact, so a query takes longer where more units match: ten million have a goal of their own.
        is_large = search["units"] >= 10_000_000
        if not is_large:
            at_most(f"{what}: CPU of a query, median", statistics.median(norma["queries"]) * 1e3, 1, " ms")
        at_most(f"{what}: p99", p99(norma) * 1e3, 60 if is_large else 15, " ms")
        at_most(f"{what}: p99 against FTS5", p99(norma) / p99(fts5), 0.25, " ×")
        at_most(f"{what}: index against the text", norma["size"] / search["text"], 0.8, " ×")
        slow = sorted(norma["relaxed"])[int(0.99 * len(norma["relaxed"]))]
        at_most(f"{what}: p99 where no unit has all words", slow * 1e3, 60, " ms")
        at_most(f"{what}: memory while it is built, more than the setting", (norma["memory"] - search["setting"]) / 2**20, 64, " MiB")
    if turn := results.get("turns"):
        what = f"search in {turn['units']:,} units by another tenant"
        alone = turns.p99(turn["runs"]["alone"]["others"])
        for attack, row in turn["runs"].items():
            median, slow = statistics.median(row["others"]), turns.p99(row["others"])
            of_alone = "" if attack == "alone" else f", {slow / alone:.1f} times that alone"
            at_most(f"{what}, {attack}: p99 (median {median * 1e3:.0f} ms{of_alone})", slow * 1e3, 250, " ms")
    if quotations := results.get("quoted"):
        for request, samples in quotations["requests"].items():
            cpu, _, _, slow = quoted.medians(samples)
            what = f"{request}, index of {quotations['units']:,} units"
            at_most(f"{what}: CPU of a request (slowest answer after {slow:.0f} ms)", cpu, 150, " ms")
    if polled := results.get("polling"):
        what = f"{polling.CALLERS:,} callers who poll every {polling.SECONDS_BETWEEN} s, {polled['standards']:,} standards"
        at_most(f"{what}: share of a core", 100 * polling.share_of_core(polled["quiet"]), 2, " %")
        at_most(f"{what}, {polling.UNSEEN:,} changes unseen: share of a core", 100 * polling.share_of_core(polled["unseen"]), 2, " %")
        at_most("answer to a poll without changes", float(polled["head"]), 300, " bytes")
    if usage := results.get("usage"):
        lines = f"usage report of {usage['lines']:,} lines, {usage['bytes'] / 1e9:.2f} GB"
        at_most(f"{lines}: share of {MOST_SECONDS} s for ten million", usage["seconds"] / (MOST_SECONDS * usage["lines"] / 1e7), 1.0)
        at_most(f"{lines}: share of {MOST_MEMORY / 1e6:.0f} MB of memory", usage["memory"] / MOST_MEMORY, 1.0)
    for engine, standards, row in _growth(results):
        ingest = row["ingest"]
        what = f"ingest of {int(standards):,} documents of {ingest['bytes'] / ingest['documents'] / 1000:.0f} KB into {engine}"
        at_most(f"{what}: CPU of each", ingest["cpu"] / ingest["documents"] * 1e3, INGEST_GOALS[engine], " ms")
        at_most(f"{what}: blobs of each", ingest["stats"]["blobs"] / ingest["documents"], 10)
        searches = sorted(search["seconds"] for search in row["searches"])
        at_most(f"search in {int(standards):,} standards in {engine}: p99", searches[int(0.99 * len(searches))] * 1e3, 60, " ms")
        index = row["index"]
        if "fetcher" in index:
            what = f"search index of {int(standards):,} standards, {index['bytes'] / 1e6:.0f} MB, in a new instance"
            at_most(f"{what}: seconds", index["fetcher"]["seconds"], 60, " s")
            share = 100 * index["fetcher"]["cpu"] / index["builder"]["cpu"]
            at_most(f"{what}: CPU against that of the builder, its start included", share, 2, " %")
        for name in ("list, all", "list, narrow grants"):
            at_most(f"{name}, of {int(standards):,} in {engine}", row[name] * 1e3, 1, " ms")
    return rows


def table(results):
    lines = ["| what | measured | goal | reached |", "|---|---|---|---|"]
    lines += [f"| {what} | {value} | {goal} | {'yes' if ok else 'no'} |" for what, value, goal, ok in goals(results)]
    if reads := results.get("reads"):
        lines += ["", "| case | CPU per request | requests per second |", "|---|---|---|"]
        for name in sorted(reads["samples"]):
            rates = [s["rate"] for s in reads["samples"][name] if "rate" in s]
            rate = f"{statistics.median(rates):,.0f}" if rates else "–"
            lines.append(f"| {name} | {_cpu(reads['samples'], name) * 1e6:.1f} µs | {rate} |")
    if growth := _growth(results):
        names = [name for name, value in growth[0][2].items() if isinstance(value, float)]
        lines += ["", f"| engine, standards | ingest: wall, CPU, memory | {' | '.join(names)} | memory |", "|---" * (len(names) + 3) + "|"]
        for engine, standards, row in growth:
            ingest = row["ingest"]
            spent = f"{ingest['seconds']:.0f} s, {ingest['cpu']:.0f} s, {ingest['memory'] / 1e6:.0f} MB"
            reads = " | ".join(f"{row[name] * 1e6:.1f} µs" for name in names)
            lines.append(f"| {engine}, {int(standards):,} | {spent} | {reads} | {row['memory'] / 1e6:.0f} MB |")
    return "\n".join(lines) + "\n"


def plots(results, folder):
    if reads := results.get("reads"):
        names = list(reads["bodies"])
        figure, axes = pyplot.subplots(figsize=(8, 4))
        for offset, server in enumerate(("nginx", "norma", "norma gzip", "norma cold")):
            values = [_cpu(reads["samples"], f"{server} {name}") * 1e6 for name in names]
            axes.bar([i + offset * 0.2 for i in range(len(names))], values, 0.2, label=server)
        sizes = [f"{name}\n{reads['bodies'][name]['bytes'] / 1000:.0f} KB" for name in names]
        axes.set_xticks([i + 0.3 for i in range(len(names))], sizes)
        axes.set(yscale="log", ylabel="µs CPU per request", title="Reads beside a static file server")
        _save(figure, axes, folder / "reads.svg")
    for engine, growth in results.get("growth", {}).items():
        prefix = engine.split(",")[0].lower()
        figure, axes = pyplot.subplots(figsize=(8, 4))
        for name in [name for name in next(iter(growth.values())) if not name.startswith(("memory", "selections", "ingest", "first", "index", "stored", "searches"))]:
            axes.plot([int(n) for n in growth], [row[name] * 1e6 for row in growth.values()], "o-", label=name)
        axes.set(xscale="log", yscale="log", xlabel="standards", ylabel="µs CPU per request", title=f"Growth, {engine}")
        _save(figure, axes, folder / f"growth-{prefix}.svg")
        figure, axes = pyplot.subplots(figsize=(8, 4))
        for standards, row in growth.items():
            found = row["selections"]
            axes.plot([s["bytes"] / 1e3 for s in found], [s["cpu"] * 1e6 for s in found], "o-", label=standards)
        axes.set(xlabel="KB selected", ylabel="µs CPU per request", title="Selections by what they return")
        _save(figure, axes, folder / f"selections-{prefix}.svg")


def _save(figure, axes, path):
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)


def write(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "samples.json").write_text(json.dumps(results, indent=1))
    (folder / "table.md").write_text(table(results))
    plots(results, folder)
    print(table(results))
