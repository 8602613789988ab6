/** The states of billing lines (docs/billing.md), with their descriptions. */
export const states = {
  READY: "Nothing was handed over, and it has no problems.",
  PROBLEM: "Nothing was handed over, and it has problems.",
  BILLED: "Handed over, and as it was.",
  CHANGED: "Handed over, and another now: to be handed over again, or voided.",
  TAKEN_BACK: "Handed over, and all of it taken back.",
} as const;

export type LineState = keyof typeof states;
export const stateNames = Object.keys(states) as LineState[];

/** The maximum length of a batch's name. */
export const MAX_BATCH = 100;

/** The most hand-overs of an encounter. */
export const MAX_HAND_OVERS = 40;
