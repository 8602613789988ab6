import { organizationsAndKeys } from "./0001_organizations_and_keys.ts";
import { referenceData } from "./0002_reference_data.ts";
import { users } from "./0003_users.ts";
import { authorizationsAndSessions } from "./0004_authorizations_and_sessions.ts";
import { intakeLeads } from "./0005_intake_leads.ts";
import { goals } from "./0006_goals.ts";
import { audit } from "./0007_audit.ts";
import { countsByMonth } from "./0008_counts_by_month.ts";
import { userSearch } from "./0009_user_search.ts";
import { usersByText } from "./0010_users_by_text.ts";
import { auditTrail } from "./0011_audit_trail.ts";
import { utilizationSubjects } from "./0013_utilization_subjects.ts";
import type { Migration } from "../../migration.ts";
import { stepsOf } from "../../steps.ts";

/** Every step in order: a list and not a folder scan, since a single binary has no folder. */
export const migrations: readonly Migration[] = [
  organizationsAndKeys,
  referenceData,
  users,
  authorizationsAndSessions,
  intakeLeads,
  goals,
  audit,
  countsByMonth,
  userSearch,
  usersByText,
  auditTrail,
  utilizationSubjects,
  ...stepsOf("sqlite"),
];
