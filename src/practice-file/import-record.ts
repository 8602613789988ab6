import type { ImportContext } from "./import-context.ts";
import { importAuthorization, importAuthorizationPool } from "./importers/authorizations.ts";
import { importGoal, importTreatmentPlan } from "./importers/goals.ts";
import { importIntakeLead } from "./importers/intake.ts";
import {
  importIntakeStage,
  importNamed,
  importOrganization,
  importServiceLine,
  importSpecialization,
} from "./importers/reference-data.ts";
import { importUser } from "./importers/users.ts";
import type { PracticeRecord } from "./model.ts";
import type { RecordLine } from "./record-line.ts";
import { importEncounter, importSession } from "./sessions.ts";

/** Checks a record against the rest of the practice and, if its line is sound, writes it whole. */
export function importRecord(
  record: PracticeRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  switch (record.type) {
    case "organization":
      return importOrganization(record, line, context);
    case "location":
    case "payor":
    case "nonBillableCode":
    case "intakeLabel":
      return importNamed(record, context);
    case "serviceLine":
      return importServiceLine(record, context);
    case "specialization":
      return importSpecialization(record, context);
    case "intakeStage":
      return importIntakeStage(record, context);
    case "user":
      return importUser(record, line, context);
    case "authorizationPool":
      return importAuthorizationPool(record, line, context);
    case "authorization":
      return importAuthorization(record, line, context);
    case "session":
      return importSession(record, line, context);
    case "encounter":
      return importEncounter(record, line, context);
    case "intakeLead":
      return importIntakeLead(record, line, context);
    case "treatmentPlan":
      return importTreatmentPlan(record, line, context);
    case "goal":
      return importGoal(record, line, context);
  }
}
