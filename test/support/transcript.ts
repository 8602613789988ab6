import { expect, test } from "bun:test";
import { newApiKey, newOrganization } from "./factories.ts";
import { newService, NOW } from "./harness.ts";
import { type Fields, mustImport } from "./practice-file/practice-file.ts";

/**
 * Conversations with the API, as one reads them. A practice is given in lines of a practice file; each step is a request
 * below /api/v1, its body if it has one, and the response: its status, and what its body has. Objects may have more
 * fields, lists not more elements. `$name` is any text where it stands first, and the same one later, in requests too.
 */
export type Step =
  | readonly [request: string, status: number, body?: unknown]
  | readonly [request: string, sent: object, status: number, body?: unknown];

const service = await newService();

export interface Given {
  organization?: Parameters<typeof newOrganization>[1];
  now?: string;
}

/** Makes the tests of a practice: each conversation has one of its own. */
export function practice(records: readonly Fields[], given: Given = {}) {
  return (name: string, steps: readonly Step[], also: Given = {}) =>
    test(name, async () => {
      const { organization, now = NOW } = { ...given, ...also };
      const publicId = await newOrganization(service.database, organization);
      const key = await newApiKey(service.database, publicId);
      if (records.length > 0)
        await mustImport(service.database, [{ type: "organization", publicId }, ...records]);
      const names = new Map<string, string>();
      service.clock.set(now);
      for (const [line, ...rest] of steps) {
        const [sent, status, body] = typeof rest[0] === "number" ? [undefined, ...rest] : rest;
        const [method, path] = known(line, names).split(" ", 2);
        const json = sent && (JSON.parse(known(JSON.stringify(sent), names)) as object);
        const answer = await service.call(`${method} /api/v1/${path}`, { key, json });
        const heard = { line, status: answer.status, body: answer.body };
        expect(heard).toEqual({ line, status, body: completed(body, answer.body, names) } as never);
      }
      service.clock.set(NOW);
    });
}

function known(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\w+/g, (name) => names.get(name) ?? name);
}

/** What is expected, with what is not said of it. */
function completed(expected: unknown, heard: unknown, names: Map<string, string>): unknown {
  if (expected === undefined) return heard;
  if (typeof expected === "string" && expected.startsWith("$")) {
    if (!names.has(expected)) names.set(expected, String(heard));
    return names.get(expected);
  }
  if (typeof expected !== "object" || expected === null) return expected;
  const isPlain = Array.isArray(expected) || Object.getPrototypeOf(expected) === Object.prototype;
  // A matcher of `expect`.
  if (!isPlain) return expected;
  const there = (heard ?? {}) as Fields;
  if (Array.isArray(expected))
    return expected.map((each, index) => completed(each, (heard as unknown[])?.[index], names));
  const said = Object.entries(expected).map(([name, value]) => [
    name,
    completed(value, there[name], names),
  ]);
  return { ...there, ...(Object.fromEntries(said) as object) };
}
