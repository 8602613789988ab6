import {
  type Authorization,
  authorizationsOf,
  type Patient,
  unitsLeftOf,
} from "../authorizations/authorizations.ts";
import { type CalendarDate, coversDay } from "../base/dates.ts";
import { unitsText } from "../base/format.ts";
import type { NamedRecord, OverviewEntry } from "../base/wire.ts";

/** What a session can be: of an authorization that is in force, of a service without one, or not billable. */
export interface SessionChoice {
  /** Of the choice: the authorization, else the service line or code. */
  value: string;
  name: string;
  title: string;
  isBillable: boolean;
  /** The service line or the non-billable code. */
  id: string;
  authorizationId?: string;
}

/**
 * The choices for a session on a day, the likeliest first: of a patient the authorizations in force, then the services
 * that they have had, then others; what is not billable last. Without a patient that alone. A name begins with the
 * service, whose code a narrow field shows, too.
 */
export function sessionChoices(options: {
  patient: Patient | undefined;
  day: CalendarDate | undefined;
  /** What is left of the patient's authorizations. */
  entries: readonly OverviewEntry[];
  lines: readonly NamedRecord[];
  codes: readonly NamedRecord[];
}): SessionChoice[] {
  const { patient, day, entries, lines, codes } = options;
  const notBillable = codes.map(({ publicId, name }) => ({
    ...{ value: publicId, name: `Not billable: ${name}`, title: name },
    ...{ isBillable: false, id: publicId },
  }));
  if (patient === undefined) return notBillable;
  const all = authorizationsOf(patient);
  const inForce = day === undefined ? [] : all.filter((each) => coversDay(each, day));
  const had = new Set(all.map(({ serviceLine }) => serviceLine.publicId));
  const without = lines.toSorted(
    (a, b) => Number(had.has(b.publicId)) - Number(had.has(a.publicId)),
  );
  return [
    ...inForce.map((authorization) => ofAuthorization(authorization, entries)),
    ...without.map(({ publicId, name }) => ({
      ...{ value: publicId, name: `${name}, without an authorization`, title: name },
      ...{ isBillable: true, id: publicId },
    })),
    ...notBillable,
  ];
}

function ofAuthorization(
  authorization: Authorization,
  entries: readonly OverviewEntry[],
): SessionChoice {
  const { publicId, number, serviceLine } = authorization;
  return {
    value: publicId,
    name: `${serviceLine.name}, ${leftText(authorization, entries)}${number}`,
    title: serviceLine.name,
    isBillable: true,
    id: serviceLine.publicId,
    authorizationId: publicId,
  };
}

/** `12 left, `, if that is known. */
function leftText(authorization: Authorization, entries: readonly OverviewEntry[]): string {
  const left = unitsLeftOf(authorization, entries);
  return left === null ? "" : `${unitsText(left)} left, `;
}
