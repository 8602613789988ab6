import { describe, expect, test } from "bun:test";
import { plainBody } from "../support/body-rules.ts";
import { newAuthorization, newAuthorizationPool, newPatient } from "../support/factories.ts";
import { statementsOf } from "../support/statements.ts";
import { newSmallPractice } from "../support/utilization/small-practice.ts";

/**
 * GET /v1/authorization-utilization/{publicId}: response shape, roles, SQL statements
 * (specification, section 4.1). The counting rules are in test/vectors/utilization, whose cases
 * also run over the app.
 */

const { service, database, organization, key, path, read } = await newSmallPractice();

const periods = [
  { startDate: "2026-02-01", endDate: "2026-02-28", unitsUtilized: 2.5, unitsScheduled: 4 },
];
const member = (authorizationPublicId: string) => ({
  authorizationPublicId,
  serviceLinePublicId: "svc_97153",
  periods,
});
const window = { startDate: "2026-02-01", endDate: "2026-04-22", timezone: "America/New_York" };
const standalone = {
  subject: "AUTHORIZATION",
  publicId: "auth_alone",
  ...window,
  pool: null,
  members: [member("auth_alone")],
};

describe("the response has exactly the documented fields", () => {
  test.each([
    ["auth_alone", standalone],
    [
      "auth_member",
      {
        subject: "AUTHORIZATION",
        publicId: "auth_member",
        ...window,
        pool: { poolPublicId: "apool_1", periods },
        members: [member("auth_member")],
      },
    ],
    [
      "apool_1",
      {
        subject: "POOL",
        publicId: "apool_1",
        ...window,
        pool: { poolPublicId: "apool_1", periods },
        members: [member("auth_member")],
      },
    ],
  ])("%s", async (id, expected) => {
    const { status, body } = await read(id);
    expect([status, body]).toEqual([200, expected]);
  });

  test("HEAD has the status and headers of GET without a body", async () => {
    const { status, text } = await service.call(`HEAD ${path}/auth_alone`, { key });
    expect([status, text]).toEqual([200, ""]);
  });
});

describe("an unknown id responds 404", () => {
  const notFound = plainBody(404, "Authorization or pool not found");

  test.each(["auth_none", "apool_none", "usr_leo", "svc_97153", organization, "AUTH_ALONE"])(
    "%s",
    async (id) => {
      const { status, body } = await read(id);
      expect([status, body]).toEqual([404, notFound]);
    },
  );
});

describe("a patient whose address has no supported time zone", async () => {
  const patient_id = await newPatient(database, organization, { time_zone: "Eastern Time" });
  await newAuthorization(database, organization, { public_id: "auth_zoneless", patient_id });
  const sentence = "The patient's home address has no supported time zone: pass timezone";

  test("responds 422 with the advice to pass timezone", async () => {
    const { status, body } = await read("auth_zoneless");
    expect([status, body]).toEqual([422, plainBody(422, sentence)]);
    expect((await read("auth_zoneless?timezone=UTC")).status).toBe(200);
  });
});

describe("utilization that cannot be computed", () => {
  test("responds 500 with its own message; the log has the error's type without data", async () => {
    await newAuthorization(database, organization, {
      public_id: "auth_odd",
      patient_id: "usr_leo",
      authorized_unit_frequency: "FORTNIGHTLY",
    });
    service.log.length = 0;
    const answer = await read("auth_odd");
    expect([answer.status, answer.body]).toEqual([
      500,
      plainBody(500, "Utilization could not be computed"),
    ]);
    const [failure] = service.log;
    expect(failure).toMatchObject({ level: "error", message: "failure", error: "Error" });
    expect(JSON.stringify(service.log)).not.toContain("FORTNIGHTLY");
    expect(JSON.stringify(service.log)).not.toContain("auth_odd");
  });
});

describe("the number of SQL statements", () => {
  /** The statements of the endpoint itself, without those for the key and the audit trail. */
  const statementsFor = async (idAndQuery: string) => {
    const { statements } = await statementsOf(() => read(idAndQuery));
    return statements.filter((text) => /authoriz|encounters|"sessions"/.test(text)).length;
  };

  test("does not grow with the number of pool members", async () => {
    const patient_id = "usr_leo";
    const service_line_id = "svc_97153";
    for (const [authorization_pool_id, members] of [
      ["apool_small", 1],
      ["apool_large", 40],
    ] as const) {
      await newAuthorizationPool(database, organization, {
        public_id: authorization_pool_id,
        patient_id,
      });
      for (let count = 0; count < members; count++)
        await newAuthorization(database, organization, {
          patient_id,
          service_line_id,
          authorization_pool_id,
        });
    }
    expect(await statementsFor("apool_small")).toBe(4);
    expect(await statementsFor("apool_large")).toBe(4);
    expect(await statementsFor("auth_alone")).toBe(4);
  });

  test("is 2 if the window has no period: encounters and sessions are not read", async () => {
    expect(await statementsFor("auth_alone?startDate=2027-01-01&endDate=2027-02-01")).toBe(2);
  });

  test("is 0 if the dates are in the wrong order", async () => {
    expect(await statementsFor("auth_alone?startDate=2026-02-02&endDate=2026-02-01")).toBe(0);
  });
});

describe("startDate after endDate responds 400 with a plain message", () => {
  const outOfOrder = plainBody(400, "startDate must be on or before endDate");

  test.each([
    ["auth_alone", "an authorization"],
    ["auth_none", "before the 404"],
    ["apool_1", "a pool"],
  ])("%s: %s", async (id) => {
    const { status, body } = await read(`${id}?startDate=2026-02-02&endDate=2026-02-01`);
    expect([status, body]).toEqual([400, outOfOrder]);
  });

  test("equal dates are valid", async () => {
    const { status } = await read("auth_alone?startDate=2026-02-01&endDate=2026-02-01");
    expect(status).toBe(200);
  });
});
