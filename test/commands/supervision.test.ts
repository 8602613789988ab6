import { expect, test } from "bun:test";
import { monthArgument, shareOfOneArgument } from "../../src/commands/arguments.ts";
import { supervisionCommand, type SupervisionFlags } from "../../src/commands/supervision.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newReports } from "../support/commands/practice.ts";
import {
  newApiKey,
  newOrganization,
  newPatient,
  newSession,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** `caseload supervision` on a real database, compared with the endpoint. Today is 2026-03-11. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
await newPatient(database, organization, { public_id: "usr_leo" });
await newUser(database, organization, { public_id: "usr_ana" });
for (const [from, to, row] of [
  ["2026-03-02T14:00", "2026-03-02T15:30", {}],
  ["2026-03-12T14:00", "2026-03-12T20:00", {}],
  ["2026-03-02T14:00", "2026-03-02T14:15", { is_supervision: 1, is_billable: 0 }],
] as const)
  await newSession(database, organization, {
    ...{ start_time: `${from}:00.000Z` as Instant, end_time: `${to}:00.000Z` as Instant },
    ...{ client_id: "usr_leo", technician_id: "usr_ana", ...row },
  });

const { printed, results, lastEntry } = newReports(service);

const run = (flags: SupervisionFlags = {}) =>
  printed((context) => supervisionCommand(context, { organization, ...flags }));

test("prints delivered and booked hours, and what is to be booked, by technician", async () => {
  expect(await run()).toEqual([
    "TECHNICIAN  STATE  SERVICE      SUPERVISED   SHARE           CONTACTS  OBSERVED  TO BOOK",
    "Ana Ruiz    SHORT  1.50 / 7.50  0.25 / 0.25  16.67% / 3.33%  1 / 1     1 / 1     0.13 hours, 1 contact",
  ]);
  const [, line] = await run({ month: monthArgument("2026-04") });
  expect(line?.trimEnd()).toBe(
    "Ana Ruiz    NO_HOURS  0.00 / 0.00  0.00 / 0.00  - / -  0 / 0     0 / 0",
  );
});

test("without technicians a message is printed", async () => {
  expect(await run({ organization: await newOrganization(database) })).toEqual([
    "There are no technicians in 2026-03.",
  ]);
});

test("--json prints the endpoint's response without pages", async () => {
  const key = await newApiKey(database, organization);
  const { body } = await service.call("GET /api/v1/supervision?requiredShare=0.1", { key });
  const { pagination: _, ...response } = body as { pagination: object };
  const [text = ""] = await run({ json: true, requiredShare: "0.1" });
  expect(JSON.parse(text)).toEqual(response);
});

test("--fail fails after printing if somebody is short", async () => {
  await expect(run({ fail: true })).rejects.toThrow(
    new CommandError("1 technician lacks supervision in 2026-03."),
  );
  expect(results).toHaveLength(2);
  await run({ fail: true, month: monthArgument("2026-04") });
});

test("writes an audit entry without patients", async () => {
  await run();
  expect(await lastEntry(organization)).toEqual(["supervision", "[]", null]);
});

test("--required-share is a decimal number from 0 to 1", () => {
  expect(shareOfOneArgument("0.05")).toBe("0.05");
  for (const text of ["1.5", "5%", "", "-1", "a"])
    expect(() => shareOfOneArgument(text)).toThrow(
      "It must be a decimal number from 0 to 1, such as 0.05.",
    );
});
