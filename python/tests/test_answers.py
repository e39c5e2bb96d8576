"""Answers of the real service, by both clients."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import Any

import httpx2
import pytest
from conftest import NEW, OLD, Demo

from norma_client import AsyncNorma, Norma, NotLicensed


def test_a_standard_and_its_parts_are_those_of_norma_get(norma: Any, demo: Demo) -> None:
    assert norma.standard(NEW) == demo.get("standard", NEW)
    assert norma.metadata(NEW, fields=["metadata", "ics"]) == demo.get(
        "metadata", NEW, "--fields", "metadata,ics"
    )
    assert norma.sections(NEW) == demo.get("sections", NEW)
    assert norma.content(NEW, section="4.2") == demo.get("content", NEW, "--section", "4.2")
    for part in ("provisions", "terms", "tables", "graphics"):
        found = getattr(norma, part)(NEW)
        assert found.answer == demo.get(part, NEW)
        assert found == found.answer["items"]
    assert norma.table(NEW, "1") == demo.get("tables", NEW, "1")
    assert norma.limits() == demo.get("limits")
    provision = norma.provisions(NEW)[0]["id"]
    assert norma.provision(provision) == demo.get("provision", provision)
    assert norma.knowledge_graph(NEW) == demo.get("graph", NEW)


def test_filters_and_selections_are_passed_on(norma: Any, demo: Demo) -> None:
    found = norma.provisions(NEW, type=["permission", "recommendation"], q="bolt", lineage=True)
    assert found
    assert {provision["type"] for provision in found} <= {"permission", "recommendation"}
    assert all(provision["lineage"]["id"].startswith("lin_") for provision in found)
    selected = norma.selection(NEW, "4.2;table:1(2),9", normative=True)
    assert selected.answer == demo.get("provisions", NEW, "4.2;table:1(2),9", "--filter", "normative=true")
    assert selected.answer["selection"]["unmatched"] == ["table:9"]


def test_forms_other_than_json(norma: Any) -> None:
    assert norma.content_text(NEW, section="4.2").startswith("4.2 Locking point")
    assert norma.source(NEW).startswith(b"<?xml")
    assert norma.table_csv(NEW, "1").splitlines()[0].startswith("Dimension")
    assert norma.knowledge_graph_turtle(NEW).startswith("@prefix")


def test_pages_give_each_standard_once(norma: Any, demo: Demo) -> None:
    whole = demo.get("standards")["items"]
    assert list(norma.standards(limit=2)) == whole
    assert list(norma.standards(updated_since=datetime(2020, 1, 1, tzinfo=timezone.utc), status="published"))
    assert not list(norma.standards(updated_since=datetime(2120, 1, 1, tzinfo=timezone.utc)))


def test_a_page_has_its_total(demo: Demo) -> None:
    with Norma.from_env(demo.environ) as norma:
        pages = list(norma.standards(limit=4).pages())
    assert [len(page["items"]) for page in pages] == [4, 4, 1]
    assert {page["total"] for page in pages} == {9}


def test_a_language_is_preferred(norma: Any) -> None:
    found = norma.provisions("urn:nsb:std:nsb:4210", language="fr, en;q=0.5")
    assert (found.urn, found[0]["verbalForm"]) == ("urn:nsb:std:nsb:4210:ed-2:fr", "doit")


def test_pictures_are_read_by_their_references(norma: Any) -> None:
    graphic = norma.graphics(NEW)[0]
    resolved = norma.resolve(NEW, graphic["assetReference"])
    picture = norma.asset(NEW, graphic["assetReference"])
    assert len(picture) == resolved["size"]
    several = norma.resolve_all(NEW, [graphic["assetReference"], "nothing"] * 60)
    assert len(several) == 120
    assert [("url" in one, "problem" in one) for one in several[:2]] == [(True, False), (False, True)]


def test_a_comparison_has_the_items_of_all_pages(norma: Any, demo: Demo) -> None:
    whole = demo.get("comparison", OLD, "--with", NEW, "--filter", "include=text")
    assert norma.compare(OLD, NEW, text=True, limit=10) == whole
    strength = demo.get("comparison", OLD, "--with", NEW, "--filter", "changed=strength")
    assert norma.compare(NEW, OLD, changed="strength") == strength
    assert norma.comparison_summary(OLD, NEW)["counts"] == whole["counts"]


def test_stored_ids_and_labels_are_found_in_a_new_edition(norma: Any, demo: Demo) -> None:
    ids = [provision["id"] for provision in norma.provisions(OLD)]
    migrated = norma.migrate(NEW, ids)
    assert [item["asked"] for item in migrated] == ids
    assert {item["outcome"] for item in migrated} == {"found", "absent"}
    many = norma.migrate(NEW, ids * 40)
    assert (len(many), many.urn, many.answer["items"]) == (len(ids) * 40, NEW, list(many))
    assert list(many[: len(ids)]) == list(migrated)
    labels = norma.migrate(NEW, labels=["4.2(1)", "5.3(1)"], from_urn=OLD, text=True)
    assert [item["outcome"] for item in labels] == ["found", "absent"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda n: n.terms(""), "urn is ''"),
        (lambda n: n.provision(" .. "), "id is ' .. '"),
        (lambda n: n.terms(None), "urn is None"),
        (lambda n: n.migrate(NEW), "ids and labels: expected one of the two"),
        (lambda n: n.migrate(NEW, []), "ids is []"),
        (lambda n: n.migrate(NEW, "prv_1"), "ids is 'prv_1': expected one text or more, in a list"),
        (lambda n: n.migrate(NEW, labels=["4.2"]), "from_urn is not set"),
        (lambda n: list(n.standards(updated_since=datetime(2020, 1, 1))), "has no time zone"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_is_sent(make: Any, call: Any, said: str) -> None:
    norma = make("https://norma.example", credential=lambda: pytest.fail("a token is asked for"))
    with pytest.raises(ValueError) as caught:
        call(norma)
    assert said in str(caught.value)


def test_of_a_standard_that_may_only_be_discovered_a_comparison_has_counts(norma: Any) -> None:
    discovered = "urn:nsb:std:nsb:4220:ed-1:en"
    with pytest.raises(NotLicensed, match="comparison_summary"):
        norma.compare(NEW, discovered, different_documents=True)
    assert norma.comparison_summary(NEW, discovered, different_documents=True)["counts"]["new"] > 0


def test_answers_are_kept_and_revalidated(demo: Demo) -> None:
    statuses: list[int] = []
    hooks = {"response": [lambda response: statuses.append(response.status_code)]}
    with httpx2.Client(event_hooks=hooks) as http, Norma.from_env(demo.environ, http_client=http) as norma:
        first = norma.terms(NEW)
        first[0]["number"] = "changed by the caller"
        second = norma.terms(NEW)
        assert second[0]["number"] == "3.1"
        norma.content_text(NEW)
        norma.content(NEW)
        assert statuses == [200, 200, 304, 200, 200]
        statuses.clear()
        with Norma.from_env(demo.environ, http_client=http, cache_bytes=0) as without:
            assert without.terms(NEW) == without.terms(NEW)
        assert statuses == [200, 200, 200]
        statuses.clear()
        with Norma.from_env(demo.environ, http_client=http, cache_bytes=20_000) as small:
            for _ in range(2):
                small.standard(NEW)
                small.terms(NEW)
        assert statuses == [200, 200, 200, 200, 304]


def test_threads_share_a_client(demo: Demo) -> None:
    with Norma.from_env(demo.environ) as norma, ThreadPoolExecutor(16) as threads:
        ids = [provision["id"] for provision in norma.provisions(NEW)] * 4
        found = list(threads.map(lambda id: norma.provision(id)["id"], ids))
    assert found == ids


def test_tasks_share_a_client_and_one_that_is_cancelled_harms_no_other(demo: Demo) -> None:
    async def read() -> None:
        async with AsyncNorma.from_env(demo.environ) as norma:
            # The first one requests the token that the others wait for.
            tasks = [asyncio.create_task(norma.terms(NEW)) for _ in range(8)]
            await asyncio.sleep(0)
            tasks[0].cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(done[0], asyncio.CancelledError)
            assert all(terms == done[1] for terms in done[1:])
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(norma.standard(NEW), 0)
            assert await norma.terms(NEW) == done[1]

    asyncio.run(read())


def test_a_program_that_ends_its_client_leaves_no_thread(demo: Demo) -> None:
    before = threading.active_count()
    with Norma.from_env(demo.environ) as norma:
        norma.terms(NEW)
    assert threading.active_count() == before
