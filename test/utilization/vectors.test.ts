import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/access/roles.ts";
import { newApiKey } from "../factories.ts";
import { newService } from "../harness.ts";
import { loadPractice, type PracticeRecord } from "./load-practice.ts";
import { type Answer, expectedAnswer, type Practice } from "./oracle.ts";

/** A case of `test/vectors/utilization`, as its README describes it. */
interface Vector {
  name: string;
  why: string;
  now: string;
  practice: PracticeRecord[];
  role?: Role;
  request: string;
  expected: { status: number; body: object };
}

const folder = join(import.meta.dir, "../vectors/utilization");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort();

const service = await newService();

for (const file of files) {
  const vectors: Vector[] = await Bun.file(join(folder, file)).json();
  describe(file, () => {
    test.each(vectors.map((vector): [string, Vector] => [vector.name, vector]))(
      "%s",
      async (name, vector) => {
        const organization = `org_${Bun.hash(`${file} ${name}`).toString(36)}`;
        await loadPractice(service.database, organization, vector.practice);
        const key = await newApiKey(service.database, organization, vector.role ?? "ADMIN");
        service.clock.set(vector.now);
        const { status, body } = await service.call(`GET /api${vector.request}`, { key });
        expect(status).toBe(vector.expected.status);
        if (status === 200) expect(body).toEqual(vector.expected.body);
        else expect(body).toMatchObject(vector.expected.body);
      },
    );

    test("the expected answers are those of the oracle", () => {
      const answered = vectors.filter(({ expected }) => expected.status === 200);
      for (const { practice, request, now, expected } of answered.filter(isWalkable))
        expect(expectedAnswer(practiceOf(practice), requestOf(request), now)).toEqual(
          expected.body as Answer,
        );
    });
  });
}

test("there are at least 60 cases, each with a name of its own and a reason", async () => {
  const vectors: Vector[] = (
    await Promise.all(files.map((file) => Bun.file(join(folder, file)).json()))
  ).flat();
  expect(vectors.length).toBeGreaterThanOrEqual(60);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(vectors.filter(({ why }) => !/\.$/.test(why))).toEqual([]);
});

function requestOf(request: string): Parameters<typeof expectedAnswer>[1] {
  const { pathname, searchParams } = new URL(request, "http://localhost");
  return { publicId: pathname.split("/").at(-1)!, ...Object.fromEntries(searchParams) };
}

/** The oracle walks every day of an authorization, which one without end has too many of. */
function isWalkable({ practice }: Vector): boolean {
  return practice.every((record) => record.authorizationExpirationDate !== "9999-12-31");
}

/** The records as the oracle takes them. */
function practiceOf(records: PracticeRecord[]): Practice {
  const of = (type: string) => records.filter((record) => record.type === type) as never[];
  return {
    organization: of("organization")[0]!,
    patients: of("user"),
    serviceLines: of("serviceLine"),
    authorizationPools: of("authorizationPool"),
    authorizations: of("authorization"),
    sessions: of("session"),
    encounters: of("encounter"),
  };
}
