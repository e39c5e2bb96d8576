"""Archives for Doorstop of all exports: a document that Doorstop reads without an error, and complete.

Usage: read_doorstop.py FOLDER, with N.zip and N.expected.json for each edition."""

import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import doorstop
from doorstop import settings

# Nothing of what is read is changed by reading it.
settings.REVIEW_NEW_ITEMS = settings.STAMP_NEW_LINKS = settings.REFORMAT = settings.REORDER = False

# Most items of a document whose rules are checked, and not only its items read.
MOST = 100

ACTIVE = re.compile(r"<(script|iframe|form|input|base|meta)\b|<[^>]*\son\w+=|<img[^>]*src=\"(?!assets/)|<a [^>]*href=\"(?!#)")


def read(folder, number):
    expected = json.loads((folder / f"{number}.expected.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        subprocess.run(["git", "init", "-q", root], check=True)
        archive = zipfile.ZipFile(folder / f"{number}.zip")
        archive.extractall(root)
        tree = doorstop.build(cwd=str(root), root=str(root))
        (document,) = tree.documents
        prefix = str(document.prefix)
        items = list(document)
        names = [name for name in archive.namelist() if name.endswith(".yml") and not name.endswith(".doorstop.yml")]
        assert {f"{prefix}/{item.uid}.yml" for item in items} == set(names)
        by_local = {(item.get("kind"), item.get("local_id")): item for item in items if item.get("local_id")}
        levels = [str(item.level) for item in items]
        assert len(set(levels)) == len(levels)
        for kind, many in (("heading", "sections"), ("provision", "provisions"), ("term", "terms"), ("table", "tables")):
            for one in expected[many]:
                assert (kind, one["id"]) in by_local, (kind, one["id"])
        for provision in expected["provisions"]:
            item = by_local["provision", provision["id"]]
            shown = "".join(text(str(item.text)).split())
            assert shown == "".join(provision["text"].split()), (shown, provision)
        for table in expected["tables"]:
            shown = "".join(text(str(by_local["table", table["id"]].text)).split())
            for cell in table["cells"]:
                assert "".join(cell.split()) in shown, (table["id"], cell)
        # Doorstop takes minutes to check a thousand items.
        checked = tree.get_issues() if len(items) <= MOST else []
        issues = [issue for issue in checked if not isinstance(issue, (doorstop.DoorstopWarning, doorstop.DoorstopInfo))]
        assert not issues, issues[:3]
        pictures = set(re.findall(r"\]\((assets/[^)]*)\)", "".join(str(item.text) for item in items)))
        assert {f"{prefix}/{path}" for path in pictures} == {n for n in archive.namelist() if "/assets/" in n}
        return len(items), len(pictures)


def text(markdown):
    """The words of a text as Doorstop shows it, in which nothing is active."""
    import html
    import markdown as library
    written = library.markdown(markdown, extensions=["markdown.extensions.extra", "markdown.extensions.sane_lists"])
    assert not ACTIVE.search(written), written
    return html.unescape(re.sub(r"<[^>]*>", "", written))


logging.disable(logging.WARNING)
folder = pathlib.Path(sys.argv[1])
count = files = 0
# Doorstop takes minutes to read the largest: standards of this size, and the hostile one at the end.
MOST_READ = 250
editions = len(json.loads((folder / "editions.json").read_text()))
numbers = [number for number in range(editions)
           if number == editions - 1 or len(zipfile.ZipFile(folder / f"{number}.zip").namelist()) <= MOST_READ]
for number in numbers:
    try:
        more, pictures = read(folder, number)
    except AssertionError as error:
        raise SystemExit(f"{number}: {error!r}") from error
    count, files = count + more, files + pictures
print(f"{len(numbers)} documents, {count} items, {files} pictures")
