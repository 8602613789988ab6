/** The states of a technician's month, in the order of the report. */
export const states = ["SHORT", "BOOKED", "MET", "NO_HOURS"] as const;

export type SupervisionState = (typeof states)[number];

/** The share that the BACB requires of registered behavior technicians; many payors and states require more. */
export const DEFAULT_REQUIRED_SHARE = "0.05";
