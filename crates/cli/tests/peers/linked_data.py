"""Counts what stands in the knowledge graph of each standard that a caller may read against the standard itself.

Usage: linked_data.py BASE_URL SHAPES.ttl VOCABULARY.ttl URN…; the token is in NORMA_TOKEN, and `graph`, the checks of one
graph by PyLD, rdflib and pySHACL, in PYTHONPATH.
"""

import json
import os
import pathlib
import sys
import tempfile
import urllib.request
from urllib.parse import quote

import graph
import rdflib
from rdflib import DCTERMS, RDF, SKOS
from rdflib.compare import isomorphic

DOCO = rdflib.Namespace("http://purl.org/spar/doco/")
NORMA = rdflib.Namespace("https://w3id.org/norma/vocabulary#")
SECTIONS = ["Section", "Foreword", "Appendix", "Bibliography", "Glossary", "Index"]


def fetch(url, accept):
    headers = {"Accept": accept, "Authorization": f"Bearer {os.environ['NORMA_TOKEN']}"}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        assert answer.headers.get_content_type() == accept, f"{url}: {answer.headers['Content-Type']}"
        return answer.read()


def flat(sections):
    for section in sections:
        yield section
        yield from flat(section["children"])


def expect(urn, what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{urn}: {found} {what} in the graph, {wanted} in the standard")


def compare(urn, triples, standard, provisions):
    """Every section, provision, term, figure, ICS code and relation is there, none more, and says where it belongs."""
    def of(*kinds):
        return {subject for kind in kinds for subject in triples.subjects(RDF.type, kind)}

    sections = list(flat(standard["sections"]))
    here = {str(subject) for subject in of(*(DOCO[kind] for kind in SECTIONS))}
    expect(urn, "sections", len(here), len(sections))
    expect(urn, "provisions", len(of(NORMA.Provision)), len(provisions))
    labels = sorted(str(label) for subject in of(NORMA.Provision) for label in triples.objects(subject, NORMA.label))
    expect(urn, "labels", labels, sorted(provision["label"] for provision in provisions))
    concepts = of(SKOS.Concept)
    terms = {concept for concept in concepts if (concept, SKOS.inScheme, None) in triples}
    expect(urn, "terms", len(terms), len(standard["terms"]))
    expect(urn, "ICS codes", len(concepts - terms), len(standard["ics"]))
    expect(urn, "figures", len(of(DOCO.Figure)), len(standard["graphics"]))
    top = next(iter(of(DCTERMS.Standard)))
    expect(urn, "the standard's name", str(top), urn)
    links = {"replaces": DCTERMS.replaces, "amends": NORMA.amends, "adopts": NORMA.adopts,
             "normativeReference": DCTERMS.requires, "informativeReference": DCTERMS.references,
             "related": DCTERMS.relation}
    for kind, link in links.items():
        relations = [relation for relation in standard["relations"] if relation["type"] == kind]
        cited = {relation.get("urn") or relation["reference"] for relation in relations}
        expect(urn, kind, len(set(triples.objects(top, link))), len(cited))


def main(base_url, shapes, vocabulary, *urns):
    for urn in urns:
        path = f"{base_url}/api/content/v1/standards/{quote(urn, safe='')}"
        preview = f"{base_url}/api/content/preview/knowledge-graph/standards/{quote(urn, safe='')}"
        standard = json.loads(fetch(path, "application/json"))
        provisions = json.loads(fetch(f"{path}/provisions", "application/json"))["items"]
        json_ld, turtle = fetch(preview, "application/ld+json"), fetch(preview, "text/turtle")
        compare(urn, rdflib.Graph().parse(data=turtle, format="turtle"), standard, provisions)
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("graph.jsonld", "graph.ttl")]
            for file, content in zip(files, (json_ld, turtle)):
                file.write_bytes(content)
            graph.main(*map(str, files), shapes, vocabulary)
        print(f"{urn}: {len(provisions)} provisions, {len(standard['relations'])} relations")
    served = fetch(base_url + "/norma/vocabulary", "text/turtle")
    published = rdflib.Graph().parse(vocabulary, format="turtle")
    assert isomorphic(rdflib.Graph().parse(data=served, format="turtle"), published), "another vocabulary is served"
    assert str(NORMA).split("#")[0].endswith("/norma/vocabulary")


main(*sys.argv[1:])
