import { describe, expect, spyOn, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { verifyChains } from "../../src/audit/verification.ts";
import { rotateWebhookCommand, testWebhookCommand } from "../../src/commands/webhooks.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { nextSequence } from "../../src/organizations/repository.ts";
import { Doorbell } from "../../src/webhooks/doorbell.ts";
import { listWebhooks } from "../../src/webhooks/repository.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase, NOW, TestClock } from "../support/harness.ts";
import { Receiver } from "../support/webhooks/receiver.ts";
import { addWebhook } from "../support/webhooks/webhook.ts";

/**
 * The doorbell (beyond the specification, section 8), with a real endpoint and a clock that the test controls. A test is
 * what happens, step by step.
 */

type Rig = Awaited<ReturnType<typeof newRig>>;
type Step = (rig: Rig) => unknown;

/** What happens to an organization with one webhook. */
const happens = (name: string, ...steps: Step[]) =>
  test(name, async () => {
    const rig = await newRig();
    for (const step of steps) await step(rig);
  });

async function newRig() {
  const [database, clock, receiver] = [await newDatabase(), new TestClock(), new Receiver()];
  const organizationId = await newOrganization(database);
  const secret = await addWebhook({ database, clock, organizationId, url: receiver.url });
  receiver.secrets.push(secret);
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const newDoorbell = () => new Doorbell({ database, clock, warn });
  return {
    ...{ database, clock, organizationId, receiver, secret, warnings, newDoorbell },
    ...{ operator: "root", output: { result(_: string) {}, message() {} } },
    /** The doorbell of the node that runs. */
    doorbell: newDoorbell(),
    /** The calls that have begun, and their response. */
    calling: Promise.resolve(),
    response: Promise.withResolvers<Response>(),
  };
}

const stateOf = async ({ database }: Rig) => (await database.read(listWebhooks))[0]!;

const writes =
  (writes = 1): Step =>
  async ({ database, organizationId }) => {
    for (let count = 0; count < writes; count += 1)
      await database.write((trx) => nextSequence(trx, organizationId), { organizationId });
  };

const waits =
  (milliseconds: number): Step =>
  ({ clock }) =>
    clock.advance(milliseconds);

/** The endpoint answers so from now on. */
const answers =
  (answer: number | ((request: Request, rig: Rig) => Response | Promise<Response>)): Step =>
  (rig) => {
    rig.receiver.answer = (request) =>
      typeof answer === "number" ? new Response(null, { status: answer }) : answer(request, rig);
  };

/** The calls that are due are made, with these sequences. */
const calls =
  (...sequences: number[]): Step =>
  async ({ doorbell, receiver }) => {
    const before = receiver.received.length;
    await doorbell.callDue();
    expect([receiver.sequences.slice(before), receiver.unsigned]).toEqual([sequences, 0]);
  };

/** A call begins, and has no response yet. */
const begins: Step = async (rig) => {
  const called = Promise.withResolvers<void>();
  rig.receiver.answer = () => {
    called.resolve();
    return rig.response.promise;
  };
  rig.calling = rig.doorbell.callDue();
  await called.promise;
  rig.receiver.answer = () => new Response();
};

/** From now on another node runs. */
const anotherNode: Step = (rig) => (rig.doorbell = rig.newDoorbell());

/** The operator tests the webhook. */
const tests: Step = async (rig) => {
  await testWebhookCommand(rig, (await stateOf(rig)).id);
  expect(rig.receiver.received.at(-1)?.message.type).toBe("practice.test");
};

const has =
  (state: object): Step =>
  async (rig) =>
    expect(await stateOf(rig)).toMatchObject(state);

const acknowledged = (acknowledged: number) => has({ acknowledged, failures: 0 });

const warned =
  (why: string, ...waits: number[]): Step =>
  async (rig) => {
    const { id } = await stateOf(rig);
    expect(rig.warnings).toEqual(
      waits.map((wait) => `webhook ${id} failed (${why}); will be retried in ${wait} s`),
    );
  };

describe("a write", () => {
  happens(
    "is reported once, with its sequence and without data of the practice",
    ...[calls(), writes(), calls(1), calls(), acknowledged(1)],
    ({ receiver, organizationId }) =>
      expect(receiver.received.map(({ message }) => message)).toEqual([
        { type: "practice.changed", timestamp: NOW, data: { organizationId, sequence: 1 } },
      ]),
  );

  happens(
    "within a second after a call waits for the next one, which reports all of them",
    ...[writes(), calls(1), writes(3), waits(999), calls(), waits(1), calls(4)],
  );

  happens(
    "during a call is reported by the next call",
    answers(async (_, rig) => {
      await writes()(rig);
      return new Response();
    }),
    ...[writes(), calls(1), waits(1_000), answers(200), calls(2)],
  );

  happens("before the webhook was added is not reported", writes(2), async (rig) => {
    const other = new Receiver();
    other.secrets.push(await addWebhook({ ...rig, url: other.url }));
    await calls(2)(rig);
    expect(other.sequences).toEqual([]);
  });

  happens(
    "of another organization is not reported",
    async (rig) => writes()({ ...rig, organizationId: await newOrganization(rig.database) }),
    calls(),
  );
});

describe("an endpoint", () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(65_536)) }));
  for (const answer of [200, 202, 299, endless])
    happens(
      `that answers ${typeof answer === "number" ? answer : "without an end"} has acknowledged`,
      ...[answers(answer), writes(), calls(1), acknowledged(1)],
    );

  // Bun would decompress it, and print an error of its own.
  const notCompressed = () => new Response("ok", { headers: { "Content-Encoding": "gzip" } });
  happens(
    "that says its answer is compressed, which it is not, has acknowledged",
    ...[answers(notCompressed), writes(), calls(1), acknowledged(1)],
  );

  happens(
    "of this machine is called directly, although the environment names a proxy",
    ...[answers(200), writes()],
    async (rig) => {
      process.env.HTTP_PROXY = "http://127.0.0.1:9";
      await Promise.resolve(calls(1)(rig)).finally(() => delete process.env.HTTP_PROXY);
    },
    acknowledged(1),
  );
});

describe("an endpoint that does not acknowledge", () => {
  for (const [name, answer, why] of [
    ["answers 500", 500, "status 500"],
    ["redirects", () => Response.redirect("http://127.0.0.1:9/elsewhere"), "status 302"],
  ] as const)
    happens(
      `and ${name} is called again after 5 s, then after twice as long each time`,
      ...[answers(answer), writes()],
      ...[5_000, 10_000, 20_000].flatMap((wait) => [calls(1), waits(wait - 1), calls(), waits(1)]),
      warned(why, 5, 10, 20),
      // The same message has the same id.
      ({ receiver }) => expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1),
    );

  happens(
    "and redirects is not followed",
    writes(),
    async (rig) => {
      const elsewhere = new Receiver();
      rig.receiver.answer = () => Response.redirect(elsewhere.url, 307);
      await calls(1)(rig);
      expect([elsewhere.received, elsewhere.unsigned]).toEqual([[], 0]);
    },
    has({ acknowledged: 0, failures: 1 }),
  );

  happens(
    "and hangs is given up after 15 s, then called again",
    ...[answers(() => new Promise(() => {})), writes()],
    async (rig) => {
      const soon = AbortSignal.timeout(50);
      const timeout = spyOn(AbortSignal, "timeout").mockReturnValue(soon);
      await calls(1)(rig);
      expect(timeout.mock.calls).toEqual([[15_000]]);
      timeout.mockRestore();
    },
    ...[warned("no answer in 15 s", 5), waits(5_000), answers(200), calls(1), acknowledged(1)],
  );

  happens(
    "is called every ten minutes in the end, without limit, with the latest sequence",
    ...[answers(503), writes()],
    ...Array.from({ length: 15 }, () => [calls(1), waits(600_000)]).flat(),
    ({ warnings }) => expect(warnings.at(-1)).toContain("will be retried in 600 s"),
    ...[writes(4), answers(200), calls(5), acknowledged(5)],
  );

  happens(
    "because it is down for an hour is called with the latest sequence once it is back",
    ...[({ receiver }: Rig) => receiver.goDown(), writes()],
    ...Array.from({ length: 720 }, () => [calls(), waits(5_000)]).flat(),
    ...[writes(2), has({ acknowledged: 0, failures: 12 })],
    ({ receiver, warnings }) => {
      receiver.comeBack();
      expect(warnings[0]).toMatch(/failed \(ECONNREFUSED\); will be retried in 5 s$/);
    },
    ...[waits(3_600_000), calls(3), acknowledged(3)],
  );

  happens(
    "with 410 is switched off, which is recorded in the audit trail",
    ...[answers(410), writes(), calls(1), waits(86_400_000), calls()],
    has({ is_off: 1, acknowledged: 0 }),
    async (rig) => {
      const { id } = await stateOf(rig);
      const entries = await rig.database.read((db) =>
        db
          .selectFrom("audit_entries")
          .select(["route", "operator", "target"])
          .orderBy("sequence")
          .execute(),
      );
      expect(entries).toEqual([
        { route: "webhooks add", operator: "root", target: id },
        { route: "webhooks off", operator: "caseload", target: id },
      ]);
      expect((await rig.database.read(verifyChains)).some(({ fault }) => fault)).toBe(false);
    },
  );
});

describe("a call", () => {
  happens(
    "that is due more than an hour ahead, by a clock that was wrong, is due now",
    ({ clock }) => clock.set("2031-01-01T00:00:00.000Z"),
    ...[answers(500), writes(), calls(1)],
    ({ clock }) => clock.set(NOW),
    ...[answers(200), calls(1), acknowledged(1)],
  );

  happens(
    "that is due within the hour waits",
    writes(),
    ({ database, organizationId }) => {
      const due_at = "2026-03-11T16:00:00.000Z" as Instant;
      return database.write((trx) => trx.updateTable("webhooks").set({ due_at }).execute(), {
        organizationId,
      });
    },
    calls(),
  );

  happens(
    "after a rotation is signed with both secrets for 24 hours, then with the new one",
    async (rig) => {
      const results: string[] = [];
      const output = { ...rig.output, result: (line: string) => results.push(line) };
      await rotateWebhookCommand({ ...rig, output }, (await stateOf(rig)).id);
      const [secret = ""] = results;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(secret).not.toBe(rig.secret);

      const signatures: unknown[] = [];
      rig.receiver.answer = async (request) => {
        const [id = "", seconds, signed = ""] = ["id", "timestamp", "signature"].map((name) =>
          String(request.headers.get(`webhook-${name}`)),
        );
        const [found, body] = [signed.split(" "), await request.text()];
        const isBy = (secret: string) =>
          found.includes(new Webhook(secret).sign(id, new Date(Number(seconds) * 1_000), body));
        signatures.push([found.length, isBy(secret), isBy(rig.secret)]);
        return new Response();
      };
      for (const wait of [0, 86_400_000 - 1, 1_000]) {
        rig.clock.advance(wait);
        await writes()(rig);
        await rig.doorbell.callDue();
      }
      expect(signatures).toEqual([
        [2, true, true],
        [2, true, true],
        [1, true, false],
      ]);
    },
  );

  happens("has an id without a full stop", ...[writes(), calls(1), tests], async (rig) => {
    const { id } = await stateOf(rig);
    expect(rig.receiver.received.map((received) => received.id)).toEqual([
      ...[`${id}_1`, `${id}_1_test_${rig.clock.now()}`],
    ]);
  });
});

describe("a successful test", () => {
  happens(
    "makes a call due that waits after failures",
    ...[answers(500), writes(), calls(1)],
    // One that fails does not.
    (rig) => expect(tests(rig)).rejects.toThrow(),
    ...[calls(), answers(200), tests, calls(1), acknowledged(1)],
    ({ receiver }) => expect(receiver.sequences).toEqual([1, 1, 1, 1]),
  );

  happens(
    "leaves a call alone that is being made, so that there is one at a time",
    ...[writes(), begins, tests, anotherNode, calls()],
    ({ receiver, response, calling }) => {
      expect(receiver.received).toHaveLength(2);
      response.resolve(new Response());
      return calling;
    },
  );
});

describe("no call is lost", () => {
  happens(
    "if a server stops during a call: the next one calls at once",
    ...[writes(), begins],
    async ({ doorbell, calling }) => {
      await doorbell.stop();
      await calling;
    },
    ...[anotherNode, calls(1), acknowledged(1)],
  );

  happens(
    "if a node dies during a call: another one calls half a minute later",
    ...[writes(), begins, anotherNode, waits(29_999), calls(), waits(1), calls(1)],
  );

  happens("and with two nodes only one of them calls", async (rig) => {
    const other = rig.newDoorbell();
    for (let round = 1; round <= 10; round += 1) {
      await writes()(rig);
      await Promise.all([rig.doorbell.callDue(), other.callDue()]);
      rig.clock.advance(1_000);
    }
    expect(rig.receiver.sequences).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });
});

happens(
  "the signature follows Standard Webhooks and is verified by its own library",
  ({ clock }) => clock.set(new Date().toISOString()),
  answers(async (request, { secret }) => {
    const [body, headers] = [await request.text(), Object.fromEntries(request.headers)];
    const message = { type: "practice.changed", data: { sequence: 1 } };
    expect(new Webhook(secret).verify(body, headers)).toMatchObject(message);
    return new Response();
  }),
  ...[writes(), calls(1), acknowledged(1)],
);

happens(
  "no warning contains the endpoint's address or its secret",
  ...[answers(() => new Response("whsec_oops", { status: 500 })), writes(), calls(1)],
  ({ warnings }) => {
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).not.toMatch(/127\.0\.0\.1|whsec_/);
  },
);
