"""What to do about each problem.

Generated from docs/problems.md by generate.py.
"""

# ruff: noqa: E501

REMEDIES = {
    "invalid-request": "Send exactly one header `Authorization: Bearer <access token>` and nothing after the token, and exactly one `Host`.",
    "invalid-urn": "Write `urn:<publisher>:std:<originator>:<number>:ed-<edition>:<language>`. The list of standards shows the URNs as they are.",
    "invalid-selection": "A selection is made of clause numbers (`4.2`), single provisions (`4.2(3)`), ranges (`5-7`, `4.2(3)-4.4(1)`), `annex:A`, `table:2`, `figure:1`, `term:3.2` and `id:…`, separated by commas within a kind and by semicolons between kinds; `!` excludes.",
    "invalid-parameter": "Correct the value, or leave the parameter out to get its default.",
    "unknown-parameter": "Use the name in `errors[].suggestion`, or one of `errors[].allowed`.",
    "invalid-cursor": "Take `next` from the page before as it is. A cursor carries its filters and its order: leave them out, or repeat them unchanged. To begin again, leave the cursor out.",
    "invalid-body": "Send the body that the OpenAPI document shows for this operation.",
    "not-comparable": "Name two editions of one document in one language. Editions of different documents are compared with `differentDocuments=true`.",
    "token-missing": "Request a token from your own tenant at the identity provider (client credentials, scope: this service's application ID URI and `/.default`) and send it as `Authorization: Bearer <access token>`.",
    "token-invalid": "Check that the token was requested from your own tenant, with this service's application ID URI and `/.default` as scope (not your own application's), and that your tenant is registered with the operator.",
    "token-expired": "Request a new one. Keep a token until shortly before its `exp`, and no longer.",
    "role-missing": "Add the application permission to your app registration and let an administrator of your tenant consent to it; then request a new token.",
    "caller-suspended": "Ask the operator of the service.",
    "content-not-licensed": "Ask the operator for a grant at level `read` for the URN in `detail`.",
    "asset-url-invalid": "Resolve the reference again and use the URL exactly as answered.",
    "asset-url-expired": "Resolve the reference again. Store references, never URLs.",
    "standard-not-found": "Check the URN against the list of standards. If it should be there, ask the operator for a grant.",
    "section-not-found": "Take ids and numbers from the standard's section hierarchy.",
    "table-not-found": "Take ids and numbers from the standard's tables. The text of a table without cells is in its section.",
    "selection-not-found": "Take numbers and ids from the standard's section hierarchy. When at least one item is found, the answer is 200 and `unmatched` lists the others.",
    "provision-not-found": "Take ids from a standard's provisions. An id stays the same as long as the provision's own text does.",
    "asset-not-found": "Take `assetReference` from the standard's graphics, and resolve only those with `available: true`.",
    "search-off": "List the standards and filter their provisions instead, or ask the operator to set `search = true`.",
    "not-found": "Check NORMA_BASE_URL (base_url): it is the URL of the service, without a path of an operation.",
    "method-not-allowed": "Use a method that the `Allow` header lists.",
    "not-acceptable": "Accept one of `errors[].allowed`, or leave `Accept` out.",
    "provision-replaced": "Replace the stored id by that of a successor. Where evidence has to survive such changes, store the id of the lineage.",
    "provision-gone": "Compare the editions to see what took its place; `candidates` of a removed provision are the nearest ones.",
    "standard-recalled": "Delete your copies. The operator can say which edition replaces it.",
    "precondition-failed": "Read the resource again and use its current `ETag`.",
    "body-too-large": "Send fewer references in one request; `/api/content/v1/limits` returns the limit in bytes.",
    "uri-too-long": "Ask for less at once; `/api/content/v1/limits` returns the limit in bytes.",
    "unsupported-media-type": "Send `Content-Type: application/json` and no `Content-Encoding`.",
    "comparison-too-large": "Ask the operator. Neighbouring editions of one document are compared when they are published, whatever their size allows.",
    "range-not-satisfiable": "Use the length that `Content-Range` states.",
    "headers-too-large": "Send fewer or shorter header fields; a token of usual length fits.",
    "rate-limited": "Wait as many seconds as `Retry-After` says, and send fewer at once. `/api/content/v1/limits` returns the rate.",
    "internal": "Try again later; if the problem persists, give the operator the request's id (`instance`).",
    "unavailable": "Wait as many seconds as `Retry-After` says and try again.",
    "timeout": "Try again later, or ask for less at once.",
}
