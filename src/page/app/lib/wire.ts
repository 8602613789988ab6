import type { UtilizationEntry } from "../../../utilization/models/overview.ts";

/** What the API answers, by the declarations of its endpoints. */
export type { Session } from "../../../sessions/model.ts";
export type { User } from "../../../users/model.ts";
export type { Utilization } from "../../../utilization/model.ts";

/** A subject of the overview with the period that its day is in. */
export type OverviewEntry = UtilizationEntry;
export type Period = OverviewEntry["period"];

export interface Named {
  publicId: string;
  name: string;
}

/** What sessions that are added and cancelled would do. */
export interface WhatIf {
  authorizationPublicId: string;
  poolPublicId: string | null;
  timezone: string;
  fits: boolean;
  periods: WhatIfPeriod[];
  poolPeriods: WhatIfPeriod[] | null;
  /** Which of the added ones start outside the authorization's life. */
  outside: number[];
}

export interface WhatIfPeriod {
  startDate: string;
  endDate: string;
  unitsAuthorized: number | null;
  unitsCommitted: number;
  unitsAfter: number;
  unitsOver: number;
}
