import type { Static } from "@sinclair/typebox";
import type { CalendarList as CalendarListSchema } from "../../../../calendar/model.ts";
import type {
  ChecksReport as ChecksReportSchema,
  Finding,
  FindingChanges,
} from "../../../../checks/model.ts";
import type { GoalProgress } from "../../../../goal-progress/model.ts";
import type { ServiceLine } from "../../../../reference-data/model.ts";
import type { Pagination } from "../../../../schema/pagination.ts";
import type { UtilizationLedger as LedgerSchema } from "../../../../utilization/models/ledger.ts";
import type { WhatIfBody as WhatIfSchema } from "../../../../utilization/models/what-if.ts";
import type { Names as NamesSchema, User } from "../../../../users/model.ts";

/** Types of the API's responses, derived from the declarations of its endpoints. */
export type { Finding, FindingChanges };
export type { BillingLine, BillingReport } from "../../../../billing/model.ts";
export type {
  Support as BillingSupport,
  SupportReport as BillingSupportReport,
} from "../../../../billing/support-model.ts";
export type { DeliveryEntry, DeliveryReport } from "../../../../delivery/model.ts";
export type { IssuedCalendar } from "../../../../calendar/model.ts";
export type { IntakeLead, IntakeLeadCreation } from "../../../../intake-leads/model.ts";
export type { ImportResult } from "../../../../practice-file/import-result.ts";
export type { Me } from "../../../../me/model.ts";
export type { Encounter } from "../../../../encounters/model.ts";
export type { Session } from "../../../../sessions/model.ts";
export type { User };
export type Role = User["role"];
/** A person, as far as a name goes. */
export type Named = Static<typeof NamesSchema>["data"][number];
export type { Utilization } from "../../../../utilization/model.ts";
export type { SupervisionEntry, SupervisionReport } from "../../../../supervision/model.ts";
export type { UnitFrequency as Frequency } from "../../../../utilization/periods.ts";
export type { SessionUtilization } from "../../../../utilization/models/session.ts";
export type { UtilizationEntry as OverviewEntry } from "../../../../utilization/models/overview.ts";
export type { LedgerEntry } from "../../../../utilization/models/ledger.ts";
export type { SummarySeries, UtilizationSummary } from "../../../../utilization/models/summary.ts";
export type { WhatIf } from "../../../../utilization/models/what-if.ts";

export type { GoalProgress };
export type GoalPoint = GoalProgress["points"][number];
export type { OpportunityGoal } from "../../../../goals/models/opportunity.ts";
export type { GoalSummary } from "../../../../goals/models/summary.ts";

export type CalendarList = Static<typeof CalendarListSchema>;
export type UtilizationLedger = Static<typeof LedgerSchema>;

/** The body of a what-if. */
export type WhatIfBody = Static<typeof WhatIfSchema>;

/** A page of a list. */
export interface PageOf<Item> {
  data: Item[];
  pagination: Static<typeof Pagination>;
}

/** A page of findings, with the totals. */
export type ChecksReport = Static<typeof ChecksReportSchema>;

export interface NamedRecord {
  publicId: string;
  name: string;
}

/** A service line, as far as the page knows more of it than its name. */
export type Service = Pick<Static<typeof ServiceLine>, "code" | "kind" | "isGroup"> & NamedRecord;
