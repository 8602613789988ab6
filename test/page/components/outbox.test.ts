import { afterEach, describe, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

await useDocument();
const { browserShelf, Outbox } = await import("../../../src/page/app/lib/goals/outbox.ts");
const { Failure } = await import("../../../src/page/app/lib/base/failure.ts");
type Waiting = import("../../../src/page/app/lib/goals/outbox.ts").Waiting;
type Entry = import("../../../src/page/app/lib/goals/outbox.ts").Entry;

/** The outbox of recorded entries: nothing is lost, nothing is sent out of order, and one refusal holds up no other. */

const entry = (publicId: string): Entry => ({ publicId, outcome: "SUCCESS" });
const NO_NETWORK = () => new Failure("The server cannot be reached.");

/** A server that answers as it is told, and what it has by then. */
function world(
  answers: (Error | undefined)[] = [],
  { refused = [], removals = [] }: { refused?: string[]; removals?: Error[] } = {},
) {
  let kept: Waiting[] = [];
  const sent: string[][] = [];
  const removed: string[] = [];
  const stored = new Set<string>();
  const shelf = { read: () => kept, write: (entries: Waiting[]) => (kept = entries) };
  const newOutbox = () =>
    new Outbox(
      shelf,
      {
        async send(goalId, entries) {
          sent.push([goalId, ...entries.map(({ publicId }) => publicId)]);
          const answer = answers.shift();
          const isLost = answer?.message === "lost";
          if (answer !== undefined && !isLost) throw answer;
          if (entries.some(({ publicId }) => refused.includes(publicId)))
            throw new Failure("Must be within the last 14 days", 400);
          for (const { publicId } of entries) stored.add(publicId);
          if (isLost) throw NO_NETWORK();
          return { recorded: entries.length, status: "IN_PROGRESS", advancedFrom: null };
        },
        async remove(_, id) {
          const failure = removals.shift();
          if (failure !== undefined) throw failure;
          if (!stored.delete(id)) throw new Failure("Entry not found", 404);
          removed.push(id);
        },
      },
      { onChange() {} },
    );
  return { newOutbox, sent, removed, stored, kept: () => kept };
}

describe("what was recorded", () => {
  test("is kept before it is sent, and goes when the server has it, in order and goal by goal", async () => {
    const { newOutbox, sent, stored, kept } = world();
    const outbox = newOutbox();
    outbox.add("goal_a", entry("rec_1"));
    outbox.add("goal_b", entry("rec_2"));
    outbox.add("goal_a", entry("rec_3"));
    expect(kept().map(({ entry: { publicId } }) => publicId)).toEqual(["rec_1", "rec_2", "rec_3"]);
    await outbox.sendAll();
    expect(sent).toEqual([
      ["goal_a", "rec_1", "rec_3"],
      ["goal_b", "rec_2"],
    ]);
    expect([kept(), [...stored]]).toEqual([[], ["rec_1", "rec_3", "rec_2"]]);
    outbox.close();
  });

  test.each([
    ["no network", NO_NETWORK()],
    ["an answer that is lost", new Error("lost")],
    ["a server that is busy", new Failure("Too many requests", 429)],
    ["a server that fails", new Failure("Internal error", 500)],
    ["a sign-in that has ended", new Failure("Invalid API key", 401)],
  ])("is kept after %s, over a reload, and is there once", async (_, answer) => {
    const { newOutbox, stored, kept } = world([answer]);
    const first = newOutbox();
    first.add("goal_a", entry("rec_1"));
    await first.sendAll();
    expect(kept().length).toBe(1);
    // The page is reloaded.
    first.close();
    const second = newOutbox();
    await second.sendAll();
    expect([kept(), [...stored]]).toEqual([[], ["rec_1"]]);
    second.close();
  });

  test("that is refused is set apart with the reason, and the rest goes on", async () => {
    const { newOutbox, stored } = world([], { refused: ["rec_2"] });
    const outbox = newOutbox();
    for (const id of ["rec_1", "rec_2", "rec_3"]) outbox.add("goal_a", entry(id));
    outbox.add("goal_b", entry("rec_4"));
    await outbox.sendAll();
    expect([...stored]).toEqual(["rec_1", "rec_3", "rec_4"]);
    expect([outbox.unsent, outbox.refused]).toEqual([
      [],
      [
        {
          ...{ goalId: "goal_a", entry: entry("rec_2") },
          refused: "Must be within the last 14 days",
        },
      ],
    ]);
    outbox.forgetRefused();
    expect(outbox.refused).toEqual([]);
    outbox.close();
  });

  test("that is refused with others waits like these, if the network goes meanwhile", async () => {
    const { newOutbox, sent, kept } = world([new Failure("Invalid", 400), NO_NETWORK()]);
    const outbox = newOutbox();
    for (const id of ["rec_1", "rec_2", "rec_3"]) outbox.add("goal_a", entry(id));
    await outbox.sendAll();
    expect(sent).toEqual([
      ["goal_a", "rec_1", "rec_2", "rec_3"],
      ["goal_a", "rec_1"],
    ]);
    expect([kept().length, outbox.refused]).toEqual([3, []]);
    outbox.close();
  });

  test("is taken back: unsent out of what is kept, sent out of what is recorded", async () => {
    const { newOutbox, sent, removed, stored, kept } = world();
    const outbox = newOutbox();
    outbox.add("goal_a", entry("rec_1"));
    outbox.add("goal_a", entry("rec_3"));
    outbox.undo("goal_a", entry("rec_3"));
    await Bun.sleep(10);
    // The next tap may take back the other one.
    expect(sent).toEqual([]);
    outbox.undo("goal_a", entry("rec_1"));
    expect([kept(), removed]).toEqual([[], []]);
    outbox.add("goal_a", entry("rec_2"));
    const sending = outbox.sendAll();
    // While it is on its way, its answer is waited for.
    outbox.undo("goal_a", entry("rec_2"));
    await sending;
    expect([kept(), removed, [...stored]]).toEqual([[], ["rec_2"], []]);
    outbox.close();
  });

  test.each([
    ["its answer was lost", [new Error("lost")], []],
    ["it never arrived", [NO_NETWORK()], []],
    ["there is no network", [], [NO_NETWORK()]],
  ])("is taken back over a reload, though %s", async (_, answers, removals) => {
    const { newOutbox, stored, kept } = world(answers, { removals });
    const first = newOutbox();
    first.add("goal_a", entry("rec_1"));
    await first.sendAll();
    first.undo("goal_a", entry("rec_1"));
    await first.sendAll();
    first.close();
    const second = newOutbox();
    await second.sendAll();
    expect([kept(), [...stored]]).toEqual([[], []]);
    second.close();
  });

  test("is taken back, though another tab has sent it", async () => {
    const { newOutbox, stored, kept } = world();
    const first = newOutbox();
    first.add("goal_a", entry("rec_1"));
    const second = newOutbox();
    await second.sendAll();
    expect([...stored]).toEqual(["rec_1"]);
    first.undo("goal_a", entry("rec_1"));
    await first.sendAll();
    expect([kept(), [...stored]]).toEqual([[], []]);
    first.close();
    second.close();
  });

  test("is not removed where that is refused, and says so", async () => {
    const { newOutbox, stored } = world([], { removals: [new Failure("Access denied", 403)] });
    const outbox = newOutbox();
    outbox.add("goal_a", entry("rec_1"));
    await outbox.sendAll();
    outbox.undo("goal_a", entry("rec_1"));
    await outbox.sendAll();
    const [{ refused } = {}] = outbox.refused;
    expect([[...stored], outbox.unsent, refused]).toEqual([["rec_1"], [], "Access denied"]);
    outbox.close();
  });
});

describe("a browser whose storage is full", () => {
  const waiting = (id: string): Waiting => ({ goalId: "goal_a", entry: entry(id) });
  const ids = (entries: Waiting[]): string[] => entries.map(({ entry: { publicId } }) => publicId);
  /** A store that takes no list that is longer than `longest`, once it is set. */
  function storage() {
    const texts = new Map<string, string>();
    const store = {
      longest: Infinity,
      getItem: (key: string) => texts.get(key) ?? null,
      setItem(key: string, value: string): void {
        if (value.length > store.longest) throw new DOMException("full", "QuotaExceededError");
        texts.set(key, value);
      },
    };
    Object.assign(globalThis, { localStorage: store });
    return store;
  }
  const original = globalThis.localStorage;
  afterEach(() => void Object.assign(globalThis, { localStorage: original }));

  test("loses no entry, and says so", () => {
    const store = storage();
    let said = 0;
    const shelf = browserShelf("outbox", () => (said += 1));
    shelf.write([waiting("rec_1"), waiting("rec_2")]);
    store.longest = JSON.stringify(shelf.read()).length;
    shelf.write([...shelf.read(), waiting("rec_3")]);
    expect([ids(shelf.read()), said]).toEqual([["rec_1", "rec_2", "rec_3"], 1]);
    // Another tab, and this one reloaded, have what is stored.
    expect(ids(browserShelf("outbox", () => {}).read())).toEqual(["rec_1", "rec_2"]);
    // A refusal makes an entry longer: it must not stay as if it were to be sent.
    shelf.write(shelf.read().map((each) => ({ ...each, refused: "Must be of the last 14 days" })));
    expect(shelf.read().every(({ refused }) => refused !== undefined)).toBe(true);
    shelf.write([waiting("rec_3")]);
    expect(ids(browserShelf("outbox", () => {}).read())).toEqual(["rec_3"]);
  });

  test("sends what it cannot store once", async () => {
    storage().longest = 2;
    const sent: string[] = [];
    const outbox = new Outbox(
      browserShelf("outbox", () => {}),
      {
        async send(_, entries) {
          sent.push(...entries.map(({ publicId }) => publicId));
          return { recorded: entries.length, status: "IN_PROGRESS", advancedFrom: null };
        },
        remove: () => Promise.resolve(),
      },
      { onChange() {} },
    );
    outbox.add("goal_a", entry("rec_1"));
    outbox.add("goal_a", entry("rec_2"));
    await outbox.sendAll();
    expect([sent, outbox.unsent]).toEqual([["rec_1", "rec_2"], []]);
    outbox.close();
  });
});
