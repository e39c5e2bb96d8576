"""Servers under measurement: started in the foreground, pinned to one core, their CPU time read from the kernel."""

import os
import pathlib
import signal
import socket
import subprocess
import time

SERVER_CORE, LOAD_CORE = "0", "1"


def finish(processes):
    """Waits for processes to end: for each the status, the resources it used, and the most memory that it had resident, in bytes.

    `ru_maxrss` of a process is not less than the memory of the program that started it, which is this one: the kernel's VmHWM
    (proc(5)) is read twenty times a second.
    """
    most, running = {process.pid: 0 for process in processes}, list(processes)
    while running:
        for process in list(running):
            for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    most[process.pid] = int(line.split()[1]) * 1024
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                running.remove(process)
        time.sleep(0.05)
    ended = []
    for process in processes:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.append((process.returncode, used, most[process.pid]))
    return ended


class Server:
    """A server and its children, until `stop`."""

    def __init__(self, name, command, port, folder, environment=None, ready=None, cores=SERVER_CORE):
        self.name, self.port, self.folder = name, port, pathlib.Path(folder)
        self.log = self.folder / f"{name}.log"
        self.spawned = time.monotonic()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", cores, *map(str, command)],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})}, start_new_session=True,
            )
        self._wait(ready or self._listening)
        self.ready_after = time.monotonic() - self.spawned

    def _wait(self, ready, patience=120.0):
        until = time.monotonic() + patience
        while not ready():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise SystemExit(f"{self.name} did not start:\n{self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.001)

    def _listening(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def processes(self):
        """The process and all below it."""
        found, todo = [], [self.process.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
                try:
                    todo += map(int, task.read_text().split())
                except OSError:
                    pass
        return found

    def cpu(self):
        """CPU time used so far by all threads that live, in seconds."""
        total = 0
        for pid in self.processes():
            for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
                try:
                    total += int(task.read_text().split()[0])
                except OSError:
                    pass
        return total / 1e9

    def memory(self):
        """Resident memory in bytes; pages of files that the kernel could drop are not counted."""
        total = 0
        for pid in self.processes():
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    total += int(line.split()[1]) * 1024
        return total

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
