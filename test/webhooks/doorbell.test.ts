import { describe, expect, spyOn, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { Database } from "../../db/database.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { rotateWebhookCommand, testWebhookCommand } from "../../src/commands/webhooks.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { nextSequence } from "../../src/organizations/repository.ts";
import { Doorbell } from "../../src/webhooks/doorbell.ts";
import { listWebhooks } from "../../src/webhooks/repository.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase, TestClock } from "../support/harness.ts";
import { Receiver } from "../support/webhooks/receiver.ts";
import { addWebhook } from "../support/webhooks/webhook.ts";

/**
 * The doorbell (beyond the specification, section 8), with a real endpoint and a clock that the
 * test controls.
 */

interface Rig {
  database: Database;
  clock: TestClock;
  organizationId: string;
  receiver: Receiver;
  secret: string;
  warnings: string[];
  newDoorbell(): Doorbell;
}

/** An organization with one webhook, and a doorbell that calls only when the test says so. */
async function newRig(): Promise<Rig> {
  const database = await newDatabase();
  const clock = new TestClock();
  const organizationId = await newOrganization(database);
  const receiver = new Receiver();
  const secret = await addWebhook({ database, clock, organizationId, url: receiver.url });
  receiver.secrets.push(secret);
  const warnings: string[] = [];
  const newDoorbell = () =>
    new Doorbell({ database, clock, warn: (message) => warnings.push(message) });
  return { database, clock, organizationId, receiver, secret, warnings, newDoorbell };
}

async function write({ database, organizationId }: Rig, writes = 1): Promise<void> {
  for (let count = 0; count < writes; count += 1)
    await database.write((trx) => nextSequence(trx, organizationId), { organizationId });
}

async function stateOf({ database }: Rig) {
  const [webhook] = await database.read(listWebhooks);
  return webhook;
}

describe("a write", () => {
  test("is reported once, with its sequence and without data of the practice", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    await doorbell.callDue();
    expect(rig.receiver.received).toEqual([]);
    await write(rig);
    await doorbell.callDue();
    await doorbell.callDue();
    expect(rig.receiver.received.map(({ message }) => message)).toEqual([
      {
        type: "practice.changed",
        timestamp: "2026-03-11T15:00:00.000Z",
        data: { organizationId: rig.organizationId, sequence: 1 },
      },
    ]);
    expect(rig.receiver.unsigned).toBe(0);
    expect((await stateOf(rig))?.acknowledged).toBe(1);
  });

  test("within a second after a call waits for the next one, which reports all of them", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    await write(rig);
    await doorbell.callDue();
    await write(rig, 3);
    rig.clock.advance(999);
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([1]);
    rig.clock.advance(1);
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([1, 4]);
  });

  test("during a call is reported by the next call", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    await write(rig);
    rig.receiver.answer = async () => {
      await write(rig);
      return new Response();
    };
    await doorbell.callDue();
    rig.clock.advance(1_000);
    rig.receiver.answer = () => new Response();
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([1, 2]);
  });

  test("before the webhook was added is not reported", async () => {
    const rig = await newRig();
    await write(rig, 2);
    const other = new Receiver();
    other.secrets.push(await addWebhook({ ...rig, url: other.url }));
    await rig.newDoorbell().callDue();
    expect([rig.receiver.sequences, other.sequences]).toEqual([[2], []]);
  });

  test("of another organization is not reported", async () => {
    const rig = await newRig();
    const other = await newOrganization(rig.database);
    await write({ ...rig, organizationId: other });
    await rig.newDoorbell().callDue();
    expect(rig.receiver.received).toEqual([]);
  });
});

describe("an endpoint", () => {
  test.each([200, 202, 299])("that answers %i has acknowledged", async (status) => {
    const rig = await newRig();
    rig.receiver.answer = () => new Response(null, { status });
    await write(rig);
    await rig.newDoorbell().callDue();
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });

  test("whose answer does not end has acknowledged by its status", async () => {
    const rig = await newRig();
    rig.receiver.answer = () =>
      new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(65_536)) }));
    await write(rig);
    await rig.newDoorbell().callDue();
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });
});

describe("an endpoint that does not acknowledge", () => {
  test.each([
    ["answers 500", () => new Response(null, { status: 500 }), "status 500"],
    ["redirects", () => Response.redirect("http://127.0.0.1:9/elsewhere"), "status 302"],
  ])(
    "and %s is called again after 5 s, then after twice as long each time",
    async (_, answer, why) => {
      const rig = await newRig();
      const doorbell = rig.newDoorbell();
      rig.receiver.answer = answer;
      await write(rig);
      for (const wait of [5_000, 10_000, 20_000]) {
        await doorbell.callDue();
        rig.clock.advance(wait - 1);
        const calls = rig.receiver.received.length;
        await doorbell.callDue();
        expect(rig.receiver.received.length).toBe(calls);
        rig.clock.advance(1);
      }
      const { id } = (await stateOf(rig)) ?? {};
      expect(rig.warnings).toEqual(
        [5, 10, 20].map((wait) => `webhook ${id} failed (${why}); will be retried in ${wait} s`),
      );
      // The same message has the same id.
      expect(new Set(rig.receiver.received.map((received) => received.id)).size).toBe(1);
    },
  );

  test("and redirects is not followed", async () => {
    const rig = await newRig();
    const elsewhere = new Receiver();
    rig.receiver.answer = () => Response.redirect(elsewhere.url, 307);
    await write(rig);
    await rig.newDoorbell().callDue();
    expect([elsewhere.received, elsewhere.unsigned]).toEqual([[], 0]);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 0, failures: 1 });
  });

  test("and hangs is given up after 15 s, then called again", async () => {
    const rig = await newRig();
    const soon = AbortSignal.timeout(50);
    const timeout = spyOn(AbortSignal, "timeout").mockReturnValue(soon);
    rig.receiver.answer = () => new Promise<Response>(() => {});
    await write(rig);
    await rig.newDoorbell().callDue();
    expect(timeout.mock.calls).toEqual([[15_000]]);
    timeout.mockRestore();
    expect(rig.warnings[0]).toMatch(/failed \(no answer in 15 s\); will be retried in 5 s$/);
    rig.clock.advance(5_000);
    rig.receiver.answer = () => new Response();
    await rig.newDoorbell().callDue();
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });

  test("is called every ten minutes in the end, without limit, with the latest sequence", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    rig.receiver.answer = () => new Response(null, { status: 503 });
    await write(rig);
    for (let call = 0; call < 15; call += 1) {
      await doorbell.callDue();
      rig.clock.advance(600_000);
    }
    expect(rig.receiver.received.length).toBe(15);
    expect(rig.warnings.at(-1)).toContain("will be retried in 600 s");
    await write(rig, 4);
    rig.receiver.answer = () => new Response();
    await doorbell.callDue();
    expect(rig.receiver.sequences.at(-1)).toBe(5);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 5, failures: 0 });
  });

  test("because it is down for an hour is called with the latest sequence once it is back", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    await rig.receiver.goDown();
    await write(rig);
    for (let seconds = 0; seconds < 3_600; seconds += 5) {
      await doorbell.callDue();
      rig.clock.advance(5_000);
    }
    await write(rig, 2);
    rig.receiver.comeBack();
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 0, failures: 12 });
    expect(rig.warnings[0]).toMatch(/failed \(ECONNREFUSED\); will be retried in 5 s$/);
    rig.clock.advance(3_600_000);
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([3]);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 3, failures: 0 });
  });

  test("with 410 is switched off, which is recorded in the audit trail", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    rig.receiver.answer = () => new Response(null, { status: 410 });
    await write(rig);
    await doorbell.callDue();
    rig.clock.advance(86_400_000);
    await doorbell.callDue();
    expect(rig.receiver.received.length).toBe(1);
    expect(await stateOf(rig)).toMatchObject({ is_off: 1, acknowledged: 0 });
    const entries = await rig.database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["route", "operator", "target"])
        .orderBy("sequence")
        .execute(),
    );
    const { id = "" } = (await stateOf(rig)) ?? {};
    expect(entries).toEqual([
      { route: "webhooks add", operator: "root", target: id },
      { route: "webhooks off", operator: "caseload", target: id },
    ]);
    expect((await rig.database.read(verifyChains)).some(({ fault }) => fault)).toBe(false);
  });
});

describe("a call", () => {
  test("that is due more than an hour ahead, by a clock that was wrong, is due now", async () => {
    const rig = await newRig();
    rig.clock.set("2031-01-01T00:00:00.000Z");
    rig.receiver.answer = () => new Response(null, { status: 500 });
    await write(rig);
    await rig.newDoorbell().callDue();
    rig.clock.set("2026-03-11T15:00:00.000Z");
    rig.receiver.answer = () => new Response();
    await rig.newDoorbell().callDue();
    expect(rig.receiver.sequences).toEqual([1, 1]);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });

  test("that is due within the hour waits", async () => {
    const rig = await newRig();
    await write(rig);
    const { organizationId } = rig;
    const due_at = "2026-03-11T16:00:00.000Z" as Instant;
    await rig.database.write((trx) => trx.updateTable("webhooks").set({ due_at }).execute(), {
      organizationId,
    });
    await rig.newDoorbell().callDue();
    expect(rig.receiver.received).toEqual([]);
  });

  test("after a rotation is signed with both secrets for 24 hours, then with the new one", async () => {
    const rig = await newRig();
    const { id = "" } = (await stateOf(rig)) ?? {};
    const results: string[] = [];
    const output = { result: (line: string) => results.push(line), message() {} };
    await rotateWebhookCommand({ ...rig, operator: "root", output }, id);
    const [secret = ""] = results;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(rig.secret);

    const signatures: string[][] = [];
    const signedWith: boolean[][] = [];
    rig.receiver.answer = async (request) => {
      const header = request.headers.get("webhook-signature") ?? "";
      signatures.push(header.split(" "));
      const [id = "", seconds] = ["webhook-id", "webhook-timestamp"].map(
        (name) => request.headers.get(name) ?? "",
      );
      const body = await request.text();
      const signedAt = new Date(Number(seconds) * 1_000);
      signedWith.push(
        [secret, rig.secret].map((each) =>
          header.split(" ").includes(new Webhook(each).sign(id, signedAt, body)),
        ),
      );
      return new Response();
    };
    const day = 86_400_000;
    for (const wait of [0, day - 1, 1_000]) {
      rig.clock.advance(wait);
      await write(rig);
      await rig.newDoorbell().callDue();
    }
    expect(signatures.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(signedWith).toEqual([
      [true, true],
      [true, true],
      [true, false],
    ]);
  });

  test("has an id without a full stop", async () => {
    const rig = await newRig();
    const ids: unknown[] = [];
    rig.receiver.answer = (request) => {
      ids.push(request.headers.get("webhook-id"));
      return new Response();
    };
    await write(rig);
    await rig.newDoorbell().callDue();
    const { id = "" } = (await stateOf(rig)) ?? {};
    await testWebhookCommand(
      { ...rig, operator: "root", output: { result() {}, message() {} } },
      id,
    );
    expect(ids).toEqual([`${id}_1`, `${id}_1_test_${rig.clock.now()}`]);
  });
});

describe("a successful test", () => {
  test("makes a call due that waits after failures", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    rig.receiver.answer = () => new Response(null, { status: 500 });
    await write(rig);
    await doorbell.callDue();
    const { id = "" } = (await stateOf(rig)) ?? {};
    const context = { ...rig, operator: "root", output: { result() {}, message() {} } };
    await testWebhookCommand(context, id).catch(() => {});
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([1, 1]);
    rig.receiver.answer = () => new Response();
    await testWebhookCommand(context, id);
    await doorbell.callDue();
    expect(rig.receiver.sequences).toEqual([1, 1, 1, 1]);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });

  test("leaves a call alone that is being made, so that there is one at a time", async () => {
    const rig = await newRig();
    const context = { ...rig, operator: "root", output: { result() {}, message() {} } };
    const called = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Response>();
    rig.receiver.answer = () => {
      called.resolve();
      return response.promise;
    };
    await write(rig);
    const calling = rig.newDoorbell().callDue();
    await called.promise;
    rig.receiver.answer = () => new Response();
    await testWebhookCommand(context, (await stateOf(rig))?.id ?? "");
    await rig.newDoorbell().callDue();
    expect(rig.receiver.received.map(({ message }) => message.type)).toEqual([
      "practice.changed",
      "practice.test",
    ]);
    response.resolve(new Response());
    await calling;
  });
});

describe("no call is lost", () => {
  test("if a server stops during a call: the next one calls at once", async () => {
    const rig = await newRig();
    const doorbell = rig.newDoorbell();
    const called = Promise.withResolvers<void>();
    rig.receiver.answer = () => {
      called.resolve();
      return new Promise<Response>(() => {});
    };
    await write(rig);
    const calling = doorbell.callDue();
    await called.promise;
    await doorbell.stop();
    await calling;
    rig.receiver.answer = () => new Response();
    await rig.newDoorbell().callDue();
    expect(rig.receiver.sequences).toEqual([1, 1]);
    expect(await stateOf(rig)).toMatchObject({ acknowledged: 1, failures: 0 });
  });

  test("if a node dies during a call: another one calls half a minute later", async () => {
    const rig = await newRig();
    const called = Promise.withResolvers<void>();
    rig.receiver.answer = () => {
      called.resolve();
      return new Promise<Response>(() => {});
    };
    await write(rig);
    void rig.newDoorbell().callDue();
    await called.promise;
    rig.receiver.answer = () => new Response();
    const other = rig.newDoorbell();
    rig.clock.advance(29_999);
    await other.callDue();
    expect(rig.receiver.received.length).toBe(1);
    rig.clock.advance(1);
    await other.callDue();
    expect(rig.receiver.sequences).toEqual([1, 1]);
  });

  test("and with two nodes only one of them calls", async () => {
    const rig = await newRig();
    const [one, other] = [rig.newDoorbell(), rig.newDoorbell()];
    for (let round = 1; round <= 10; round += 1) {
      await write(rig);
      await Promise.all([one.callDue(), other.callDue()]);
      rig.clock.advance(1_000);
    }
    expect(rig.receiver.sequences).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });
});

test("the signature follows Standard Webhooks and is verified by its own library", async () => {
  const rig = await newRig();
  let verified: unknown;
  rig.clock.set(new Date().toISOString());
  rig.receiver.answer = async (request) => {
    const headers = Object.fromEntries(request.headers);
    verified = new Webhook(rig.secret).verify(await request.text(), headers);
    return new Response();
  };
  await write(rig);
  await rig.newDoorbell().callDue();
  expect(verified).toMatchObject({ type: "practice.changed", data: { sequence: 1 } });
});

test("no warning contains the endpoint's address or its secret", async () => {
  const rig = await newRig();
  rig.receiver.answer = () => new Response("whsec_oops", { status: 500 });
  await write(rig);
  await rig.newDoorbell().callDue();
  expect(rig.warnings.length).toBe(1);
  expect(rig.warnings.join()).not.toContain("127.0.0.1");
  expect(rig.warnings.join()).not.toContain("whsec_");
});
