"""What the documents show, run with the demonstration: docstrings, README, example and notebook."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import csv
import doctest
import importlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import openpyxl
import pytest
from conftest import NEW, OLD, Demo, run
from nbclient import NotebookClient

import norma_client
from norma_client import AsyncNorma, Norma

PYTHON = Path(__file__).resolve().parents[1]
MODULES = ["", "._answers", "._async", "._client", "._credentials", "._http"]


class Runner(doctest.DocTestRunner):
    """Runs examples that may await: each is compiled by itself, and a coroutine is run to its end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(optionflags=doctest.NORMALIZE_WHITESPACE)
        self.loop = loop

    def run(self, test: doctest.DocTest, **_: Any) -> doctest.TestResults:  # type: ignore[override]
        failed = 0
        for example in test.examples:
            printed = io.StringIO()
            code = compile(example.source, test.name, "single", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            with contextlib.redirect_stdout(printed):
                result = eval(code, test.globs)
                if inspect.isawaitable(result):
                    self.loop.run_until_complete(result)
            if not doctest.OutputChecker().check_output(example.want, printed.getvalue(), self.optionflags):
                print(f"{test.name}:\n{example.source}expected {example.want}found {printed.getvalue()}")
                failed += 1
        return doctest.TestResults(failed, len(test.examples))


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_docstrings_give_what_they_show(module: str, demo: Demo) -> None:
    loop = asyncio.new_event_loop()
    found = importlib.import_module("norma_client" + module)
    is_async = module == "._async"
    client: Any = (AsyncNorma if is_async else Norma).from_env(demo.environ)
    globs = {**vars(norma_client), **vars(found), "norma": client, "Path": Path}
    tests = [test for test in doctest.DocTestFinder().find(found, extraglobs=globs) if test.examples]
    assert tests
    results = [Runner(loop).run(test) for test in tests]
    if is_async:
        loop.run_until_complete(client.aclose())
    else:
        client.close()
    loop.close()
    assert not any(result.failed for result in results)


def test_the_blocks_of_the_readme_print_what_is_below_them(demo: Demo, tmp_path: Path) -> None:
    blocks = re.findall(
        r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", (PYTHON / "README.md").read_text(), re.DOTALL
    )
    assert len(blocks) > 5
    end = "-- end of the block --\n"
    program = "".join(f"{code}\nprint({end.strip()!r})\n" for code, _ in blocks)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=demo.environ,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(end)[:-1] == [shown for _, shown in blocks]


def test_no_document_installs_the_package_by_its_name_alone() -> None:
    root = PYTHON.parent
    pages = [PYTHON / "README.md", root / "README.md", *root.glob("docs/*.md"), *PYTHON.glob("src/*/*.py")]
    commands = re.findall(r"pip install .*norma.*", "\n".join(page.read_text() for page in pages))
    assert len(commands) >= 3
    assert [line for line in commands if "--index-url" not in line and ".whl" not in line] == []


def test_the_readme_names_each_method_and_each_error() -> None:
    readme = (PYTHON / "README.md").read_text()
    names = [name for name in norma_client.__all__ if isinstance(getattr(norma_client, name), type)]
    errors = [name for name in names if issubclass(getattr(norma_client, name), Exception)]
    assert len(errors) > 10
    assert [name for name in errors if f"`{name}`" not in readme] == []
    others = {
        "close",
        "token",
        "limits",
        "resolve",
        "resolve_all",
        "comparison_summary",
        "knowledge_graph_turtle",
    }
    methods = {name for name in dir(Norma) if not name.startswith("_")} - others
    assert {name for name in methods if not re.search(rf"\b{name}\b", readme)} == set()


def test_the_example_writes_the_changed_requirements_of_norma_compare(demo: Demo, tmp_path: Path) -> None:
    file = tmp_path / "changes.xlsx"
    example = str(PYTHON / "examples/changed_requirements.py")
    words = [sys.executable, "-W", "error", example, OLD, NEW, str(file)]
    done = subprocess.run(words, env=demo.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    head, *rows = openpyxl.load_workbook(file).active.iter_rows(values_only=True)
    assert (head[0], len(head)) == ("What happened", 7)
    store = str(demo.folder / "data/norma.db")
    items = json.loads(run("compare", OLD, NEW, "--format", "json", "--store", store))["items"]
    expected = []
    for item in items:
        sides = [item.get("older") or {}, item.get("newer") or {}]
        changed = item.get("changed") or []
        if "requirement" in [side.get("type") for side in sides] and (item["relation"] != "same" or changed):
            texts = [" ".join(filter(None, (side.get("leadIn"), side.get("text")))) for side in sides]
            cells = [
                value for side, text in zip(sides, texts, strict=True) for value in (side.get("label"), text)
            ]
            expected.append((item["relation"], ", ".join(changed), *cells, item.get("likelihood")))
    assert len(rows) > 20
    assert rows == [tuple(cell or None for cell in row) for row in expected]
    if office := os.environ.get("NORMA_OFFICE"):
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        convert = [
            office,
            profile,
            "--headless",
            "--convert-to",
            "csv:Text - txt - csv (StarCalc):44,34,76",
            "changes.xlsx",
        ]
        subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True)
        with (tmp_path / "changes.csv").open(encoding="utf-8", newline="") as converted:
            read = list(csv.reader(converted))
        assert read == [[cell or "" for cell in row] for row in [head, *rows]]
    wrong = subprocess.run(
        [*words[:-2], "urn:nsb:std:nsb:9", str(file)],
        env=demo.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("changed_requirements: 404 standard-not-found: ")
    assert len(wrong.stderr.splitlines()) == 1


def test_the_notebook_gives_the_outputs_that_it_holds(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in demo.environ.items():
        monkeypatch.setenv(name, value)
    file = PYTHON / "examples/first_steps.ipynb"
    stored, executed = (nbformat.read(file, 4) for _ in range(2))
    NotebookClient(executed, timeout=60).execute()
    outputs = [[cell.get("outputs") for cell in book.cells] for book in (stored, executed)]
    assert any(outputs[0])
    assert outputs[0] == outputs[1]


def test_rows_are_written_by_the_csv_module(demo: Demo) -> None:
    with Norma.from_env(demo.environ) as norma:
        rows = norma.rows(NEW)
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    assert list(csv.DictReader(io.StringIO(text.getvalue()))) == rows
