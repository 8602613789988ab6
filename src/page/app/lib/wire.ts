import type { Static } from "@sinclair/typebox";
import type { WhatIfBody as WhatIfSchema } from "../../../utilization/models/what-if.ts";
import type { UtilizationEntry } from "../../../utilization/models/overview.ts";

/** What the API answers, by the declarations of its endpoints. */
export type { Me } from "../../../me/model.ts";
export type { Session } from "../../../sessions/model.ts";
export type { User } from "../../../users/model.ts";
export type { Utilization } from "../../../utilization/model.ts";
export type { WhatIf } from "../../../utilization/models/what-if.ts";

/** What the what-if is asked. */
export type WhatIfBody = Static<typeof WhatIfSchema>;

/** A subject of the overview with the period that its day is in. */
export type OverviewEntry = UtilizationEntry;
export type Period = OverviewEntry["period"];

export interface Named {
  publicId: string;
  name: string;
}
