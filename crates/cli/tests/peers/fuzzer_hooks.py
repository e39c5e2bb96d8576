"""What the fuzzer must be told, because no schema can say it.

Which standards and provisions there are: without that, nearly every request would end at 404. Which text is a cursor:
only the service knows. Which text is a selection: its ranges may not run backwards, which no regular expression can say.
So where the fuzzer means to send what is right, it takes what is there, leaves the cursor out and takes a selection that
is one; where it means to send what is wrong, it sends what it likes. Paging and selections have tests of their own.
"""

import os

import schemathesis
from schemathesis import GenerationMode

STANDARDS = os.environ["NORMA_STANDARDS"].split(" ")
PROVISIONS = os.environ["NORMA_PROVISIONS"].split(" ")
SELECTIONS = ["all", "4", "4.2(1-3),!4.2(2);table:2", "a.1-B", "term:3.1;id:sec_4", "!5,!6-7", "Annex"]


def one_of(choices, made_up):
    """One of these, the same for the same text: a run can be repeated."""
    return choices[sum(map(ord, str(made_up))) % len(choices)]


@schemathesis.hook
def map_case(context, case):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return case
    (case.query or {}).pop("cursor", None)
    path = case.path_parameters or {}
    if "selection" in path:
        path["selection"] = one_of(SELECTIONS, path["selection"])
    if "id" in path:
        path["id"] = one_of(PROVISIONS if "/provisions/{id}" in case.path else STANDARDS, path["id"])
    return case
