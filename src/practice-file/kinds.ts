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

/** How records of a type are imported and exported. */
export function kindOf(type: OwnedType): RecordKind {
  return kinds[type];
}

/** All types except the organization, each after those it refers to. */
export const ownedTypes = recordTypes.filter((type) => type !== "organization");
