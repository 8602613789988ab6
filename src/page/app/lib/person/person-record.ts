import type { Values } from "../base/form-values.ts";
import type { Change, Line } from "../base/lines.ts";
import type { Role } from "../base/wire.ts";

/** What a practice file has of everybody, and means nothing of patients and their families. */
export const OF_STAFF = ["npiNumber", "recertificationDate"];

/** The sections of the form of a person, with the fields of all roles; a role has only some of them. */
export const formOfPerson: readonly { title?: string; fields: readonly string[] }[] = [
  {
    fields: ["firstName", "lastName", "birthDate", "phoneNumber", "email", "shouldSendSMS", "sex"],
  },
  {
    title: "Address",
    fields: ["addressLine1", "addressLine2", "city", "state", "postalCode", "country"],
  },
  {
    title: "Care",
    fields: [
      ...["userStatus", "caregiverId", "newCaregiver", "primaryClinicianId", "clinicianIds"],
      ...["internalRecordId", "timezone"],
    ],
  },
  {
    title: "Place and work",
    fields: [
      ...["primaryLocationId", "locationIds", "careTeamTechnicianIds", "specializationIds"],
      ...["complianceCredentials", ...OF_STAFF, "providerPayorIds"],
    ],
  },
  { fields: ["payors", "credentials"] },
];

/** A person as a line of a practice file. */
export function personLine(publicId: string, fields: Values): Line {
  return { type: "user", publicId, ...fields };
}

/** What somebody new of a role has before anything is typed. */
export function defaultsOf(role: Role): Values {
  return role === "PATIENT" ? { userStatus: "ACTIVE" } : {};
}

/**
 * Somebody new as lines: of a patient with a new caregiver two.
 *
 * @param ids of the person, and of the caregiver.
 */
export function newPersonLines(ids: readonly [string, string], role: Role, fields: Values): Line[] {
  const [publicId, caregiverId] = ids;
  const { newCaregiver, ...own } = fields as Values & { newCaregiver?: Values };
  if (newCaregiver === undefined) return [personLine(publicId, { role, ...own })];
  return [
    personLine(publicId, { role, ...own, caregiverId }),
    personLine(caregiverId, { role: "CAREGIVER", ...newCaregiver }),
  ];
}

/** A change of some fields of a person, from their present values. */
export function personChange(change: {
  id: string;
  from: Values;
  to: Values;
  done: string;
}): Change {
  const { id, from, to, done } = change;
  return { done, lines: [personLine(id, to)], undo: [personLine(id, from)] };
}

/** Who holds their own insurance. */
const SELF = "SELF";

/**
 * A patient's fields after a change: where they have just been made the holder of an insurance, what is still empty of
 * the holder's is theirs.
 */
export function withOwnInsurance(changed: Values, before: Values): Values {
  const entriesOf = ({ payors }: Values) => (payors as Values[] | null | undefined) ?? [];
  const entries = entriesOf(changed);
  const isNowOwn = (entry: Values, index: number): boolean =>
    entry.relationshipToPatient === SELF &&
    entriesOf(before)[index]?.relationshipToPatient !== SELF;
  if (!entries.some(isNowOwn)) return changed;
  const { firstName, lastName, birthDate } = changed;
  const names = ["addressLine1", "addressLine2", "city", "state", "postalCode"];
  const address = Object.fromEntries(names.map((name) => [name, changed[name] ?? null]));
  const own = { planHolder: [firstName, lastName].filter(Boolean).join(" "), birthDate };
  const filled = (entry: Values): Values => ({
    ...entry,
    planHolder: entry.planHolder || own.planHolder || null,
    insuredBirthDate: entry.insuredBirthDate || own.birthDate || null,
    insuredAddress: { ...address, ...withoutEmpty(entry.insuredAddress as Values | null) },
  });
  return {
    ...changed,
    payors: entries.map((entry, index) => (isNowOwn(entry, index) ? filled(entry) : entry)),
  };
}

function withoutEmpty(fields: Values | null | undefined): Values {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value));
}
