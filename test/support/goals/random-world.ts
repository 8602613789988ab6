import { expect } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../factories.ts";
import { NOW, type TestService } from "../harness.ts";
import { type Fields, mustImport } from "../practice-file/practice-file.ts";
import { runs } from "../runs.ts";
import type { World } from "./progress-oracle.ts";

/** A random practice with goals of all kinds, sessions at once and across midnights, and clock changes. */

export type Random = fc.GeneratorValue;

const ZONES = [
  "America/New_York",
  "America/Santiago",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Eastern",
  null,
];
const STATUSES = [
  "BASELINE",
  "IN_MAINTENANCE",
  "MASTERED",
  "ARCHIVED",
  "IN_PROGRESS",
  "DISCONTINUED",
  "ON_HOLD",
];
const CRITERIA = [
  null,
  "EQUAL_TO",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL_TO",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL_TO",
];
const TIME_UNITS = [null, "SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS", "MONTHS"];
export const STAFF = ["usr_tech1", "usr_tech2", "usr_bcba"];

const MINUTE = 60_000;
const DAY = 86_400_000;

export function newWorld(random: Random, now: string): World {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[random(fc.nat, { max: items.length - 1 })] as Item;
  const chance = (percent: number): boolean => random(fc.nat, { max: 99 }) < percent;
  const time = Date.parse(now);
  /** Mostly within the last weeks, also around the edge of what is looked at, and ahead. */
  const instant = (): string => {
    const days = pick([random(fc.nat, { max: 24 }), random(fc.nat, { max: 120 }), 366, 367, 380]);
    const minutes = pick([random(fc.nat, { max: 1439 }), 0, 300, 420]);
    return new Date(Math.floor((time - days * DAY) / DAY) * DAY + minutes * MINUTE).toISOString();
  };
  const organization: Fields = {
    ...{
      type: "organization",
      publicId: "org_goals",
      name: "Goals",
      timezone: pick(ZONES.slice(0, 3)),
    },
    weekStartsOn: pick(["SUNDAY", "MONDAY", "THURSDAY"]),
    goalDaysInARow: pick([null, 1, 2, 5]),
  };
  const users: Fields[] = [
    ...STAFF.map((publicId): Fields => ({
      ...{ type: "user", publicId, firstName: "Ana", lastName: publicId },
      role: publicId === "usr_bcba" ? "CLINICIAN" : "TECHNICIAN",
    })),
    ...["usr_kid1", "usr_kid2"].map((publicId): Fields => ({
      ...{ type: "user", publicId, role: "PATIENT", firstName: pick(["Leo", "Mia"]) },
      ...{ lastName: pick(["Park", "park", "Ångström"]), timezone: pick(ZONES) },
    })),
  ];
  const plans = [0, 1, 2].map((index): Fields => ({
    ...{ type: "treatmentPlan", publicId: `tp_${index}` },
    patientId: pick(["usr_kid1", "usr_kid2"]),
  }));
  const sessions = Array.from({ length: 30 }, (_, index): Fields => {
    const startTime = instant();
    const length = pick([0, 30, 60, 125, 400, 1500]) * MINUTE;
    return {
      ...{ type: "session", publicId: `apt_${index}`, title: "Therapy", startTime },
      endTime: new Date(Date.parse(startTime) + length).toISOString(),
      status: chance(85) ? "CONFIRMED" : pick(["DECLINED", "UNCONFIRMED", "PATIENT_NO_SHOW"]),
      ...{ isSupervision: chance(10), isClientPresent: chance(90), placeOfService: "HOME" },
      ...{ locationId: "loc_1", clientId: pick(["usr_kid1", "usr_kid2"]), isBillable: true },
      ...{
        technicianId: pick([null, "usr_tech1", "usr_tech2"]),
        clinicianId: pick([null, "usr_bcba"]),
      },
      ...{ isTelehealth: false, services: "svl_1" },
    };
  });
  const edges = sessions.flatMap(({ startTime, endTime }) => [String(startTime), String(endTime)]);
  /** At the edges of sessions, within them, or anywhere. */
  const times = (): string[] =>
    Array.from({ length: random(fc.nat, { max: 24 }) }, () => {
      if (chance(30)) return instant();
      const edge = Date.parse(pick(edges));
      return new Date(edge + pick([0, 0, 1, -1, 10 * MINUTE])).toISOString();
    });
  const metric = (publicId: string, isOfTrials: boolean): Fields => {
    const unit = pick(["FREQUENCY", "DURATION", "COUNT", "PERCENTAGE", "PERCENTAGE"]);
    const isPlain = isOfTrials || unit === "PERCENTAGE";
    return {
      ...{
        publicId,
        value: pick([0, 1, 2.5, 50, 66.666667, 80]),
        unit,
        successCriteria: pick(CRITERIA),
      },
      ...(!isPlain && {
        frequencyUnit: pick(TIME_UNITS),
        observationPeriod: pick([null, 0, 1, 1.5, 2, 10]),
        observationPeriodUnit: pick(TIME_UNITS),
      }),
    };
  };
  const metrics = (isOfTrials: boolean): Fields => ({
    baselineMetric: metric("metric_b", isOfTrials),
    successMetric: metric("metric_s", isOfTrials),
    maintenanceMetric: metric("metric_m", isOfTrials),
  });
  const common = (): Fields => {
    const dates = Array.from({ length: random(fc.nat, { max: 3 }) }, instant).sort();
    const before = dates.map((since): Fields => ({
      ...{ since, status: pick(STATUSES) },
      isAutomatic: chance(20),
    }));
    const status = pick(STATUSES);
    const phases = [{ status: pick(STATUSES), since: null, isAutomatic: false }, ...before];
    const last = phases.at(-1) as Fields;
    last.status = status;
    return { status, phases: phases.slice(pick([0, 1]) % phases.length) };
  };
  const entriesOf = (goalType: string): Fields => {
    const list = times().map((at, index): Fields => ({ publicId: `rec_${index}`, at }));
    if (goalType === "opportunity")
      return {
        skillTrials: list.map(({ publicId, at }) => ({
          ...{ publicId, happenedAt: at },
          outcome: pick(["SUCCESS", "SUCCESS", "FAILURE", "PROMPTED"]),
        })),
      };
    if (goalType === "rating")
      return {
        ratingInstances: list.map(({ publicId, at }) => ({
          ...{ publicId, happenedAt: at, value: pick([-1.5, 0, 1, 2.5, 4.7]) },
        })),
      };
    if (goalType === "interval")
      return {
        intervalSets: list.map(({ publicId, at }) => ({
          ...{ publicId, startedAt: at, intervals: pick([[], [true], [true, false, false]]) },
        })),
      };
    return {
      behaviorInstances: list.map(({ publicId, at }) => ({
        ...{ publicId, happenedAt: at, quantity: pick([0, 0, 1, 2, 0.5, 0.333]) },
        durationSeconds: pick([null, 0, 12.5, 600]),
      })),
    };
  };
  const texts = (goalType: string): Fields =>
    goalType === "rating" || goalType === "interval"
      ? { title: pick(["Calm", "c".repeat(81)]) }
      : {
          goalStatement: pick(["Asks.", "s".repeat(80)]),
          ...(goalType === "opportunity"
            ? { shortDescription: pick([null, "Hands"]) }
            : { targetMaladaptiveBehaviorName: pick([null, "Shouting"]) }),
        };
  const goalOf = (goalType: string, publicId: string, depth = 0): Fields => ({
    ...{ publicId, goalType, ...common(), ...texts(goalType), ...entriesOf(goalType) },
    ...{ baselineDate: pick([null, instant()]), targetAchievementDate: pick([null, instant()]) },
    ...(goalType === "interval" && {
      ...{ intervalDuration: 30, intervalQuantity: 10, sets: 1, intervalRecordingType: "WHOLE" },
    }),
    ...((goalType === "opportunity" || goalType === "frequency_duration") &&
      metrics(goalType === "opportunity")),
    ...(goalType === "opportunity" && {
      ...{ skillAcquisitionGoalType: "CHAINED_GOAL", enabledOutcomes: ["SUCCESS"] },
      minTrialsCount: pick([null, 1, 3]),
      childGoals:
        depth < 2 && chance(40)
          ? ["b", "a"].map((name) => goalOf("opportunity", `${publicId}_${name}`, depth + 1))
          : [],
    }),
  });
  const kinds = ["frequency_duration", "frequency_duration", "opportunity", "rating", "interval"];
  const goals = kinds.map((goalType, index): Fields => ({
    ...{ type: "goal", treatmentPlanId: pick(plans).publicId },
    ...goalOf(goalType, `goal_${kinds.length - index}`),
  }));
  return { organization, users, plans, sessions, goals, now };
}

/** The records of a world as a practice file has them. */
export function recordsOf({ organization, users, plans, sessions, goals }: World): Fields[] {
  return [
    organization,
    { type: "location", publicId: "loc_1", name: "Main" },
    { type: "serviceLine", publicId: "svl_1", name: "Therapy", billingUnitMinutes: 15 },
    ...users,
    ...plans,
    ...sessions,
    ...goals,
  ];
}

/** Tries random practices, as they are or changed: what is read below /api/v1 by an administrator, its `data`. */
export async function tryWorlds(
  service: TestService,
  expectation: (world: World, read: (path: string) => Promise<Fields[]>) => Promise<void>,
  change: (world: World, count: number) => void = () => {},
): Promise<void> {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (random) => {
      count += 1;
      const world = newWorld(random, NOW);
      const publicId = `org_${count}`;
      world.organization.publicId = publicId;
      change(world, count);
      await mustImport(service.database, recordsOf(world));
      const key = await newApiKey(service.database, publicId);
      await expectation(world, async (path) => {
        const { status, body } = await service.call(`GET /api/v1/${path}`, { key });
        expect(status).toBe(200);
        return (body as { data: Fields[] }).data;
      });
    }),
    { numRuns: runs(120), endOnFailure: true },
  );
}
