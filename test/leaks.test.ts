import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectFile } from "../db/sqlite/connect.ts";
import { migrate } from "../db/migrate.ts";
import type { Instant } from "../src/lib/instant.ts";
import { runInProcess } from "./support/commands/program.ts";
import { newPracticeFile } from "./programs/durability/practice.ts";
import { startServerProcess } from "./programs/durability/server.ts";
import { newApiKey, newGoal, newOrganization, newTreatmentPlan } from "./support/factories.ts";
import { step } from "./support/goals/bodies.ts";
import { type Answer, NOW, temporaryFolder, TestService } from "./support/harness.ts";
import { newLead } from "./support/intake-leads/practice.ts";

/**
 * Places without personal data: the database file after a deletion, the audit trail, and the log
 * and errors of a real server. The harness searches logs, errors and metrics of all other tests.
 */

/** All bytes of a database as text. */
function bytesOf(path: string): string {
  return ["", "-wal"].map((suffix) => readFileSync(path + suffix, "latin1")).join();
}

describe("deleted or replaced data", () => {
  test("is in no byte of the database after its log was emptied", async () => {
    const path = join(temporaryFolder(), "caseload.db");
    const database = connectFile(path, "create");
    await migrate(database, NOW as Instant);
    const service = new TestService(database);
    const organization = await newOrganization(database);
    const key = await newApiKey(database, organization);
    const treatmentPlanId = await newTreatmentPlan(database, organization);
    const send = async (line: string, json?: object, retryKey?: string): Promise<Answer> => {
      const headers = retryKey === undefined ? {} : { "Idempotency-Key": retryKey };
      const answer = await service.call(line, { key, headers, ...(json && { json }) });
      expect(answer.status).toBeLessThan(300);
      return answer;
    };

    // Texts shorter than a page, and longer ones, which are stored in pages of their own.
    const canary = (kind: string, number: number) =>
      `Canary ${kind} ${number}. `.repeat([1, 40, 350][number % 3] ?? 1);
    const goals: string[] = [];
    const body = (number: number) => ({
      type: "opportunity",
      treatmentPlanId,
      skillAcquisitionGoalType: "CHAINED_GOAL",
      goalStatement: canary("statement", number),
      instructions: canary("instructions", number),
      enabledOutcomes: ["SUCCESS"],
      baselineMetric: { value: 1, unit: "PERCENTAGE" },
      successMetric: { value: 2, unit: "PERCENTAGE" },
      maintenanceMetric: { value: 3, unit: "PERCENTAGE" },
      childGoals: [step(canary("child", number))],
    });
    for (let number = 0; number < 60; number += 1) {
      const created = await send("POST /api/v1/goals", body(number), `retry-${number}`);
      goals.push((created.body as { publicId: string }).publicId);
    }
    const importedGoals = await newGoal(database, organization, {
      goalType: "frequency_duration",
      definition: canary("definition", 1),
    });
    expect(bytesOf(path)).toContain("Canary statement");

    for (const [number, goal] of goals.entries())
      if (number % 2 === 0)
        await send(`PATCH /api/v1/goals/${goal}`, {
          goalStatement: "Short.",
          instructions: "Short.",
          childGoals: [],
        });
    for (const goal of [...goals.toReversed(), importedGoals])
      await send(`DELETE /api/v1/goals/${goal}`);
    expect(database.file?.emptyLog()).toBe(true);
    expect(bytesOf(path)).not.toContain("Canary");

    // A retry still gets the first response and creates nothing.
    const retried = await send("POST /api/v1/goals", body(1), "retry-1");
    expect(retried.headers.get("Idempotency-Replayed")).toBe("true");
    expect(retried.body).toMatchObject({ goalStatement: canary("statement", 1) });
    expect(bytesOf(path)).not.toContain("Canary");
    await database.close();
  });

  test("stays in the log while another process reads, and is removed later", async () => {
    const path = join(temporaryFolder(), "caseload.db");
    const database = connectFile(path, "create");
    await migrate(database, NOW as Instant);
    await newOrganization(database);
    const reader = connectFile(path, "existing");
    let whileReading: boolean | undefined;
    await reader.read(async (db) => {
      await db.selectFrom("organizations").selectAll().execute();
      whileReading = database.file?.emptyLog();
    });
    // Reads of one turn of the event loop share a snapshot, which is held until its end.
    await new Promise((resolve) => setImmediate(resolve));
    expect([whileReading, database.file?.emptyLog()]).toEqual([false, true]);
    expect(Bun.file(`${path}-wal`).size).toBe(0);
    await reader.close();
    await database.close();
  });
});

describe("the audit trail", () => {
  test("contains field values only in queries", async () => {
    const path = join(temporaryFolder(), "caseload.db");
    const database = connectFile(path, "create");
    await migrate(database, NOW as Instant);
    const service = new TestService(database);
    const organization = await newOrganization(database);
    const key = await newApiKey(database, organization);
    const lead = newLead({ firstName: "Trailed", address: "1 Trailed Row" });
    await service.call("POST /api/v1/intake-leads", { key, json: lead });
    await service.call("GET /api/v1/users?search=Trailed&email=trailed@canary.example", { key });
    await service.call("GET /api/v1/Trailed", { key });
    const rows = await database.read((db) =>
      db.selectFrom("audit_entries").selectAll().orderBy("sequence").execute(),
    );
    await database.close();
    expect(rows).toHaveLength(3);
    expect(rows.map(({ target }) => target)).toEqual([
      "/api/v1/intake-leads",
      "/api/v1/users?search=Trailed&email=trailed@canary.example",
      "/api/v1/Trailed",
    ]);
    const rest = rows.map((row) => ({ ...row, target: null }));
    expect(JSON.stringify(rest).toLowerCase()).not.toContain("trailed");
  });
});

describe("a real server", () => {
  test("has no personal data in its log, metrics and errors", async () => {
    const folder = temporaryFolder();
    const practice = await newPracticeFile(join(folder, "caseload.db"));
    const { process: server, url, log } = await startServerProcess(practice.path);
    const authorization = { Authorization: `Bearer ${practice.key}` };
    const said: string[] = [];
    const request = async (line: string, body?: string, headers: object = authorization) => {
      const [method = "", path = ""] = line.split(" ");
      const response = await fetch(url + path, {
        method,
        headers: { "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      if (response.status >= 400) said.push(text, JSON.stringify(response.headers));
      return response.status;
    };
    const lead = JSON.stringify({
      client: { firstName: "Canary", lastName: "Canary", birthdate: "2019-04-02" },
      caregiver: {
        firstName: "Canary",
        lastName: "Canary",
        relationship: "MOTHER",
        email: "canary@canary.example",
        phone: "+14155550123",
      },
    });
    const valid = lead.replace("+14155550123", "+14155552671");
    const statuses = [
      await request("POST /api/v1/intake-leads", valid),
      await request("POST /api/v1/intake-leads", valid),
      await request("POST /api/v1/intake-leads", lead),
      await request("POST /api/v1/users", '{"firstName":"Canary","lastName":["Canary"]}'),
      await request("POST /api/v1/users", '{"firstName":"Canary"'),
      await request("POST /api/v1/goals", '{"type":"Canary","goalStatement":"Canary"}'),
      await request("GET /api/v1/users?search=Canary&email=canary@canary.example&page=0"),
      await request("GET /api/v1/users?search=Canary"),
      await request("GET /api/v1/sessions/Canary"),
      await request("GET /api/v1/Canary"),
      await request("GET /Canary"),
      await request("GET /api/v1/users", undefined, { Authorization: "Bearer caseload_canary" }),
      await request("GET /api/v1/users", undefined, { Authorization: "Canary canary" }),
    ];
    expect(statuses).toEqual([201, 409, 400, 400, 400, 400, 400, 200, 404, 404, 404, 401, 401]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('route="/v1/intake-leads",status="201"');
    server.kill();
    expect(await server.exited).toBe(0);
    const logged = readFileSync(log, "utf8");
    const ofRequests = logged.split("\n").filter((line) => line.includes('"message":"request"'));
    expect(ofRequests).toHaveLength(statuses.length + 1);
    for (const text of [metrics, logged, ...said]) {
      expect(text.toLowerCase()).not.toContain("canary");
      expect(text).not.toContain(practice.key);
      expect(text).not.toContain("4155550123");
    }
    const audit = await runInProcess(["audit", "list", "--json"], { cwd: folder });
    expect(audit.status).toBe(0);
    const rows = audit.stdout.trim().split("\n");
    for (const row of rows)
      expect(JSON.stringify({ ...JSON.parse(row), target: null }).toLowerCase()).not.toContain(
        "canary",
      );
  });
});
