import { expect } from "bun:test";
import fc from "fast-check";
import type { TestService } from "./harness.ts";
import { inputsOf, UNEXPECTED_VALUES } from "./model-inputs.ts";
import { filled, type Ids, type Operation } from "./operations.ts";

/**
 * Sends random requests to an operation: parameters and bodies of its models with valid and malicious values, parameters
 * in varying number, order and encoding, with valid and other keys. Every response must be in the OpenAPI document
 * (checked by `call`), and none may be a 500.
 */

interface RandomRequest {
  line: string;
  headers: Record<string, string>;
  raw?: string;
}

interface Practice {
  keys: string[];
  ids: Ids;
}

/** Requests sent concurrently, so that their audit rows and writes share a commit. */
const BATCH = 100;

/** @returns the number of responses by status. */
export async function fuzz(
  service: TestService,
  operation: Operation,
  { count, ...practice }: Practice & { count: number },
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const one = requests(operation, practice);
  const send = async ({ line, ...sent }: RandomRequest): Promise<void> => {
    const { status } = await service.call(line, sent);
    expect(status).toBeLessThan(500);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: BATCH, maxLength: BATCH }), (batch) =>
      Promise.all(batch.map(send)).then(() => {}),
    ),
    { numRuns: count / BATCH, endOnFailure: true },
  );
  return statuses;
}

function requests(operation: Operation, { keys, ids }: Practice): fc.Arbitrary<RandomRequest> {
  const others = ["HEAD", "OPTIONS", "PUT", "PURGE"];
  const texts = ["patient", "clinician", "authorization", "session", "goal", "plan", "lead"];
  const known = [...texts.map(ids), "usr_client_other", "goal_none"];
  return fc
    .record({
      method: mostly([operation.method], others),
      path: paths(operation, ids),
      query: queries(operation, known),
      headers: headersOf(keys),
      body: bodies(operation, ids),
    })
    .map(({ method, path, query, headers, body }) => {
      const line = `${method} ${path}${query === "" ? "" : `?${query}`}`;
      if (body === undefined || method !== operation.method) return { line, headers };
      return { line, headers: { ...headers, "Content-Type": "application/json" }, raw: body };
    });
}

/** A body by the operation's model, mostly with the values of the declared example, so that it is valid. */
function bodies({ body, example }: Operation, ids: Ids): fc.Arbitrary<string | undefined> {
  if (body === undefined) return fc.constant(undefined);
  return fc
    .tuple(inputsOf(body), fc.constantFrom("changed", "changed", "example", "random"))
    .map(([random, kind]) => {
      const valid = filled(example, ids).json;
      const mixed =
        kind === "example"
          ? { ...(random as object), ...valid }
          : { ...valid, ...(random as object) };
      return String(JSON.stringify(kind === "random" ? random : mixed));
    });
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

/** The operation's path with ids of records, of others, and other texts. */
function paths({ example, path }: Operation, ids: Ids): fc.Arbitrary<string> {
  const own = filled(example, ids).line.split(/[ ?]/)[1]!.split("/").slice(1);
  const segments = path
    .split("/")
    .map((segment, index) =>
      segment.startsWith("{")
        ? fc.oneof(
            { weight: 6, arbitrary: fc.constant(own[index] ?? "") },
            { weight: 3, arbitrary: fc.constantFrom("goal_none", `${own[index]}_other`) },
            { weight: 1, arbitrary: encoded(maliciousTexts()) },
          )
        : fc.constant(segment),
    );
  return fc
    .tuple(...segments)
    .chain((parts) => mostly([parts.join("/")], [`${parts.join("/")}/`, `${parts.join("//")}`]))
    .map((joined) => `/api${joined}`);
}

function queries({ query }: Operation, ids: string[]): fc.Arbitrary<string> {
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
