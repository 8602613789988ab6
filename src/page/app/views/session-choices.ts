import { getAll } from "../lib/api.ts";
import { type Authorization, authorizationsOf } from "../lib/authorizations.ts";
import type { CalendarDate, TimeZone } from "../lib/dates.ts";
import { unitsText } from "../lib/format.ts";
import { readPerson } from "../lib/people.ts";
import { useResponse } from "../lib/response.ts";
import type { OverviewEntry } from "../lib/wire.ts";
import type { Choice } from "../parts/field.tsx";
import { useNamedList } from "../parts/named.ts";

/** What a session can be: of an authorization that is in force, of a service without one, or not billable. */
export interface SessionChoice extends Choice {
  title: string;
  isBillable: boolean;
  /** The service line or the non-billable code. */
  id: string;
  authorizationId?: string;
}

/** The patient, and what a session of them on a day can be; without a patient what is not billable. */
export function useSessionChoices(
  clientId: string | null,
  day: CalendarDate | undefined,
  zone: TimeZone,
) {
  const codes = useNamedList("non-billable-codes");
  const lines = useNamedList("service-lines");
  // The record has the authorizations, team and location; the overview what is left of them.
  const response = useResponse(
    clientId === null || day === undefined ? undefined : `choices ${clientId} ${day} ${zone}`,
    async (signal) => {
      const query = { patientId: clientId ?? "", date: day, timezone: zone };
      const [person, entries] = await Promise.all([
        readPerson(clientId ?? "", signal),
        getAll<OverviewEntry>("authorization-utilization", query, signal),
      ]);
      return { patient: person.role === "PATIENT" ? person : undefined, entries };
    },
  );
  const patient = clientId === null ? undefined : response.value?.patient;
  const entries = response.value?.entries ?? [];
  const inForce = patient === undefined ? [] : authorizationsOf(patient).filter(isOn(day));
  const choices: SessionChoice[] = [
    ...inForce.map((authorization) => ({
      value: authorization.publicId,
      name: `${leftText(authorization, entries)}${authorization.serviceLine.name}, ${authorization.number}`,
      title: authorization.serviceLine.name,
      isBillable: true,
      id: authorization.serviceLine.publicId,
      authorizationId: authorization.publicId,
    })),
    ...codes.map(({ publicId, name }) => ({
      ...{ value: publicId, name: `Not billable: ${name}`, title: name },
      ...{ isBillable: false, id: publicId },
    })),
    ...(patient === undefined ? [] : lines).map(({ publicId, name }) => ({
      ...{ value: publicId, name: `Without an authorization: ${name}`, title: name },
      ...{ isBillable: true, id: publicId },
    })),
  ];
  return { patient, choices, isLoading: response.isLoading };
}

function isOn(day: CalendarDate | undefined) {
  return ({ startDate, endDate }: Authorization): boolean =>
    day !== undefined && startDate <= day && day <= endDate;
}

/** `12 left: `; of a member of a pool what its pool has. */
function leftText({ publicId, poolId }: Authorization, entries: readonly OverviewEntry[]): string {
  const left = entries.find((entry) => entry.publicId === (poolId ?? publicId))?.unitsLeft;
  return left === undefined || left === null ? "" : `${unitsText(left)} left: `;
}
