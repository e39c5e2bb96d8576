"""Reads a standard with the client that openapi-python-client wrote.

Usage: generated_client.py BASE_URL URN; the package `norma_generated` is in PYTHONPATH, the token in NORMA_TOKEN.
"""

import compileall
import importlib
import os
import pathlib
import pkgutil
import sys

import norma_generated
from norma_generated.api.parts_of_a_standard import get_metadata, get_selected_provisions, resolve_assets
from norma_generated.api.standards import get_standard, list_standards
from norma_generated.models import MetadataView, Problem, SelectionView, Standard, StandardList
from norma_generated.models.resolve_one import ResolveOne
from norma_generated.models.resolved_asset import ResolvedAsset


def main(base_url, urn):
    assert compileall.compile_dir(pathlib.Path(norma_generated.__file__).parent, quiet=1), "it does not compile"
    modules = [module.name for module in pkgutil.walk_packages(norma_generated.__path__, "norma_generated.")]
    for module in modules:
        importlib.import_module(module)
    client = norma_generated.AuthenticatedClient(base_url=base_url, token=os.environ["NORMA_TOKEN"])
    with client:
        page = list_standards.sync(client=client, limit=2)
        assert isinstance(page, StandardList) and len(page.items) == 2 and page.next_, page
        after = list_standards.sync(client=client, cursor=page.next_)
        assert isinstance(after, StandardList) and after.total == page.total
        assert not {item.urn for item in after.items} & {item.urn for item in page.items}
        standard = get_standard.sync(urn, client=client)
        assert isinstance(standard, Standard) and standard.urn == urn and standard.sections[0].xml, standard
        metadata = get_metadata.sync(urn, client=client)
        assert isinstance(metadata, MetadataView) and metadata.metadata.reference == standard.metadata.reference
        label = metadata.provisions[0].label
        selected = get_selected_provisions.sync(urn, label, client=client)
        assert isinstance(selected, SelectionView) and [p.label for p in selected.items] == [label]
        reference = next(graphic.asset_reference for graphic in metadata.graphics if graphic.available)
        asset = resolve_assets.sync(urn, client=client, body=ResolveOne(asset_reference=reference))
        assert isinstance(asset, ResolvedAsset) and asset.url.startswith(base_url), asset
        unknown = get_standard.sync("urn:nsb:std:nsb:1:ed-1:en", client=client)
        assert isinstance(unknown, Problem) and unknown.code == "standard-not-found", unknown
    print(f"{len(modules)} modules, {page.total} standards")


main(*sys.argv[1:])
