"""The mirror.

Generated from _async_mirror.py by generate.py.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ._errors import ConfigurationError, Gone, InvalidRequest, NotFound, NotLicensed
from ._mirrored import MirrorRun

if TYPE_CHECKING:
    from ._client import Norma

#: Members of a copy. `relatedEditions` is not among them: it changes with other editions, of which no change
#: of this one tells.
MEMBERS = ("metadata", "ics", "relations", "sections", "graphics", "terms")
#: Editions after which the state is written while all are listed.
STATE_EVERY = 50
#: Codes of a cursor that counts no more.
ENDED = ("cursor-ended", "invalid-cursor")


class Mirror:
    """Copies of all standards that you may read, one JSON file each, in a folder that stays in step.

    The first run reads all; each later one what changed since. What you may not read any more is deleted.
    The state (`mirror.json`) is written last, so that a run that is stopped loses nothing. One process at a
    time may run it. `norma mirror` also copies plain text, HTML, pictures and tables.
    """

    def __init__(self, norma: Norma, folder: str | os.PathLike[str]) -> None:
        """A mirror in this folder, which is made where it is missing."""
        self._norma = norma
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = self.folder / "mirror.json"
        self._state: dict[str, Any] = {"cursor": None, "listing": True, "standards": {}}
        if self._file.exists():
            self._state = self._stored()

    def path(self, urn: str) -> pathlib.Path:
        """The file of the copy of an edition, whether there is one or not."""
        name = "_".join(quote(part, safe=",").replace("_", "%5F") for part in urn.split(":"))
        return self.folder / "standards" / f"{name}.json"

    def run(self) -> MirrorRun:
        """Brings the copies to the present state of the service."""
        run = MirrorRun([], [])
        try:
            self._follow(run)
        except (Gone, InvalidRequest) as error:
            if error.code not in ENDED:
                raise
            self._doubt()
            self._state.update(cursor=None, listing=True)
            self._follow(run)
        return run

    def _stored(self) -> dict[str, Any]:
        """The state in the file, where it is one of this class."""
        try:
            state = json.loads(self._file.read_text(encoding="utf-8"))
            if state.keys() == self._state.keys() and all(
                copy.keys() == {"revision", "status"} for copy in state["standards"].values()
            ):
                return dict(state)
        except (ValueError, AttributeError):
            pass  # Not JSON, or other values than objects.
        raise ConfigurationError(
            f"{self._file} is not the state of a mirror of this client: name another folder, or remove the "
            "file to read everything again"
        )

    def _follow(self, run: MirrorRun) -> None:
        if self._state["cursor"] is None:
            # Before the list: what changes meanwhile is answered after it.
            self._state["cursor"] = self._norma.changes()["next"]
            self._save()
        if self._state["listing"]:
            self._list(run)
        more = True
        while more:
            page = self._norma.changes(self._state["cursor"])
            for item in page["items"]:
                if urn := item.get("urn"):
                    self._apply(urn, item, run)
            listing = any(item["type"] == "refresh" for item in page["items"])
            if listing:
                # Other grants also show other amendments of what is the same otherwise.
                self._doubt()
            self._state.update(cursor=page["next"], listing=listing)
            self._save()
            if listing:
                self._list(run)
            more = page["more"]

    def _list(self, run: MirrorRun) -> None:
        """Lists all, reads what differs, and deletes copies of what is not listed."""
        listed = set()
        for item in self._norma.standards(access="read", limit=500):
            listed.add(item["urn"])
            if not self._has(item["urn"], item):
                self._read(item["urn"], run)
                if len(run.read) % STATE_EVERY == 0:
                    self._save()
        for urn in [urn for urn in self._state["standards"] if urn not in listed]:
            self._remove(urn, run)
        known = {self.path(urn) for urn in self._state["standards"]}
        for file in (self.folder / "standards").glob("*.json"):
            if file not in known:
                file.unlink()
        self._state["listing"] = False
        self._save()

    def _doubt(self) -> None:
        """Has each copy be read again by the next list."""
        for copy in self._state["standards"].values():
            copy["revision"] = ""

    def _has(self, urn: str, item: Any) -> bool:
        copy = self._state["standards"].get(urn)
        current = copy is not None and all(copy[name] == item.get(name) for name in ("revision", "status"))
        return current and self.path(urn).exists()

    def _apply(self, urn: str, item: Any, run: MirrorRun) -> None:
        if item["type"] in ("recall", "remove") or item.get("access") == "discover":
            self._remove(urn, run)
        elif item["type"] != "create" or not self._has(urn, item):
            self._read(urn, run)

    def _read(self, urn: str, run: MirrorRun) -> None:
        try:
            standard = self._norma.standard(urn, fields=MEMBERS)
        except (Gone, NotFound, NotLicensed):
            self._remove(urn, run)
            return
        self._write(self.path(urn), standard)
        self._state["standards"][urn] = {name: standard[name] for name in ("revision", "status")}
        run.read.append(urn)

    def _remove(self, urn: str, run: MirrorRun) -> None:
        if self.path(urn).exists():
            self.path(urn).unlink()
            run.removed.append(urn)
        self._state["standards"].pop(urn, None)

    def _save(self) -> None:
        self._write(self._file, self._state)

    def _write(self, file: pathlib.Path, value: Any) -> None:
        """Writes a file whole, for its owner alone."""
        file.parent.mkdir(mode=0o700, exist_ok=True)
        new = file.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            json.dump(value, out, ensure_ascii=False)
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
