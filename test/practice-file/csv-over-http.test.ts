import { expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { CsvUpload } from "../../src/practice-file/csv/upload.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { plainBody } from "../support/body-rules.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** `POST /v1/practice-file?type=session` with `text/csv`: one file of CSV, of the key's organization. */

const practice = (await transcripts())(fullPractice);
const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };

const csv = (type: string, rows: string, status: number, body?: object): Step => [
  ...([`POST practice-file?type=${type} Content-Type: text/csv`, rows, status, body] as const),
];
type Issue = [path: (string | number)[], message: unknown];
const refused = (type: string, rows: string, ...issues: Issue[]) =>
  csv(type, rows, 400, { validationErrors: issues.map(([path, message]) => ({ path, message })) });
const noField = (heading: string): Issue => [
  [1, heading],
  "is no field of a record of type session",
];

practice("a heading is told cut, however long it is", [
  refused("location", `\n\n${"x".repeat(7 * 1024 * 1024)}`, [
    [3, `${"x".repeat(200)}…`],
    "is no field of a record of type location",
  ]),
]);

practice("the delimiter is that of the first row that is not blank, wherever it begins", [
  ...["\n".repeat(40_000), "sep=;\n"].map((start) =>
    csv("location&dryRun=true", `${start}publicId;name\nloc_1;Nord`, 200, {
      counts: whole({ organization: 1, location: 1 }),
    }),
  ),
]);

const rows =
  "publicId,status,startTime,endTime,deleted\n" +
  "apt_1,No show,10/1/26 3:30 PM,10/1/2026 5:30 PM,\n\napt_4,,,,yes\n";
const TEXT_CSV = "Content-Type: Text/CSV; charset=utf-8";
practice("imports the rows, in the practice's time, and says what it did with each record", [
  [
    `POST practice-file?type=session&dryRun=true&changes=true ${TEXT_CSV}`,
    rows,
    200,
    {
      dryRun: true,
      counts: whole({ organization: 1, session: 2 }),
      changes: { session: { ...none, changed: 1, deleted: 1, missing: 2 } },
      records: [
        {
          ...{ line: 2, type: "session", publicId: "apt_1" },
          ...{ change: "CHANGED", fields: ["status", "startTime", "endTime"] },
        },
        { ...{ line: 4, type: "session", publicId: "apt_4" }, change: "DELETED", fields: [] },
      ],
      recordsTotal: 2,
      notes: [
        "1 year has two digits, read as 2026",
        "Sessions from Thu, Oct 1, 2026, 3:30 PM to Thu, Oct 1, 2026, 3:30 PM (America/New_York)",
        "1 session is outside the dates of its authorization: apt_1",
      ],
    },
  ],
  [
    `POST practice-file?type=session ${TEXT_CSV}`,
    rows,
    200,
    whole({
      ...{ organizationId: "$organization", dryRun: false, sequence: 2 },
      ...{ counts: expect.anything(), changes: expect.anything(), notes: expect.anything() },
    }),
  ],
  [
    "GET practice-file?ids=apt_1,apt_4",
    200,
    [{}, { status: "PATIENT_NO_SHOW", startTime: "2026-10-01T19:30:00.000Z" }],
  ],
]);

const noLabel = (index: number) =>
  `intakeLead lead_1: labelIds[${index}]: is no intakeLabel of the file or the database`;
practice("refuses rows with their row and column, and stores nothing", [
  ["GET practice-file", 200, "$file"],
  refused(
    "session",
    "sep=;\npublicId;date;start;end;technicianId\napt_1;10/32/26;9:30;9:00;usr_tech\napt_2;10/1/26;9:30;9:00;usr_none\napt_3;10/1/26;9:30;9:00;;;x\n",
    [
      [3, "date"],
      "session apt_1: date: must be a date that exists, such as 2026-10-01 or 10/1/2026",
    ],
    [[4, "end"], "session apt_2: end: is before startTime"],
    [[5], "has more cells than the header"],
  ),
  refused(
    "intakeLead",
    "publicId,attribution.utm_source,labelIds,clientId\nlead_1,x,label_none;label_none2,usr_kid\n",
    [[2, "labelIds"], noLabel(0)],
    [[2, "labelIds"], noLabel(1)],
  ),
  ["GET practice-file", 200, "$file"],
]);

practice("refuses what is no table, and each column that is no field", [
  refused(
    "session",
    "Client Name,publicId,,publicId\nA,b,c,d\n",
    ...[noField("Client Name"), noField("")],
    [[1, "publicId"], "occurs twice in the header"],
  ),
  refused(
    "session",
    "publicId,start,end\n",
    ...["start", "end"].map((heading): Issue => [
      [1, heading],
      "stands only with all of date, start and end, without startTime and endTime",
    ]),
  ),
  refused("session", 'publicId,title\napt_1,"a\n', [
    [2],
    "cannot be read as CSV: a quotation mark is not closed",
  ]),
  refused("session", "", [[], "has no header"]),
]);

test("refuses what is not UTF-8", async () => {
  const service = await newService();
  await mustImport(service.database, fullPractice);
  const { status, body } = await service.call("POST /api/v1/practice-file?type=session", {
    key: await newApiKey(service.database, "org_maple"),
    headers: { "Content-Type": "text/csv" },
    raw: Buffer.from("publicId,title\nl,M\xe9\n", "latin1"),
  });
  expect([status, body]).toMatchObject([
    400,
    { validationErrors: [{ path: [2], message: 'is not valid UTF-8; save it as "CSV UTF-8"' }] },
  ]);
});

const invalidEnum = (name: string) => ({
  validationErrors: [{ code: "invalid_enum_value", path: [name] }],
});
practice("needs a type, which a practice file cannot have", [
  ["POST practice-file Content-Type: text/csv", "publicId\n", 400, invalidEnum("type")],
  ...["sessions", ""].map((type) => csv(type, "publicId\n", 400, invalidEnum("type"))),
  [
    "POST practice-file?type=session",
    [],
    400,
    {
      validationErrors: [
        whole({ code: "custom", message: "Belongs to text/csv alone", path: ["type"] }),
      ],
    },
  ],
  csv("session&changes=yes", "publicId\n", 400, invalidEnum("changes")),
]);

practice("changes the organization by a file of its type, and no other organization", [
  csv("organization", "publicId,name\n$organization,Maple 2\n", 200),
  ["GET practice-file?after=2", 200, [{ name: "Maple 2" }]],
  csv("organization", "publicId,name\norg_other,Maple 2\n", 403, plainBody(403, "Access denied")),
]);

const header = Array.from({ length: 16_000 }, (_, index) => `h${index}`).join(",");
practice("hostile files are refused at once, in responses of usual size", [
  csv("session", `${header}\n`, 400, { validationErrors: Array(100).fill({}) }),
  refused("session", `publicId\n${",".repeat(20_000)}\n`, [[], "has too many columns"]),
  refused(
    "session",
    `publicId,startTime,title\napt_1,"a 1:${" ".repeat(200_000)}x","__proto__"\n`,
    [[2, "startTime"], expect.stringContaining("must be a time")],
  ),
  refused("goal", `publicId,childGoals\ngoal_hands,${"[".repeat(1_000_000)}\n`, [
    [2, "childGoals"],
    "goal goal_hands: childGoals: must be a list",
  ]),
  refused(
    "session",
    "__proto__,constructor,publicId\nx,y,apt_1\n",
    ...["__proto__", "constructor"].map((heading) => noField(heading)),
  ),
]);

test("refuses rows beyond the most", async () => {
  const reading = new CsvUpload(
    Buffer.from("publicId\na\nb\nc\n"),
    {
      ...{ type: "location", organizationId: "org_maple", zone: undefined },
      today: "2026-03-11" as CalendarDate,
    },
    2,
  );
  await expect(Array.fromAsync(reading.lines())).rejects.toMatchObject({
    issues: [{ path: [4], message: "is beyond 2 rows: send the rest in another file" }],
  });
});

const theirs = JSON.parse(
  JSON.stringify(fullPractice).replaceAll(/"((usr|loc|svc|apt|auth|enc)_)/g, '"other_$1'),
) as Fields[];
practice(
  "references to another organization's records are to none",
  [
    refused(
      "encounter",
      "publicId,authorizationId,sessionId\nenc_1,other_auth_1,other_apt_1\n",
      [
        [2, "authorizationId"],
        "encounter enc_1: authorizationId: is no authorization of the file or the database",
      ],
      [[2, "sessionId"], "encounter enc_1: sessionId: is no session of the file or the database"],
    ),
  ],
  { elsewhere: theirs },
);

const forbidden = "Insufficient permissions for this action: line 3, encounter";
practice("a role may send the rows whose lines it may send", [
  ...(
    [
      ["session", "publicId,title\napt_1,T\n", 200, {}],
      ["encounter", "publicId,units\n\nenc_1,1\n", 403, { error: forbidden }],
    ] as const
  ).map(([type, rows, status, body]): Step => [
    `SCHEDULING_MANAGER: POST practice-file?type=${type} Content-Type: text/csv`,
    ...([rows, status, body] as const),
  ]),
]);
