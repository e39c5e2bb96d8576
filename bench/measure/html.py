"""HTML of sections, which callers write, against the JSON that they come in: CPU time of one core."""

import json
import subprocess

from . import world
from .process import SERVER_CORE


def measure(documents, rounds):
    """For each group of documents the seconds of both, in the same process, for each round."""
    results = {}
    for group, files in documents.items():
        command = ["taskset", "-c", SERVER_CORE, str(world.RELEASE / "examples/html"), *map(str, files)]
        results[group] = [json.loads(subprocess.check_output(command, text=True)) for _ in range(rounds)]
    return results
