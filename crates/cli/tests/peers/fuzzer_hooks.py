"""What the fuzzer must be told, because no schema can say it.

Which standards and provisions there are: without that, nearly every request would end at 404. Which text is a cursor
(`cursor`, `since`): only the service knows. Which text is a URN, and which a date or an instant: the patterns leave
segments, leap years and times to the service. Which text is a selection: its ranges may not run backwards, which no regular expression can say.
How many words all values of `q` may have together: the setting `max-query-words`. Which editions can be compared: two of one
document, in a language of both. Whether `from` belongs into the query of a migration: its body says so.
So where the fuzzer means to send what is right, it takes what is there, leaves cursors out, takes a selection that
is one and a few characters of the first words; where it means to send what is wrong, it sends what it likes. Paging,
selections and the bounds of queries have tests of their own.
"""

import os

import schemathesis
from schemathesis import GenerationMode

STANDARDS = os.environ["NORMA_STANDARDS"].split(" ")
PROVISIONS = os.environ["NORMA_PROVISIONS"].split(" ")
EDITIONS = {}
for urn in STANDARDS:
    stem, _, language = urn.rsplit(":", 2)
    EDITIONS.setdefault((stem, language), []).append(urn)
PAIRS = [pair for pair in EDITIONS.values() if len(pair) > 1]
DATES = ["2016-02-29", "2026-01-31", "2026-03-31"]
SELECTIONS = ["all", "4", "4.2(1-3),!4.2(2);table:2", "a.1-B", "term:3.1;id:sec_4", "!5,!6-7", "Annex"]


def one_of(choices, made_up):
    """One of these, the same for the same text: a run can be repeated."""
    return choices[sum(map(ord, str(made_up))) % len(choices)]


@schemathesis.hook
def map_case(context, case):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return case
    query = case.query or {}
    query.pop("cursor", None)
    query.pop("since", None)
    for name in {"q", "reference"} & query.keys():
        # Of ten characters at most five are words.
        value = query[name]
        query[name] = [str(one)[:10] for one in value[:3]] if isinstance(value, list) else str(value)[:10]
    if "urn" in query:
        query["urn"] = one_of(STANDARDS, query["urn"])
    for name in {"publishedFrom", "publishedTo", "updatedSince", "withRevision", "fromRevision"} & query.keys():
        query[name] = one_of(DATES, query[name])
    path = case.path_parameters or {}
    if "selection" in path:
        path["selection"] = one_of(SELECTIONS, path["selection"])
    if "id" in path:
        path["id"] = one_of(PROVISIONS if "/provisions/{id}" in case.path else STANDARDS, path["id"])
    if case.path.endswith(("/comparison", "/migrate")):
        path["id"], other = one_of(PAIRS, path["id"])[:2]
        query.pop("language", None)
        query["with" if case.path.endswith("/comparison") else "from"] = other
        case.query = query
    if isinstance(case.body, dict) and "urn" in case.body:
        case.body["urn"] = one_of(STANDARDS, case.body["urn"])
    if isinstance(case.body, dict):
        for sent in case.body.get("quotations") or []:
            if "urn" in sent:
                sent["urn"] = one_of(STANDARDS, sent["urn"])
            if "citation" in sent:
                # A citation is in place of an id.
                sent.pop("id", None)
    return case


@schemathesis.hook
def before_call(context, case, kwargs):
    """Also for examples of the document, which `map_case` does not see: no cursor, and ids need no `from`, labels do."""
    positive = case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE
    if positive and case.query:
        case.query.pop("cursor", None)
        case.query.pop("since", None)
    if positive and case.path.endswith("/migrate") and isinstance(case.body, dict) and "ids" in case.body and case.query:
        case.query.pop("from", None)
