"""`needs.json` of all exports: imported by Sphinx-Needs without a warning, and complete.

Usage: read_needs.py FOLDER, with N.needs.json and N.expected.json for each edition. The settings are those that
docs/export.md gives."""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SETTINGS = re.search(r"```python\n(.*?needs_types.*?)```",
                     (pathlib.Path(__file__).parents[4] / "docs" / "export.md").read_text(), re.DOTALL)[1]


class Page(html.parser.HTMLParser):
    """The words of a page without white space, and what is active in its content."""

    def __init__(self):
        super().__init__()
        self.words, self.active = [], []

    def handle_data(self, data):
        self.words.append(data)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if any(name.startswith("on") for name in values):
            self.active.append((tag, values))
        if (values.get("href") or "").startswith(("javascript:", "mailto:")) or "h.example" in str(values.get("href")):
            self.active.append((tag, values))
        # The form of the theme searches the pages.
        is_foreign_form = tag == "form" and values.get("class") != "search"
        if is_foreign_form or tag in ("iframe", "embed", "object") or tag == "img" and "h.example" in str(values):
            self.active.append((tag, values))


def build(folder, numbers):
    """All files in one project, each with a prefix of its own."""
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(
        f'extensions = ["sphinx_needs"]\nhtml_theme = "basic"\nproject = "exports"\n{SETTINGS}')
    titles = ["Exports", "=======", "", ".. toctree::", ""]
    for number in numbers:
        shutil.copy(pathlib.Path(sys.argv[1]) / f"{number}.needs.json", source)
        page = f"Standard {number}\n==============\n\n.. needimport:: {number}.needs.json\n   :id_prefix: N{number}_\n"
        (source / f"n{number}.rst").write_text(page)
        titles.append(f"   n{number}")
    (source / "index.rst").write_text("\n".join(titles) + "\n")
    run = subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", source, folder / "html"],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    run = subprocess.run([sys.executable, "-m", "sphinx", "-W", "-q", "-b", "needs", source, folder / "needs"],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads((folder / "needs" / "needs.json").read_text())


def check(number, needs, folder):
    expected = json.loads((pathlib.Path(sys.argv[1]) / f"{number}.expected.json").read_text())
    own = {id_: need for id_, need in needs.items() if id_.startswith(f"N{number}_")}
    written = json.loads((pathlib.Path(sys.argv[1]) / f"{number}.needs.json").read_text())["versions"]["norma"]["needs"]
    assert set(own) == {f"N{number}_{id_}" for id_ in written}
    by_local = {(need["type"].removeprefix("std_"), need["local_id"]): need for need in own.values() if need.get("local_id")}
    for kind, many in (("heading", "sections"), ("provision", "provisions"), ("term", "terms"), ("table", "tables")):
        for one in expected[many]:
            assert (kind, one["id"]) in by_local, (kind, one["id"])
    page = Page()
    page.feed((folder / "html" / f"n{number}.html").read_text())
    assert not page.active, page.active[:3]
    shown = "".join("".join(page.words).split())
    for provision in expected["provisions"]:
        need = by_local["provision", provision["id"]]
        assert need["provision_type"] == provision["type"] and need["label"] == provision["label"]
        assert "".join(provision["text"].split()) in shown, provision
    for table in expected["tables"]:
        for cell in table["cells"]:
            assert "".join(cell.split()) in shown, (table["id"], cell)
    for need in own.values():
        for parent in need.get("below") or []:
            assert parent in own
    return len(own)


# Sphinx takes seconds for a hundred needs: the smaller standards, and the hostile one at the end.
MOST = 150


def size(number):
    written = json.loads((pathlib.Path(sys.argv[1]) / f"{number}.needs.json").read_text())
    return written["versions"]["norma"]["needs_amount"]


count = len(json.loads((pathlib.Path(sys.argv[1]) / "editions.json").read_text()))
numbers = [number for number in range(count) if size(number) <= MOST or number == count - 1]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    needs = build(folder, numbers)
    needs = needs["versions"][needs["current_version"]]["needs"]
    try:
        count = sum(check(number, needs, folder) for number in numbers)
    except AssertionError as error:
        raise SystemExit(repr(error)) from error
print(f"{len(numbers)} files, {count} needs")
