/** What points of goals, and their values, are in. */

/** The lengths of points in days. */
export const DAYS_OF = { DAY: 1, WEEK: 7, MONTH: 30 } as const;
export type PointUnit = keyof typeof DAYS_OF;
export const pointUnits = Object.keys(DAYS_OF) as PointUnit[];

export const valueUnits = ["PERCENT", "TIMES", "SECONDS", "MINUTES", "HOURS", "RATING"] as const;
export type ValueUnit = (typeof valueUnits)[number];

export const clockUnits = ["SECONDS", "MINUTES", "HOURS"] as const;
export type ClockUnit = (typeof clockUnits)[number];

export const pointStates = ["RUNNING", "SILENT", "UNKNOWN", "FEW", "EARLIER", "COUNTS"] as const;
export type PointState = (typeof pointStates)[number];
