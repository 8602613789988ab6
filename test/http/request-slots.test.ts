import { describe, expect, test } from "bun:test";
import { RequestSlots } from "../../src/http/limits/request-slots.ts";

/** Of each kind, one expensive request runs at a time, and keys have turns. */

type Kind = "read" | "write";

/** Requests slots by name and reports which requests run, and in which order they have begun. */
function newRequests(slots: RequestSlots) {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const controllers = new Map<string, AbortController>();
  const ask = async (name: string, keyId = "key_1", kind: Kind = "write", maxWait?: number) => {
    const controller = new AbortController();
    controllers.set(name, controller);
    const { signal } = controller;
    const request = new Request("http://localhost/", { signal });
    const release = await slots.acquire(keyId, kind, request, maxWait);
    running.set(name, release);
    begun.push(name);
  };
  /** `ask` by a request that may still wait at the end. */
  const begin = (...args: Parameters<typeof ask>): void => void ask(...args).catch(() => {});
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await Bun.sleep(0);
  };
  const leave = (name: string) => controllers.get(name)?.abort();
  return { ask, begin, end, leave, begun, running: () => [...running.keys()] };
}

describe("expensive requests", () => {
  test.each(["write", "read"] as const)(
    "of a key run one at a time (%s), in the order of arrival",
    async (kind) => {
      const { begin, end, begun, running } = newRequests(new RequestSlots());
      for (const name of ["1", "2", "3"]) begin(name, "key_1", kind);
      await Bun.sleep(0);
      expect(running()).toEqual(["1"]);
      await end("1");
      expect(running()).toEqual(["2"]);
      await end("2");
      expect([begun, running()]).toEqual([["1", "2", "3"], ["3"]]);
    },
  );

  test("have turns by key: who asks once waits for one request of each other key", async () => {
    const { begin, end, begun, running } = newRequests(new RequestSlots());
    for (const name of ["a1", "a2", "a3"]) begin(name, "a");
    for (const name of ["b1", "b2"]) begin(name, "b");
    begin("c1", "c");
    await Bun.sleep(0);
    while (running().length > 0) await end(running()[0] ?? "");
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  test("of one kind do not delay those of the other", async () => {
    const { ask, begin, running } = newRequests(new RequestSlots());
    begin("write");
    await ask("read", "key_1", "read");
    expect(running()).toEqual(["write", "read"]);
  });

  test("of a key wait in a queue of at most 64; beyond it they respond 429 with Retry-After: 1", async () => {
    const slots = new RequestSlots();
    const { ask, begin, end } = newRequests(slots);
    const all = Array.from({ length: 1 + 64 }, (_, index) => ask(`${index}`));
    expect(slots.waiting("write")).toBe(64);
    const refusal = await ask("more").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, headers: { "Retry-After": "1" } });
    begin("of another key", "key_2");
    expect(slots.waiting("write")).toBe(65);
    for (let index = 0; index < all.length; index += 1) {
      await end(`${index}`);
      await end("of another key");
    }
    expect((await Promise.all(all)).length).toBe(65);
    expect(slots.waiting("write")).toBe(0);
  });

  test("that wait too long respond 503 with Retry-After, and wait no more", async () => {
    const slots = new RequestSlots();
    const { ask, end, running } = newRequests(slots);
    await ask("1");
    const waiting = ask("2", "key_1", "write", 20);
    const behind = ask("3");
    const error: unknown = await waiting.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      ...{ status: 503, message: "Service temporarily unavailable" },
      headers: { "retry-after": "1" },
    });
    expect(slots.waiting("write")).toBe(1);
    await end("1");
    await behind;
    expect(running()).toEqual(["3"]);
  });

  test("whose clients disconnect wait no more", async () => {
    const slots = new RequestSlots();
    const { ask, end, leave, running } = newRequests(slots);
    await ask("1");
    const waiting = ask("2");
    leave("2");
    expect(await waiting.catch((error: unknown) => error)).toMatchObject({ status: 499 });
    expect(slots.waiting("write")).toBe(0);
    await end("1");
    await ask("3");
    expect(running()).toEqual(["3"]);
  });

  test("release their slot once, even if release is called several times", async () => {
    const slots = new RequestSlots();
    const request = new Request("http://localhost/");
    const first = await slots.acquire("key_1", "write", request);
    let begun = 0;
    for (let time = 0; time < 3; time += 1)
      slots.acquire("key_1", "write", request).then(
        () => (begun += 1),
        () => {},
      );
    first();
    first();
    await Bun.sleep(1);
    expect([begun, slots.waiting("write")]).toEqual([1, 2]);
  });
});

describe("exports", () => {
  const tooMany = expect.objectContaining({ status: 429, headers: { "Retry-After": "10" } });

  test("run two at a time per organization, and four in total", () => {
    const slots = new RequestSlots();
    const end = slots.acquireExport("org_a");
    slots.acquireExport("org_a");
    expect(() => slots.acquireExport("org_a")).toThrow(tooMany);
    slots.acquireExport("org_b");
    slots.acquireExport("org_c");
    expect(() => slots.acquireExport("org_d")).toThrow(tooMany);
    end();
    end();
    slots.acquireExport("org_d");
    expect(() => slots.acquireExport("org_a")).toThrow(tooMany);
  });
});

describe("responses in files that wait to be read", () => {
  const tooMany = expect.objectContaining({ status: 429, headers: { "Retry-After": "1" } });

  test("are four of a key, and sixteen in total", () => {
    const slots = new RequestSlots();
    const ends = Array.from({ length: 4 }, () => slots.acquireAnswer("key_a", 1));
    expect(() => slots.acquireAnswer("key_a", 1)).toThrow(tooMany);
    for (const key of ["key_b", "key_c", "key_d"])
      for (let count = 0; count < 4; count += 1) slots.acquireAnswer(key, 1);
    expect(() => slots.acquireAnswer("key_e", 1)).toThrow(tooMany);
    ends[0]!();
    ends[0]!();
    slots.acquireAnswer("key_e", 1);
    expect(() => slots.acquireAnswer("key_a", 1)).toThrow(tooMany);
  });

  test("have 512 MiB in all", () => {
    const slots = new RequestSlots();
    const end = slots.acquireAnswer("key_a", 500 * 2 ** 20);
    slots.acquireAnswer("key_b", 12 * 2 ** 20);
    expect(slots.answerBytes).toBe(0);
    end();
    expect(slots.answerBytes).toBe(500 * 2 ** 20);
  });
});
