import type { OwnedType } from "../schema/record-types.ts";
import { kindOf } from "./model.ts";
import type { Problem } from "./mistakes.ts";
import { references } from "./references.ts";
import { findCrowded, findFullPools, findSharedIds, findUnfit, type Odds } from "./repository.ts";
import { isBad, isRefused, refuse, type ImportState } from "./import-state.ts";

/** Limit of members of a pool (docs/practice-file.md). */
const MAX_MEMBERS = 500;

/** Limit of a patient's authorizations that stand alone, of those in pools, and of pools: a page of users has them all. */
const MAX_OF_PATIENT = 500;

/**
 * Checks what is possible only after everything was written: records that no longer satisfy the requirements of others
 * that refer to them, and that may not be in the file.
 */
export async function checkWhole(state: ImportState): Promise<void> {
  const { trx, organizationId, file, created, reliedOn } = state;
  const check = (
    type: OwnedType,
    otherType: OwnedType,
    odds: readonly Odds[],
    problem: (other: string) => Problem,
  ): void => {
    const refusals = odds.flatMap(({ id, other }) => {
      const entry = file.records.get(type)?.get(id);
      return entry === undefined || isBad(state, otherType, other) ? [] : [{ entry, other }];
    });
    // In the order of lines, since reports have the first mistakes.
    refusals.sort((one, next) => one.entry.line - next.entry.line);
    for (const { entry, other } of refusals)
      refuse(state, entry, { reason: "does_not_fit", ...problem(other) });
  };

  for (const reference of references) {
    const { type, field, names, roles, agreement } = reference;
    // Whoever refers to a new record was checked against it.
    const ids = reliedOn.get(names) ?? [];
    if (ids.length === 0 || (roles === undefined && agreement === undefined)) continue;
    const namedTable = kindOf(names).table;
    check(
      names,
      type,
      await findUnfit(trx, organizationId, reference, { namedTable, ids }),
      (other) =>
        agreement === undefined
          ? {
              path: ["role"],
              message: `must be ${roles?.join(" or ")} where this user is the ${field.join(".")} of`,
              detail: ` ${type} ${other}`,
            }
          : { ...agreement.broken, detail: ` ${other}` },
    );
  }
  for (const [type, otherType, other] of POOLS_AND_MEMBERS) {
    const ids = [...(created.get(type) ?? []), ...(reliedOn.get(type) ?? [])];
    if (ids.length === 0) continue;
    if (type === "authorization") {
      const full = await findFullPools(trx, organizationId, ids, MAX_MEMBERS);
      check(type, otherType, full, (pool) => ({
        path: ["authorizationPoolId"],
        message: `is a pool of more than ${MAX_MEMBERS} members`,
        value: pool,
      }));
    }
    await refuseCrowded(state, type, ids);
    const shared = await findSharedIds(trx, organizationId, ids);
    check(type, otherType, shared, (id) => ({
      path: ["publicId"],
      message: `is also the id of ${other}`,
      reason: "duplicate",
      value: id,
    }));
  }
}

/** Refuses the line with which a patient has too many authorizations or pools, unless a pool of theirs has too many. */
async function refuseCrowded(
  state: ImportState,
  type: (typeof POOLS_AND_MEMBERS)[number][0],
  ids: readonly string[],
): Promise<void> {
  const { trx, organizationId, file } = state;
  const table = type === "authorization" ? "authorizations" : "authorization_pools";
  const crowded = await findCrowded(trx, organizationId, { table, ids }, MAX_OF_PATIENT);
  const crowds = Map.groupBy(crowded, ({ patientId, kind }) => `${kind} ${patientId}`);
  for (const crowd of crowds.values()) {
    const lines = crowd
      .flatMap(({ id }) => file.records.get(type)?.get(id) ?? [])
      .sort((one, next) => one.line - next.line);
    const [{ patientId, kind, total } = { patientId: "", kind: "", total: 0 }] = crowd;
    // Those before the file, and then one per line.
    const entry = lines[Math.max(0, lines.length - (total - MAX_OF_PATIENT))];
    if (entry !== undefined && !lines.some((line) => isRefused(state, line)))
      refuse(state, entry, {
        path: ["patientId"],
        reason: "does_not_fit",
        message: `is a patient with more than ${MAX_OF_PATIENT} ${kind}`,
        value: patientId,
      });
  }
}

const POOLS_AND_MEMBERS = [
  ["authorizationPool", "authorization", "an authorization"],
  ["authorization", "authorizationPool", "a pool"],
] as const;
