import { getAll } from "../../lib/base/api.ts";
import type { CalendarDate, TimeZone } from "../../lib/base/dates.ts";
import { readPerson } from "../../lib/person/people.ts";
import { useResponse } from "../../lib/base/response.ts";
import { sessionChoices } from "../../lib/session/session-choices.ts";
import type { OverviewEntry } from "../../lib/base/wire.ts";
import { useNamedList } from "../base/named.ts";

/** The patient, and what a session of them on a day can be. */
export function usePatientChoices(
  clientId: string | null,
  day: CalendarDate | undefined,
  zone: TimeZone,
) {
  const codes = useNamedList("non-billable-codes");
  const lines = useNamedList("service-lines");
  // The record has the authorizations, team and location; the overview what is left of them.
  const response = useResponse(
    clientId === null || day === undefined ? undefined : `choices ${clientId} ${day} ${zone}`,
    async (reading) => {
      const query = { patientId: clientId ?? "", date: day, timezone: zone };
      const [person, entries] = await Promise.all([
        readPerson(clientId ?? "", reading),
        getAll<OverviewEntry>("authorization-utilization", query, reading),
      ]);
      return { patient: person.role === "PATIENT" ? person : undefined, entries };
    },
  );
  const patient = clientId === null ? undefined : response.value?.patient;
  const entries = response.value?.entries ?? [];
  const choices = sessionChoices({ patient, day, entries, lines, codes });
  return { patient, choices, isLoading: response.isLoading };
}
