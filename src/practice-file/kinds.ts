import type { RecordOf, RecordType } from "./model.ts";
import { authorization, authorizationPool } from "./authorizations.ts";
import { goal, treatmentPlan } from "./goals.ts";
import { intakeLead } from "./intake-leads.ts";
import {
  intakeLabel,
  intakeStage,
  location,
  nonBillableCode,
  organization,
  payor,
  serviceLine,
  specialization,
} from "./reference-data.ts";
import type { RecordKind } from "./record-kind.ts";
import { encounter, session } from "./sessions.ts";
import { user } from "./users.ts";

/** What is done with the records of each type, in the order in which an export writes them. */
export const kinds: { [Type in RecordType]: RecordKind<RecordOf[Type]> } = {
  organization,
  location,
  payor,
  serviceLine,
  nonBillableCode,
  specialization,
  intakeStage,
  intakeLabel,
  user,
  authorizationPool,
  authorization,
  session,
  encounter,
  intakeLead,
  treatmentPlan,
  goal,
};
