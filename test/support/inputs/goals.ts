/** Enumerations of goals (specification, section 4.8). */

export const goalStatuses = [
  ...["BASELINE", "IN_MAINTENANCE", "MASTERED", "ARCHIVED"],
  ...["IN_PROGRESS", "DISCONTINUED", "FUTURE", "ON_HOLD"],
];
