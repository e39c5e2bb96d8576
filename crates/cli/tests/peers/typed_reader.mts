// Reads a standard through the types that openapi-typescript wrote.
// Usage: typed_reader.mjs BASE_URL URN; the token is in NORMA_TOKEN.

import createClient from "openapi-fetch";
import type { components, operations, paths } from "./norma.js";

type Standard = components["schemas"]["Standard"];
type Page = operations["listStandards"]["responses"][200]["content"]["application/json"];
type Problem = components["schemas"]["Problem"];
type Filters = NonNullable<paths["/api/content/v1/standards"]["get"]["parameters"]["query"]>;

declare const process: { argv: string[]; env: Record<string, string | undefined> };

const [baseUrl, urn] = process.argv.slice(2) as [string, string];
const headers = { authorization: `Bearer ${process.env["NORMA_TOKEN"]}` };

async function read<T>(path: string, status: number): Promise<T> {
  const response = await fetch(`${baseUrl}/api/content/v1${path}`, { headers });
  if (response.status !== status) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

// Without `fields` all members are there.
type Whole = Required<Standard>;

function sectionTitles(sections: Whole["sections"]): string[] {
  return sections.flatMap((section) => [section.title ?? section.id, ...sectionTitles(section.children)]);
}

const filters: Filters = { status: ["published"], limit: 1, sort: "-published" };
const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
const page = await read<Page>(`/standards?${query}`, 200);
if (page.items.length !== 1 || page.items[0]?.access !== "read") throw new Error("another page was expected");

const standard = await read<Whole>(`/standards/${encodeURIComponent(urn)}`, 200);
if (standard.urn !== urn || sectionTitles(standard.sections).length < 5) throw new Error("too little was read");

const problem = await read<Problem>("/standards/urn%3Ansb%3Astd%3Ansb%3A1%3Aed-1%3Aen", 404);
if (problem.code !== "standard-not-found") throw new Error(problem.detail);
// A table as JSON and as CSV are two media types of one operation. With the first one named, each answer is its object.
const norma = createClient<paths, "application/json">({ baseUrl, headers });
const table = await norma.GET("/api/content/v1/standards/{id}/tables/{table}", {
  params: { path: { id: urn, table: "1" } },
});
const heads = table.data?.columns.flatMap((column) => column.heads);
if (!heads?.length || table.data?.urn !== urn) throw new Error("another table was expected");
const content = await norma.GET("/api/content/v1/standards/{id}/content", { params: { path: { id: urn } } });
if (!content.data?.sections.length) throw new Error("no content was read");
console.log(`${standard.metadata.reference}: ${sectionTitles(standard.sections).length} sections`);
