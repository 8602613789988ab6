import { pieces } from "../lib/pieces.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { checkShares } from "./limits.ts";
import { kindOf } from "./model.ts";
import type { Problem } from "./kinds/problem.ts";
import { columnOf, type Reference, references } from "./kinds/references.ts";
import { findSharedIds, findUnfit, type Odds } from "./repository.ts";
import { isBad, refuse, type ImportState } from "./import-state.ts";

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
    const columns = neededOf(reference).map((name) => columnOf(names, name) ?? name);
    const ids = new Set(columns.flatMap((column) => reliedOn.get(names)?.get(column) ?? []));
    for (const piece of pieces([...ids])) {
      const namedTable = kindOf(names).table;
      const odds = await findUnfit(trx, organizationId, reference, { namedTable, ids: piece });
      check(names, type, odds, (other) =>
        agreement === undefined
          ? {
              path: ["role"],
              message: `must be ${roles?.join(" or ")} where this user is the ${field.join(".")} of`,
              detail: ` ${type} ${other}`,
            }
          : { ...agreement.broken, detail: ` ${other}` },
      );
    }
  }
  for (const [type, otherType, other] of POOLS_AND_MEMBERS) {
    for (const ids of pieces(created.get(type) ?? [])) {
      const shared = await findSharedIds(trx, organizationId, ids);
      check(type, otherType, shared, (id) => ({
        path: ["publicId"],
        message: `is also the id of ${other}`,
        reason: "duplicate",
        value: id,
      }));
    }
  }
  await checkShares(state);
}

/** The fields of a record on which those that refer to it by a field depend. */
function neededOf({ roles, agreement }: Reference): string[] {
  return roles === undefined ? (agreement?.fields ?? []).map(({ other }) => other) : ["role"];
}

const POOLS_AND_MEMBERS = [
  ["authorizationPool", "authorization", "an authorization"],
  ["authorization", "authorizationPool", "a pool"],
] as const;
