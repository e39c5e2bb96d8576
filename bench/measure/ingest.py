"""Ingest: extraction, provisions and views together against `xmllint --noout`, one core, CPU time."""

import json
import resource
import subprocess

from . import world
from .process import SERVER_CORE


def _children(command):
    """CPU seconds of a command that is waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["taskset", "-c", SERVER_CORE, *map(str, command)], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime), done.stdout


def measure(documents, rounds):
    """For each group of documents the samples of both, in MB per CPU second, and where the time of Norma's went."""
    results = {}
    for group, files in documents.items():
        size = sum(file.stat().st_size for file in files) / 1e6
        repeats = max(1, round(20 / size))
        norma, xmllint, shares = [], [], []
        for _ in range(rounds):
            # The program's own start is no part of either: xmllint parses each file `repeats` times as well.
            seconds, _ = _children(["xmllint", "--noout", "--nonet", *files * repeats])
            xmllint.append(size * repeats / seconds)
            seconds, said = _children([world.RELEASE / "examples/derive", "--rounds", repeats, *files])
            norma.append(size * repeats / seconds)
            shares.append(json.loads(said))
        results[group] = {"bytes": int(size * 1e6), "files": len(files), "norma": norma, "xmllint": xmllint,
                          "stages": shares}
    return results
