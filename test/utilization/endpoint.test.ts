import { describe, expect, test } from "bun:test";
import { denialMessage } from "../../src/access/permissions.ts";
import { roles } from "../../src/access/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newPatient,
} from "../support/factories.ts";
import { statementsOf } from "../support/statements.ts";
import { newSmallPractice } from "../support/utilization/small-practice.ts";

/**
 * GET /v1/authorization-utilization/{publicId}: response shape, roles, SQL statements
 * (specification, section 4.1). The counting rules are in test/vectors/utilization, whose cases
 * also run over the app.
 */

const { service, database, organization, other, key, otherKey, path, read } =
  await newSmallPractice();

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

describe("roles", () => {
  test.each(roles.map((role) => [role]))("%s", async (role) => {
    const { status, body } = await read(
      "auth_alone",
      await newApiKey(database, organization, role),
    );
    const sentence = denialMessage("readUtilization", { role });
    expect([status, body]).toEqual(
      sentence === undefined ? [200, standalone] : [403, plainBody(403, "Access denied")],
    );
  });

  test("all roles may read utilization except PATIENT and CAREGIVER", () => {
    const refused = roles.filter(
      (role) => denialMessage("readUtilization", { role }) !== undefined,
    );
    expect(refused).toEqual(["PATIENT", "CAREGIVER"]);
  });

  test("without a valid key: 401, before everything else is checked", async () => {
    for (const [headers, sentence] of [
      [{}, "API key required"],
      [{ Authorization: "Bearer nonsense" }, "Invalid API key"],
    ] as const) {
      const answer = await service.call(`GET ${path}/auth%2F1?startDate=x`, { headers });
      expect([answer.status, answer.body]).toEqual([401, plainBody(401, sentence)]);
    }
  });

  test("other methods respond 405", async () => {
    const answer = await service.call(`POST ${path}/auth_alone`, { key, json: {} });
    expect([answer.status, answer.body]).toEqual([405, plainBody(405, "Method not allowed")]);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
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

  test.each(["auth_theirs", "apool_theirs"])(
    "%s of another organization: the response for an unknown id, byte for byte except for the request id",
    async (id) => {
      const row = { public_id: id, patient_id: "usr_leo" };
      if (id.startsWith("apool")) await newAuthorizationPool(database, other, row);
      else await newAuthorization(database, other, row);
      const comparable = async (asked: string) => {
        const { status, headers, text } = await read(asked);
        const { "x-request-id": _, ...rest } = headers.toJSON();
        return { status, headers: rest, text };
      };
      expect(await comparable(id)).toEqual(await comparable(id.replace("theirs", "unknow")));
      expect((await read(id)).status).toBe(404);
      expect((await read(id, otherKey)).status).toBe(200);
    },
  );

  test("an id that exists in two organizations gives each its own authorization", async () => {
    const { body } = await read("auth_alone", otherKey);
    expect(body).toEqual({
      ...standalone,
      members: [
        {
          ...member("auth_alone"),
          periods: [{ ...periods[0], unitsUtilized: 0, unitsScheduled: 0 }],
        },
      ],
    });
  });
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

test("the audit entry names the patient of a response, and nobody for an error", async () => {
  // A new key, because repeated refusals of one key are summed up.
  const key = await newApiKey(database, organization);
  await read("apool_1", key);
  await read("apool_none", key);
  const rows = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["route", "status", "patient_ids"])
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .limit(2)
      .execute(),
  );
  const route = "/v1/authorization-utilization/{publicId}";
  expect(rows).toEqual([
    { route, status: 404, patient_ids: "[]" },
    { route, status: 200, patient_ids: '["usr_leo"]' },
  ]);
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
