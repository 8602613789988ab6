import { recordTypes, type OwnedType } from "../schema/record-types.ts";
import { authorization, authorizationPool } from "./authorizations.ts";
import { goal, treatmentPlan } from "./goals.ts";
import { intakeLead } from "./intake-leads.ts";
import type { RecordOf } from "./model.ts";
import type { RecordKind } from "./record-kind.ts";
import {
  intakeLabel,
  intakeStage,
  location,
  nonBillableCode,
  payor,
  serviceLine,
  specialization,
} from "./reference-data.ts";
import { encounter, session } from "./sessions.ts";
import { user } from "./users.ts";

const kinds: { [Type in OwnedType]: RecordKind<RecordOf[Type]> } = {
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

/** What is done with the records of a type. */
export function kindOf(type: OwnedType): RecordKind {
  return kinds[type];
}

/** All types but the organization's, each after those that its records name. */
export const ownedTypes = recordTypes.filter((type) => type !== "organization");
