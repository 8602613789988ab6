import { expect } from "bun:test";
import { treaty } from "@elysiajs/eden";
import type { App } from "../../../src/app.ts";
import type { TestService } from "../harness.ts";

/** A client of the API as somebody who writes TypeScript has it: its types are those of the routes. */
export function clientOf({ app }: Pick<TestService, "app">, key: string | undefined) {
  const answer = (url: string, init?: RequestInit) => app.handle(new Request(url, init));
  return treaty<App>("http://localhost", {
    // Texts stay texts, as their types say.
    parseDate: false,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    fetcher: answer as typeof fetch,
  }).api.v1;
}

export type Client = ReturnType<typeof clientOf>;

/** The statuses of the refusals that a call's type knows. */
export type Refused<Call extends (...input: never[]) => Promise<{ error: unknown }>> = Awaited<
  ReturnType<Call>
>["error"] extends infer Refusal
  ? Refusal extends { status: infer Status }
    ? Status
    : never
  : never;

/** What every call may be refused with; 422 is Elysia's own addition to whatever has a schema. */
export type Common = 400 | 401 | 403 | 405 | 414 | 422 | 429 | 500 | 503;
export type WithBody = Common | 413 | 415;

/** What a call answered, which must be no refusal. */
export function answered<Data>({ data, error }: { data: Data | null; error: unknown }): Data {
  expect(error).toBeNull();
  return data as Data;
}
