import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/callers/roles.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, type PracticeRecord } from "../support/utilization/load-practice.ts";
import { expectedAnswer } from "../support/utilization/oracle.ts";
import { expectedOverview, type OverviewPractice } from "../support/utilization/overview-oracle.ts";
import { expectedWhatIf, type Question } from "../support/utilization/what-if-oracle.ts";

/** A case of `test/vectors/utilization`; its README describes the fields. */
interface Vector {
  name: string;
  why: string;
  now: string;
  practice: PracticeRecord[];
  role?: Role;
  request: string;
  /** The body of a POST. Without it, the request is a GET. */
  body?: Partial<Question>;
  expected: { status: number; body: object };
}

const folder = join(import.meta.dir, "../vectors/utilization");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .sort();

const common: { records: PracticeRecord[]; defaults: Record<string, object> } = await Bun.file(
  join(folder, "common.json"),
).json();

/** The cases of a file, with the records and fields that most cases share. */
async function vectorsIn(file: string): Promise<Vector[]> {
  const lines = (await Bun.file(join(folder, file)).text()).trimEnd().split("\n");
  return lines.map((line) => {
    const { practice, ...rest }: Vector = JSON.parse(line);
    const own = practice.map((record) => ({ ...common.defaults[record.type], ...record }));
    const isReplaced = ({ type, publicId }: PracticeRecord) =>
      own.some((record) => record.type === type && record["publicId"] === publicId);
    const shared = common.records.filter((record) => !isReplaced(record));
    return { ...rest, practice: [...shared, ...own].sort(organizationFirst) };
  });
}

function organizationFirst(a: PracticeRecord, b: PracticeRecord): number {
  return Number(b.type === "organization") - Number(a.type === "organization");
}

const service = await newService();

for (const file of files) {
  const vectors = await vectorsIn(file);
  describe(file, () => {
    test.each(vectors.map((vector): [string, Vector] => [vector.name, vector]))(
      "%s",
      async (name, vector) => {
        const organization = `org_${Bun.hash(`${file} ${name}`).toString(36)}`;
        await loadPractice(service.database, organization, vector.practice);
        const key = await newApiKey(service.database, organization, vector.role ?? "ADMIN");
        service.clock.set(vector.now);
        const { status, body } = vector.body
          ? await service.call(`POST /api${vector.request}`, { key, json: vector.body })
          : await service.call(`GET /api${vector.request}`, { key });
        expect(status).toBe(vector.expected.status);
        if (status === 200) expect(body).toEqual(vector.expected.body);
        else expect(body).toMatchObject(vector.expected.body);
      },
    );

    test("the expected responses equal those of the oracle", () => {
      const answered = vectors.filter(({ expected }) => expected.status === 200);
      for (const vector of answered.filter(isWalkable))
        expect(oracleAnswer(vector)).toEqual(vector.expected.body as never);
    });
  });
}

test("there are at least 60 cases, each with a unique name and a reason", async () => {
  const vectors = (await Promise.all(files.map(vectorsIn))).flat();
  expect(vectors.length).toBeGreaterThanOrEqual(60);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(vectors.filter(({ why }) => !/\.$/.test(why))).toEqual([]);
});

/** The oracle's response for the operation of the request. */
function oracleAnswer({ practice, request, body, now }: Vector): object {
  const { publicId, ...query } = requestOf(request);
  if (publicId === "authorization-utilization")
    return expectedOverview(practiceOf(practice), query, now);
  if (body === undefined) return expectedAnswer(practiceOf(practice), { publicId, ...query }, now);
  const authorizationId = new URL(request, "http://localhost").pathname.split("/").at(-2)!;
  return expectedWhatIf(practiceOf(practice), authorizationId, { add: [], cancel: [], ...body });
}

function requestOf(request: string): Parameters<typeof expectedAnswer>[1] {
  const { pathname, searchParams } = new URL(request, "http://localhost");
  return { publicId: pathname.split("/").at(-1)!, ...Object.fromEntries(searchParams) };
}

/** The oracle iterates over every day, which takes too long for an authorization without end. */
function isWalkable({ practice }: Vector): boolean {
  return practice.every((record) => record.authorizationExpirationDate !== "9999-12-31");
}

/** The records in the form that the oracle takes. */
function practiceOf(records: PracticeRecord[]): OverviewPractice {
  const of = (type: string) => records.filter((record) => record.type === type) as never[];
  return {
    organization: of("organization")[0]!,
    patients: of("user").map((user: object) => ({ isActive: true, ...user })) as never[],
    serviceLines: of("serviceLine"),
    authorizationPools: of("authorizationPool"),
    authorizations: of("authorization"),
    sessions: of("session"),
    encounters: of("encounter"),
  };
}
