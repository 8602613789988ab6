import { expect, test } from "bun:test";
import { savedOf } from "../../../src/page/app/lib/base/form-values.ts";
import {
  defaultsOf,
  formOfPerson,
  newPersonLines,
} from "../../../src/page/app/lib/person/person-record.ts";
import type { Role } from "../../../src/page/app/lib/base/wire.ts";
import { creatableRoles } from "../../../src/callers/permissions.ts";
import { recordDescriptions } from "../../../src/page/record-fields.ts";
import { newApiKey } from "../../support/factories.ts";
import { TestService } from "../../support/harness.ts";
import { databaseOfFullPractice } from "../../support/practice-file/full-practice.ts";
import { fileOf } from "../../support/practice-file/practice-file.ts";

/** The form of a new person: what is sent when the role is changed after something was typed. */

const service = new TestService(await databaseOfFullPractice());
const key = await newApiKey(service.database, "org_maple");
const { fields, kinds } = recordDescriptions().user;

function descriptionOf(role: Role) {
  const own = kinds.find(({ of }) => of.includes(role));
  const all = Object.keys(fields);
  const names = [
    ...(own?.fields ?? []).map((index) => all[index] ?? ""),
    ...(role === "PATIENT" ? ["newCaregiver"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? {}]));
}

/** Those that the form does not have: who it is, what has a control of its own, and times. */
const NOT_IN_FORM = ["role", "isActive"];

test("every field of a user stands in a section of the form, or among those that it does not have", () => {
  const shown = formOfPerson.flatMap((section) => section.fields);
  expect([...shown, ...NOT_IN_FORM].sort()).toEqual(
    [...Object.keys(fields), "newCaregiver"].sort(),
  );
});

/** What the form holds once somebody has filled in all that it has for a role. */
const TYPED: Record<string, unknown> = {
  ...{ firstName: "Ida", lastName: "Quist", phoneNumber: "+12125550123", sex: "FEMALE" },
  ...{ userStatus: "WAITLIST", internalRecordId: "MRN-9", timezone: "America/New_York" },
  ...{ npiNumber: "1234567890", complianceCredentials: ["CPR"], locationIds: [] },
  newCaregiver: { firstName: "Eva", lastName: "Quist" },
};

for (const first of creatableRoles.ADMIN)
  test(`whoever is no ${first} after all is added with what their role has`, async () => {
    for (const role of creatableRoles.ADMIN) {
      const typed = Object.fromEntries(
        Object.keys(descriptionOf(first)).flatMap((name) =>
          name in TYPED ? [[name, TYPED[name]]] : [],
        ),
      );
      const { values } = savedOf(descriptionOf(role), defaultsOf(role), typed);
      const [line, caregiver] = newPersonLines(["usr_new", "usr_new_caregiver"], role, values);
      const organization = { type: "organization", publicId: "org_maple" };
      const { status, body } = await service.call("POST /api/v1/practice-file?dryRun=true", {
        key,
        raw: fileOf([organization, line, caregiver].filter((each) => each !== undefined)),
        headers: { "Content-Type": "application/x-ndjson" },
      });
      expect([role, status, status === 200 ? "" : body]).toEqual([role, 200, ""]);
      expect(line).toMatchObject({ role, firstName: "Ida", lastName: "Quist" });
      expect(line?.userStatus).toBe(
        role !== "PATIENT" ? undefined : first === "PATIENT" ? "WAITLIST" : "ACTIVE",
      );
      const isFamily = role === "PATIENT" && first === "PATIENT";
      expect(line?.caregiverId).toBe(isFamily ? "usr_new_caregiver" : undefined);
      expect(caregiver?.role).toBe(isFamily ? "CAREGIVER" : undefined);
    }
  });
