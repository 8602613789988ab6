import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { nextSequence } from "../../src/organizations/repository.ts";
import { Doorbell } from "../../src/webhooks/doorbell.ts";
import { listWebhooks } from "../../src/webhooks/repository.ts";
import { newOrganization } from "../support/factories.ts";
import { TestClock } from "../support/harness.ts";
import { dropDatabase, newTestDatabaseUrl } from "../support/postgresql/databases.ts";
import { Receiver } from "../support/webhooks/receiver.ts";
import { addWebhook } from "../support/webhooks/webhook.ts";

/** The doorbell of two nodes, each with connections of its own to one database: one of them calls. */

const url = await newTestDatabaseUrl();
const clock = new TestClock();
const receiver = new Receiver();
let nodes: [OpenDatabase, OpenDatabase];
let organizationId: string;

beforeAll(async () => {
  nodes = [await connect(url, "existing"), await connect(url, "existing")];
  organizationId = await newOrganization(nodes[0]);
  const webhook = { database: nodes[0], clock, organizationId, url: receiver.url };
  receiver.secrets.push(await addWebhook(webhook));
});

afterAll(async () => {
  for (const node of nodes) await node.close();
  await dropDatabase(url);
});

const newDoorbell = (database: OpenDatabase) => new Doorbell({ database, clock, warn: () => {} });

function write(database: OpenDatabase): Promise<number> {
  return database.write((trx) => nextSequence(trx, organizationId), { organizationId });
}

test("a write of either node is reported once, whichever node looks first", async () => {
  const doorbells = nodes.map(newDoorbell);
  for (let round = 0; round < 20; round += 1) {
    await write(nodes[round % 2] as OpenDatabase);
    await Promise.all(doorbells.map((doorbell) => doorbell.callDue()));
    clock.advance(1_000);
  }
  expect(receiver.sequences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("a node that dies in the middle of a call is replaced by the other half a minute later", async () => {
  const called = Promise.withResolvers<void>();
  receiver.answer = () => {
    called.resolve();
    return new Promise<Response>(() => {});
  };
  await write(nodes[0]);
  void newDoorbell(nodes[0]).callDue();
  await called.promise;
  receiver.answer = () => new Response();
  const other = newDoorbell(nodes[1]);
  clock.advance(29_999);
  await other.callDue();
  expect(receiver.sequences.at(-1)).toBe(21);
  expect(receiver.received.length).toBe(21);
  clock.advance(1);
  await other.callDue();
  expect(receiver.sequences.slice(-2)).toEqual([21, 21]);
  const [webhook] = await nodes[1].read(listWebhooks);
  expect(webhook).toMatchObject({ acknowledged: 21, failures: 0 });
});
