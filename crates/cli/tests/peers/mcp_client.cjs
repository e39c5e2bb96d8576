// A host with the Node client of the Model Context Protocol, over pipes and over HTTP.
// Usage: mcp_client.cjs URL; NORMA_PROGRAM is the program, whose own variables are in the environment.

const assert = require("node:assert");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

async function converse(transport) {
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(transport);
  // From here on the client validates structures by the schemas of the list.
  const { tools } = await client.listTools();
  assert.equal(tools.length, 8);
  assert(tools.every((tool) => tool.annotations.readOnlyHint && tool.outputSchema));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call("search", { words: "proof load anchor withstand" });
  const hit = found.structuredContent.hits.find((one) => (one.text ?? "").includes("proof load of 8 kN"));
  const resolved = await call("resolve_citation", { citation: hit.cite });
  assert.equal(resolved.structuredContent.outcome, "resolved");
  const wrong = hit.text.replace("shall withstand", "should withstand");
  const quotations = [hit.text, wrong].map((text) => ({ text, citation: hit.cite }));
  const verified = await call("verify_quotations", { quotations });
  assert.deepEqual(verified.structuredContent.items.map((item) => item.found), [true, false]);
  for (const [name, args] of [
    ["find_standards", { words: "bicycle" }],
    ["outline", { urn: "NSB 4210:2025" }],
    ["read", { urn: "NSB 4210:2025", table: "1" }],
    ["provision", { provision: hit.cite }],
    ["compare", { older: "NSB 4210:2019", newer: "NSB 4210:2025", section: "6.1" }],
  ]) {
    const answer = await call(name, args);
    assert(!answer.isError, JSON.stringify(answer));
    assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
  }
  await client.close();
  console.log(hit.cite, verified.structuredContent.items.map((item) => item.verdict).join(" "));
}

async function main() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("NORMA_")));
  const command = env.NORMA_PROGRAM;
  delete env.NORMA_PROGRAM;
  await converse(new StdioClientTransport({ command, args: ["mcp"], env }));
  await converse(new StreamableHTTPClientTransport(new URL(process.argv[2])));
}

main();
