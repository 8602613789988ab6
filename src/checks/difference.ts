import type { Db } from "../../db/database.ts";
import type { Finding } from "./findings.ts";
import type { FindingChanges } from "./model.ts";
import { findingsAbout, type FindingsRequest, patientsIn, showFindings } from "./service.ts";

/** What a write changes in the findings: those that it brings, and those that it mends. */

/** The maximum number of findings in each list. */
const MAX_SHOWN = 100;

/**
 * Looks at the findings about some people before a write.
 *
 * @returns looks again after it, and says what has changed, and whose data that discloses.
 */
export async function findingsBefore(db: Db, request: FindingsRequest) {
  const { organizationId } = request;
  const before = await findingsAbout(db, request);
  // Those who are deleted have no name afterwards.
  const { data } = await showFindings(db, organizationId, before);
  const shown = new Map(before.map((finding, index) => [finding, data[index]!]));
  return async (db: Db): Promise<{ findings: FindingChanges; patientIds: string[] }> => {
    const after = await findingsAbout(db, request);
    const [brought, mended] = [without(after, before), without(before, after)];
    const [broughtShown, mendedShown] = [brought.slice(0, MAX_SHOWN), mended.slice(0, MAX_SHOWN)];
    return {
      findings: {
        brought: (await showFindings(db, organizationId, broughtShown)).data,
        mended: mendedShown.map((finding) => shown.get(finding)!),
        totals: { brought: brought.length, mended: mended.length },
      },
      patientIds: patientsIn([...broughtShown, ...mendedShown]),
    };
  };
}

/** The findings that are not among others, as often as they are not. */
function without(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const left = Map.groupBy(others, identityOf);
  return findings.filter((finding) => left.get(identityOf(finding))?.pop() === undefined);
}

/** What makes a finding the same one: its check, ids and units. */
function identityOf({ overlappedPatientIds: _, ...finding }: Finding): string {
  const parts = Object.entries(finding).filter(([name]) => /^(check|units|.*Ids?)$/.test(name));
  return JSON.stringify(parts);
}
