import type { PracticeRecord } from "../practice-file/model.ts";
import { authorizationPools, authorizations } from "./authorizations.ts";
import { type DemoOptions, newClinic } from "./clinic.ts";
import { goals, treatmentPlans } from "./goals.ts";
import { intakeLeads } from "./intake.ts";
import { payorRecord, payors } from "./payors.ts";
import { users } from "./people.ts";
import { labels, locations, organization, specializations, stages } from "./reference-data.ts";
import { nonBillableCodes, serviceLines } from "./services.ts";
import { encounters, sessions } from "./sessions.ts";

/**
 * A synthetic practice as the records of a practice file, in the order in which an export writes them: a clinic for
 * behavior therapy in New York State, in the middle of its work on the day `today`. Everybody in it is invented.
 *
 * The same options give the same records. There are exactly as many sessions as asked for; people, authorizations
 * and goals are as many as those sessions need. Records are made one by one: a million sessions take 8 seconds to
 * write, and a process of 170 MB, where 2000 take one of 80.
 *
 * @example
 * for (const record of demoPractice({ seed: 1, sessions: 2000, today })) console.log(record.type);
 */
export function* demoPractice(options: DemoOptions): Generator<PracticeRecord> {
  const clinic = newClinic(options);
  yield organization(options.seed);
  yield* locations(clinic.locations);
  yield* payors.map(payorRecord);
  yield* Object.values(serviceLines);
  yield* Object.values(nonBillableCodes);
  yield* specializations;
  yield* stages;
  yield* labels;
  yield* users(clinic);
  yield* authorizationPools(clinic);
  yield* authorizations(clinic);
  yield* sessions(clinic);
  yield* encounters(clinic);
  yield* intakeLeads(clinic);
  yield* treatmentPlans(clinic);
  yield* goals(clinic);
}
