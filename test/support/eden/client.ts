import { expect } from "bun:test";
import { treaty } from "@elysiajs/eden";
import type { App } from "../../../src/app.ts";
import type { TestService } from "../harness.ts";

/** An Eden Treaty client, as used by TypeScript clients: its types come from the routes. */
export function clientOf({ app }: Pick<TestService, "app">, key: string | undefined) {
  const answer = (url: string, init?: RequestInit) => app.handle(new Request(url, init));
  return treaty<App>("http://localhost", {
    // Dates stay text, as in their types.
    parseDate: false,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    fetcher: answer as typeof fetch,
  }).api.v1;
}

export type Client = ReturnType<typeof clientOf>;

/** The error statuses in the type of a call. */
export type ErrorStatus<Call extends (...input: never[]) => Promise<{ error: unknown }>> = Awaited<
  ReturnType<Call>
>["error"] extends infer Refusal
  ? Refusal extends { status: infer Status }
    ? Status
    : never
  : never;

/** Error statuses of every call. Elysia adds 422 for routes with schemas. */
export type Common = 400 | 401 | 403 | 405 | 414 | 422 | 429 | 500 | 503;
export type WithBody = Common | 408 | 413 | 415;

/** The data of a response, which must not be an error. */
export function answered<Data>({ data, error }: { data: Data | null; error: unknown }): Data {
  expect(error).toBeNull();
  return data as Data;
}
