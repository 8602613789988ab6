import type { Finding as FindingResponse } from "./model.ts";
import type { Finding } from "./findings.ts";
import type { Name } from "./repository.ts";

/** Converts a finding to its API model. */
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
    ...{ sessionIds, encounterIds, authorizationId, poolId, payorId },
    ...{ authorizationStartDate, authorizationEndDate, units, message },
    goalId: finding.goalId ?? null,
  };
}
