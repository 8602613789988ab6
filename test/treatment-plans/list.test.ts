import { found, pages, shown } from "../support/pages.ts";
import { transcripts } from "../support/transcript.ts";

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
  shown("GET treatment-plans", plans),
  found("GET treatment-plans?patientId=usr_mia&pageSize=1", ["tp_1"], 2),
  found("GET treatment-plans?patientId=usr_none", []),
  found("GET treatment-plans?patientId=", []),
  ...pages(
    "GET treatment-plans",
    plans.map(({ publicId }) => publicId),
  ),
]);
