"""Grids of XHTML tables as pandas reads them, compared with those that are served: shares no line with the program that it judges.

Arguments: pairs of a document and a JSON file with the answer of its tables. Prints one JSON object a line for each table that differs,
and one with the counts.
"""

import io
import json
import sys

import pandas
from lxml import etree

PARSER = etree.XMLParser(load_dtd=False, resolve_entities=False, no_network=True, huge_tree=True)


def local(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def letters(text):
    """Letters and digits: formulae, marks and references are written differently in plain text."""
    return "".join(c for c in text if c.isalnum())


def html(table):
    """The table with all its rows as rows of a body, so that pandas reads heads as cells, and texts of cells as letters."""
    root = etree.Element("table")
    parts = sorted((e for e in table if local(e) in ("thead", "tbody", "tfoot", "tr")),
                   key=lambda e: {"thead": 0, "tfoot": 2}.get(local(e), 1))
    for part in parts:
        body = etree.SubElement(root, "tbody")
        rows = [part] if local(part) == "tr" else [e for e in part if local(e) == "tr"]
        for at, row in enumerate(rows):
            line = etree.SubElement(body, "tr")
            for cell in row:
                if local(cell) in ("td", "th"):
                    copy = etree.SubElement(line, "td")
                    copy.set("colspan", cell.get("colspan", "1"))
                    # A cell ends with its group of rows (HTML, 4.9.12), which pandas does not know.
                    left = sum(local(e) == "tr" for e in table) if local(part) == "tr" else len(rows) - at
                    copy.set("rowspan", str(min(int(cell.get("rowspan", "1")), left)))
                    words = cell.xpath(".//text()[not(ancestor::*[local-name()='fn' or local-name()='alt-text' "
                                       "or local-name()='annotation' or local-name()='tex-math'])]")
                    numbered = cell.xpath(".//*[local-name()='list' or local-name()='ol']")
                    # Items have numbers in the text that the markup does not have. An `x` keeps pandas from reading numbers.
                    copy.text = "x" + ("?" if numbered else letters("".join(words)))
    return etree.tostring(root, encoding="unicode")


def expected(table):
    frame = pandas.read_html(io.StringIO(html(table)), flavor="lxml", header=None, keep_default_na=False)[0]
    return [[str(cell)[1:] for cell in row] for row in frame.to_numpy().tolist()]


def served(table):
    """The rows below the heads, with spans expanded."""
    width, open_cells, rows = len(table["columns"]), {}, []
    for row in table["rows"]:
        column = 0
        for cell in row["cells"]:
            column = cell.get("column", column)
            for at in range(column, column + cell.get("columnSpan", 1)):
                open_cells[at] = [letters(cell["text"]), cell.get("rowSpan", 1)]
            column += cell.get("columnSpan", 1)
        rows.append([open_cells.get(at, ["", 0])[0] for at in range(width)])
        open_cells = {at: [text, left - 1] for at, (text, left) in open_cells.items() if left > 1}
    return rows


compared = 0
for path, answer in zip(sys.argv[1::2], sys.argv[2::2]):
    tables = {table["id"]: table for table in json.load(open(answer))["items"]}
    for wrap in etree.parse(path, PARSER).iter():
        is_wrap = local(wrap) == "table-wrap"
        if not is_wrap and not (local(wrap) == "table" and not wrap.xpath("ancestor::*[local-name()='table-wrap' or local-name()='table']")):
            continue
        own = tables.get(wrap.get("id"))
        grids = wrap.xpath("descendant-or-self::*[local-name()='table'][not(ancestor::*[local-name()='table'])]")
        if own is None or own.get("omitted") or len(grids) != 1 or grids[0].xpath(".//*[local-name()='tgroup']"):
            continue
        compared += 1
        try:
            wanted = expected(grids[0])
        except Exception as error:
            print(json.dumps({"path": path, "id": own["id"], "error": repr(error)}))
            continue
        found = served(own)
        heads = len(wanted) - len(found)
        found = [[mine if theirs != "?" else "?" for mine, theirs in zip(mine, theirs)]
                 for mine, theirs in zip(found, wanted[heads:])]
        columns = [[letters(head) for head in column["heads"]] for column in own["columns"]]
        wanted_heads = [[row[at] for row in wanted[:heads] if row[at]] for at in range(len(wanted[0]))] if wanted else []
        once = [[h for i, h in enumerate(column) if i == 0 or h != column[i - 1]] for column in wanted_heads]
        columns = [["?" if "?" in theirs else head for head in mine] for mine, theirs in zip(columns, once)]
        if wanted[heads:] != found or once != [[h for i, h in enumerate(c) if i == 0 or h != c[i - 1]] for c in columns]:
            row = next((pair for pair in zip(wanted[heads:], found) if pair[0] != pair[1]), None)
            print(json.dumps({"path": path, "id": own["id"], "sizes": [len(wanted), len(wanted[0]), len(found), len(columns)],
                              "row": row, "heads": None if once == columns else [once, columns]}))
print(json.dumps({"compared": compared}))
