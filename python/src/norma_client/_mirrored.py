"""What a run of a mirror did."""

from __future__ import annotations

from typing import NamedTuple


class MirrorRun(NamedTuple):
    """The editions that a run read, and those whose copies it deleted, by their URNs."""

    read: list[str]
    removed: list[str]
