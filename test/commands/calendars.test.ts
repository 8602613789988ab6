import { expect, test } from "bun:test";
import { createCalendarCommand } from "../../src/commands/calendars.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import { newOrganization, newUser } from "../support/factories.ts";
import { newService, temporaryFolder } from "../support/harness.ts";

/** `caseload calendars create` prints the secret path of a feed, or its whole address. */

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);
const user = await newUser(database, organization);

async function create(flags: { user?: string; url?: string; organization?: string } = {}) {
  const output = captureOutput();
  await createCalendarCommand(
    { database, clock, operator: "ana", output },
    { organization, user, name: "Calendar", ...flags },
  );
  return output;
}

test("prints a path that works, alone on standard output, and records it", async () => {
  const { results, said } = await create();
  expect(results).toEqual([expect.stringMatching(/^\/calendar\/caseloadcal_\w{39}\.ics$/)]);
  expect(said.join()).not.toContain("caseloadcal_");
  expect((await service.call(`GET ${results[0]}`)).status).toBe(200);
  const row = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "target", "operator"])
      .where("route", "=", "calendars create")
      .executeTakeFirstOrThrow(),
  );
  expect(row).toEqual({ key_id: expect.stringMatching(/^key_/), target: user, operator: "ana" });
});

test("--url prints the whole address", async () => {
  const { results } = await create({ url: "https://caseload.example" });
  expect(results[0]).toStartWith("https://caseload.example/calendar/caseloadcal_");
});

test("refuses an unknown organization and user, who is no staff, and a sixth", async () => {
  await expect(create({ organization: "org_none" })).rejects.toThrow(
    "There is no organization org_none",
  );
  await expect(create({ user: "usr_none" })).rejects.toThrow(
    `The organization ${organization} has no user usr_none.`,
  );
  const patient = await newUser(database, organization, { role: "PATIENT" });
  await expect(create({ user: patient })).rejects.toThrow(
    `Only active staff have calendars, and ${patient} is none.`,
  );
  for (let more = 0; more < 3; more += 1) await create();
  await expect(create()).rejects.toThrow(new CommandError("Too many calendars"));
});

test("an address with a path is a wrong --url", async () => {
  const flags = [
    "--organization",
    "org_1",
    "--user",
    "usr_1",
    "--url",
    "https://caseload.example/x",
  ];
  const { status, stderr } = await runInProcess(["calendars", "create", ...flags], {
    cwd: temporaryFolder(),
  });
  expect(status).toBe(2);
  expect(stderr).toContain("It must be an address such as https://caseload.example.");
});
