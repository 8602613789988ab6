import { describe, expect, test } from "bun:test";
import type { Role } from "../../src/callers/roles.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { CsvUpload } from "../../src/practice-file/csv/upload.ts";
import { newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import { fullPractice, databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import { exportText, mustImport, recordOf } from "../support/practice-file/practice-file.ts";

/** `POST /v1/practice-file?type=session` with `text/csv`: one file of CSV, of the key's organization. */

const TODAY = "2026-03-11" as CalendarDate;
const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };

async function setUp(role: Role = "ADMIN") {
  const service = new TestService(await databaseOfFullPractice());
  const key = await newApiKey(service.database, "org_maple", role);
  const post = (query: string, csv: string | Uint8Array, contentType = "text/csv") =>
    service.call(`POST /api/v1/practice-file${query}`, {
      ...{ key, headers: { "Content-Type": contentType } },
      raw: csv as string,
    });
  const issuesOf = async (query: string, csv: string | Uint8Array) => {
    const { status, body } = await post(query, csv);
    const { validationErrors } = body as { validationErrors: { path: unknown; message: string }[] };
    return [status, ...validationErrors.map(({ path, message }) => [path, message])];
  };
  return { service, database: service.database, post, issuesOf };
}

test("a heading is told cut, however long it is", async () => {
  const { issuesOf } = await setUp();
  const heading = "x".repeat(7 * 1024 * 1024);
  expect(await issuesOf("?type=location", `\n\n${heading}`)).toEqual([
    400,
    [[3, `${"x".repeat(200)}…`], "is no field of a record of type location"],
  ]);
});

test("the delimiter is that of the first row that is not blank, wherever it begins", async () => {
  const { post } = await setUp();
  const blank = "\n".repeat(40_000);
  for (const csv of [`${blank}publicId;name\nloc_1;Nord`, `sep=;\npublicId;name\nloc_1;Nord`]) {
    const { status, body } = await post("?type=location&dryRun=true", csv);
    expect([status, (body as { counts: unknown }).counts]).toEqual([
      200,
      { organization: 1, location: 1 },
    ]);
  }
});

test("imports the rows, in the practice's time, and says what it did with each record", async () => {
  const { database, post } = await setUp();
  const csv =
    "publicId,status,startTime,endTime,deleted\n" +
    "apt_1,No show,10/1/26 3:30 PM,10/1/2026 5:30 PM,\n\napt_4,,,,yes\n";
  const bodies: Record<string, unknown>[] = [];
  for (const more of ["&dryRun=true&changes=true", ""]) {
    const { body } = await post(`?type=session${more}`, csv, "Text/CSV; charset=utf-8");
    bodies.push(body as Record<string, unknown>);
  }
  const [dry, done] = bodies;
  expect(dry).toMatchObject({
    dryRun: true,
    counts: { organization: 1, session: 2 },
    changes: { session: { ...none, changed: 1, deleted: 1, missing: 2 } },
    records: [
      {
        ...{ line: 2, type: "session", publicId: "apt_1" },
        change: "CHANGED",
        fields: ["status", "startTime", "endTime"],
      },
      { ...{ line: 4, type: "session", publicId: "apt_4" }, change: "DELETED", fields: [] },
    ],
    recordsTotal: 2,
  });
  expect((dry?.notes as string[])[0]).toBe("1 year has two digits, read as 2026");
  expect(done).not.toHaveProperty("records");
  expect(await recordOf(database, "apt_1")).toMatchObject({
    status: "PATIENT_NO_SHOW",
    startTime: "2026-10-01T19:30:00.000Z",
  });
  expect(await recordOf(database, "apt_4")).toBeUndefined();
});

test("refuses rows with their row and column", async () => {
  const { database, issuesOf } = await setUp();
  const before = await exportText(database, "org_maple");
  expect(
    await issuesOf(
      "?type=session",
      "sep=;\npublicId;date;start;end;technicianId\napt_1;10/32/26;9:30;9:00;usr_tech\napt_2;10/1/26;9:30;9:00;usr_none\napt_3;10/1/26;9:30;9:00;;;x\n",
    ),
  ).toEqual([
    400,
    [
      [3, "date"],
      "session apt_1: date: must be a date that exists, such as 2026-10-01 or 10/1/2026",
    ],
    [[4, "end"], "session apt_2: end: is before startTime"],
    [[5], "has more cells than the header"],
  ]);
  expect(
    await issuesOf(
      "?type=intakeLead",
      "publicId,attribution.utm_source,labelIds,clientId\nlead_1,x,label_none;label_none2,usr_kid\n",
    ),
  ).toEqual([
    400,
    [
      [2, "labelIds"],
      "intakeLead lead_1: labelIds[0]: is no intakeLabel of the file or the database",
    ],
    [
      [2, "labelIds"],
      "intakeLead lead_1: labelIds[1]: is no intakeLabel of the file or the database",
    ],
  ]);
  expect(await exportText(database, "org_maple")).toBe(before);
});

test("refuses what is no table, and each column that is no field", async () => {
  const { issuesOf } = await setUp();
  expect(await issuesOf("?type=session", "Client Name,publicId,,publicId\nA,b,c,d\n")).toEqual([
    400,
    [[1, "Client Name"], "is no field of a record of type session"],
    [[1, ""], "is no field of a record of type session"],
    [[1, "publicId"], "occurs twice in the header"],
  ]);
  expect(await issuesOf("?type=session", "publicId,start,end\n")).toEqual([
    400,
    ...["start", "end"].map((heading) => [
      [1, heading],
      "stands only with all of date, start and end, without startTime and endTime",
    ]),
  ]);
  expect(await issuesOf("?type=session", 'publicId,title\napt_1,"a\n')).toEqual([
    400,
    [[2], "cannot be read as CSV: a quotation mark is not closed"],
  ]);
  expect(
    await issuesOf("?type=session", Buffer.from("publicId,title\nl,M\xe9\n", "latin1")),
  ).toEqual([400, [[2], 'is not valid UTF-8; save it as "CSV UTF-8"']]);
  expect(await issuesOf("?type=session", "")).toEqual([400, [[], "has no header"]]);
});

test("needs a type, which a practice file cannot have", async () => {
  const { post } = await setUp();
  const issueOf = async (query: string, contentType?: string) => {
    const { status, body } = await post(query, "publicId\n", contentType);
    const { validationErrors = [] } = body as { validationErrors?: object[] };
    return [status, ...validationErrors];
  };
  for (const query of ["", "?type=sessions", "?type="])
    expect(await issueOf(query)).toEqual([
      400,
      expect.objectContaining({ code: "invalid_enum_value", path: ["type"] }),
    ]);
  expect(await issueOf("?type=session", "application/x-ndjson")).toEqual([
    400,
    { code: "custom", message: "Belongs to text/csv alone", path: ["type"] },
  ]);
  expect(await issueOf("?changes=yes&type=session")).toEqual([
    400,
    expect.objectContaining({ code: "invalid_enum_value", path: ["changes"] }),
  ]);
});

test("changes the organization by a file of its type, and no other organization", async () => {
  const { database, post } = await setUp();
  const rows = (id: string) => `publicId,name\n${id},Maple 2\n`;
  expect((await post("?type=organization", rows("org_maple"))).status).toBe(200);
  expect(await recordOf(database, "org_maple")).toMatchObject({ name: "Maple 2" });
  expect(await post("?type=organization", rows("org_other"))).toMatchObject({
    status: 403,
    body: { error: "Access denied" },
  });
});

test("hostile files are refused at once, in responses of usual size", async () => {
  const { issuesOf } = await setUp();
  const header = Array.from({ length: 16_000 }, (_, index) => `h${index}`).join(",");
  const [status, ...issues] = await issuesOf("?type=session", `${header}\n`);
  expect([status, issues.length]).toEqual([400, 100]);
  expect(await issuesOf("?type=session", `publicId\n${",".repeat(20_000)}\n`)).toEqual([
    ...[400, [[], "has too many columns"]],
  ]);
  const time = `a 1:${" ".repeat(200_000)}x`;
  const rows = `publicId,startTime,title\napt_1,"${time}","__proto__"\n`;
  expect(await issuesOf("?type=session", rows)).toEqual([
    ...[400, [[2, "startTime"], expect.stringContaining("must be a time")]],
  ]);
  const nested = `publicId,childGoals\ngoal_hands,${"[".repeat(1_000_000)}\n`;
  expect(await issuesOf("?type=goal", nested)).toEqual([
    ...[400, [[2, "childGoals"], "goal goal_hands: childGoals: must be a list"]],
  ]);
  expect(await issuesOf("?type=session", "__proto__,constructor,publicId\nx,y,apt_1\n")).toEqual([
    400,
    ...["__proto__", "constructor"].map((heading) => [
      [1, heading],
      "is no field of a record of type session",
    ]),
  ]);
  const upload = { type: "location", organizationId: "org_maple", zone: undefined } as const;
  const reading = new CsvUpload(Buffer.from("publicId\na\nb\nc\n"), { ...upload, today: TODAY }, 2);
  const read = Array.fromAsync(reading.lines());
  await expect(read).rejects.toMatchObject({
    issues: [{ path: [4], message: "is beyond 2 rows: send the rest in another file" }],
  });
});

test("references to another organization's records are to none", async () => {
  const { database, issuesOf } = await setUp();
  const other = fullPractice.map((record) =>
    JSON.parse(JSON.stringify(record).replaceAll(/"((usr|loc|svc|apt|auth|enc)_)/g, '"other_$1')),
  );
  await mustImport(database, [{ ...other[0], publicId: "org_other" }, ...other.slice(1)]);
  expect(
    await issuesOf(
      "?type=encounter",
      "publicId,authorizationId,sessionId\nenc_1,other_auth_1,other_apt_1\n",
    ),
  ).toEqual([
    400,
    [
      [2, "authorizationId"],
      "encounter enc_1: authorizationId: is no authorization of the file or the database",
    ],
    [[2, "sessionId"], "encounter enc_1: sessionId: is no session of the file or the database"],
  ]);
});

describe("a role", () => {
  test("may send the rows whose lines it may send", async () => {
    const { post } = await setUp("SCHEDULING_MANAGER");
    expect((await post("?type=session", "publicId,title\napt_1,T\n")).status).toBe(200);
    const refused = await post("?type=encounter", "publicId,units\n\nenc_1,1\n");
    expect(refused).toMatchObject({
      status: 403,
      body: { error: "Insufficient permissions for this action: line 3, encounter" },
    });
  });
});
