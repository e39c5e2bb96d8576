"""Checks a knowledge graph with processors of others.

Usage: graph.py GRAPH.jsonld GRAPH.ttl SHAPES.ttl VOCABULARY.ttl MERGED.nt
PyLD must expand and flatten the JSON-LD without reaching for the network and without dropping a property, rdflib must
read the same triples from both files, and pySHACL must find them valid, and a broken copy of them not. The merged graphs of several editions must be valid, too.
"""

import json
import sys

import pyshacl
import rdflib
from pyld import jsonld
from rdflib.compare import to_isomorphic


def refuse_to_load(url, options=None):
    raise SystemExit(f"the context asks for {url}")


def values(node):
    return [v for key, value in node.items() if key != "@id" for v in (value if isinstance(value, list) else [value])]


def main(json_ld_file, turtle_file, shapes_file, vocabulary_file, merged_file=None):
    jsonld.set_document_loader(refuse_to_load)
    document = json.load(open(json_ld_file, encoding="utf-8"))
    expanded = jsonld.expand(document)
    written = sum(len(values(node)) for node in document["@graph"])
    kept = sum(len(values(node)) for node in expanded)
    if written != kept:
        raise SystemExit(f"{written} values were written, {kept} are left after expansion")
    if len(jsonld.flatten(document)) != len(document["@graph"]):
        raise SystemExit("two nodes share a name")
    again = jsonld.from_rdf(jsonld.to_rdf(document, {"format": "application/n-quads"}), {"useNativeTypes": True})
    if sum(len(values(node)) for node in again) != kept:
        raise SystemExit("the way to RDF and back loses values")

    from_json_ld = rdflib.Graph().parse(json_ld_file, format="json-ld")
    from_turtle = rdflib.Graph().parse(turtle_file, format="turtle")
    if to_isomorphic(from_json_ld) != to_isomorphic(from_turtle):
        raise SystemExit("JSON-LD and Turtle differ")

    vocabulary = rdflib.Graph().parse(vocabulary_file, format="turtle")
    shapes = rdflib.Graph().parse(shapes_file, format="turtle")

    def report(graph, **options):
        valid, _, text = pyshacl.validate(graph, shacl_graph=shapes, ont_graph=vocabulary, **options)
        return valid, text

    valid, text = report(from_turtle, meta_shacl=True)
    if not valid:
        raise SystemExit(text)

    valid, text = report(rdflib.Graph().parse(merged_file, format="nt")) if merged_file else (True, "")
    if not valid:
        raise SystemExit(text)

    # Each table says who cites it: the inverse of what provisions refer to.
    doco = rdflib.Namespace("http://purl.org/spar/doco/")
    for table in from_turtle.subjects(rdflib.RDF.type, doco.Table):
        citing = {subject for subject in from_turtle.subjects(rdflib.DCTERMS.references, table)}
        if citing != set(from_turtle.objects(table, rdflib.DCTERMS.isReferencedBy)):
            raise SystemExit(f"{table} does not name those who cite it")

    # The shapes must be able to refuse: take each property of a provision away in turn.
    norma = rdflib.Namespace("https://w3id.org/norma/vocabulary#")
    provision = next(from_turtle.subjects(rdflib.RDF.type, norma.Provision))
    for needed in (norma.label, norma.verbalForm, norma.order, rdflib.DCTERMS.isPartOf):
        broken = rdflib.Graph()
        broken += from_turtle
        broken.remove((provision, needed, None))
        if report(broken)[0]:
            raise SystemExit(f"the shapes do not miss {needed}")


if __name__ == "__main__":
    main(*sys.argv[1:])
