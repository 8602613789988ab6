import { expect, test } from "bun:test";
import { listKeys } from "../../src/access/repository.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** The last use of a key is kept, at most once a minute. */

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);
const { id, key } = await issueKey(database, organization);

/** Sends a request at a time, and says which last use is kept once what runs beside it is done. */
async function lastUseAfter(line: string, time: string): Promise<string | null | undefined> {
  clock.set(time);
  await service.call(line, { key });
  await database.write(async () => {}, { organizationId: organization });
  const keys = await database.read((db) => listKeys(db));
  return keys.find((row) => row.id === id)?.last_used_at;
}

test.each([
  ["the first use is kept", "GET /api/v1/users", "12:00:00.000", "12:00:00.000"],
  ["one within a minute of it is not", "GET /api/v1/users", "12:00:59.999", "12:00:00.000"],
  ["one a minute later is", "GET /api/v1/users", "12:01:00.000", "12:01:00.000"],
  ["a refused request is a use", "GET /api/v1/users?page=0", "12:05:00.000", "12:05:00.000"],
  ["so is one to an unknown path", "GET /api/v1/none", "12:10:00.000", "12:10:00.000"],
  ["and by a wrong method", "PUT /api/v1/users", "12:15:00.000", "12:15:00.000"],
  [
    "a clock that is set back takes nothing back",
    "GET /api/v1/users",
    "11:00:00.000",
    "12:15:00.000",
  ],
])("%s", async (_, line, time, expected) => {
  expect(await lastUseAfter(line, `2026-03-11T${time}Z`)).toBe(`2026-03-11T${expected}Z`);
});
