"""Rows and data frames."""

from __future__ import annotations

import csv
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import NEW, OLD, Demo, run

from norma_client import NormaError
from norma_client._rows import COLUMNS, frame_of, rows_of


def test_each_provision_is_a_row_of_texts(norma: Any) -> None:
    provisions = norma.provisions(NEW, lineage=True)
    rows = norma.rows(NEW)
    assert [(row["id"], row["lineage"]) for row in rows] == [
        (p["id"], p["lineage"]["id"]) for p in provisions
    ]
    assert all(
        tuple(row) == COLUMNS and all(isinstance(value, str) for value in row.values()) for row in rows
    )
    assert {(row["reference"], row["status"], row["urn"]) for row in rows} == {
        ("NSB 4210:2025", "published", NEW)
    }
    item = next(p for p in provisions if "leadIn" in p)
    assert {row["text"] for row in rows if row["id"] == item["id"]} == {f"{item['leadIn']} {item['text']}"}
    assert {">= 60 mm", "= 200 ± 20 N/s", "= 8 kN; = 60 s; = 45 °"} <= {row["quantities"] for row in rows}
    assert "ground anchor; locking point" in {row["terms"] for row in rows}
    assert norma.rows(NEW, q="no provision has this") == []


def test_the_rows_are_those_of_norma_export(norma: Any, demo: Demo, tmp_path: Path) -> None:
    file = tmp_path / "provisions.csv"
    for urn in (OLD, NEW, "urn:nsb:std:nsb:4210:ed-2:fr", "urn:xnb:std:xnb-nsb:4210:ed-2026-02:en"):
        file.unlink(missing_ok=True)
        run("export", urn, "--format", "csv", "--output", str(file), environ=demo.environ)
        with file.open(encoding="utf-8-sig", newline="") as exported:
            rows = list(csv.DictReader(exported))
        # A cell that a spreadsheet would take for a formula begins with an apostrophe there.
        for row in rows:
            row.update({name: re.sub(r"^'(?=[=+@-])", "", value) for name, value in row.items()})
        assert norma.rows(urn) == rows


def test_a_comparator_that_is_not_stated_is_no_equal_sign(norma: Any) -> None:
    provisions = norma.provisions(NEW)
    for provision, row in zip(provisions, norma.rows(NEW), strict=True):
        quantities = provision["quantities"]
        equal = sum(quantity.get("comparator") == "equal" for quantity in quantities)
        assert len(re.findall(r"(?:^|; )= ", row["quantities"])) == equal, row
    open_ones = [q for p in provisions for q in p["quantities"] if "comparator" not in q]
    assert "10000" in {quantity["value"] for quantity in open_ones}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_the_rows(norma: Any, library: str) -> None:
    if not importlib.util.find_spec(library):
        pytest.skip(f"{library} is not installed")
    frame = norma.frame(NEW, type="requirement", library=library)
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["id"]) == [row["id"] for row in norma.rows(NEW, type="requirement")]
    empty = frame_of([], library)
    assert (list(empty.columns), len(empty)) == (list(COLUMNS), 0)


def test_without_a_library_it_is_said_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="library is 'numpy': expected 'pandas' or 'polars'"):
        frame_of([], "numpy")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(
        ImportError, match="pandas and polars cannot be imported: install one of them, or use rows"
    ):
        frame_of([], None)


def test_a_damaged_provision_is_an_error_of_the_answer() -> None:
    metadata = {"metadata": {"reference": "NSB 1"}, "status": "published"}
    for provisions, about in (([{"id": "prv_1"}], metadata), ([], {}), ([{"section": 3}], metadata)):
        with pytest.raises(NormaError, match="is not of the expected form"):
            rows_of(provisions, urn=NEW, revision="1", metadata=about, terms=[], outline={"sections": []})  # type: ignore[arg-type]
