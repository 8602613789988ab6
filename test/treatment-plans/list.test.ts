import { pages } from "../support/pages.ts";
import { transcripts, whole } from "../support/transcript.ts";

/** GET /v1/treatment-plans: finds the plan for a new goal. */

const practice = await transcripts();

const plans = [
  { publicId: "tp_1", patientId: "usr_mia", name: null },
  { publicId: "tp_2", patientId: "usr_leo", name: "Communication" },
  { publicId: "tp_3", patientId: "usr_leo", name: null },
  { publicId: "tp_4", patientId: "usr_mia", name: "Play" },
  { publicId: "tp_5", patientId: "usr_leo", name: "Aggression" },
];
const patients = ["usr_leo", "usr_mia"].map((publicId) => ({
  ...{ type: "user", publicId, role: "PATIENT", firstName: "Leo", lastName: "Park" },
}));
const lines = plans.map((plan) => ({ type: "treatmentPlan", ...plan })).toReversed();

practice([...patients, ...lines], { elsewhere: [] })("plans come by id, of all or of one patient", [
  [
    ...(["GET treatment-plans", 200] as const),
    whole({
      data: plans,
      pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
    }),
  ],
  [
    ...(["GET treatment-plans?patientId=usr_mia&pageSize=1", 200] as const),
    { data: [{ publicId: "tp_1" }], pagination: { totalCount: 2, totalPages: 2 } },
  ],
  ["GET treatment-plans?patientId=usr_none", 200, { data: [] }],
  ["GET treatment-plans?patientId=", 200, { data: [] }],
  ...pages(
    "GET treatment-plans",
    plans.map(({ publicId }) => publicId),
  ),
]);
