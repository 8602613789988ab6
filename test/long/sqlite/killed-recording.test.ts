import { expect, test } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../../db/sqlite/connect.ts";
import { startServer } from "../../support/commands/program.ts";
import { newApiKey } from "../../support/factories.ts";
import { makeFile, temporaryFolder } from "../../support/harness.ts";
import { fullPractice } from "../../support/practice-file/full-practice.ts";
import { exportRecords, mustImport } from "../../support/practice-file/practice-file.ts";

/** Three phones that record on one goal, while the server is killed: each sends an entry again until it is answered. */

const KILLS = 5;
const PHONES = 3;
const ENTRIES = 60;

test("nothing that was answered is lost, and nothing is there twice, whenever the server is killed", async () => {
  const cwd = temporaryFolder();
  const path = join(cwd, "caseload.db");
  await makeFile(path);
  const made = connectFile(path, "existing");
  await mustImport(made, fullPractice);
  const key = await newApiKey(made, "org_maple");
  await made.close();

  let url = "";
  const idsOf = (phone: number) =>
    Array.from({ length: ENTRIES }, (_, index) => `rating_${phone}_${index}`);
  /** Sends the entries of a phone in order, two at a time, each until the server has answered. */
  const record = async (phone: number): Promise<string[]> => {
    const answered: string[] = [];
    const ids = idsOf(phone);
    while (answered.length < ids.length) {
      const batch = ids.slice(answered.length, answered.length + 2);
      const entries = batch.map((publicId) => {
        return { publicId, value: phone, happenedAt: "2026-02-01T10:00:00.000Z" };
      });
      const response = await fetch(`${url}/api/v1/goals/goal_rating/recorded-data`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ entries }),
      }).catch(() => undefined);
      if (response?.status === 201) answered.push(...batch);
      else await Bun.sleep(20);
    }
    return answered;
  };

  let server = await startServer([], { cwd });
  ({ url } = server);
  const phones = Promise.all(Array.from({ length: PHONES }, (_, phone) => record(phone)));
  for (let kills = 0; kills < KILLS; kills += 1) {
    await Bun.sleep(20 + 35 * kills);
    server.program.kill("SIGKILL");
    await server.program.exited;
    server = await startServer([], { cwd });
    ({ url } = server);
  }
  const answered = (await phones).flat();
  server.program.kill();
  await server.program.exited;

  const left = connectFile(path, "existing");
  const goal = (await exportRecords(left, "org_maple")).find(
    ({ publicId }) => publicId === "goal_rating",
  );
  await left.close();
  const recorded = (goal?.ratingInstances as { publicId: string }[]).map((each) => each.publicId);
  expect(answered).toHaveLength(PHONES * ENTRIES);
  expect(recorded.toSorted()).toEqual([...answered, "rating_1"].toSorted());
}, 120_000);
