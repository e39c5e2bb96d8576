"""Reads exports by csv, openpyxl, pandas, and by polars where it is installed: read_back.py FOLDER.

Beside NUMBER.csv and NUMBER.xlsx, NUMBER.json has what each row of provisions and of tables is to hold.
"""

import csv
import json
import pathlib
import sys

import openpyxl
import pandas

try:
    import polars
except ImportError:
    polars = None


def unescaped(text):
    rest = text[1:].lstrip("'") if text.startswith("'") else ""
    return text[1:] if rest.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def check(rows, expected, reader):
    assert len(rows) == len(expected), (reader, len(rows), len(expected))
    for row, wanted in zip(rows, expected):
        for column, text in wanted.items():
            found = row[column] if isinstance(row[column], str) else ""
            assert found == text, (reader, column, found, text)


def check_file(csv_file, xlsx_file, expected):
    provisions = expected["provisions"]
    with csv_file.open(encoding="utf-8", newline="") as file:
        rows = [{name: unescaped(text) for name, text in row.items()} for row in csv.DictReader(file)]
    check(rows, provisions, "csv")
    for name, rows in [
        ("pandas", pandas.read_csv(csv_file, dtype=str, keep_default_na=False).to_dict("records")),
        ("polars", polars and polars.read_csv(csv_file, infer_schema=False).fill_null("").to_dicts()),
    ]:
        if rows is not None:
            check([{key: unescaped(text) for key, text in row.items()} for row in rows], provisions, name)
    frame = pandas.read_excel(xlsx_file, sheet_name="Provisions", dtype=str, keep_default_na=False)
    check(frame.to_dict("records"), provisions, "pandas xlsx")

    book = openpyxl.load_workbook(xlsx_file)
    for sheet in book:
        for row in sheet.iter_rows():
            assert all(cell.data_type != "f" for cell in row), (xlsx_file, sheet.title)
        assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref, sheet.title
    head, *rows = book["Provisions"].iter_rows(values_only=True)
    check([dict(zip(head, row)) for row in rows], provisions, "openpyxl")
    if not expected["tables"]:
        return 0
    listed = {}
    for row in list(book["Tables"].iter_rows(values_only=True))[1:]:
        if row[0]:
            listed.setdefault(row[1], row[0])
    for table in expected["tables"]:
        rows = list(book[listed[table["id"]]].iter_rows(values_only=True))[1:]
        for row, wanted in zip(rows, table["rows"], strict=False):
            found = ["" if cell is None else str(cell) for cell in row]
            found += [""] * (len(wanted) - len(found))
            assert found[: len(wanted)] == wanted, (xlsx_file, table["id"], found, wanted)
        empty = table["rows"][len(rows) :]
        assert not any(any(row) for row in empty), (xlsx_file, table["id"], empty)
    return len(expected["tables"])


def main():
    folder = pathlib.Path(sys.argv[1])
    files = sorted(folder.glob("*.json"))
    assert files, folder
    tables = 0
    for file in files:
        expected = json.loads(file.read_text(encoding="utf-8"))
        tables += check_file(file.with_suffix(".csv"), file.with_suffix(".xlsx"), expected)
    print(f"{len(files)} exports with {tables} tables, polars {polars and polars.__version__}")


main()
