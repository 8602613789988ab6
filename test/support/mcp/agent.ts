import { afterAll } from "bun:test";
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { TestService } from "../harness.ts";

/** Agents that use the tools, by the official client on the whole app. */

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

export async function connect(
  service: TestService,
  key: string,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  clients.push(client);
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    requestInit: { headers: { Host: "localhost", Authorization: `Bearer ${key}` } },
    fetch: async (url, init) => service.app.handle(new Request(String(url), init)),
  });
  await client.connect(transport);
  return client;
}

/** The text of a tool's result, marked if it is an error. */
export async function textOf(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content;
  return `${isError === true ? "error: " : ""}${part?.type === "text" ? part.text : ""}`;
}
