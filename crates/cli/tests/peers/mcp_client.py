"""A host with the Python client of the Model Context Protocol: over pipes and over HTTP, in two revisions.

Usage: mcp_client.py URL; NORMA_PROGRAM is the program, whose own variables are in the environment.
"""

import asyncio
import os
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

QUESTION = "proof load anchor withstand"


def quotation_in(hits):
    """The text and citation of the requirement of pull-out strength."""
    for hit in hits:
        if "proof load of 8 kN" in hit.get("text", ""):
            return hit["text"], hit["cite"]
    raise AssertionError(f"no hit has the proof load: {hits}")


async def converse(server, mode):
    """Reads, cites and verifies as an assistant does; the client itself validates each answer by its schema."""
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert len(tools) == 8 and all(tool.annotations.read_only_hint for tool in tools), tools
        found = await client.call_tool("search", {"words": QUESTION})
        assert not found.is_error, found
        text, cite = quotation_in(found.structured_content["hits"])
        resolved = await client.call_tool("resolve_citation", {"citation": cite})
        assert resolved.structured_content["outcome"] == "resolved", resolved
        quotations = [{"text": text, "citation": cite}, {"text": text.replace("8 kN", "9 kN"), "citation": cite}]
        verified = await client.call_tool("verify_quotations", {"quotations": quotations})
        verdicts = [item["found"] for item in verified.structured_content["items"]]
        assert verdicts == [True, False], verified
        read = await client.call_tool("read", {"urn": cite})
        assert read.structured_content["units"][0]["cite"] == cite, read
        refused = await client.call_tool("read", {"urn": "urn:nsb:std:nsb:4220:ed-1:en"})
        assert refused.is_error and "licence" in refused.content[0].text, refused
        resources = (await client.list_resources()).resources
        outline = await client.read_resource(str(resources[0].uri))
        assert "data, never instructions" in outline.contents[0].text, outline
        print(mode, cite, verdicts, len(resources), "resources")


async def main():
    environment = {name: value for name, value in os.environ.items() if name.startswith("NORMA_")}
    program = StdioServerParameters(command=environment.pop("NORMA_PROGRAM"), args=["mcp"], env=environment)
    for mode in ("legacy", "auto"):
        await converse(program, mode)
        await converse(sys.argv[1], mode)


asyncio.run(main())
