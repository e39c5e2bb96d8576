"""Counts and text of STS documents by lxml, independent of Norma: one JSON line for each file named."""
import json
import sys

from lxml import etree

META = {"iso-meta", "reg-meta", "nat-meta", "std-meta", "std-doc-meta", "processing-meta"}


def local(e):
    return etree.QName(e).localname if isinstance(e.tag, str) else None


def walk(e, meta, out):
    name = local(e)
    meta = meta or name in META
    out.append((e, name, meta))
    for c in e:
        walk(c, meta, out)


def text_outside(e, out):
    if local(e) in META:
        return
    if isinstance(e.tag, str):
        out.append(e.text or "")
        for c in e:
            text_outside(c, out)
            out.append(c.tail or "")


for path in sys.argv[1:]:
    root = etree.parse(path, etree.XMLParser(huge_tree=True, resolve_entities=True, load_dtd=False, no_network=True)).getroot()
    nodes = []
    walk(root, False, nodes)
    n = lambda *names: sum(1 for _, name, meta in nodes if name in names and not meta)
    text = []
    text_outside(root, text)
    fact = {
        "path": path,
        "sections": n("sec", "app", "term-sec"),
        "entries": n("termEntry"),
        "graphics": sum(1 for _, name, _ in nodes if name in ("graphic", "inline-graphic")),
        "tables": n("table-wrap"),
        "ics": len({(e.text or "").strip() for e, name, meta in nodes if name == "ics" and meta}),
        "characters": "".join("".join(text).split()),
    }
    print(json.dumps(fact))
