"""Whole ingest of an archive beside BaseX's import of the same files: CPU, size on disk, bytes written.

Both take the same folder with one worker on one core, each time into a new place, interleaved. CPU is that of the whole
process, the start of the Java machine included. Bytes written are those that the process hands to the kernel (`wchar` of
/proc/PID/io, proc(5)), which does not depend on when the kernel writes them out.
"""

import os
import pathlib
import shutil
import subprocess

from . import world
from .process import SERVER_CORE


def measure(folder, archives, rounds):
    """For each named folder or list of documents the samples of both programs, and the bytes of the source."""
    results = {}
    for name, documents in archives.items():
        sources = sorted(documents.rglob("*.xml")) if isinstance(documents, pathlib.Path) else documents
        samples = {"norma": [], "basex": []}
        for number in range(rounds):
            samples["norma"].append(_norma(folder, f"{number}", sources))
            samples["basex"].append(_basex(folder, f"{number}", sources))
        results[name] = {"documents": len(sources), "bytes": sum(file.stat().st_size for file in sources), **samples}
    return results


def _norma(folder, number, sources):
    store = folder / f"ingest-{number}.db"
    # The documents are named in the folder of a link each: a list of thousands would not fit a command line.
    used = _run([world.RELEASE / "norma", "ingest", linked(folder, sources), "--store", store, "--workers", "1"])
    size = sum(file.stat().st_size for file in folder.glob(f"{store.name}*"))
    for file in folder.glob(f"{store.name}*"):
        file.unlink()
    return {**used, "size": size}


def _basex(folder, number, sources):
    home = folder / f"basex-{number}"
    home.mkdir()
    # One `-c` for each: what follows the name of an option up to the end of a command is its value.
    commands = ["SET TEXTINDEX true", "SET ATTRINDEX true", f"CREATE DB archive {linked(folder, sources)}"]
    used = _run(
        ["basex", *(word for command in commands for word in ("-c", command))],
        {"JAVA_ARGS": f"-Dorg.basex.path={home} -Xmx4g"},
    )
    size = sum(file.stat().st_size for file in home.rglob("*.basex"))
    # It ends with 0 also where it refused a command.
    if size < sum(file.stat().st_size for file in sources) / 4:
        raise SystemExit(f"BaseX imported next to nothing: {size} bytes from {len(sources)} documents")
    shutil.rmtree(home)
    return {**used, "size": size}


def linked(folder, sources, name="sources"):
    """One folder with hard links to the documents, or copies where they are on another device."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    for number, source in enumerate(sources):
        target = place / f"{number:06}" / "document.xml"
        target.parent.mkdir(parents=True)
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)
    return place


def _run(command, environment=None):
    """Runs a command to its end on one core: CPU seconds and bytes written of its process."""
    process = subprocess.Popen(
        ["taskset", "-c", SERVER_CORE, *map(str, command)], env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    errors = process.stderr.read()
    # The counters are read while the process has ended and is not yet reaped.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    counters = dict(line.split(": ") for line in pathlib.Path(f"/proc/{process.pid}/io").read_text().splitlines())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # 1: some documents were refused, which the archive of a publisher may hold.
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {errors[-2000:]}")
    return {"cpu": usage.ru_utime + usage.ru_stime, "written": int(counters["wchar"])}
