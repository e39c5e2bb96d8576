"""Load: wrk for as much as a server can take, h2load for a given rate; both pinned to the other core."""

import pathlib
import re
import subprocess
import tempfile

from .process import LOAD_CORE

CONNECTIONS = 8


def _pinned(command):
    run = subprocess.run(["taskset", "-c", LOAD_CORE, *map(str, command)], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{command[0]} failed: {run.stderr}{run.stdout}")
    return run.stdout


def saturate(server, path, headers, seconds, script=None):
    """CPU seconds of the server per request, and requests per second, under as many requests as it can take."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    if script:
        command += ["-s", script]
    before = server.cpu()
    said = _pinned([*command, f"http://127.0.0.1:{server.port}{path}"])
    used = server.cpu() - before
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"{server.name} {path}: {said}")
    requests = int(re.search(r"(\d+) requests in", said)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
    return {"cpu": used / requests, "rate": rate, "requests": requests}


def latencies(server, path, headers, rate, seconds):
    """Latency of each request, in seconds, at a steady rate below saturation."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "requests.tsv"
        command = ["h2load", "--h1", "-t1", f"-c{CONNECTIONS}", f"--duration={seconds}", "--warm-up-time=1"]
        command += [f"--rps={max(1, int(rate / CONNECTIONS))}", f"--log-file={log}"]
        for name, value in headers.items():
            command += ["-H", f"{name}: {value}"]
        _pinned([*command, f"http://127.0.0.1:{server.port}{path}"])
        rows = [line.split("\t") for line in log.read_text().splitlines()]
    return sorted(int(latency) / 1e6 for _, status, latency in rows if status == "200")
