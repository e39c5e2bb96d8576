"""Writes an XLSX of all requirements that changed between two editions.

    python changed_requirements.py OLDER NEWER FILE.xlsx

The variables are those of `Norma.from_env()`. Needs openpyxl.
"""

import sys

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font

from norma_client import Norma, NormaError

HEADS = [
    "What happened",
    "What changed",
    "Label before",
    "Text before",
    "Label now",
    "Text now",
    "Likelihood",
]
WIDTHS = [14, 22, 12, 70, 12, 70, 12]


def rows(norma, older, newer):
    """A row for each requirement that is not the same in both editions, or depends on what changed."""
    for item in norma.compare(older, newer, type="requirement", text=True)["items"]:
        changed = item.get("changed", [])
        if item["relation"] == "same" and not changed:
            continue
        sides = [item.get("older", {}), item.get("newer", {})]
        texts = [" ".join(filter(None, (side.get("leadIn"), side.get("text")))) for side in sides]
        yield [
            item["relation"],
            ", ".join(changed),
            *(
                value
                for side, text in zip(sides, texts, strict=True)
                for value in (side.get("label", ""), text)
            ),
            item.get("likelihood", ""),
        ]


def write(norma, older, newer, file):
    """Writes the file, and gives the number of its rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Changed requirements"
    sheet.append(HEADS)
    for row in rows(norma, older, newer):
        sheet.append(row)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for column, width in zip(sheet.columns, WIDTHS, strict=True):
        sheet.column_dimensions[column[0].column_letter].width = width
        for cell in column:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            # A text that begins with `=` is a text.
            cell.data_type = "s"
    sheet.freeze_panes, sheet.auto_filter.ref = "A2", sheet.dimensions
    book.save(file)
    return sheet.max_row - 1


def main():
    """Takes URNs and file from the command line."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    older, newer, file = sys.argv[1:]
    try:
        with Norma.from_env() as norma:
            count = write(norma, older, newer, file)
    except NormaError as error:
        sys.exit(f"changed_requirements: {error}")
    print(f"{file}: {count} changed requirements")


if __name__ == "__main__":
    main()
