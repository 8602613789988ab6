import { expect, test } from "bun:test";
import { newClient } from "../support/client.ts";
import { newAuthorization, newEncounter } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  authorization,
  authorizationPool,
  encounter,
  patient,
  payor,
  serviceLine,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { countReads } from "../support/statements.ts";

/** The SQL statements of utilization do not grow; and what no practice file may have. */

const service = await newService();

/** Statements other than those for the key and the audit trail. */
const OWN = /authoriz|encounters|"sessions"/;

async function newPractice(...records: Fields[]) {
  const base = [payor("pay_acme"), serviceLine("svc_1"), patient("usr_leo"), ...records];
  const { publicId, write, get } = await newClient(service, base);
  const read = (path: string) => get(`authorization-utilization${path}`);
  const count = (path: string, of?: RegExp) => countReads(() => read(path), of);
  return { publicId, write, read, count };
}

test("one, and its summary: as many for 40 members of a pool as for one", async () => {
  const member = (publicId: string, authorizationPoolId: string) =>
    authorization(publicId, {
      ...{ authorizationPoolId, authorizedUnitsQuantity: null, authorizedUnitFrequency: null },
    });
  const { count } = await newPractice(
    ...[authorizationPool("apool_small"), authorizationPool("apool_large")],
    ...[authorization("auth_alone"), member("auth_small", "apool_small")],
    ...Array.from({ length: 40 }, (_, index) => member(`auth_${index}`, "apool_large")),
  );
  for (const id of ["apool_small", "apool_large", "auth_alone"])
    expect(await count(`/${id}`, OWN)).toBe(4);
  expect(await count("/apool_large/summary", OWN)).toBe(await count("/apool_small/summary", OWN));
  // A window without a period: encounters and sessions are not read.
  expect(await count("/auth_alone?startDate=2027-01-01&endDate=2027-02-01", OWN)).toBe(2);
  expect(await count("/auth_alone?startDate=2026-02-02&endDate=2026-02-01", OWN)).toBe(0);
});

test("all: as many for 100 patients as for 2; those of one page only unless shares decide", async () => {
  const { write, count } = await newPractice();
  const addPatients = (length: number, from: number) =>
    write(
      ...Array.from({ length }, (_, place) => {
        const index = from + place;
        const timezone = index % 2 === 0 ? "America/Denver" : "Pacific/Apia";
        const [patientId, authorizationId] = [`usr_${index}`, `auth_${index}`];
        return [
          patient(patientId, { timezone }),
          authorization(authorizationId, { patientId }),
          encounter(`enc_${index}`, "2026-03-10 14:00", index, { authorizationId }),
        ];
      }).flat(),
    );
  const queries = ["?", "?sort=endDate&", "?minShare=0.01&sort=-endDate&", "?date=2026-03-11&"];
  await addPatients(2, 0);
  // The first request also reads the end of the audit trail. On PostgreSQL that is repeated once a minute.
  await count("");
  const few: number[] = [];
  for (const query of queries) few.push(await count(query));
  await addPatients(98, 2);
  for (const [index, query] of queries.entries())
    expect(await count(`${query}pageSize=100`)).toBe(few[index] ?? 0);
  expect(await count("?sort=endDate", /encounters/)).toBe(2);
  expect(await count("?sort=share", /encounters/)).toBe(4);
});

test("utilization that cannot be computed is a 500 with its own message; the log has no data", async () => {
  const { publicId, read } = await newPractice();
  await newAuthorization(service.database, publicId, {
    ...{ public_id: "auth_odd", patient_id: "usr_leo", authorized_unit_frequency: "FORTNIGHTLY" },
  });
  service.log.length = 0;
  const { status, body } = await read("/auth_odd");
  const error = "Utilization could not be computed";
  expect([status, body]).toEqual([500, { error, statusCode: 500 }]);
  expect(service.log[0]).toMatchObject({ level: "error", message: "failure", error: "Error" });
  expect(JSON.stringify(service.log)).not.toMatch(/FORTNIGHTLY|auth_odd/);
});

test("numbers of units that cannot be counted in millionths have a share", async () => {
  const { publicId, read } = await newPractice();
  for (const [public_id, authorized_units_quantity, units] of [
    ["auth_large", 1e303, 1],
    ["auth_over", 2, 1e303],
    ["auth_usual", 2, 1],
  ] as const) {
    const patient_id = "usr_leo";
    const row = { public_id, patient_id, authorized_units_quantity };
    const authorization_id = await newAuthorization(service.database, publicId, row);
    await newEncounter(service.database, publicId, { authorization_id, units });
  }
  const { status, body } = await read("");
  const { data } = body as { data: { publicId: string; share: number }[] };
  expect([status, data.map(({ publicId, share }) => [publicId, share])]).toEqual([
    200,
    [
      ["auth_over", 5e293],
      ["auth_usual", 0.5],
      ["auth_large", 0],
    ],
  ]);
});
