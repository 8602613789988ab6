import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { problemNames } from "../../../src/billing/problems.ts";
import { practiceFileReach } from "../../../src/callers/permissions.ts";
import type { Role } from "../../../src/callers/roles.ts";
import type { BillingLine } from "../../../src/page/app/lib/base/wire.ts";
import { useDocument } from "./dom.ts";

/** Who may mend which problem of a line, and whose it is for others, by role. */

await useDocument();
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { handOver } = await import("../../../src/page/app/lib/billing/handing-over.ts");
const { ownerOf, sessionsOf, wayOf } = await import("../../../src/page/app/lib/billing/ways.ts");

// A session opens above the place where one is.
beforeAll(() => goTo("#/", "replace"));
afterAll(() => signOut("signed-out"));

const line = {
  ...{ encounterId: "enc_1", authorizationId: "auth_1", patientId: "usr_kid" },
  ...{ serviceLineId: "svc_1", renderedById: "usr_tech" },
  ...{ renderedByFirstName: "Tia", renderedByLastName: "One" },
} as BillingLine;

function waysOf(role: Role): Record<string, string> {
  const writes = Object.keys(practiceFileReach[role]);
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  const key = { role, userId: null, name: "key", ownPatientsOnly: false, isReadOnly: false };
  signIn("key", { key, organization, writes } as never);
  return Object.fromEntries(
    problemNames.map((name) => {
      const way = wayOf(name, line, "apt_1");
      if (way === undefined) return [name, ownerOf(name, line, "apt_1").ask];
      return [name, "act" in way ? `${way.words}: ${way.act}` : `${way.words}: ${way.address}`];
    }),
  );
}

describe("a line", () => {
  const { fetch } = globalThis;
  afterAll(() => {
    globalThis.fetch = fetch;
  });

  test("is put on a session of its day where its patient is", async () => {
    waysOf("BILLING_MANAGER");
    const asked: string[] = [];
    globalThis.fetch = (async (path: string) => {
      asked.push(path);
      const data = [{ isBillable: true }, { isBillable: false }];
      return Response.json({ data }, { headers: { "X-Request-Id": "req_1" } });
    }) as unknown as typeof globalThis.fetch;
    const evening = { date: "2026-03-05", timezone: "America/Los_Angeles" } as BillingLine;
    expect(await sessionsOf({ ...line, ...evening })).toEqual([{ isBillable: true }] as never);
    expect(asked).toEqual([
      "api/v1/sessions?clientId=usr_kid&startDate=2026-03-05&endDate=2026-03-05&timezone=America%2FLos_Angeles",
    ]);
  });

  test("that somebody else has handed over meanwhile is not handed over", async () => {
    await expect(handOver({ lines: [], since: 1 }, "W1")).rejects.toThrow("Somebody else");
  });
});

describe("each problem has a way, or says whose it is:", () => {
  const session = "#/?session=apt_1";
  const byBiller = {
    NO_SESSION: "Correct: correct",
    DELIVERED_UNHELD: "Remove: remove",
    DELIVERED_TWICE: "Remove: remove",
    OUTSIDE_AUTHORIZATION: `Put on authorization: ${session}`,
    CREDENTIALS_ENDED: "Ask an administrator",
    OVER_AUTHORIZED: `Put on authorization: ${session}`,
    NO_PAYOR: "The authorization: #/utilization/auth_1",
    NO_COVERAGE: "The insurance: #/people/usr_kid",
    NO_CODE: "The service: #/practice?open=edit-entry&open.id=svc_1&open.type=serviceLine",
    NO_PROVIDER: "Ask scheduling",
    NO_NPI: "NPI: npi",
    UNITS_DIFFER: "Correct: correct",
    NO_UNITS: "Remove: remove",
    NOTHING_RECORDED: "Ask Tia One",
  };

  test("BILLING_MANAGER", () => {
    expect(waysOf("BILLING_MANAGER")).toEqual(byBiller);
  });

  test("ADMIN", () => {
    expect(waysOf("ADMIN")).toEqual({
      ...byBiller,
      CREDENTIALS_ENDED: "The credentials: #/people/usr_tech",
      NO_PROVIDER: `The session: ${session}`,
      NOTHING_RECORDED: "The goals: #/goals?patientId=usr_kid",
    });
  });

  test("CLINICAL_ADMIN, who reads and mends what they may", () => {
    expect(waysOf("CLINICAL_ADMIN")).toEqual({
      ...byBiller,
      ...{ NO_PAYOR: "Ask billing", NO_CODE: "Ask billing", NO_NPI: "Ask billing" },
      NO_PROVIDER: `The session: ${session}`,
      NOTHING_RECORDED: "The goals: #/goals?patientId=usr_kid",
    });
  });
});
