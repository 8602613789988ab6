import type { BillingLine } from "../base/wire.ts";

/** Hand-overs of a line. In a file of its own: what documents a session needs no more of billing. */

export type HandOver = BillingLine["billed"][number];
/** Hand-overs in a practice file: what is left out is as it is stored. */
export type HandOvers = Partial<HandOver>[];

export const isCounting = ({ takenBackAt }: HandOver) => takenBackAt === null;

/** The batch of the last hand-over that counts and has one. */
export function billedIn(billed: BillingLine["billed"]): string | undefined {
  return billed.findLast((one) => isCounting(one) && one.batch !== null)?.batch ?? undefined;
}

/** The hand-over with which a line is compared. */
export function lastCounting(billed: BillingLine["billed"]): HandOver | undefined {
  return billed.findLast(isCounting);
}
