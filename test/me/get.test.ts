import { type Role, roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { transcripts, whole } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/** GET /v1/me: the organization and the key of the request. */

const practice = await transcripts();

const clinical = ["user", "session", "encounter", "treatmentPlan", "goal"];
const billing = ["payor", "serviceLine", "user", "authorizationPool", "authorization"];
/** What a key of a role may write. */
const written: Partial<Record<Role, readonly string[]>> = {
  ADMIN: recordTypes,
  CLINICAL_SUPERADMIN: clinical,
  CLINICAL_ADMIN: clinical,
  SCHEDULING_MANAGER: ["user", "session"],
  BILLING_MANAGER: [...billing, "session", "encounter"],
};
const maple = { name: "Maple Clinic", time_zone: "America/New_York", week_starts_on: "MONDAY" };
const shown = { name: "Maple Clinic", timezone: "America/New_York", weekStartsOn: "MONDAY" };
const expiresAt = "2027-01-01T00:00:00.000Z" as Instant;

for (const role of roles)
  for (const isReadOnly of [false, true])
    practice([], {
      organization: maple,
      keys: isReadOnly ? { name: "Tablet", isReadOnly, expiresAt } : { name: "Invoices" },
    })(`a ${isReadOnly ? "read-only key" : "key"} of the role ${role}`, [
      [
        `${role}: GET me`,
        200,
        whole({
          organization: { publicId: "$organization", ...shown },
          key: {
            ...{ id: "$key", role, userId: null, isReadOnly, kind: "KEY", ownPatientsOnly: false },
            ...{ name: isReadOnly ? "Tablet" : "Invoices" },
            ...{ expiresAt: isReadOnly ? expiresAt : null },
          },
          writes: isReadOnly ? [] : (written[role] ?? []),
        }),
      ],
    ]);

practice(
  [...[user("usr_tech", "TECHNICIAN"), user("usr_bcba", "CLINICIAN")], user("usr_kid", "PATIENT")],
  { organization: { name: "Oak", time_zone: null } },
)("a key of a user, in an organization without a time zone; the audit row has no patient", [
  [
    ...(["usr_bcba: GET me", 200] as const),
    {
      organization: {
        ...{ publicId: "$organization", name: "Oak", timezone: null, weekStartsOn: "SUNDAY" },
      },
      key: { role: "CLINICIAN", userId: "usr_bcba", expiresAt: null },
      writes: ["session", "encounter"],
    },
  ],
  [
    ...(["usr_tech: GET me", 200] as const),
    { key: { role: "TECHNICIAN", userId: "usr_tech" }, writes: ["session", "encounter"] },
  ],
  ["usr_kid: GET me", 200, { key: { id: "$key", role: "PATIENT", userId: "usr_kid" } }],
  ["audit", 200, { key_id: "$key", route: "/v1/me", patient_ids: "[]" }],
]);
