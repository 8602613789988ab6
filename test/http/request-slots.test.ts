import { describe, expect, test } from "bun:test";
import { RequestSlots } from "../../src/http/request-slots.ts";

/** The expensive requests of a key run a few at a time, so that others are answered in between. */

/** Requests slots by name and reports which requests run. */
function newRequests(slots: RequestSlots) {
  const running = new Map<string, () => void>();
  const ask = (name: string, keyId = "key_1", kind: "read" | "write" = "write") =>
    slots.acquire(keyId, kind).then((release) => running.set(name, release));
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await Bun.sleep(1);
  };
  return { ask, end, running: () => [...running.keys()] };
}

describe("expensive requests of one key", () => {
  test.each([
    ["write", 2],
    ["read", 4],
  ] as const)("%s requests run %p at a time, in the order of arrival", async (kind, atOnce) => {
    const { ask, end, running } = newRequests(new RequestSlots());
    const names = ["1", "2", "3", "4", "5", "6"];
    for (const name of names) void ask(name, "key_1", kind);
    await Bun.sleep(0);
    expect(running()).toEqual(names.slice(0, atOnce));
    await end("2");
    expect(running()).toEqual(
      [...names.slice(0, atOnce), String(atOnce + 1)].filter((n) => n !== "2"),
    );
  });

  test("do not delay requests of another key or of the other kind", async () => {
    const { ask, running } = newRequests(new RequestSlots());
    for (const name of ["a", "b", "c"]) void ask(name);
    await ask("other key", "key_2");
    await ask("other kind", "key_1", "read");
    expect(running()).toEqual(["a", "b", "other key", "other kind"]);
  });

  test("wait in a queue of at most 64; beyond it they respond 429 with Retry-After: 1", async () => {
    const slots = new RequestSlots();
    const { ask, end } = newRequests(slots);
    const all = Array.from({ length: 2 + 64 }, (_, index) => ask(`${index}`));
    expect(slots.waiting("write")).toBe(64);
    const refusal = await slots.acquire("key_1", "write").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, headers: { "Retry-After": "1" } });
    for (let index = 0; index < all.length; index += 1) await end(`${index}`);
    expect((await Promise.all(all)).length).toBe(66);
    expect(slots.waiting("write")).toBe(0);
  });

  test("release their slot once, even if release is called several times", async () => {
    const slots = new RequestSlots();
    const [first] = [await slots.acquire("key_1", "write"), await slots.acquire("key_1", "write")];
    let begun = 0;
    for (let time = 0; time < 3; time += 1)
      void slots.acquire("key_1", "write").then(() => (begun += 1));
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
