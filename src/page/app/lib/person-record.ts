import type { Line } from "./lines.ts";
import type { NamedRecord, User } from "./wire.ts";

/** People as lines of a practice file. */

/**
 * The fields of a person's line, as far as the API shows them: entries of payors name their payor by its name, which is
 * looked up among those of the practice. What is ambiguous is missing, and so must be chosen before it is changed.
 */
export function personRecord(
  person: User,
  payors: readonly NamedRecord[],
): Record<string, unknown> {
  const { publicId, isActive, ...record } = person;
  return {
    ...record,
    email: person.email || null,
    phoneNumber: person.phoneNumber || null,
    ...("specializations" in person && {
      specializationIds: person.specializations.map((each) => each.publicId),
    }),
    ...("payors" in person && {
      payors: person.payors.map(({ payorName, groupId, ...entry }) => ({
        payorId: idOf(payorName, payors),
        ...entry,
        groupId: groupId || null,
      })),
    }),
    ...("credentials" in person && {
      credentials: person.credentials.map(({ payorCredentialing, ...credential }) => ({
        ...credential,
        payorCredentialing: payorCredentialing.map(({ payor, ...entry }) => ({
          ...entry,
          payorId: payor.publicId,
        })),
      })),
    }),
  };
}

function idOf(name: string, payors: readonly NamedRecord[]): string | null {
  const [first, ...others] = payors.filter((payor) => payor.name === name);
  return first === undefined || others.length > 0 ? null : first.publicId;
}

export function personLine(publicId: string, fields: Readonly<Record<string, unknown>>): Line {
  return { type: "user", publicId, ...fields };
}
