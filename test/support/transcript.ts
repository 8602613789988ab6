import { expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import type { NewKey } from "../../src/callers/api-keys.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import { issueKey, newOrganization } from "./factories.ts";
import { newService, NOW, type TestService } from "./harness.ts";
import { fileOf, type Fields, mustImport, recordsIn } from "./practice-file/practice-file.ts";

/**
 * Conversations with the API, as one reads them. A practice is given in lines of a practice file; each step is a request
 * below /api/v1, its body if it has one, and the response: its status, and what its body has. Objects may have more
 * fields, unless they are `whole`; lists not more elements. `$name` is any value where it stands first, and the same one
 * later, in requests too; `$organization` is the practice's id.
 *
 * An administrator asks, unless somebody is named: `BILLING_MANAGER: GET me`, `usr_1: GET me`, or `elsewhere: GET me`,
 * the administrator of another organization. A body that is a list is lines of a practice file; the organization's, with
 * its id, is added. So are the responses with such files. A text is sent as it is. `audit` in place of a request is the
 * last row of the audit trail, and a time alone sets the clock.
 */
export type Step =
  | readonly [request: string, status: number, body?: unknown]
  | readonly [request: string, sent: object | string, status: number, body?: unknown]
  | readonly [time: string];

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
  const names = new Map<string, unknown>([["$organization", here]]);
  clock.set(now);
  for (const step of steps) {
    if (step.length === 1) {
      clock.set(step[0]);
      continue;
    }
    const [line, sent, status, body] = parts(step);
    const ask = async () => {
      const [, who = "ADMIN", method, path] = REQUEST.exec(inLine(line, names))!;
      const key = await keyOf(who);
      const request = { key, ...sentAs(sent, here, names) };
      const answer = await service.call(`${method} /api/v1/${path}`, request);
      const isFile = answer.headers.get("Content-Type") === "application/x-ndjson";
      return isFile ? { ...answer, body: recordsIn(answer.text) } : answer;
    };
    const answer = line === "audit" ? await lastAudited(database, here) : await ask();
    const heard = { line, status: answer.status, body: answer.body };
    expect(heard).toEqual({ line, status, body: completed(body, answer.body, names) } as never);
  }
}

function parts(step: Exclude<Step, readonly [string]>) {
  const [line, ...rest] = step;
  return typeof rest[0] === "number"
    ? ([line, undefined, ...rest] as [string, undefined, number, unknown])
    : ([line, ...rest] as [string, object | string, number, unknown]);
}

async function lastAudited(database: Database, organizationId: string) {
  const { status, ...body } = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "route", "target", "status", "patient_ids"])
      .where("organization_id", "=", organizationId)
      .orderBy("sequence", "desc")
      .executeTakeFirstOrThrow(),
  );
  return { status, body };
}

const REQUEST = /^(?:(\w+): )?(\w+) (.*)$/;

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
  if (records.length > 0)
    await mustImport(database, [{ type: "organization", publicId }, ...records]);
  return publicId;
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
) {
  if (sent === undefined) return {};
  if (typeof sent === "string")
    return { raw: sent, headers: { "Content-Type": "application/json" } };
  const json = JSON.parse(inJson(JSON.stringify(sent), names)) as object;
  if (!Array.isArray(json)) return { json };
  const [first, ...rest] = json as Fields[];
  const isOwn = first?.type === "organization";
  const organization = { ...(isOwn && first), type: "organization", publicId };
  const raw = fileOf([organization, ...(isOwn ? rest : (json as Fields[]))]);
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
