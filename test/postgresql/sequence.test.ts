import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { nextSequence } from "../../src/organizations/repository.ts";
import { createUser } from "../../src/users/service.ts";
import { newApiKey } from "../support/factories.ts";
import { NOW, TestService } from "../support/harness.ts";
import { dropDatabase, newTestDatabaseUrl } from "../support/postgresql/databases.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { counters, expectNoLostIncrement, seeded } from "../support/practice-file/increments.ts";
import {
  changesAfter,
  exportText,
  mustImport,
  RecordMap,
} from "../support/practice-file/practice-file.ts";

/** Sequences of writes on two nodes: whoever has read up to one has missed nothing before it (practice file, Changed since). */

const url = await newTestDatabaseUrl();
const organizationId = "org_maple";
let nodes: [OpenDatabase, OpenDatabase];

beforeAll(async () => {
  nodes = [await connect(url, "existing"), await connect(url, "existing")];
  await mustImport(nodes[0], fullPractice);
});

afterAll(async () => {
  for (const node of nodes) await node.close();
  await dropDatabase(url);
});

function newTechnician(node: OpenDatabase, lastName: string) {
  const user = { firstName: "Ida", lastName, role: "TECHNICIAN" } as const;
  return node.write((trx) => createUser(trx, organizationId, user, NOW as Instant), {
    organizationId,
  });
}

test("a write whose number is lower commits before one whose number is higher, on whichever node", async () => {
  const { sequence } = await changesAfter(nodes[0], 0);
  const taken = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const first = nodes[0].write(
    async (trx) => {
      await nextSequence(trx, organizationId);
      taken.resolve();
      await mayCommit.promise;
    },
    { organizationId },
  );
  await taken.promise;
  let isWritten = false;
  const second = newTechnician(nodes[1], "Second").then(() => (isWritten = true));
  await Bun.sleep(200);
  expect(isWritten).toBe(false);
  expect((await changesAfter(nodes[1], sequence)).sequence).toBe(sequence);
  mayCommit.resolve();
  await Promise.all([first, second]);
  expect((await changesAfter(nodes[0], sequence)).sequence).toBe(sequence + 2);
});

test("a copy that is brought up to date all the time misses none of the writes of two nodes", async () => {
  const copy = new RecordMap();
  let sequence = 0;
  let isDone = false;
  const follow = async () => {
    const changes = await changesAfter(nodes[1], sequence);
    copy.apply(changes.file);
    ({ sequence } = changes);
  };
  const following = (async () => {
    while (!isDone) await follow();
  })();
  const own = { type: "organization", publicId: organizationId };
  await Promise.all(
    nodes.map(async (node, number) => {
      for (let round = 0; round < 40; round += 1) {
        const name = `${number}.${round}`;
        await Promise.all([newTechnician(node, name), newTechnician(node, `${name}.more`)]);
        if (round % 4 > 0) continue;
        await mustImport(node, [own, { type: "session", publicId: "apt_1", title: name }]);
      }
    }),
  );
  isDone = true;
  await following;
  await follow();
  copy.expectToEqual(await exportText(nodes[0], organizationId));
});

test.each(["units", "title"] as const)(
  "no increment of two writers by turns on two nodes is lost: %s",
  async (name) => {
    const key = await newApiKey(nodes[0], organizationId);
    const services = [new TestService(nodes[0]), new TestService(nodes[1])] as const;
    const options = { key, random: seeded(1), rounds: 40 };
    await expectNoLostIncrement(counters[name], services, options);
  },
);
