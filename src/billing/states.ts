/** The states of billing lines (docs/billing.md), with their descriptions. */
export const states = {
  READY: "Not billed, without problems.",
  PROBLEM: "Not billed, with problems.",
  BILLED: "Billed, and as it was.",
  CHANGED: "Billed, and a field of what was handed over is another now.",
} as const;

export type LineState = keyof typeof states;
export const stateNames = Object.keys(states) as LineState[];

/** The maximum length of a batch's name. */
export const MAX_BATCH = 100;
