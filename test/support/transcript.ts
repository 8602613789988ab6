import { expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import type { NewKey } from "../../src/callers/api-keys.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import { issueKey, newOrganization } from "./factories.ts";
import { type CallOptions, newService, NOW, type TestService } from "./harness.ts";
import { fileOf, type Fields, mustImport, recordsIn } from "./practice-file/practice-file.ts";

/**
 * Conversations with the API, as one reads them. A practice is given in lines of a practice file; each step is a request
 * below /api/v1, its body if it has one, and the response: its status, and what its body has. Objects may have more
 * fields, unless they are `whole`; lists not more elements. `$name` is any value where it stands first, and the same one
 * later, in requests too; `$organization` is the practice's id, `$elsewhere` that of the other organization. Headers of
 * the response may stand at the end.
 *
 * An administrator asks, unless somebody is named: `BILLING_MANAGER: GET me`, `usr_1: GET me`, or `elsewhere: GET me`,
 * the administrator of another organization. A body that is a list is lines of a practice file; the organization's, with
 * its id, is added. So are the responses with such files. A text is sent as it is, as JSON unless a header says what it
 * is. A header stands behind the path: `POST goals Idempotency-Key: once`. `audit` in place of a request is the last row
 * of the audit trail, and a time alone sets the clock. A function alone does to the database what no request does.
 */
export type Step =
  | readonly [request: string, status: number, body?: unknown, headers?: Expected]
  | readonly [
      request: string,
      sent: object | string,
      status: number,
      body?: unknown,
      headers?: Expected,
    ]
  | readonly [time: string]
  | readonly [act: Act];

type Act = (database: Database, organizationId: string) => Promise<unknown>;

type Expected = Readonly<Record<string, string | null>>;

export interface Given {
  organization?: Parameters<typeof newOrganization>[1];
  now?: string;
  /** The records of another organization. */
  elsewhere?: readonly Fields[];
  /** What the practice's keys have besides a holder. */
  keys?: Partial<NewKey>;
}

/** Makes the tests of practices in a test file: each conversation has a practice of its own. */
export async function transcripts() {
  const service = await newService();
  return (records: readonly Fields[], given: Given = {}) =>
    (name: string, steps: readonly Step[], also: Given = {}) =>
      test(name, () => converse(service, records, steps, { ...given, ...also }));
}

async function converse(
  service: TestService,
  records: readonly Fields[],
  steps: readonly Step[],
  { organization, now = NOW, elsewhere, keys: options }: Given,
): Promise<void> {
  const { clock, database } = service;
  const here = await newPractice(database, records, organization);
  const there = elsewhere && (await newPractice(database, elsewhere));
  const keys = new Map<string, string>();
  const keyOf = async (who: string) => {
    const [organization, holder] = who === "elsewhere" ? [there, "ADMIN"] : [here, who];
    const key = keys.get(who) ?? (await newKey(database, organization!, holder, options));
    keys.set(who, key);
    return key;
  };
  const names = new Map<string, unknown>([
    ["$organization", here],
    ["$elsewhere", there],
  ]);
  clock.set(now);
  for (const step of steps) {
    if (step.length === 1) {
      const [alone] = step;
      if (typeof alone === "string") clock.set(alone);
      else await alone(database, here);
      continue;
    }
    const [line, sent, status, body, headers = {}] = parts(step);
    const ask = async () => {
      const [, who = "ADMIN", method, path, name, value] = REQUEST.exec(inLine(line, names))!;
      const key = await keyOf(who);
      const options = sentAs(sent, here, names);
      const withHeader = { ...options.headers, ...(name !== undefined && { [name]: value! }) };
      const answer = await service.call(`${method} /api/v1/${path}`, {
        ...{ key, ...options, headers: withHeader },
      });
      const isFile = answer.headers.get("Content-Type") === "application/x-ndjson";
      return isFile && method !== "HEAD" ? { ...answer, body: recordsIn(answer.text) } : answer;
    };
    const answer = line === "audit" ? await lastAudited(database, here) : await ask();
    const heard = {
      ...{ line, status: answer.status, body: answer.body },
      headers: Object.fromEntries(
        Object.keys(headers).map((name) => [name, answer.headers.get(name)]),
      ),
    };
    expect(heard).toEqual({
      ...{ line, status, body: completed(body, heard.body, names) },
      headers: completed(headers, heard.headers, names),
    } as never);
  }
}

function parts(step: Exclude<Step, readonly [unknown]>) {
  const [line, ...rest] = step;
  const all = typeof rest[0] === "number" ? [line, undefined, ...rest] : step;
  return all as [string, object | string | undefined, number, unknown, Expected?];
}

async function lastAudited(database: Database, organizationId: string) {
  const { status, ...body } = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "method", "route", "target", "status", "patient_ids"])
      .where("organization_id", "=", organizationId)
      .orderBy("sequence", "desc")
      .executeTakeFirstOrThrow(),
  );
  return { status, body, headers: new Headers() };
}

const REQUEST = /^(?:(\w+): )?(\w+) (\S+)(?: ([\w-]+): (.+))?$/;

const wholes = new WeakSet();

/** A body that has these fields and no others, at each depth. */
export function whole<Body extends object>(body: Body): Body {
  wholes.add(body);
  return body;
}

/** A request in which one parameter or field is invalid. */
export function refused(request: string, path: string, message: string, code = "custom"): Step {
  const validationErrors = [{ code, message, path: [path] }];
  return [request, 400, whole({ message: "Validation Error", statusCode: 400, validationErrors })];
}

async function newPractice(
  database: Database,
  records: readonly Fields[],
  row?: Given["organization"],
): Promise<string> {
  const publicId = await newOrganization(database, row);
  if (records.length > 0) await mustImport(database, linesOf(records, publicId));
  return publicId;
}

/** The lines of a practice's file. The organization's may be among the records, with another id. */
function linesOf(records: readonly Fields[], publicId: string): Fields[] {
  const [first, ...rest] = records;
  return first?.type === "organization"
    ? [{ ...first, publicId }, ...rest]
    : [{ type: "organization", publicId }, ...records];
}

async function newKey(database: Database, organization: string, who: string, options = {}) {
  const isRole = (roles as readonly string[]).includes(who);
  const holder = isRole ? { role: who as Role } : { userId: who };
  return (await issueKey(database, organization, { holder, ...options })).key;
}

function sentAs(
  sent: object | string | undefined,
  publicId: string,
  names: ReadonlyMap<string, unknown>,
): CallOptions {
  if (sent === undefined) return {};
  if (typeof sent === "string")
    return { raw: inLine(sent, names), headers: { "Content-Type": "application/json" } };
  const json = JSON.parse(inJson(JSON.stringify(sent), names)) as object;
  if (!Array.isArray(json)) return { json };
  const raw = fileOf(linesOf(json as Fields[], publicId));
  return { raw, headers: { "Content-Type": "application/x-ndjson" } };
}

function inLine(line: string, names: ReadonlyMap<string, unknown>): string {
  return line.replaceAll(/\$\w+/g, (name) => String(names.get(name) ?? name));
}

function inJson(json: string, names: ReadonlyMap<string, unknown>): string {
  return json.replaceAll(/"(\$\w+)"/g, (text, name: string) =>
    names.has(name) ? JSON.stringify(names.get(name)) : text,
  );
}

/** What is expected, with what is not said of it. */
function completed(
  expected: unknown,
  heard: unknown,
  names: Map<string, unknown>,
  inWhole = false,
): unknown {
  if (expected === undefined) return heard;
  if (typeof expected === "string" && expected.startsWith("$")) {
    // What is missing has no value to be named.
    if (!names.has(expected) && heard !== undefined) names.set(expected, heard);
    return names.has(expected) ? names.get(expected) : expected;
  }
  if (typeof expected !== "object" || expected === null) return expected;
  const isPlain = Array.isArray(expected) || Object.getPrototypeOf(expected) === Object.prototype;
  // A matcher of `expect`.
  if (!isPlain) return expected;
  const isWhole = inWhole || wholes.has(expected);
  const there = (heard ?? {}) as Fields;
  if (Array.isArray(expected))
    return expected.map((each, index) =>
      completed(each, (heard as unknown[] | undefined)?.[index], names, isWhole),
    );
  const said = Object.entries(expected).map(([name, value]) => [
    name,
    completed(value, there[name], names, isWhole),
  ]);
  return { ...(!isWhole && there), ...(Object.fromEntries(said) as object) };
}
