import { expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { variantOf } from "../../src/practice-file/model.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import { userMap } from "../../src/schema/users.ts";
import { NewUser } from "../../src/users/model.ts";
import { userRow } from "../../src/users/rows.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/** A user has the fields of its role alone; those of other roles are not stored, wherever they come from. */

/** The columns of the fields that a practice file has for a role. */
function columnsOf(role: Role): string[] {
  const names = Object.keys(variantOf("user", { role })?.properties ?? {});
  return [...mapped, ...ofEntries]
    .flatMap(([name, column]) => (names.includes(name) ? column : []))
    .toSorted();
}

const mapped = Object.entries(userMap.fields).map(([name, { column }]) => [name, column] as const);
const ofEntries = [
  ["payors", "payors"],
  ["credentials", "credentials"],
  ["credentials", "credentials_end"],
] as const;
const compared: string[] = [...mapped, ...ofEntries].map(([, column]) => column);

test.each(roles)("the row of a %s has the columns of its role, and null in all others", (role) => {
  const fields = Object.keys(userMap.fields).map((name) => [
    name,
    { isActive: true, shouldSendSMS: true, complianceCredentials: ["CPR"] }[name] ?? "x",
  ]);
  const user = { ...Object.fromEntries(fields), role };
  const row = userRow("org_maple", {
    ...user,
    createdAt: NOW as Instant,
    updatedAt: NOW as Instant,
    payors: [
      {
        ...{ payorId: "pay_1", priority: "PRIMARY", relationshipToPatient: "SELF" },
        ...{ insuredBirthDate: "1985-05-06" as CalendarDate, insuredAddress: {} },
        ...{ memberId: "M-1", planHolder: "Pat" },
        effectiveStartDate: "2026-01-01" as CalendarDate,
      },
    ],
    credentials: [
      {
        ...{ credentialType: "BCBA", practiceArea: "ABA", credentialNumber: "1" },
        ...{ expiresAt: NOW as Instant, credentialStatus: "active" },
      },
    ],
  });
  const stored = Object.entries(row).filter(
    ([column, value]) => value !== null && compared.includes(column),
  );
  expect(stored.map(([column]) => column).toSorted()).toEqual(columnsOf(role));
});

test("POST /v1/users with every field of its body stores those of the role alone", async () => {
  const service = await newService();
  const { database } = service;
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const body = {
    ...{ firstName: "Ana", lastName: "Ruiz", phoneNumber: "+14155552671", npiNumber: "1" },
    ...{ shouldSendSMS: true, recertificationDate: NOW, providerPayors: [] },
    ...{ specializations: [], careTeamTechnicianIds: [], careTeamLeadIds: [] },
  };
  expect(Object.keys({ ...body, role: "", email: "" }).toSorted()).toEqual(
    Object.keys(NewUser.properties).toSorted(),
  );
  const all = Object.keys(userMap.fields).map((name) => [name, "x"]);
  for (const role of roles.filter((role) => role !== "CLINICAL_SUPERADMIN")) {
    const email = `${role}@maple.example`;
    // Fields that the body does not have are ignored, and those that it gets one day are stored where they belong.
    const json = { ...Object.fromEntries(all), ...body, role, email };
    const { status, body: created } = await service.call("POST /api/v1/users", { key, json });
    expect(status).toBe(200);
    const { publicId } = (created as { user: { publicId: string } }).user;
    const row = await database.read((db) =>
      db
        .selectFrom("users")
        .selectAll()
        .where("public_id", "=", publicId)
        .executeTakeFirstOrThrow(),
    );
    const columns = Object.entries(row).filter(
      ([column, value]) => value !== null && compared.includes(column),
    );
    expect(columnsOf(role)).toEqual(expect.arrayContaining(columns.map(([column]) => column)));
  }
});
