import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { forgetWrites } from "../../src/organizations/write-repository.ts";
import { issueKey, newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { newLead } from "../support/intake-leads/practice.ts";
import { behaviorGoal, fullPractice } from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  mustImport,
} from "../support/practice-file/practice-file.ts";

/** `GET /v1/practice-file`: `changes` says what was done with each record, and `since` begins with a day. */

const PATH = "/api/v1/practice-file";
const own: Fields = { type: "organization", publicId: "org_maple" };
/** In the zone of the practice, New York, a day begins at 4:00 (5:00 in winter). */
const IMPORTED = "2026-06-01T12:00:00.000Z";
const annex = { type: "location", publicId: "loc_new", name: "Annex" };

async function newPractice() {
  const service = await newService();
  const { database } = service;
  await mustImport(database, fullPractice, { now: IMPORTED, operator: "root" });
  const key = await newApiKey(database, "org_maple");
  /** Writes lines at a time. */
  const write = async (at: string, writer: string, lines: readonly Fields[]): Promise<void> => {
    service.clock.set(at);
    const { status, text } = await service.call(`POST ${PATH}`, {
      key: writer,
      raw: fileOf([own, ...lines]),
      headers: { "Content-Type": "application/x-ndjson" },
    });
    if (status !== 200) throw new Error(text);
  };
  const forget = (before: string) =>
    database.write((trx) => forgetWrites(trx, "org_maple", before as Instant), {
      organizationId: "org_maple",
    });
  const read = (query: string, reader = key) =>
    service.call(`GET ${PATH}?${query}`, { key: reader });
  /** What is said of each record: `CHANGED loc_1 by Ana Ruiz at …`. */
  const changesOf = async (query: string): Promise<string[]> => {
    const { status, text } = await read(`changes=true&${query}`);
    if (status !== 200) throw new Error(text);
    const [first, ...records] = text.trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).not.toHaveProperty("change");
    return records.map((line) => {
      const { publicId, change, changedAt, changedBy } = JSON.parse(line) as Fields;
      return `${change} ${publicId} by ${changedBy} at ${changedAt}`;
    });
  };
  return { service, database, key, write, forget, read, changesOf };
}

describe("changes", () => {
  test("says what was done after the sequence, and when and by whom a record was written last: a person, a key, or a command's operator", async () => {
    const { service, database, key, write, changesOf } = await newPractice();
    const user = { publicId: "usr_boss", role: "ADMIN", firstName: "Dana", lastName: "Cole" };
    await write("2026-06-02T12:00:00.000Z", key, [{ type: "user", ...user }]);
    const { key: hers } = await issueKey(database, "org_maple", {
      holder: { userId: user.publicId },
      name: "Laptop",
    });
    const location = { type: "location", publicId: "loc_new", name: "Annex" };
    await write("2026-06-03T12:00:00.000Z", hers, [location]);
    await write("2026-06-04T12:00:00.000Z", key, [{ ...location, name: "North annex" }]);
    await mustImport(database, [own, { type: "payor", publicId: "pay_new", name: "Fairwind" }], {
      now: "2026-06-05T12:00:00.000Z",
      operator: "root",
    });
    service.clock.set("2026-06-06T12:00:00.000Z");
    await service.call(`PATCH /api/v1/goals/${behaviorGoal.publicId}`, {
      key,
      json: { type: "frequency_duration", status: "MASTERED" },
    });
    await write("2026-06-07T12:00:00.000Z", hers, [
      { type: "payor", publicId: "pay_new", deleted: true },
    ]);
    const goal = `CHANGED ${behaviorGoal.publicId} by test at 2026-06-06T12:00:00.000Z`;
    const deletion = "DELETED pay_new by Dana Cole at 2026-06-07T12:00:00.000Z";
    // The location was made after 1, and changed after 3.
    expect(await changesOf("after=1")).toEqual([
      "CREATED loc_new by test at 2026-06-04T12:00:00.000Z",
      "CREATED usr_boss by test at 2026-06-02T12:00:00.000Z",
      goal,
      deletion,
    ]);
    expect(await changesOf("after=3&types=location,payor")).toEqual([
      "CHANGED loc_new by test at 2026-06-04T12:00:00.000Z",
      deletion,
    ]);
    expect((await changesOf("after=0")).find((line) => line.includes("loc_main"))).toBe(
      `CREATED loc_main by root at ${IMPORTED}`,
    );
  });

  test("a person and a lead made by the API are new, and so is a record that was deleted and made again", async () => {
    const { service, key, write, changesOf } = await newPractice();
    const location = { type: "location", publicId: "loc_new", name: "Annex" };
    await write("2026-06-02T12:00:00.000Z", key, [location]);
    await write("2026-06-02T12:00:00.000Z", key, [
      { type: "location", publicId: "loc_new", deleted: true },
    ]);
    await write("2026-06-03T12:00:00.000Z", key, [location]);
    await service.call("POST /api/v1/users", {
      key,
      json: { firstName: "Ida", lastName: "Quist", role: "PATIENT" },
    });
    await service.call("POST /api/v1/intake-leads", { key, json: newLead() });
    const lines = await changesOf("after=2&types=location,user,intakeLead");
    expect(lines.map((line) => line.replace(/ (usr|lead)_\w+/, " $1"))).toEqual([
      "CREATED loc_new by test at 2026-06-03T12:00:00.000Z",
      ...Array(3).fill("CREATED usr by test at 2026-06-03T12:00:00.000Z"),
      "CREATED lead by test at 2026-06-03T12:00:00.000Z",
    ]);
  });

  test("who wrote what is not known after 400 days, except of the last write", async () => {
    const { key, write, forget, changesOf } = await newPractice();
    await forget("2026-06-02T00:00:00.000Z");
    expect((await changesOf("after=0"))[0]).toEndWith(` by root at ${IMPORTED}`);
    await write("2026-06-03T12:00:00.000Z", key, [annex]);
    await forget("2026-06-02T00:00:00.000Z");
    expect((await changesOf("after=0"))[0]).toEndWith(" by null at null");
  });

  test("what changes nothing is not taken for the last write after 400 days", async () => {
    const { key, write, forget, changesOf } = await newPractice();
    await forget("2027-08-01T00:00:00.000Z");
    await write("2027-08-01T12:00:00.000Z", key, []);
    expect((await changesOf("after=0"))[0]).toEndWith(` by root at ${IMPORTED}`);
  });

  test("is for ADMIN alone, whatever the types", async () => {
    const { database, read } = await newPractice();
    const biller = await newApiKey(database, "org_maple", "BILLING_MANAGER");
    const types = "types=encounter";
    expect((await read(types, biller)).status).toBe(200);
    expect(await read(`${types}&changes=true`, biller)).toMatchObject({
      status: 403,
      body: { error: "Insufficient permissions for this action" },
    });
    expect((await read(`${types}&changes=false`, biller)).status).toBe(200);
  });
});

describe("since", () => {
  test("begins with the day in the practice's time zone", async () => {
    const { key, write, read } = await newPractice();
    const location = { type: "location", publicId: "loc_new", name: "Annex" };
    await write("2026-06-03T03:59:59.999Z", key, [location]);
    await write("2026-06-03T04:00:00.000Z", key, [{ ...location, name: "North annex" }]);
    const linesSince = async (day: string): Promise<number> => {
      const { status, text, headers } = await read(`since=${day}`);
      expect([status, headers.get("caseload-sequence")]).toEqual([200, "3"]);
      return text.trimEnd().split("\n").length - 1;
    };
    expect(await linesSince("2026-06-01")).toBe(fullPractice.length - 1 + 1);
    expect(await linesSince("2026-06-02")).toBe(1);
    expect(await linesSince("2026-06-03")).toBe(1);
    expect(await linesSince("2026-06-04")).toBe(0);
  });

  test("begins with any day of the last 400, also if nothing was written before it that is known", async () => {
    const { key, write, forget, read } = await newPractice();
    await write("2026-12-01T12:00:00.000Z", key, [annex]);
    await write("2026-12-02T12:00:00.000Z", key, [{ ...annex, name: "North annex" }]);
    await write("2027-07-01T12:00:00.000Z", key, [{ ...annex, name: "South annex" }]);
    const namesSince = async (day: string) => {
      const { text } = await read(`since=${day}&types=location`);
      const [, ...records] = text.trimEnd().split("\n");
      return records.map((line) => (JSON.parse(line) as Fields).name);
    };
    const expectChanges = async () => {
      expect(await namesSince("2026-11-30")).toEqual(["South annex"]);
      expect(await namesSince("2027-07-01")).toEqual(["South annex"]);
      expect(await namesSince("2027-07-02")).toEqual([]);
    };
    await expectChanges();
    // 2026-06-02 is 394 days before.
    expect(await namesSince("2026-06-02")).toEqual(["South annex"]);
    await forget("2026-06-02T00:00:00.000Z");
    await expectChanges();
    expect(await namesSince("2026-06-02")).toEqual(["South annex"]);
  });

  test("a day more than 400 days ago is a 410, except of a practice whose first write is known", async () => {
    const { service, key, write, forget, read } = await newPractice();
    const statusSince = async (day: string) => (await read(`since=${day}&types=location`)).status;
    await write("2026-07-01T12:00:00.000Z", key, [annex]);
    await write("2026-08-01T12:00:00.000Z", key, [{ ...annex, name: "North annex" }]);
    // 400 days after 2026-07-15.
    service.clock.set("2027-08-19T04:00:00.000Z");
    expect(await statusSince("2020-01-01")).toBe(200);
    await forget("2026-07-15T00:00:00.000Z");
    expect(await statusSince("2026-07-15")).toBe(200);
    expect(await read("since=2026-07-14&types=location")).toMatchObject({
      status: 410,
      body: { error: "Changes since 2026-07-14 are no longer known; export everything" },
    });
    expect(await statusSince("2020-01-01")).toBe(410);
  });

  test("a day before changes are known is a 410, and no day, or one beside after, a 400", async () => {
    const { database, read } = await newPractice();
    await database.write(
      (trx) => trx.updateTable("organizations").set({ changes_known_from: 1 }).execute(),
      { organizationId: "org_maple" },
    );
    expect(await read("since=2026-06-01")).toMatchObject({
      status: 410,
      body: { error: "Changes since 2026-06-01 are no longer known; export everything" },
    });
    const issues = async (query: string) => {
      const { status, body } = await read(query);
      return [status, (body as { validationErrors: object[] }).validationErrors];
    };
    expect(await issues("since=2026-06-31")).toMatchObject([400, [{ path: ["since"] }]]);
    expect(await issues("since=2026-06-01&after=1")).toEqual([
      400,
      [{ code: "custom", path: ["since"], message: "Stands instead of after" }],
    ]);
  });
});

describe("ids", () => {
  test("sends only the records with these ids, of the types that are named, in the order of an export", async () => {
    const { database, read } = await newPractice();
    const records = (await exportText(database, "org_maple")).trimEnd().split("\n");
    const lineOf = (id: string) => records.find((line) => line.includes(`"publicId":"${id}"`));
    const { text } = await read("ids=usr_tech,loc_main,usr_none,usr_kid");
    expect(text.trimEnd().split("\n")).toEqual(
      [records[0], ...["loc_main", "usr_kid", "usr_tech"].map(lineOf)].map(String),
    );
    const scheduler = await newApiKey(database, "org_maple", "SCHEDULING_MANAGER");
    const own = await read("ids=usr_tech,loc_main&types=user", scheduler);
    expect(own.text.trimEnd().split("\n")).toEqual([records[0], lineOf("usr_tech")].map(String));
    expect((await read("ids=usr_tech", scheduler)).status).toBe(403);
  });

  test("beside a sequence or a day, and more than 100, are a 400", async () => {
    const { read } = await newPractice();
    for (const query of ["ids=usr_1&after=1", "ids=usr_1&since=2026-06-01"])
      expect(await read(query)).toMatchObject({
        status: 400,
        body: {
          validationErrors: [
            { code: "custom", path: ["ids"], message: "Stands instead of after and since" },
          ],
        },
      });
    const ids = Array.from({ length: 101 }, (_, index) => `usr_${index}`);
    expect((await read(`ids=${ids.slice(1).join(",")}`)).status).toBe(200);
    expect((await read(`ids=${ids.join(",")}`)).status).toBe(400);
    expect((await read("ids=usr_1,,usr_2")).status).toBe(400);
  });
});
