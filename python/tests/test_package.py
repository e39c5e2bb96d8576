"""The package itself: its version, what it imports, what the generator writes."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata, resources

import pytest
from conftest import ROOT

import norma_client


def test_the_version_is_that_of_norma() -> None:
    found = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found
    assert found[1] == norma_client.__version__ == metadata.version("norma-client")


def test_the_package_is_typed_and_has_its_licence() -> None:
    assert resources.files("norma_client").joinpath("py.typed").is_file()
    assert metadata.metadata("norma-client")["License-Expression"] == "Apache-2.0"
    files = metadata.files("norma-client") or []
    assert any(file.name == "LICENSE" for file in files)


def test_it_depends_on_httpx2_alone() -> None:
    required = [one for one in metadata.requires("norma-client") or [] if "extra ==" not in one]
    names = [re.split(r"[^\w-]", one)[0] for one in required if not one.endswith("python_version < '3.11'")]
    assert names == ["httpx2"]


def test_what_most_programs_do_not_need_is_imported_late() -> None:
    late = ("asyncio", "cryptography", "pandas", "polars", "norma_client.types", "norma_client._async")
    program = f"import sys, norma_client; print([name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_each_name_can_be_imported() -> None:
    assert all(getattr(norma_client, name) for name in norma_client.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'patience'"):
        _ = norma_client.patience  # type: ignore[attr-defined]
    from norma_client.types import Provision

    assert "verbalForm" in Provision.__annotations__
