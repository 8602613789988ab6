import { authorization, type Fields, session } from "../../support/practice-file/lines.ts";

/**
 * What the full practice does not have: a patient with a line of each state of billing, and with goals that are met, kept
 * up, silent, past, and recorded in each way. All of it is of December, so that few other views show it.
 */

function held(publicId: string, date: string, other: Fields = {}): Fields {
  return session(publicId, `${date} 15:00-17:00`, {
    ...{ placeOfService: "OFFICE", clientId: "usr_rae", technicianId: "usr_tech" },
    ...{ services: "svc_97153", authorizationId: "auth_r1", ...other },
  });
}

function delivered(of: Fields, other: Fields = {}): Fields {
  const { publicId, startTime, authorizationId } = of;
  return {
    ...{ type: "encounter", publicId: String(publicId).replace("apt", "enc") },
    ...{ authorizationId, sessionId: publicId, startTime, units: 8, ...other },
  };
}

const first = held("apt_r1", "2025-12-01");
const billed = held("apt_r2", "2025-12-02", { technicianId: "usr_tech2" });
const takenBack = held("apt_r3", "2025-12-03");
const replaced = held("apt_r4", "2025-12-04");
const voided = held("apt_r5", "2025-12-05", { technicianId: "usr_tech2" });
const byNobodyKnown = held("apt_r6", "2025-12-08", { technicianId: "usr_tech2" });
const cancelled = held("apt_r7", "2025-12-09", {
  ...{ status: "DECLINED", services: "svc_visit", authorizationId: "auth_r2" },
});
const outside = held("apt_r8", "2025-12-10");

const BATCH = "2025-W49 Acme Health";
const handedOver = (
  batch: string,
  units: number,
  date: string,
  takenBackAt: string | null = null,
) => ({
  ...{ batch, at: `${date}T20:00:00.000Z`, takenBackAt },
  line: { date, units, payorId: "pay_acme" },
});

const lines = [
  delivered(first),
  delivered(billed, { billed: [handedOver(BATCH, 8, "2025-12-02")] }),
  delivered(takenBack, {
    billed: [
      handedOver("2025-W48 Acme Health", 7, "2025-12-03", "2025-12-11T20:00:00.000Z"),
      handedOver(BATCH, 8, "2025-12-03", "2025-12-12T20:00:00.000Z"),
    ],
  }),
  delivered(replaced, {
    billed: [handedOver(BATCH, 5, "2025-12-04"), handedOver("2025-W50", 6, "2025-12-04")],
  }),
  delivered(voided, { units: 0, billed: [handedOver(BATCH, 8, "2025-12-05")] }),
  delivered(byNobodyKnown),
  delivered(cancelled, { units: 1 }),
  delivered(outside),
];

/** In the time of the sessions. */
const DURING = "T16:00:00.000Z";
/** Trials of some days, so many of each. */
function trials(of: string, outcomes: Record<string, string[]>) {
  return Object.entries(outcomes).flatMap(([date, own]) =>
    own.map((outcome, index) => ({
      publicId: `trial_${of}_${date}_${index}`,
      ...{ outcome, happenedAt: `${date}T16:0${index}:00.000Z` },
    })),
  );
}

const AT_LEAST = { unit: "PERCENTAGE", successCriteria: "GREATER_THAN_OR_EQUAL_TO" };

/** At first, to be acquired, and to be kept up. */
function metrics(of: string, values: [number, number, number], metric: Fields = AT_LEAST) {
  const [baselineMetric, successMetric, maintenanceMetric] = values.map((value, index) => ({
    ...{ publicId: `metric_${of}_${index}`, value, ...metric },
  }));
  return { baselineMetric, successMetric, maintenanceMetric };
}

function skill(publicId: string, shortDescription: string, other: Fields = {}): Fields {
  return {
    ...{ publicId, goalType: "opportunity", status: "IN_PROGRESS", shortDescription },
    ...{ goalStatement: `${shortDescription}.`, skillAcquisitionGoalType: "SINGLE_TARGET_GOAL" },
    ...{ minTrialsCount: 2, enabledOutcomes: ["SUCCESS", "FAILURE"] },
    ...metrics(publicId, [20, 80, 70]),
    ...other,
  };
}
const topGoal = { type: "goal", treatmentPlanId: "tp_3" };

const [YES, NO] = [
  ["SUCCESS", "SUCCESS"],
  ["FAILURE", "SUCCESS"],
];
/** So many days on which a step was practiced: more than its grid has. */
const PRACTICED = Array.from(
  { length: 13 },
  (_, index) => `2025-11-${String(15 + index).padStart(2, "0")}`,
);

const goals: Fields[] = [
  {
    ...topGoal,
    ...skill("goal_r_met", "Points to a picture", {
      phases: [
        { status: "BASELINE", since: null, isAutomatic: false },
        { status: "IN_PROGRESS", since: "2025-11-30T17:00:00.000Z", isAutomatic: false },
      ],
      ...{ baselineDate: "2025-12-02T09:00:00.000Z" },
      targetAchievementDate: "2026-01-05T03:00:00.000Z",
      skillTrials: trials("met", {
        ...{ "2025-11-28": NO, "2025-12-01": YES, "2025-12-02": YES, "2025-12-03": YES },
        ...{ "2025-12-04": YES, "2025-12-05": YES, "2025-12-08": ["FAILURE"] },
      }),
    }),
  },
  {
    ...topGoal,
    ...skill("goal_r_kept", "Waits for a turn", {
      status: "IN_MAINTENANCE",
      phases: [
        { status: "IN_PROGRESS", since: null, isAutomatic: false },
        { status: "IN_MAINTENANCE", since: "2025-12-02T23:00:00.000Z", isAutomatic: true },
      ],
      skillTrials: trials("kept", {
        ...{ "2025-12-01": YES, "2025-12-02": YES },
        ...{ "2025-12-03": YES, "2025-12-04": NO, "2025-12-05": NO },
      }),
    }),
  },
  {
    ...topGoal,
    ...skill("goal_r_chain", "Brushes teeth", {
      skillAcquisitionGoalType: "CHAINED_GOAL",
      childGoals: [
        skill("goal_r_step1", "Opens the tube", {
          skillTrials: trials(
            "step1",
            Object.fromEntries(PRACTICED.map((date) => [date, ["SUCCESS"]])),
          ),
        }),
        skill("goal_r_step2", "Rinses", {
          enabledOutcomes: ["SUCCESS", "PROMPTED"],
          skillTrials: trials("step2", { "2025-11-20": ["FAILURE"], "2025-11-28": NO }),
        }),
      ],
    }),
  },
  {
    ...{ ...topGoal, publicId: "goal_r_silent", goalType: "frequency_duration" },
    ...{ status: "BASELINE", dataCollectionType: "FREQUENCY_ONLY", isBehavior: true },
    ...{ targetMaladaptiveBehaviorName: "Leaves the room", goalStatement: "Stays." },
    ...metrics("silent", [4, 2, 1], {
      ...{ unit: "FREQUENCY", frequencyUnit: "WEEKS", successCriteria: "LESS_THAN" },
      ...{ observationPeriod: 2, observationPeriodUnit: "WEEKS" },
    }),
    behaviorInstances: [
      { publicId: "behavior_r1", quantity: 3, happenedAt: `2025-11-28${DURING}` },
    ],
  },
  {
    ...{ ...topGoal, publicId: "goal_r_rating", goalType: "rating", status: "IN_PROGRESS" },
    ...{ title: "Calm transitions", measurementType: "RATING" },
    ratingInstances: PRACTICED.map((date, index) => ({
      publicId: `rating_r${index}`,
      ...{ value: 13 - index, happenedAt: `${date}${DURING}` },
    })),
  },
  {
    ...{ ...topGoal, publicId: "goal_r_interval", goalType: "interval", status: "IN_PROGRESS" },
    ...{ title: "On task", measurementType: "INTERVAL", intervalRecordingType: "PARTIAL" },
    ...{ intervalDuration: 20, intervalQuantity: 3, sets: 1 },
    intervalSets: [
      {
        publicId: "interval_r1",
        ...{ startedAt: `2025-12-09${DURING}`, intervals: [true, true, false] },
      },
    ],
  },
];

/** Of another patient, so that those of all are more than are shown open. */
const past: Fields = {
  ...{ type: "goal", publicId: "goal_s_past", treatmentPlanId: "tp_2", goalType: "rating" },
  ...{ status: "BASELINE", title: "Sits with others", measurementType: "RATING" },
  targetAchievementDate: "2025-12-31T00:00:00.000Z",
};

export const recordsOfRae: Fields[] = [
  {
    ...{ type: "user", publicId: "usr_rae", role: "PATIENT", isActive: true },
    ...{ firstName: "Rae", lastName: "Moss", userStatus: "ACTIVE", birthDate: "2020-02-03" },
    timezone: "America/New_York",
    payors: [
      {
        ...{ payorId: "pay_acme", priority: "PRIMARY", relationshipToPatient: "SELF" },
        ...{ memberId: "M-9", planHolder: "Rae Moss", effectiveStartDate: "2025-01-01" },
        ...{ insuredBirthDate: "2020-02-03", insuredAddress: { city: "Salem" } },
      },
    ],
  },
  ...[
    ["auth_r1", "R-1", "svc_97153", "pay_acme"],
    ["auth_r2", "R-2", "svc_visit", null],
  ].map(([publicId, authorizationNumber, serviceLineId, payorId]) =>
    authorization(String(publicId), {
      ...{ authorizationNumber, serviceLineId, payorId, patientId: "usr_rae" },
      ...{ authorizedUnitsQuantity: 400, authorizedUnitFrequency: "TOTAL" },
      ...{ authorizationDate: "2025-11-01", authorizationExpirationDate: "2025-12-09" },
    }),
  ),
  ...[first, billed, takenBack, replaced, voided, byNobodyKnown, cancelled, outside],
  ...lines,
  { type: "treatmentPlan", publicId: "tp_3", patientId: "usr_rae" },
  ...goals,
  past,
];
