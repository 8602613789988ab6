import { expect, spyOn, test } from "bun:test";
import { listKeys } from "../../src/callers/repository.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** The last use of a key is stored at most once a minute. */

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);
const { id, key } = await issueKey(database, organization);

/** Sends a request at a time and returns the last use that is stored afterwards. */
async function lastUseAfter(line: string, time: string): Promise<string | null | undefined> {
  clock.set(time);
  await service.call(line, { key });
  await database.write(async () => {}, { organizationId: organization });
  const keys = await database.read((db) => listKeys(db));
  return keys.find((row) => row.id === id)?.last_used_at;
}

test.each([
  ["the first use is stored", "GET /api/v1/users", "12:00:00.000", "12:00:00.000"],
  ["a use within a minute is not", "GET /api/v1/users", "12:00:59.999", "12:00:00.000"],
  ["a use a minute later is", "GET /api/v1/users", "12:01:00.000", "12:01:00.000"],
  ["a refused request is a use", "GET /api/v1/users?page=0", "12:05:00.000", "12:05:00.000"],
  ["a request to an unknown path is a use", "GET /api/v1/none", "12:10:00.000", "12:10:00.000"],
  ["a request with a wrong method is a use", "PUT /api/v1/users", "12:15:00.000", "12:15:00.000"],
  ["a clock that is a little slow does not", "GET /api/v1/users", "12:14:00.001", "12:15:00.000"],
  ["a use after the clock was set back is", "GET /api/v1/users", "11:00:00.000", "11:00:00.000"],
])("%s", async (_, line, time, expected) => {
  expect(await lastUseAfter(line, `2026-03-11T${time}Z`)).toBe(`2026-03-11T${expected}Z`);
});

test("while it is being stored, further requests do not store it again", async () => {
  const { key } = await issueKey(database, organization);
  const { promise: responded, resolve } = Promise.withResolvers<void>();
  const write = database.write.bind(database);
  const writing = spyOn(database, "write").mockImplementation(async (work, options) => {
    if (options.isTrailOnly !== true) await responded;
    return write(work, options);
  });
  await Promise.all(Array.from({ length: 20 }, () => service.call("GET /api/v1/none", { key })));
  resolve();
  const stored = writing.mock.calls.filter(([, { isTrailOnly }]) => isTrailOnly !== true);
  writing.mockRestore();
  expect(stored).toHaveLength(1);
});
