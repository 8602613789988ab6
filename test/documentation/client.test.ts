import { expect, test } from "bun:test";
import { join } from "node:path";
import openapiTypes, { astToString } from "openapi-typescript";
import { document, endpoints } from "../support/endpoints.ts";
import { temporaryFolder } from "../support/harness.ts";

/**
 * Clients outside this repository generate their types from the OpenAPI document with
 * openapi-typescript. This test type-checks the code that such a client would contain.
 */

/** The types of a client: the parameters, bodies and responses of each operation. */
const CLIENT = `
import type { operations } from "./caseload.ts";

export type Operation = keyof operations;

type Json<Content> = Content extends { content: infer Media } ? Media[keyof Media] : never;

export type Body<Id extends Operation> = operations[Id] extends { requestBody: infer Sent }
  ? Json<Sent>
  : undefined;

export type Answer<Id extends Operation, Status extends keyof operations[Id]["responses"]> = Json<
  operations[Id]["responses"][Status]
>;

export type Result<Id extends Operation> = Answer<
  Id,
  keyof operations[Id]["responses"] & (200 | 201)
>;

interface Request<Id extends Operation> {
  path?: operations[Id]["parameters"]["path"];
  query?: operations[Id]["parameters"]["query"];
  body?: Body<Id>;
}

export declare function call<Id extends Operation>(
  operation: Id,
  request: Request<Id>,
): Promise<Result<Id>>;

/** True for a type that has content, else a description of the type. */
export type Usable<Type> = 0 extends 1 & Type
  ? "any"
  : unknown extends Type
    ? "unknown"
    : [Type] extends [never]
      ? "never"
      : true;
`;

/** Code that a client would contain, and mistakes that the types must find. */
const USES = `
import { type Answer, call } from "./client.ts";

const users = await call("listUsers", { query: { role: "PATIENT", page: 2, isActive: "true" } });
for (const user of users.data) {
  const name: string = user.firstName;
  const birthDate: string | null = user.birthDate;
  if (user.role === "PATIENT") {
    const city: string | null | undefined = user.payors[0]?.insuredAddress.city;
    const units: number | undefined = user.authorizations[0]?.authorizedUnitsQuantity;
  } else if (user.role === "TECHNICIAN") {
    const leads: string[] = user.careTeamLeadIds;
    // @ts-expect-error A technician has leads, and no technicians.
    user.careTeamTechnicianIds;
  } else if (user.role === "CAREGIVER") {
    // @ts-expect-error A caregiver has no locations.
    user.locationIds;
  } else {
    const locations: string[] = user.locationIds;
  }
}
const total: number = users.pagination.totalCount;
// @ts-expect-error No such role.
call("listUsers", { query: { role: "INTERNAL_ADMIN" } });

const session = await call("getSession", { path: { sessionId: "apt_1" } });
if (session.isBillable) {
  const serviceLine: string = session.services;
} else {
  const code: string = session.nonBillableCode;
  // @ts-expect-error Only billable sessions have a clinician.
  session.clinicianId;
}

const goal = await call("createGoal", {
  body: { type: "rating", treatmentPlanId: "tp_1", title: "Calm transitions", status: null },
});
if (goal.type === "opportunity") {
  const children: string[] = goal.childGoals.map((child) => child.goalStatement);
  const trials: number = goal.skillTrials.length;
} else if (goal.type === "interval") {
  const seconds: number = goal.intervalDuration;
}
// @ts-expect-error A rating goal needs a title.
call("createGoal", { body: { type: "rating", treatmentPlanId: "tp_1" } });
call("updateGoal", { path: { goalId: "goal_1" }, body: { status: "MASTERED" } });
// @ts-expect-error A status cannot be cleared.
call("updateGoal", { path: { goalId: "goal_1" }, body: { status: null } });

call("createUser", { body: { firstName: "Ana", lastName: "Ruiz", npiNumber: null } });
// @ts-expect-error Nobody can be made a clinical superadmin.
call("createUser", { body: { firstName: "A", lastName: "R", role: "CLINICAL_SUPERADMIN" } });

function explain(refusal: Answer<"listSessions", 400> | Answer<"createGoal", 400>): string[] {
  if ("validationErrors" in refusal) return refusal.validationErrors.map(({ path }) => path.join());
  if ("details" in refusal) return refusal.details.map(({ code }) => code);
  return [refusal.error];
}
`;

/** For each operation: its types have content, and the bodies of its examples match them. */
function usesOfAll(): string {
  const lines = endpoints.flatMap(({ operationId: id, body, examples = {} }) => [
    `export const ${id}Result: Usable<Result<"${id}">> = true;`,
    `export const ${id}Refusal: Usable<Answer<"${id}", 401 | 405 | 429 | 500 | 503>> = true;`,
    ...(body === undefined ? [] : [`export const ${id}Body: Usable<Body<"${id}">> = true;`]),
    ...Object.values(examples).map(
      ({ value }, index) =>
        `export const ${id}Example${index}: Body<"${id}"> = ${JSON.stringify(value)};`,
    ),
  ]);
  return `import type { Answer, Body, Result, Usable } from "./client.ts";\n${lines.join("\n")}\n`;
}

test("openapi-typescript generates usable types for every operation", async () => {
  const folder = temporaryFolder();
  const source = JSON.stringify(document);
  // Without this option, a field with a default value would be required in a body.
  const types = await openapiTypes(source, { defaultNonNullable: false });
  const files = {
    "caseload.ts": astToString(types),
    "client.ts": CLIENT,
    "all-operations.ts": usesOfAll(),
    "uses.ts": USES,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        target: "ESNext",
        module: "Preserve",
        allowImportingTsExtensions: true,
        noEmit: true,
        types: [],
      },
    }),
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);

  const check = Bun.spawnSync([process.execPath, "check", "--no-pretty"], { cwd: folder });
  expect(`${check.stdout}${check.stderr}`).toContain("No type errors");
  expect(check.exitCode).toBe(0);
});
