"""The search beside SQLite's FTS5: the same tokens of a million invented units, the same queries in turn.

A query asks how many units of each kind match, exactly; one standard of ten is visible. Norma also orders them by its tiers and
keys, FTS5 does not. What counts is CPU time as the kernel counts it: of the process that has the index, and of this thread, in
which SQLite runs.
"""

import pathlib
import re
import sqlite3
import statistics
import subprocess
import threading
import time

from . import world

UNITS, VISIBLE = 10, 10  # units of a standard; one standard of so many is visible
EXAMPLE = world.RELEASE / "examples" / "search"
# Queries whose words are one question, which no unit has all words of.
TOGETHER = 3
# Characters of tokens that are neither letters nor digits.
SIGNS = "#:.%°<>-"
# The kind of the unit at each position of a standard, as the example writes them.
KINDS = [0, 1, 1, 2, 2, 2, 2, 2, 3, 4]


def measure(folder, standards, memory, rounds):
    """Sizes, what building takes, and for both the CPU seconds of each query: the median of the rounds."""
    world.run(EXAMPLE, "write", folder, "--standards", standards)
    queries = _lines(folder / "queries.tsv")
    results = {"units": standards * UNITS, "setting": memory, "fts5": _build_fts5(folder, standards),
               "text": sum(len(column.encode()) for line in _lines(folder / "units.tsv") for column in line[3:])}
    first = Searcher(folder, standards, memory)
    first.stop()
    norma, connection = Searcher(folder, standards, memory), _connect(folder)
    results["norma"] = first.built | {"size": _size(folder / "index")}
    results["open"] = norma.opened
    rows = [[_ask(norma, connection, *query) for query in queries] for _ in range(rounds)]
    results["norma"]["relaxed"] = [_ask_relaxed(norma, queries[at:at + TOGETHER]) for at in range(0, len(queries), TOGETHER)]
    norma.stop()
    connection.close()
    results["matches"] = [matches for matches, _, _ in rows[0]]
    for at, name in ((1, "norma"), (2, "fts5")):
        results[name]["queries"] = [statistics.median(sample[at] for sample in samples) for samples in zip(*rows)]
    return results


class Searcher:
    """A process with the index, which it builds where there is none; and what this took."""

    def __init__(self, folder, standards, memory):
        command = [EXAMPLE, "serve", folder, "--memory", str(memory)]
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._expect("started")
        base, before, began = self._memory(), self.cpu(), time.monotonic()
        self.ask(standards, "opened")
        self.opened = {"seconds": time.monotonic() - began, "cpu": self.cpu() - before}
        self.most, self.watched = 0, True
        watch = threading.Thread(target=self._watch)
        watch.start()
        self.ask("build", "built")
        # Segments are merged after the commit.
        used = None
        while used is None or self.cpu() > used + 0.001:
            used = self.cpu()
            time.sleep(1)
        self.watched = False
        watch.join()
        self.built = {"cpu": self.cpu() - before, "memory": self.most - base}

    def cpu(self):
        """CPU seconds of all threads, by the number that clock_getcpuclockid(3) gives for the process."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def ask(self, line, expected=""):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self._expect(expected)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def _expect(self, start):
        line = self.process.stdout.readline()
        if not line.startswith(start) or not line:
            raise SystemExit(f"{EXAMPLE} answered {line!r}, not {start!r}")
        return line

    def _watch(self):
        while self.watched:
            self.most = max(self.most, self._memory())
            time.sleep(0.02)

    def _memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) * 1024


def _lines(path):
    with path.open() as file:
        return [line.rstrip("\n").split("\t") for line in file]


def _connect(folder):
    connection = sqlite3.connect(folder / "fts5.db")
    connection.executescript("PRAGMA mmap_size = 4294967296; PRAGMA cache_size = -262144; PRAGMA synchronous = OFF;")
    return connection


def _build_fts5(folder, standards):
    """A contentless index whose rows are numbered as the units are, in one segment."""
    connection = _connect(folder)
    before = time.thread_time()
    connection.execute("CREATE TABLE visible (standard INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO visible VALUES (?)", ((one,) for one in range(0, standards, VISIBLE)))
    connection.execute("CREATE VIRTUAL TABLE units USING fts5(title, text, parts, content='',"
                       f""" tokenize="unicode61 remove_diacritics 0 tokenchars '{SIGNS}'")""")
    with (folder / "tokens.tsv").open() as file:
        rows = ((at, *line.rstrip("\n").split("\t")) for at, line in enumerate(file))
        connection.executemany("INSERT INTO units (rowid, title, text, parts) VALUES (?, ?, ?, ?)", rows)
    connection.execute("INSERT INTO units (units) VALUES ('optimize')")
    connection.commit()
    connection.close()
    return {"cpu": time.thread_time() - before, "size": (folder / "fts5.db").stat().st_size}


def _ask(norma, connection, typed, match):
    """How many units match, and the CPU seconds of both; they must agree."""
    before = norma.cpu()
    said = norma.ask(typed)
    ours = norma.cpu() - before
    before = time.thread_time()
    counts = connection.execute(f"SELECT rowid % {UNITS}, COUNT(*) FROM units WHERE units MATCH ?"
                                f" AND rowid / {UNITS} IN visible GROUP BY 1", (match,)).fetchall()
    theirs = time.thread_time() - before
    kinds = [sum(count for at, count in counts if KINDS[at] == kind) for kind in range(5)]
    if said.strip() != f"{sum(kinds)} {kinds}":
        raise SystemExit(f"{typed!r}: Norma found {said.strip()}, FTS5 {sum(kinds)} {kinds}")
    return sum(kinds), ours, theirs


def _ask_relaxed(norma, queries):
    """CPU seconds for units with some of the words of several queries."""
    before = norma.cpu()
    norma.ask("?" + " ".join(typed for typed, _ in queries))
    return norma.cpu() - before


def _size(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
