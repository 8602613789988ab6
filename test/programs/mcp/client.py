"""Asks the tools for agents with the official client in Python: client.py URL KEY."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(url: str, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                tools = (await session.list_tools()).tools
                result = await session.call_tool("find_person", {"search": "MRN-000012"})
                refused = await session.call_tool("delivered", {"month": "2026-13"})
                print(json.dumps([
                    sorted(tool.name for tool in tools),
                    json.loads(result.content[0].text),
                    refused.content[0].text,
                ]))


asyncio.run(main(*sys.argv[1:]))
