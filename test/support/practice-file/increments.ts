import { expect } from "bun:test";
import type { TestService } from "../harness.ts";
import { fileOf, type Fields } from "./practice-file.ts";

/** Writers who read a number, and write the next one only if nobody has changed the record meanwhile. */

interface Counter {
  read(service: TestService, key: string): Promise<{ number: number; sequence: number }>;
  write(service: TestService, key: string, number: number, since: number): Promise<number>;
}

const sequenceIn = (headers: Headers) => Number(headers.get("caseload-sequence"));

/** The units of an encounter, whose list has no sequence of its own. */
const units: Counter = {
  async read(service, key) {
    const { headers } = await service.call("GET /api/v1/me", { key });
    const { body } = await service.call("GET /api/v1/encounters?sessionId=apt_1", { key });
    const { data } = body as { data: [{ units: number }] };
    return { number: data[0].units, sequence: sequenceIn(headers) };
  },
  async write(service, key, number, since) {
    const file: Fields[] = [
      { type: "organization", publicId: "org_maple" },
      { type: "encounter", publicId: "enc_1", units: number },
    ];
    const { status } = await service.call(`POST /api/v1/practice-file?unchangedSince=${since}`, {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf(file),
    });
    return status;
  },
};

/** The title of a goal. */
const title: Counter = {
  async read(service, key) {
    const { headers, body } = await service.call("GET /api/v1/goals/goal_rating", { key });
    const number = Number((body as { title: string }).title);
    return { number: Number.isNaN(number) ? 0 : number, sequence: sequenceIn(headers) };
  },
  async write(service, key, number, since) {
    const { status } = await service.call(
      `PATCH /api/v1/goals/goal_rating?unchangedSince=${since}`,
      { key, json: { title: String(number) } },
    );
    return status;
  },
};

export const counters = { units, title };

/**
 * Two writers on services of the full practice, at once and by random turns. Fails unless the number has grown by the
 * accepted writes.
 */
export async function expectNoLostIncrement(
  counter: Counter,
  services: readonly [TestService, TestService],
  { key, random, rounds }: { key: string; random: () => number; rounds: number },
): Promise<void> {
  const before = (await counter.read(services[0], key)).number;
  const statuses: number[] = [];
  const pause = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1)
      await new Promise((resume) => setImmediate(resume));
  };
  await Promise.all(
    services.map(async (service) => {
      for (let round = 0; round < rounds; round += 1) {
        const { number, sequence } = await counter.read(service, key);
        await pause();
        statuses.push(await counter.write(service, key, number + 1, sequence));
        await pause();
      }
    }),
  );
  const count = (status: number) => statuses.filter((one) => one === status).length;
  expect(count(200) + count(412)).toBe(2 * rounds);
  expect(count(200)).toBeGreaterThan(0);
  expect(count(412)).toBeGreaterThan(0);
  expect((await counter.read(services[1], key)).number).toBe(before + count(200));
}

/** Numbers between 0 and 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
