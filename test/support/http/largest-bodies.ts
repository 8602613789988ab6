import { ORGANIZATION } from "./largest-practice.ts";
import { required, step } from "../goals/bodies.ts";

/** Requests with the largest bodies, by name. They belong to the practice of `largest-practice.ts`. */

export interface LargeRequest {
  method: "POST" | "PATCH";
  path: string;
  body: string;
  contentType: string;
  /** The status of its response. */
  status: number;
}

const KIB = 1024;
const MAX_JSON = 1024 * KIB;
const MAX_FILE = 8 * MAX_JSON;
const MAX_LIST = 500;

export function largestRequests(): Record<string, LargeRequest> {
  return {
    "a goal with 499 children": json("POST", "goals", newTree(), 201),
    "changes of 499 children": json("PATCH", "goals/goal_tree", {
      childGoals: list(MAX_LIST - 1, (index) => ({
        ...{ publicId: `goal_step_${index + 1}`, goalStatement: "y".repeat(1_800) },
        successMetric: { value: 70 },
      })),
    }),
    "a tree of children that are wrong": json(
      "POST",
      "goals",
      { ...required.opportunity, treatmentPlanId: "tp_1", childGoals: Array(MAX_LIST).fill({}) },
      400,
    ),
    "brackets within brackets": { ...json("POST", "goals", {}, 400), body: "[".repeat(MAX_JSON) },
    "an object with many fields": json(
      "POST",
      "users",
      Object.fromEntries(list(90_000, (index) => [`f${index}`, 0])),
      400,
    ),
    "a user with many payors": json("POST", "users", {
      ...{ firstName: "Ana", lastName: "Park", role: "CLINICIAN" },
      providerPayors: list(MAX_LIST, (index) => `pay_${index + 1}`.padEnd(128, "_")),
      careTeamTechnicianIds: list(MAX_LIST, (index) => `usr_${index}`),
    }),
    "500 sessions added and 500 cancelled": json(
      "POST",
      "authorization-utilization/auth_busy/what-if",
      {
        timezone: "UTC",
        add: list(MAX_LIST, (index) => ({
          startTime: new Date(Date.UTC(2026, 0, 1 + (index % 360), 10)).toISOString(),
          endTime: new Date(Date.UTC(2026, 0, 1 + (index % 360), 12)).toISOString(),
        })),
        cancel: list(MAX_LIST, (index) => `apt_busy_${index}`),
      },
    ),
    ...Object.fromEntries(
      Object.entries(practiceFiles()).map(([name, lines]) => [name, practiceFile(lines)]),
    ),
    ...smallFiles(),
    "sessions that may not be deleted": {
      ...practiceFile((index) =>
        JSON.stringify({ type: "session", publicId: `apt_busy_${index}`, deleted: true }),
      ),
      status: 400,
    },
    "a file of empty objects": { ...practiceFile(() => "{}"), status: 400 },
    "a file of line breaks": { ...practiceFile(() => ""), status: 200 },
    "a file of brackets": { ...practiceFile(() => "[".repeat(MAX_FILE)), status: 400 },
    "CSV of locations": csv(
      "location",
      "publicId,name",
      (index) => `loc_csv_${index},A long name of a room`,
    ),
    "CSV of changed sessions": csv("session", "publicId,title", changedTitle),
    "CSV of empty cells": csv("location", "publicId,name", () => ","),
    "CSV of one cell": csv("location", "publicId,name", () => `a,"${"x".repeat(MAX_FILE)}`, 400),
    "CSV of one heading": csv("location", `publicId${",".repeat(MAX_FILE)}`, () => "", 400),
    "an import of locations": practiceFile(practiceFiles()["locations"]!, ""),
    "an import of changed sessions": practiceFile(practiceFiles()["changed sessions"]!, ""),
  };
}

type Lines = (index: number) => string;

/** Files of small lines, and of one long line, by name. */
function practiceFiles(): Record<string, Lines> {
  const line = (record: object) => JSON.stringify(record);
  return {
    locations: (index) => line({ type: "location", publicId: `loc_new_${index}`, name: "A" }),
    patients,
    "changed sessions": (index) =>
      index >= 40_000
        ? "\n".repeat(MAX_FILE)
        : line({ type: "session", publicId: `apt_busy_${index}`, title: "x".repeat(130) }),
    "recorded data": (index) => (index === 0 ? line(recorded) : "\n".repeat(MAX_FILE)),
  };
}

/** Files of a few lines about records that have or are named by many others. */
function smallFiles(): Record<string, LargeRequest> {
  const file = (records: object[], status = 200): LargeRequest => ({
    ...practiceFile(() => "\n".repeat(MAX_FILE)),
    body: [{ type: "organization", publicId: ORGANIZATION }, ...records]
      .map((record) => JSON.stringify(record))
      .join("\n"),
    status,
  });
  const user = (publicId: string, fields: object) => ({ type: "user", publicId, ...fields });
  return {
    "200 lines of sessions": file(
      list(199, (index) => ({ type: "session", publicId: `apt_busy_${index}`, title: "New" })),
    ),
    "a line of a goal with recorded data": file([
      { type: "goal", publicId: "goal_recorded", status: "MASTERED" },
    ]),
    "a line of a patient": file([user("usr_patient_1", { city: "Springfield" })]),
    "lines of clinicians": file(
      list(4, (index) => user(`usr_clinician_${index + 1}`, { npiNumber: "1" })),
    ),
    "the role of somebody with many sessions": file([user("usr_tech", { role: "ADMIN" })], 400),
    "the patient of an authorization with many sessions": file(
      [{ type: "authorization", publicId: "auth_busy", patientId: "usr_patient_1" }],
      400,
    ),
    "the dates of an authorization with many sessions": file([
      { type: "authorization", publicId: "auth_busy", authorizationExpirationDate: "2027-12-31" },
    ]),
    "deletions of what many name": file(
      [
        { type: "location", publicId: "loc_main", deleted: true },
        { type: "serviceLine", publicId: "svc_1", deleted: true },
        { type: "authorization", publicId: "auth_busy", deleted: true },
        { type: "treatmentPlan", publicId: "tp_1", deleted: true },
        user("usr_leo", { deleted: true }),
        user("usr_tech", { deleted: true }),
      ],
      400,
    ),
  };
}

const name = { firstName: "Leo", lastName: "Park" };

const patients: Lines = (index) =>
  JSON.stringify({ type: "user", publicId: `usr_new_${index}`, role: "PATIENT", ...name });

const recorded = {
  ...{ type: "goal", publicId: "goal_recorded" },
  behaviorInstances: list(80_000, (index) => ({
    ...{ publicId: `behavior_new_${index}`, quantity: 2, happenedAt: "2026-02-01T10:00:00.000Z" },
  })),
};

function newTree() {
  return step("x".repeat(1_000), {
    ...{ type: "opportunity", treatmentPlanId: "tp_1" },
    childGoals: list(MAX_LIST - 1, () => step("x".repeat(1_700))),
  });
}

function json(method: "POST" | "PATCH", path: string, body: object, status = 200): LargeRequest {
  return { method, path, status, body: JSON.stringify(body), contentType: "application/json" };
}

function practiceFile(line: Lines, query = "?dryRun=true"): LargeRequest {
  const organization = { type: "organization", publicId: ORGANIZATION };
  return {
    ...{ method: "POST", path: `practice-file${query}`, status: 200 },
    body: fileOf(JSON.stringify(organization), line),
    contentType: "application/x-ndjson",
  };
}

function csv(type: string, headings: string, line: Lines, status = 200): LargeRequest {
  const path = `practice-file?dryRun=true&type=${type}`;
  return { method: "POST", path, status, body: fileOf(headings, line), contentType: "text/csv" };
}

function changedTitle(index: number): string {
  return index >= 40_000 ? "\n".repeat(MAX_FILE) : `apt_busy_${index},${"x".repeat(180)}`;
}

/** As many lines as fit. One that does not fit is cut. */
function fileOf(first: string, line: Lines): string {
  const lines = [first];
  let size = first.length + 1;
  for (let index = 0; size < MAX_FILE; index += 1) {
    const next = line(index).slice(0, MAX_FILE - size);
    if (index > 0 && size + next.length + 1 > MAX_FILE) break;
    lines.push(next);
    size += next.length + 1;
  }
  return lines.join("\n").slice(0, MAX_FILE);
}

function list<Element>(length: number, element: (index: number) => Element): Element[] {
  return Array.from({ length }, (_, index) => element(index));
}

export const newPatient = json("POST", "users", { ...name, role: "PATIENT" });
export const importedPatients = practiceFile(patients, "");
/** A mistake that is seen when the line is written. */
export const refusedPatients = {
  ...practiceFile(
    (index) => patients(index + 1).replace("}", index > 0 ? "}" : ',"caregiverId":"usr_nobody"}'),
    "",
  ),
  status: 400,
};
