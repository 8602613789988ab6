import type { Finding as FindingResponse } from "./model.ts";
import type { Finding } from "./findings.ts";
import type { Name } from "./repository.ts";

/** The ids of sessions, and of encounters, that a finding has at most. */
const MOST_IDS = 100;

/** Converts a finding to its API model, with the first ids of what it is about. */
export function presentFinding(
  finding: Finding,
  names: ReadonlyMap<string, Name>,
): FindingResponse {
  const { check, date, timezone, patientId, providerId, ...rest } = finding;
  const patient = patientId === null ? undefined : names.get(patientId);
  const provider = providerId === null ? undefined : names.get(providerId);
  const { sessionIds, encounterIds, authorizationId, poolId, payorId, units, message } = rest;
  const { authorizationStartDate, authorizationEndDate } = rest;
  return {
    ...{ check, date, timezone, patientId },
    patientFirstName: patient?.firstName ?? null,
    patientLastName: patient?.lastName ?? null,
    providerId,
    providerFirstName: provider?.firstName ?? null,
    providerLastName: provider?.lastName ?? null,
    sessionIds: sessionIds.slice(0, MOST_IDS),
    encounterIds: encounterIds.slice(0, MOST_IDS),
    ...{ authorizationId, poolId, payorId, authorizationStartDate, authorizationEndDate, units },
    message: [
      message,
      ...numberOf(sessionIds, "sessions"),
      ...numberOf(encounterIds, "encounters"),
    ].join(" "),
    goalId: finding.goalId ?? null,
  };
}

/** Says how many there are, where not all ids are told. */
function numberOf({ length }: readonly string[], noun: string): string[] {
  return length > MOST_IDS ? [`It is about ${length} ${noun}.`] : [];
}
