import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  countRecordedWithin,
  findRecordedWithin,
  type PatientTime,
} from "../../src/goals/repository.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newGoal, newOrganization, newPatient, newTreatmentPlan } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";

/**
 * Whether and how much was recorded within a time of a patient, compared with a search of the entries: on days with
 * entries before and after the time alone, across midnights, on goals below others, and of other patients.
 */

const database = await newDatabase();

const START = Date.parse("2026-03-01T20:00:00.000Z");
const HALF_HOUR = 30 * 60_000;
const instant = (place: number) => new Date(START + place * HALF_HOUR).toISOString() as Instant;

test("what was recorded within a time is that of any goal of the patient", async () => {
  const place = fc.nat(60);
  const entries = fc.array(place, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(entries, entries, entries), { minLength: 2, maxLength: 2 }),
      fc.array(fc.tuple(fc.nat(1), place, fc.nat(6)), { minLength: 1, maxLength: 12 }),
      async (patients, windows) => {
        const organizationId = await newOrganization(database);
        const known: { patientId: string; goal: string; at: string }[] = [];
        const ids: string[] = [];
        for (const lists of patients) {
          const patientId = await newPatient(database, organizationId);
          ids.push(patientId);
          const [trials, below, sets] = lists.map((places, list) =>
            places.map((each, index) => {
              known.push({ patientId, goal: `${patientId} ${list}`, at: instant(each) });
              return { publicId: `entry_${index}`, at: instant(each) };
            }),
          ) as { publicId: string; at: string }[][];
          const ofTrials = (each: typeof trials) =>
            each?.map(({ publicId, at }) => ({ publicId, outcome: "SUCCESS", happenedAt: at }));
          await newGoal(database, organizationId, {
            treatmentPlanId: await newTreatmentPlan(database, organizationId, {
              patient_id: patientId,
            }),
            ...{ goalType: "opportunity", skillTrials: ofTrials(trials) },
            childGoals: [{ skillTrials: ofTrials(below) }],
          });
          await newGoal(database, organizationId, {
            treatmentPlanId: await newTreatmentPlan(database, organizationId, {
              patient_id: patientId,
            }),
            goalType: "interval",
            status: "ARCHIVED",
            intervalSets: sets?.map(({ publicId, at }) => ({
              ...{ publicId, startedAt: at, intervals: [true] },
            })),
          });
        }
        const times = windows.map(([patient, from, length]): PatientTime => ({
          patientId: ids[patient] as string,
          from: instant(from),
          to: instant(from + length),
        }));
        const within = ({ patientId, from, to }: PatientTime) =>
          known.filter((each) => each.patientId === patientId && from <= each.at && each.at <= to);
        const expected = times.flatMap((time, index) => (within(time).length > 0 ? [index] : []));
        const found = await database.read((db) => findRecordedWithin(db, organizationId, times));
        expect([...found].sort((a, b) => a - b)).toEqual(expected);
        for (const time of times) {
          const own = within(time);
          const instants = own.map(({ at }) => at).sort();
          expect(
            await database.read((db) => countRecordedWithin(db, organizationId, time)),
          ).toEqual({
            entries: own.length,
            goals: new Set(own.map(({ goal }) => goal)).size,
            firstAt: (instants[0] as Instant | undefined) ?? null,
            lastAt: (instants.at(-1) as Instant | undefined) ?? null,
          });
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});
