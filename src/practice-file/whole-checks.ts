import type { Db } from "../../db/database.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type { Problem } from "./mistakes.ts";
import { references } from "./references.ts";
import {
  findBrokenBindings,
  findBrokenEncounters,
  findBrokenPools,
  findFullPools,
  findMisfits,
  findSharedIds,
  type Odds,
} from "./repository.ts";
import { isBad, refuse, type Writing } from "./writing.ts";

/** Limit of members of a pool (practice-file.md). */
const MAX_MEMBERS = 500;

/**
 * Checks what is possible only after everything was written: records that no longer satisfy the requirements of others
 * that refer to them, and that may not be in the file.
 */
export async function checkWhole(writing: Writing): Promise<void> {
  const { trx, organizationId, file, reliedOn } = writing;
  const check = async (
    type: OwnedType,
    otherType: OwnedType,
    find: (db: Db, organizationId: string, ids: readonly string[]) => Promise<Odds[]>,
    problem: (other: string) => Problem,
  ): Promise<void> => {
    const ids = reliedOn.get(type) ?? [];
    if (ids.length === 0) return;
    for (const { id, other } of await find(trx, organizationId, ids)) {
      const entry = file.records.get(type)?.get(id);
      if (entry !== undefined && !isBad(writing, otherType, other))
        refuse(writing, entry, problem(other));
    }
  };

  for (const reference of references) {
    const { type, field, roles } = reference;
    if (roles === undefined) continue;
    await check(
      "user",
      type,
      (db, organization, ids) => findMisfits(db, organization, reference, ids),
      (other) => ({
        path: ["role"],
        message: `must be ${roles.join(" or ")} where this user is the ${field.join(".")} of`,
        detail: ` ${type} ${other}`,
      }),
    );
  }
  await check("authorization", "session", findBrokenBindings, (other) => ({
    path: [],
    message: "has another patient or service line than a session that is bound to it:",
    detail: ` ${other}`,
  }));
  await check("session", "encounter", findBrokenEncounters, (other) => ({
    path: ["authorizationId"],
    message: "is not the authorization of an encounter of this session:",
    detail: ` ${other}`,
  }));
  await check("authorizationPool", "authorization", findBrokenPools, (other) => ({
    path: [],
    message: "has another patient or payor than a member:",
    detail: ` ${other}`,
  }));
  await check(
    "authorization",
    "authorizationPool",
    (db, organization, ids) => findFullPools(db, organization, ids, MAX_MEMBERS),
    (other) => ({
      path: ["authorizationPoolId"],
      message: `is a pool of more than ${MAX_MEMBERS} members`,
      value: other,
    }),
  );
  for (const [type, otherType, other] of POOLS_AND_MEMBERS)
    await check(
      type,
      otherType,
      async (db, organization, ids) =>
        (await findSharedIds(db, organization, ids)).map((id) => ({ id, other: id })),
      (id) => ({ path: ["publicId"], message: `is also the id of ${other}`, value: id }),
    );
}

const POOLS_AND_MEMBERS = [
  ["authorizationPool", "authorization", "an authorization"],
  ["authorization", "authorizationPool", "a pool"],
] as const;
