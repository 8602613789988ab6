import { expect } from "bun:test";
import fc from "fast-check";
import type { Endpoint } from "./endpoints.ts";
import type { TestService } from "./harness.ts";
import { inputsOf, UNEXPECTED_VALUES } from "./model-inputs.ts";

/**
 * Sends random requests to a read endpoint: parameters of its model with valid and malicious values, in varying number,
 * order and encoding, with valid and other keys. Every response must be in the OpenAPI document (checked by `call`),
 * and none may be a 500.
 */

interface RandomRequest {
  line: string;
  headers: Record<string, string>;
}

/** Requests sent concurrently, so that their audit rows share a commit. */
const BATCH = 100;

/** @returns the number of responses by status. */
export async function fuzz(
  service: TestService,
  endpoint: Endpoint,
  { keys, ids, count }: { keys: string[]; ids: string[]; count: number },
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const batches = fc.array(requests(endpoint, keys, ids), { minLength: BATCH, maxLength: BATCH });
  const send = async ({ line, headers }: RandomRequest): Promise<void> => {
    const { status } = await service.call(line, { headers });
    expect(status).toBeLessThan(500);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  await fc.assert(
    fc.asyncProperty(batches, (batch) => Promise.all(batch.map(send)).then(() => {})),
    { numRuns: count / BATCH },
  );
  return statuses;
}

function requests(endpoint: Endpoint, keys: string[], ids: string[]): fc.Arbitrary<RandomRequest> {
  const method = mostly(["GET"], ["HEAD", "POST", "OPTIONS", "DELETE", "PURGE"]);
  return fc
    .record({
      method,
      path: paths(endpoint, ids),
      query: queries(endpoint, ids),
      headers: headersOf(keys),
    })
    .map(({ method, path, query, headers }) => ({
      line: `${method} ${path}${query === "" ? "" : `?${query}`}`,
      headers,
    }));
}

/** Mostly one of the first values, sometimes one of the others. */
function mostly<Value>(usual: readonly Value[], odd: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

function mostlyNone(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant("") }, { weight: 1, arbitrary: texts });
}

/** The endpoint's path with values for its parameters. */
function paths({ path }: Endpoint, ids: string[]): fc.Arbitrary<string> {
  const segments = path
    .split("/")
    .map((segment) =>
      segment.startsWith("{")
        ? fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(...ids) },
            { weight: 1, arbitrary: encoded(maliciousTexts()) },
          )
        : fc.constant(segment),
    );
  return fc
    .tuple(...segments)
    .chain((parts) => mostly([parts.join("/")], [`${parts.join("/")}/`, `${parts.join("//")}`]))
    .map((joined) => `/api${joined}`);
}

function queries({ query }: Endpoint, ids: string[]): fc.Arbitrary<string> {
  const models = Object.entries(query?.properties ?? {});
  const unknown = fc.tuple(
    fc.constantFrom("", "nope", "Page", "__proto__"),
    encoded(maliciousTexts()),
  );
  const known = models.map(([name, model]) => {
    const fitting = inputsOf(model).map((value) => encodeURIComponent(asText(value)));
    const value = fc.oneof(
      { weight: 6, arbitrary: fitting },
      { weight: 3, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: encoded(maliciousTexts()) },
    );
    return fc.tuple(mostly([name], [name.toUpperCase(), encodeAll(name)]), value);
  });
  // An unknown parameter alone decides the response, so these are rare.
  const rare = { weight: 1, arbitrary: unknown };
  const usual = known.map((arbitrary) => ({ weight: 6, arbitrary }));
  const pair = fc
    .oneof(rare, ...usual)
    .chain(([name, value]) =>
      mostly([`${name}=${value}`], [name, `&${value}`, `${name}==${value}`]),
    );
  const pairs = fc.array(pair, { maxLength: 4 }).map((each) => each.join("&"));
  return known.length > 0 ? pairs : mostlyNone(pairs);
}

function headersOf(keys: string[]): fc.Arbitrary<Record<string, string>> {
  const [key = ""] = keys;
  const authorization = mostly(
    keys.map((each) => `Bearer ${each}`),
    ["", "Bearer", "Bearer x", `Basic ${key}`, `bearer  ${key}`, `Bearer ${key.slice(0, -1)}`],
  );
  // Characters that are allowed in a header.
  const texts = fc.string({ unit: fc.constantFrom(..."aZ0_.-,;:\"'{}ñ "), maxLength: 140 });
  const others = fc.record(
    {
      "X-Request-Id": texts,
      Accept: texts,
      "Content-Type": texts,
      "Idempotency-Key": texts,
      Cookie: texts,
      "X-Forwarded-For": texts,
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(authorization, others)
    .map(([Authorization, more]) => ({ Authorization, ...more }));
}

function maliciousTexts(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...UNEXPECTED_VALUES.map(asText)),
    fc.string({ unit: "binary", maxLength: 10 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  );
}

function asText(value: unknown): string {
  return (typeof value === "string" ? value : String(JSON.stringify(value))).toWellFormed();
}

/** Bytes and escapes that normal clients never send. */
const ODD_ENCODINGS = [
  "%",
  "%zz",
  "%FF",
  "%C3",
  "%ED%A0%80",
  "%00",
  "%2F",
  "%252F",
  "+",
  "%0A",
  "%E2%82",
];

/** A text in a URL: escaped not at all, in part, completely, twice, or with invalid escapes. */
function encoded(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    texts.map((text) => encodeURIComponent(text.toWellFormed())),
    texts.map(encodeAll),
    texts.map((text) => encodeURIComponent(encodeURIComponent(text.toWellFormed()))),
    fc.tuple(texts, fc.constantFrom(...ODD_ENCODINGS)).map(([text, odd]) => encodeAll(text) + odd),
  );
}

function encodeAll(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
    .join("");
}
