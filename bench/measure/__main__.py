"""`bench/run`: what is measured, in which order, and where the figures go."""

import argparse
import datetime
import os
import pathlib
import platform

from . import archive, bounds, catalogue, client, growth, html, ingest, kill, polling, quoted, reads, report, search, startup, tokens, turns, usage, world

PARTS = ("reads", "ingest", "startup", "archive", "catalogue", "growth", "kill", "usage", "bounds", "client", "html", "search", "turns", "quoted", "polling")

# Factor at which an invented standard has about 8 KB.
SMALL = 0.08


def main():
    typed = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    typed.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; the first five when none is named")
    typed.add_argument("--rounds", type=int, default=7, help="rounds, interleaved (default 7)")
    typed.add_argument("--seconds", type=int, default=2, help="length of one sample (default 2)")
    typed.add_argument("--standards", type=int, default=10_000, help="standards in the store (default 10000)")
    typed.add_argument("--catalogue", type=int, default=1000, help="standards of the whole archives and of random reads (default 1000)")
    typed.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="catalogues for growth")
    typed.add_argument("--size", type=float, default=0.05, help="factor of the documents' size for growth and kill (default 0.05: 9 KB)")
    typed.add_argument("--kills", type=int, default=20, help="how often the ingest is killed (default 20)")
    typed.add_argument("--provisions", type=int, default=20_000, help="provisions of the large editions of bounds (default 20000)")
    typed.add_argument("--lines", type=int, default=10_000_000, help="lines of the audit for usage (default 10000000)")
    typed.add_argument("--collection", type=int, default=50_000, help="standards that each of 200 tenants reads, for usage (default 50000, all)")
    typed.add_argument("--searched", type=int, default=100_000, help="standards of ten units for search (default 100000)")
    typed.add_argument("--units", type=int, default=1_000_000, help="units that are searched for turns and quoted (default 1000000)")
    typed.add_argument("--documents", type=pathlib.Path, nargs="*", default=[], help="further STS documents to derive")
    typed.add_argument("--data", type=pathlib.Path, default=pathlib.Path("target/bench"), help="archives and stores are kept here")
    typed.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench/results"), help="folder for the figures")
    options = typed.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        typed.error(f"there is no part {', '.join(unknown)}")
    parts = options.parts or PARTS[:5]

    run = options.data.resolve() / f"run-{os.getpid()}"
    run.mkdir(parents=True)
    provider = tokens.Provider(run)
    data, rounds, seconds = options.data.resolve(), options.rounds, options.seconds
    results = {"when": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "machine": platform.platform(),
               "cores": os.cpu_count(), "rounds": rounds, "seconds": seconds, "standards": options.standards}
    if "ingest" in parts:
        results["ingest"] = ingest.measure(documents(data, options.documents), rounds)
    if "startup" in parts:
        results["startup"] = startup.measure(run, provider, world.store(data, options.standards), rounds)
    if "reads" in parts:
        results["reads"] = reads.measure(run, provider, world.store(data, options.standards), rounds, seconds)
    if "archive" in parts:
        results["archive"] = archive.measure(run, archives(data, options.catalogue, options.documents), max(1, rounds // 2))
    if "catalogue" in parts:
        results["catalogue"] = catalogue.measure(run, provider, world.store(data, options.catalogue), rounds, seconds)
    if "growth" in parts:
        results["growth"] = growth.measure(run, provider, data, options.sizes, options.size, rounds, seconds)
    if "kill" in parts:
        results["kill"] = kill.measure(run, world.archive(data, options.standards, options.size), options.kills)
    if "bounds" in parts:
        results["bounds"] = bounds.measure(run, provider, data, options.provisions, seconds)
    if "client" in parts:
        results["client"] = client.measure(run, provider, world.store(data, options.catalogue), rounds)
    if "html" in parts:
        results["html"] = html.measure(documents(data, options.documents), rounds)
    if "search" in parts:
        results["search"] = search.measure(run, options.searched, 64 << 20, max(1, rounds // 2))
    if "turns" in parts:
        results["turns"] = turns.measure(run, provider, data, options.units, max(20, seconds))
    if "quoted" in parts:
        results["quoted"] = quoted.measure(run, provider, data, options.units, rounds)
    if "polling" in parts:
        results["polling"] = polling.measure(run, provider, data, options.standards, rounds, seconds)
    if "usage" in parts:
        results["usage"] = usage.measure(run, options.lines, options.collection)
    report.write(results, options.out)


def documents(data, further):
    """Groups of documents by name: invented ones, our samples, and those named, together and each alone."""
    invented = sorted(world.archive(data, 1000).rglob("*.xml"))[:60]
    samples = sorted(pathlib.Path("samples").glob("*/*.xml"))
    groups = {"invented documents": invented, "samples": [s for s in samples if s.parent.name != "broken"]}
    if further:
        groups[f"all {len(further)} named documents"] = further
    return groups | {f"{file.parent.name}/{file.name}": [file] for file in further}


def archives(data, standards, further):
    """Whole archives by name: invented standards of real size, small ones, and those of the named documents that are large."""
    named = {"invented standards": world.archive(data, standards),
             "documents of 8 KB": world.archive(data, standards, SMALL)}
    large = [file for file in further if file.stat().st_size >= 100_000]
    return named | ({f"{len(large)} named documents of 100 KB and more": large} if large else {})


main()
