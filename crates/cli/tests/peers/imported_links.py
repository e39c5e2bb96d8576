"""Links made to the first edition in Doorstop and Sphinx-Needs, before the second one is imported over it.

Usage: imported_links.py FOLDER, with 1.zip, 2.zip, 1.needs.json and 2.needs.json, ids being lineages."""

import json
import logging
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import doorstop

folder = pathlib.Path(sys.argv[1])
SETTINGS = re.search(r"```python\n(.*?needs_types.*?)```",
                     (pathlib.Path(__file__).parents[4] / "docs" / "export.md").read_text(), re.DOTALL)[1]


def provisions(number):
    needs = json.loads((folder / f"{number}.needs.json").read_text())["versions"]["norma"]["needs"]
    return {id_: need["content"] for id_, need in needs.items() if need["type"] in ("std_provision", "std_heading", "std_term")}


old, new = provisions(1), provisions(2)
kept, gone = sorted(set(old) & set(new)), sorted(set(old) - set(new))
assert len(kept) > 80 and gone, (len(kept), gone)


def in_doorstop():
    logging.disable(logging.WARNING)
    root = folder / "doorstop"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    zipfile.ZipFile(folder / "1.zip").extractall(root)
    tree = doorstop.build(cwd=str(root), root=str(root))
    standard = tree.documents[0]
    product = tree.create_document(str(root / "product"), "PRODUCT", parent=str(standard.prefix))
    linked = {}
    for id_ in kept + gone:
        item = product.add_item()
        item.text = f"Fulfils {id_}"
        item.link(f"{standard.prefix}-{id_.lower().replace('_', '')}")
        item.review()
        item.clear()
        linked[str(item.uid)] = id_
    shutil.rmtree(root / str(standard.prefix))
    zipfile.ZipFile(folder / "2.zip").extractall(root)
    tree = doorstop.build(cwd=str(root), root=str(root))
    for item in tree.find_document("PRODUCT"):
        id_ = linked[str(item.uid)]
        found = [one for one in item.parent_items if str(one.uid).lower().endswith(id_.lower().replace("_", ""))
                 and not isinstance(one, doorstop.core.item.UnknownItem)]
        assert bool(found) == (id_ in new), (id_, found)
        # Doorstop shows a link as suspect where the item that it leads to has another text.
        if found and old[id_] != new[id_]:
            assert not item.cleared, id_


def in_sphinx():
    root = folder / "sphinx"
    root.mkdir()
    (root / "conf.py").write_text(f'extensions = ["sphinx_needs"]\nhtml_theme = "basic"\nproject = "x"\n{SETTINGS}'
                                  'needs_types.append({"directive": "req", "title": "R", "prefix": "R_", "color": "#fff", "style": "node"})\n')
    links = "\n".join(f".. req:: Fulfils {id_}\n   :id: R_{number:04}\n   :links: {id_}\n" for number, id_ in enumerate(kept + gone))
    page = "Product\n=======\n\n.. needimport:: standard.needs.json\n\n" + links
    (root / "index.rst").write_text(page)
    for number in (1, 2):
        shutil.copy(folder / f"{number}.needs.json", root / "standard.needs.json")
        # Only the links to what is gone may be warned of, and only in the second edition.
        strict = ["-W", "--keep-going"] if number == 1 else []
        run = subprocess.run([sys.executable, "-m", "sphinx", *strict, "-E", "-q", "-b", "needs", root, folder / f"out{number}"],
                             capture_output=True, text=True)
        assert run.returncode == 0, run.stderr[-2000:]
        broken = {id_ for id_ in kept + gone if re.search(rf"\b{id_}\b", run.stderr)}
        assert broken == (set() if number == 1 else set(gone)), (number, broken, run.stderr[-2000:])
        warnings = [line for line in run.stderr.splitlines() if "WARNING" in line]
        others = [line for line in warnings if not any(id_ in line for id_ in gone)]
        assert not others, (number, others)


in_doorstop()
in_sphinx()
print(f"{len(kept)} links lead to the same object, {len(gone)} to none")
