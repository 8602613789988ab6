import { roles } from "../../../src/callers/roles.ts";
import type { GoalType } from "../../../src/goals/models/common.ts";
import { newApiKey, newAuthorization, newUser } from "../factories.ts";
import { goalTypes, type Json, optional, publicIdOf, refusedBody, step } from "../goals/bodies.ts";
import { newPractice } from "../goals/practice.ts";
import { newLead } from "../intake-leads/practice.ts";
import { validationBody } from "../list-rules.ts";
import * as goals from "./goals.ts";
import {
  count,
  writtenDate,
  email,
  type Field,
  type Fields,
  filled,
  ids,
  instant,
  list,
  name,
  neverNull,
  notNegative,
  number,
  object,
  oneOf,
  phone,
  place,
  positive,
  positiveCount,
  prose,
  publicId,
  required,
  text,
  timeZone,
  writtenInstant,
  toggle,
} from "./kinds.ts";

/** The fields of all JSON bodies, with the kind of each, and requests that have such bodies. */

const user: Fields = {
  ...{ firstName: required(name(1)), lastName: required(name(1)), email },
  role: oneOf(roles.filter((role) => role !== "CLINICAL_SUPERADMIN")),
  ...{
    phoneNumber: text(),
    npiNumber: text(),
    shouldSendSMS: toggle,
    recertificationDate: writtenInstant,
  },
  ...{
    providerPayors: ids,
    specializations: ids,
    careTeamTechnicianIds: ids,
    careTeamLeadIds: ids,
  },
};

const stageKeys = [
  ...["LEAD", "WAITLIST", "VERIFIED_BENEFITS", "AUTH_REQUESTED", "AUTH_APPROVED"],
  ...["ASSESSMENT_SCHEDULED", "THERAPY_SCHEDULED", "ACTIVE", "INACTIVE", "SERVICES_PAUSED"],
  ...["DISCHARGED", "ARCHIVED"],
];
const relationships = [
  ...["MOTHER", "STEPMOTHER", "FATHER", "STEPFATHER", "GUARDIAN", "GRANDPARENT", "SIBLING"],
  ...["OTHER", "UNKNOWN"],
];
const person = { firstName: required(name(2)), lastName: required(name(2)) };

const client = object({
  ...{ ...person, birthdate: required(writtenDate), sex: oneOf(["MALE", "FEMALE", "OTHER"]) },
  ...{ address: text(254), city: text(), state: text(), zip: text(), country: text() },
  ...{ timezone: timeZone, selectedLocations: ids, intakeStatusPublicId: text() },
  ...{ intakeStatusKey: oneOf(stageKeys), labelPublicIds: ids },
});
const caregiver = object({
  ...{ ...person, relationship: required(oneOf(relationships)) },
  ...{ email: required(email), phone: required(phone) },
});
const attribution = object({
  ...{ utm_source: text(), utm_medium: text(), utm_campaign: text(), utm_term: text() },
  ...{ utm_content: text(), gclid: text(), gbraid: text(), wbraid: text(), fbclid: text() },
  // Addresses of pages are longer, because they contain the other fields.
  ...{ referrer: prose, landingPage: prose },
});
const lead = { client: required(client), caregiver: required(caregiver), attribution };

/** How a field that a new goal needs occurs: `required` in a new goal, `neverNull` in an update. */
type Presence = typeof required;

const dates = { targetAchievementDate: writtenInstant, baselineDate: writtenInstant };
const status = oneOf(goals.statuses);
const times = {
  ...{ frequencyUnit: oneOf(goals.timeUnits), observationPeriod: notNegative },
  observationPeriodUnit: oneOf(goals.timeUnits),
};
const automatic = {
  autoProgressToMaintenanceEnabled: toggle,
  autoProgressToMasteredEnabled: toggle,
};

function metrics(needed: Presence, more: Fields = {}): Fields {
  const metric = object({
    ...{ value: needed(number), unit: needed(oneOf(goals.units)), ...more },
    successCriteria: oneOf(goals.criteria),
  });
  const purposes = ["baselineMetric", "successMetric", "maintenanceMetric"];
  return Object.fromEntries(purposes.map((purpose) => [purpose, needed(metric)]));
}

const skill = (needed: Presence): Fields => ({
  skillAcquisitionGoalType: needed(oneOf(goals.skillTypes)),
  goalStatement: needed(filled(prose)),
  enabledOutcomes: needed(list(oneOf(goals.outcomes), () => "SUCCESS")),
  ...{ ...metrics(needed), shortDescription: prose, instructions: prose, skillCategory: text() },
  ...{ minTrialsCount: count, ...automatic },
});

/** A new child goal has the fields of a new goal and those of an update. */
const children = (fields: Fields): Field => list(object(fields), () => ({}));
const child = (grandchildren: Field): Fields => ({
  ...{ ...skill(required), orderAmongSiblings: place, status, ...dates, progressSummary: prose },
  childGoals: grandchildren,
});
const childGoals = children(child(children(child(children({})))));

/** The fields that new goals and updates share. */
const ofGoals = (needed: Presence): Record<GoalType, Fields> => ({
  frequency_duration: {
    ...{ ...metrics(needed, times), goalStatement: needed(filled(prose)) },
    ...{ targetMaladaptiveBehaviorName: text(), definition: prose, instructions: prose },
    ...{ progressSummary: prose, ...automatic, isBehavior: toggle },
    dataCollectionType: oneOf(goals.dataCollectionTypes),
  },
  opportunity: { ...skill(needed), childGoals },
  rating: { title: needed(filled(text())), description: prose, instructions: prose },
  interval: {
    ...{ title: needed(filled(text())), description: prose, instructions: prose },
    ...{ intervalDuration: needed(positive), intervalQuantity: needed(positiveCount) },
    ...{ sets: needed(positiveCount), window: positive },
    intervalRecordingType: needed(oneOf(goals.recordingTypes)),
  },
});

const newGoal = { treatmentPlanId: required(filled(text())), status, ...dates };
const updates: Record<GoalType, Fields> = {
  frequency_duration: dates,
  opportunity: { ...dates, orderAmongSiblings: place, progressSummary: prose },
  // An update clears these with null, not with an empty text.
  rating: { description: filled(prose), instructions: filled(prose) },
  interval: { description: filled(prose), instructions: filled(prose) },
};

const hour = { startTime: "2026-03-12T14:00:00Z", endTime: "2026-03-12T15:00:00Z" };
const session = object({ startTime: required(instant), endTime: required(instant) });

/** A request with a JSON body. */
export interface BodyUnderTest {
  operation: string;
  /** Of a goal. */
  type?: GoalType;
  line: string;
  fields: Fields;
  /** Returns a valid body, in which lists of objects have an element; each can be sent once. */
  newBody(): Json;
  /** The status of a valid request. */
  success: number;
  refusal: typeof validationBody | typeof refusedBody;
}

/** A practice, and requests that it accepts: one of each operation, and of each type of goal. */
export async function newBodies() {
  const { service, database, organization, bodyOf, create } = await newPractice();
  const key = await newApiKey(database, organization);
  const authorization = await newAuthorization(database, organization);
  // Each user has at most five calendars.
  const staff: string[] = [];
  while (staff.length < 5) staff.push(await newUser(database, organization));
  let calendars = 0;
  const bodies: BodyUnderTest[] = [
    {
      ...{ operation: "createUser", line: "POST /api/v1/users", fields: user, success: 200 },
      ...{ newBody: () => ({ firstName: "Ana", lastName: "Ruiz" }), refusal: validationBody },
    },
    {
      ...{ operation: "createIntakeLead", line: "POST /api/v1/intake-leads", fields: lead },
      ...{ newBody: newLead, success: 201, refusal: validationBody },
    },
    {
      operation: "askWhatIf",
      line: `POST /api/v1/authorization-utilization/${authorization}/what-if`,
      fields: { timezone: timeZone, add: list(session, () => hour), cancel: ids },
      ...{ newBody: () => ({ timezone: "UTC", add: [hour] }), success: 200 },
      refusal: validationBody,
    },
    {
      ...{ operation: "createCalendar", line: "POST /api/v1/calendars" },
      ...{ fields: { userId: publicId, name: name(1) }, success: 200, refusal: validationBody },
      newBody: () => ({ userId: staff[(calendars += 1) % staff.length] }),
    },
  ];
  const steps = [step("a", { childGoals: [step("b", { childGoals: [step("c")] })] })];
  for (const type of goalTypes) {
    const children = type === "opportunity" ? { childGoals: steps } : {};
    bodies.push(
      {
        ...{ operation: "createGoal", type, line: "POST /api/v1/goals" },
        fields: { ...newGoal, ...ofGoals(required)[type] },
        newBody: () => bodyOf(type, { ...optional[type], ...children }),
        ...{ success: 201, refusal: refusedBody },
      },
      {
        ...{ operation: "updateGoal", type },
        line: `PATCH /api/v1/goals/${publicIdOf(await create(bodyOf(type)))}`,
        fields: { ...ofGoals(neverNull)[type], status: neverNull(status), ...updates[type] },
        ...{ newBody: () => children, success: 200, refusal: refusedBody },
      },
    );
  }
  return { service, key, bodies };
}
