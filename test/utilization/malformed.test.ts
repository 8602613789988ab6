import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { plainBody } from "../support/body-rules.ts";
import { validationBody } from "../support/list-rules.ts";
import { newSmallPractice } from "../support/utilization/small-practice.ts";

/** GET /v1/authorization-utilization/{publicId}: invalid input. */

const { read } = await newSmallPractice();

describe("an invalid parameter responds 400 with its name", () => {
  const malformedDate = "Must be a calendar date that exists, written YYYY-MM-DD";
  const malformedZone = "Must be an IANA time zone identifier, such as America/New_York";
  const malformedId = "Must be an id of 1 to 128 letters, digits, underscores or hyphens";
  const forbidden = "Must not contain U+0000 or an unpaired surrogate";
  const repeated = "Expected string, received array";
  const issue = (name: string, message: string): Issue => ({
    code: message === repeated ? "invalid_type" : "custom",
    message,
    path: [name],
  });
  const invalidDates = [
    ...[
      "2024-02-30",
      "2025-02-29",
      "2024-2-3",
      "2024-13-01",
      "2024-00-10",
      "2024-01-00",
      "24-02-03",
    ],
    ...[
      "0000-01-01",
      "10000-01-01",
      "-2024-02-03",
      "20240203",
      "2024/02/03",
      "2024-02",
      "2024-W05-6",
    ],
    ...[
      "2024-02-03T00:00:00Z",
      "2024-02-03%20",
      "%202024-02-03",
      "2024-02-03%0A",
      "",
      "today",
      "0",
    ],
    ...["null", "NaN", "%D9%A2024-02-03", "1707000000"],
  ];
  const invalidTimeZones = [
    ...[
      "%2B05:00",
      "-05:00",
      "%2B0500",
      "%2B05",
      "Z",
      "GMT%2B5",
      "UTC%2B05:00",
      "UTC-5",
      "PST",
      "EDT",
    ],
    ...[
      "america/new_york",
      "AMERICA/NEW_YORK",
      "utc",
      "Utc",
      "America",
      "New_York",
      "",
      "%20",
      "0",
    ],
    ...["America/New_York%20", "%20America/New_York", "America/New York", "America/New_York%0A"],
    ...[
      "Etc/GMT+5",
      "Europe/Atlantis",
      "Factory",
      "Eastern%20Standard%20Time",
      "posix/UTC",
      "null",
    ],
    ...["../UTC", "EST5EDT,M3.2.0,M11.1.0", "constructor", "undefined"],
  ];

  for (const name of ["startDate", "endDate"]) {
    test.each(invalidDates)(`${name}=%s`, async (text) => {
      const { status, body } = await read(`auth_alone?${name}=${text}`);
      expect([status, body]).toEqual([400, validationBody(issue(name, malformedDate))]);
    });
  }

  test.each(invalidTimeZones)("timezone=%s", async (text) => {
    const { status, body } = await read(`auth_alone?timezone=${text}`);
    expect([status, body]).toEqual([400, validationBody(issue("timezone", malformedZone))]);
  });

  for (const [name, good] of [
    ["startDate", "2026-02-01"],
    ["endDate", "2026-02-01"],
    ["timezone", "UTC"],
  ] as const) {
    test(`${name} twice, even with the same value`, async () => {
      const { status, body } = await read(`auth_alone?${name}=${good}&${name}=${good}`);
      expect([status, body]).toEqual([400, validationBody(issue(name, repeated))]);
    });

    test.each(["%00", `${good}%00`, `%00${good}`, "%FF", "%ED%A0%80"])(
      `${name} with a NUL character or bytes that are not UTF-8: %s`,
      async (text) => {
        const { status, body } = await read(`auth_alone?${name}=${text}`);
        expect([status, body]).toEqual([400, validationBody(issue(name, forbidden))]);
      },
    );

    test(`${name} without a value`, async () => {
      const { status, body } = await read(`auth_alone?${name}`);
      const message = name === "timezone" ? malformedZone : malformedDate;
      expect([status, body]).toEqual([400, validationBody(issue(name, message))]);
    });
  }

  test.each([
    ["%00", forbidden],
    ["auth%00", forbidden],
    ["%FF", forbidden],
    ["a%2Fb", malformedId],
    ["a.b", malformedId],
    ["auth_alone%20", malformedId],
    ["auth_alone%0A", malformedId],
    ["Mu%C3%B1oz", malformedId],
    ["a'b", malformedId],
    ["*", malformedId],
    ["x".repeat(129), malformedId],
  ])("publicId %s", async (id, message) => {
    const { status, body } = await read(id);
    const problem = message === forbidden && id === "%FF" ? malformedId : message;
    expect([status, body]).toEqual([400, validationBody(issue("publicId", problem))]);
  });

  test("an id of 128 characters is valid and unknown: 404", async () => {
    expect((await read("x".repeat(128))).status).toBe(404);
  });

  test("every invalid query parameter is reported, in the order of the schema", async () => {
    const { status, body } = await read("auth_alone?timezone=x&endDate=x&startDate=x");
    const names = ["startDate", "endDate", "timezone"];
    const messages = [malformedDate, malformedDate, malformedZone];
    expect([status, body]).toEqual([
      400,
      validationBody(...names.map((name, index) => issue(name, messages[index]!))),
    ]);
  });

  test("an invalid path parameter is reported alone", async () => {
    const { status, body } = await read("a.b?timezone=x&endDate=x&startDate=x");
    expect([status, body]).toEqual([400, validationBody(issue("publicId", malformedId))]);
  });
});

describe("startDate after endDate responds 400 with a plain message", () => {
  const outOfOrder = plainBody(400, "startDate must be on or before endDate");

  test.each([
    ["auth_alone", "an authorization"],
    ["auth_none", "before the 404"],
    ["apool_1", "a pool"],
  ])("%s: %s", async (id) => {
    const { status, body } = await read(`${id}?startDate=2026-02-02&endDate=2026-02-01`);
    expect([status, body]).toEqual([400, outOfOrder]);
  });

  test("equal dates are valid", async () => {
    const { status } = await read("auth_alone?startDate=2026-02-01&endDate=2026-02-01");
    expect(status).toBe(200);
  });
});
