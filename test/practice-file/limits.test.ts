import { describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { findBeyond } from "../../src/practice-file/limits.ts";
import { insert, newApiKey } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import {
  authorization,
  databaseOfFullPractice,
  fullPractice,
  organization,
  pool,
  pooledAuthorization,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  fileOf,
  type Fields,
  importFile,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";

/** Limits of what one user or pool has (docs/decisions.md), each at both sides, and for those who were beyond before. */

const KIB = 1024;

const recordWith = (id: string) => fullPractice.find(({ publicId }) => publicId === id)!;
const [kid, clinician] = [recordWith("usr_kid"), recordWith("usr_bcba")];
const [payorEntry] = kid.payors as [Fields];
const [credential] = clinician.credentials as [Fields];
const [credentialing] = credential.payorCredentialing as [Fields];

const idsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}_${String(index).padStart(3, "0")}`);

const names = { firstName: "Leo", lastName: "Park" };

/** The records that the longest lists refer to, and one more. */
function listed(): Fields[] {
  const named = (type: string, name: string, count: number) =>
    idsOf(name, count).map((publicId) => ({ type, publicId, name: "Name" }));
  return [
    ...named("location", "loc", 51),
    ...named("payor", "pay", 201),
    ...named("specialization", "spec", 51),
    ...idsOf("usr_many_tech", 501).map((publicId) => ({
      ...{ type: "user", publicId, role: "TECHNICIAN", ...names },
    })),
    ...idsOf("usr_many_clinician", 51).map((publicId) => ({
      ...{ type: "user", publicId, role: "CLINICIAN", ...names },
    })),
  ];
}

async function withListed(): Promise<Database> {
  const database = await databaseOfFullPractice();
  await mustImport(database, [organization, ...listed()]);
  return database;
}

const credentialings = (count: number, of: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ ...credentialing, publicId: `entry_${of}_${index}` },
  }));

describe("a user has at most", () => {
  const lists: [id: string, field: string, most: number, list: (count: number) => unknown[]][] = [
    ["usr_kid", "locationIds", 50, (count) => idsOf("loc", count)],
    ["usr_kid", "clinicianIds", 50, (count) => idsOf("usr_many_clinician", count)],
    ["usr_kid", "payors", 50, (count) => Array(count).fill(payorEntry)],
    ["usr_bcba", "specializationIds", 50, (count) => idsOf("spec", count)],
    ["usr_bcba", "complianceCredentials", 50, (count) => idsOf("CPR", count)],
    [
      "usr_bcba",
      "credentials",
      50,
      (count) => Array(count).fill({ ...credential, payorCredentialing: [] }),
    ],
    ["usr_bcba", "providerPayorIds", 200, (count) => idsOf("pay", count)],
    ["usr_bcba", "careTeamTechnicianIds", 500, (count) => idsOf("usr_many_tech", count)],
  ];

  test.each(lists)("of %s %s %d", async (publicId, field, most, list) => {
    const database = await withListed();
    const line = (count: number) => ({ type: "user", publicId, [field]: list(count) });
    await mustImport(database, [organization, line(most)]);
    expect(await importFile(database, [organization, line(most + 1)])).toEqual({
      report: [`f:2: user ${publicId}: ${field}: must have at most ${most} elements`],
    });
    expect(((await recordOf(database, publicId))?.[field] as unknown[]).length).toBe(most);
  });

  test("200 entries of payorCredentialing in all credentials", async () => {
    const database = await databaseOfFullPractice();
    const line = (...lengths: number[]) => ({
      ...{ type: "user", publicId: "usr_bcba" },
      credentials: lengths.map((length, place) => ({
        ...{ ...credential, payorCredentialing: credentialings(length, place) },
      })),
    });
    await mustImport(database, [organization, line(100, 100)]);
    expect(await importFile(database, [organization, line(100, 100, 1)])).toEqual({
      report: [
        "f:2: user usr_bcba: credentials: must have at most 200 entries of payorCredentialing in all",
      ],
    });
  });

  test("256 KiB in a line as an export writes it", async () => {
    const database = await databaseOfFullPractice();
    const line = (lastNotes: number) => ({
      ...{ type: "user", publicId: "usr_bcba" },
      credentials: [
        {
          ...credential,
          payorCredentialing: credentialings(26, 0).map((entry, index) => ({
            ...entry,
            notes: "ä".repeat(index === 0 ? lastNotes : 5_000),
          })),
        },
      ],
    });
    await mustImport(database, [organization, line(0)]);
    const size = async () =>
      Buffer.byteLength(JSON.stringify(await recordOf(database, "usr_bcba")));
    const free = 256 * KIB - (await size());
    await mustImport(database, [organization, line(Math.floor(free / 2))]);
    expect(await size()).toBeWithin(256 * KIB - 1, 256 * KIB + 1);
    expect(await importFile(database, [organization, line(Math.floor(free / 2) + 1)])).toEqual({
      report: [
        "f:2: user usr_bcba: has more than 256 KiB, with the authorizations and pools of a patient",
      ],
    });
  });
});

test.each(["payor", "serviceLine", "specialization"])(
  "the name of a %s has at most 600 bytes in JSON, as 200 characters of any script have",
  async (type) => {
    const database = await databaseOfFullPractice();
    const line = (name: string) => ({
      ...{ type, publicId: "new", name, ...(type === "serviceLine" && { billingUnitMinutes: 15 }) },
    });
    await mustImport(database, [organization, line("\u6f22".repeat(200))]);
    expect(await importFile(database, [organization, line("\u0001".repeat(101))])).toEqual({
      report: [`f:2: ${type} new: name: must have at most 600 bytes`],
    });
  },
);

/** Authorizations of the full practice's patient, who has two, one of them in a pool. */
const more = (count: number, row: Fields = authorization) =>
  idsOf("auth_more", count).map((publicId) => ({ ...row, publicId }));

describe("a patient has at most", () => {
  test("200 authorizations in all, alone or in pools", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      ...more(198).map((line, index) =>
        index % 2 === 0 ? line : { ...pooledAuthorization, publicId: line.publicId },
      ),
    ]);
    expect(
      await importFile(database, [organization, { ...authorization, publicId: "auth_last" }]),
    ).toEqual({
      report: [
        'f:2: authorization auth_last: patientId: "usr_kid" is a patient with more than 200 authorizations',
      ],
    });
    // One that goes makes room, whatever the order of the lines.
    await mustImport(database, [
      organization,
      { ...authorization, publicId: "auth_last" },
      { type: "authorization", publicId: "auth_more_000", deleted: true },
    ]);
  });

  test("100 pools, empty ones included", async () => {
    const database = await databaseOfFullPractice();
    const pools = idsOf("apool_more", 100).map((publicId) => ({ ...pool, publicId }));
    await mustImport(database, [organization, ...pools.slice(0, 99)]);
    expect(await importFile(database, [organization, ...pools])).toEqual({
      report: [
        'f:101: authorizationPool apool_more_099: patientId: "usr_kid" is a patient with more than 100 pools',
      ],
    });
  });

  test("256 KiB together with authorizations and pools", async () => {
    const database = await databaseOfFullPractice();
    const notes = (length: number) => ({
      ...{ type: "user", publicId: "usr_kid" },
      payors: Array(50).fill({
        ...payorEntry,
        memberId: "\u6f22".repeat(length),
        planHolder: "\u0001".repeat(200),
        groupId: "\u0001".repeat(200),
        priority: "\u0001".repeat(200),
      }),
    });
    await mustImport(database, [organization, notes(100)]);
    const lines = more(100).map((line) => ({ ...line, authorizationNumber: "\u6f22".repeat(200) }));
    const outcome = await importFile(database, [organization, ...lines]);
    const bytes = async () =>
      (await exportText(database, "org_maple"))
        .split("\n")
        .filter(
          (line) => line.includes('"usr_kid"') && /"type":"(user|authorization(Pool)?)"/.test(line),
        )
        .filter(
          (line) => line.includes('"patientId":"usr_kid"') || line.includes('"publicId":"usr_kid"'),
        )
        .reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    const each = Buffer.byteLength(JSON.stringify({ ...lines[0] }));
    const room = Math.floor((256 * KIB - (await bytes())) / each);
    expect(room).toBeWithin(1, 100);
    expect(outcome).toEqual({
      report: [
        `f:${room + 2}: authorization auth_more_${String(room).padStart(3, "0")}: patientId: "usr_kid" is a patient with more than 256 KiB, with all authorizations and pools`,
      ],
    });
    await mustImport(database, [organization, ...lines.slice(0, room)]);
    expect(await importFile(database, [organization, notes(150)])).toEqual({
      report: [
        "f:2: user usr_kid: has more than 256 KiB, with the authorizations and pools of a patient",
      ],
    });
    // Less is never refused.
    await mustImport(database, [organization, notes(99)]);
  });
});

describe("a technician has at most 500 leads", () => {
  const clinicians = (count: number) =>
    idsOf("usr_lead", count).map((publicId) => ({
      ...{ type: "user", publicId, role: "CLINICIAN", ...names },
      careTeamTechnicianIds: ["usr_busy"],
    }));
  const technician = { type: "user", publicId: "usr_busy", role: "TECHNICIAN", ...names };

  test("by a file, in which the line of the one too many is refused at the technician", async () => {
    const database = await databaseOfFullPractice();
    await mustImport(database, [organization, technician, ...clinicians(500)]);
    const last = { ...clinician, publicId: "usr_last", email: null };
    expect(
      await importFile(database, [
        organization,
        { ...last, careTeamTechnicianIds: ["usr_tech", "usr_busy"] },
      ]),
    ).toEqual({
      report: [
        'f:2: user usr_last: careTeamTechnicianIds[1]: "usr_busy" is a technician with more than 500 leads',
      ],
    });
  });

  test("by POST /v1/users", async () => {
    const database = await databaseOfFullPractice();
    const service = await newService({ database });
    const key = await newApiKey(database, "org_maple");
    const create = (lastName: string) =>
      service.call("POST /api/v1/users", {
        key,
        json: {
          ...{ firstName: "Ada", lastName, role: "CLINICIAN" },
          careTeamTechnicianIds: ["usr_tech", "usr_busy"],
        },
      });
    await mustImport(database, [organization, technician, ...clinicians(499)]);
    expect((await create("First")).status).toBe(200);
    const refused = await create("Second");
    expect([refused.status, refused.body]).toEqual([
      400,
      validationBody({
        code: "custom",
        message: "This technician has 500 clinicians already",
        path: ["careTeamTechnicianIds", 1],
      }),
    ]);
  });
});

test("POST /v1/users links a provider to at most 200 payors and 50 specializations", async () => {
  const database = await withListed();
  const service = await newService({ database });
  const key = await newApiKey(database, "org_maple");
  const create = async (lists: object) => {
    const json = { firstName: "Ada", lastName: "Wong", role: "CLINICIAN", ...lists };
    const { status, body } = await service.call("POST /api/v1/users", { key, json });
    return status === 200 ? 200 : body;
  };
  const unknown = idsOf("pay_unknown", 300);
  expect(await create({ providerPayors: [...idsOf("pay", 200), ...unknown] })).toBe(200);
  expect(await create({ providerPayors: idsOf("pay", 201) })).toEqual(
    validationBody({
      ...{ code: "custom", message: "A provider has at most 200 payors" },
      path: ["providerPayors"],
    }),
  );
  expect(await create({ specializations: idsOf("spec", 50) })).toBe(200);
  expect(await create({ specializations: idsOf("spec", 51) })).toEqual(
    validationBody({
      ...{ code: "custom", message: "A provider has at most 50 specializations" },
      path: ["specializations"],
    }),
  );
});

describe("who was beyond a limit before", () => {
  const own = { organization_id: "org_maple" };

  /** A patient with 60 locations, 201 authorizations and a payor name that is too long, stored past the import. */
  async function beyond(): Promise<Database> {
    const database = await databaseOfFullPractice();
    await mustImport(database, [
      organization,
      ...idsOf("loc", 61).map((publicId) => ({ type: "location", publicId, name: "Name" })),
      ...more(198),
      { type: "user", publicId: "usr_kid", locationIds: [] },
    ]);
    for (const location_id of idsOf("loc", 60))
      await insert(database, "user_locations", { ...own, user_id: "usr_kid", location_id });
    await database.write(
      async (trx) => {
        const { public_id: _, ...row } = await trx
          .selectFrom("authorizations")
          .selectAll()
          .where("public_id", "=", "auth_1")
          .executeTakeFirstOrThrow();
        await trx
          .insertInto("authorizations")
          .values({ ...row, public_id: "auth_beyond" } as never)
          .execute();
        await trx
          .updateTable("payors")
          .set({ name: "\u0001".repeat(200) })
          .where("public_id", "=", "pay_acme")
          .execute();
      },
      { organizationId: "org_maple" },
    );
    return database;
  }

  test("can be changed in what does not add to it", async () => {
    const database = await beyond();
    await mustImport(database, [
      organization,
      { type: "user", publicId: "usr_kid", firstName: "Leonard" },
      {
        type: "authorization",
        publicId: "auth_1",
        payorId: "pay_acme",
        authorizationStatus: "ENDED",
      },
      { type: "payor", publicId: "pay_acme", name: "\u0002".repeat(200) },
    ]);
    await mustImport(database, [
      organization,
      { type: "user", publicId: "usr_kid", locationIds: idsOf("loc", 61).slice(1) },
      { ...authorization, publicId: "auth_new" },
      { type: "authorization", publicId: "auth_beyond", deleted: true },
    ]);
    expect((await recordOf(database, "usr_kid"))?.locationIds).toHaveLength(60);
  });

  test("cannot be made to have more", async () => {
    const database = await beyond();
    expect(
      await importFile(database, [
        organization,
        { type: "user", publicId: "usr_kid", locationIds: idsOf("loc", 61) },
      ]),
    ).toEqual({ report: ["f:2: user usr_kid: locationIds: must have at most 50 elements"] });
    expect(
      await importFile(database, [organization, { ...authorization, publicId: "auth_new" }]),
    ).toEqual({
      report: [
        'f:2: authorization auth_new: patientId: "usr_kid" is a patient with more than 200 authorizations',
      ],
    });
    // One that moves into the pool adds to the pool, not to the patient.
    const moved = (count: number) =>
      more(count, { type: "authorization", authorizationPoolId: "apool_1", payorId: null });
    await mustImport(database, [organization, ...moved(198)]);
    const { authorizationNumber, ...unit } = authorization;
    expect([authorizationNumber, unit.authorizedUnitsQuantity]).toEqual(["A-100", 80]);
    await mustImport(database, [
      organization,
      { type: "authorization", publicId: "auth_1", authorizationPoolId: "apool_1", payorId: null },
    ]);
    expect(
      await importFile(database, [
        organization,
        {
          type: "authorization",
          publicId: "auth_beyond",
          authorizationPoolId: "apool_1",
          payorId: null,
        },
      ]),
    ).toEqual({
      report: [
        'f:2: authorization auth_beyond: authorizationPoolId: "apool_1" is a pool of more than 200 members',
      ],
    });
  });

  test("is found by the doctor, and an export is refused in a new database with the lines named", async () => {
    const database = await beyond();
    expect(await database.read((db) => findBeyond(db, "org_maple"))).toEqual([
      "pay_acme",
      "usr_kid",
    ]);
    expect(await database.read((db) => findBeyond(db, "org_other"))).toEqual([]);
    const { report } = (await importFile(
      (await newService()).database,
      await exportText(database, "org_maple"),
    )) as { report: string[] };
    expect(report.map((line) => line.replace(/^f:\d+: /, ""))).toEqual([
      "payor pay_acme: name: must have at most 600 bytes",
      "user usr_kid: locationIds: must have at most 50 elements",
    ]);
  });
});

describe("a session has at most 50 encounters", () => {
  const encounters = (count: number, from = 0): Fields[] =>
    idsOf("enc_more", from + count)
      .slice(from)
      .map((publicId) => ({
        ...{ type: "encounter", publicId, authorizationId: "auth_1", sessionId: "apt_1" },
        ...{ startTime: "2026-01-08T14:00:00.000Z", units: 1 },
      }));
  const refusal = (line: number, id: string) => ({
    report: [
      `f:${line}: encounter ${id}: sessionId: "apt_1" is a session with more than 50 encounters`,
    ],
  });

  test("at both sides, in one file and in several", async () => {
    // The full practice's session has one.
    const database = await databaseOfFullPractice();
    expect(await importFile(database, [organization, ...encounters(50)])).toEqual(
      refusal(51, "enc_more_049"),
    );
    await mustImport(database, [organization, ...encounters(49)]);
    expect(await importFile(database, [organization, ...encounters(1, 49)])).toEqual(
      refusal(2, "enc_more_049"),
    );
    await mustImport(database, [
      organization,
      ...encounters(1, 49),
      { type: "encounter", publicId: "enc_more_000", sessionId: null },
    ]);
    expect(await database.read((db) => findBeyond(db, "org_maple"))).toEqual([]);
  });

  test("over HTTP it is a rule between records", async () => {
    const { database } = { database: await databaseOfFullPractice() };
    const service = new TestService(database);
    const key = await newApiKey(database, "org_maple");
    const { status, body } = await service.call("POST /api/v1/practice-file", {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([organization, ...encounters(50)]),
    });
    expect([status, body]).toEqual([
      400,
      validationBody({
        ...{
          code: "custom",
          message: "encounter enc_more_049: sessionId: is a session with more than 50 encounters",
        },
        ...{ path: [51, "sessionId"], reason: "does_not_fit" },
      }),
    ]);
  });

  test("those of whom more are stored from before are found by the doctor, and show the first 50", async () => {
    const database = await databaseOfFullPractice();
    for (const { publicId } of encounters(50))
      await insert(database, "encounters", {
        ...{
          organization_id: "org_maple",
          public_id: publicId as string,
          authorization_id: "auth_1",
        },
        ...{ session_id: "apt_1", start_time: "2026-01-08T14:00:00.000Z" as Instant, units: 1 },
        ...{ billed: null, sequence: 1, first_sequence: 1 },
      });
    expect(await database.read((db) => findBeyond(db, "org_maple"))).toEqual(["apt_1"]);
    await mustImport(database, [
      organization,
      { type: "session", publicId: "apt_1", title: "Old" },
    ]);
    const service = new TestService(database);
    const key = await newApiKey(database, "org_maple");
    const { body } = await service.call("GET /api/v1/sessions/apt_1/utilization", { key });
    const shown = (body as { encounters: { publicId: string }[] }).encounters;
    expect(shown.map(({ publicId }) => publicId)).toEqual(
      ["enc_1", ...idsOf("enc_more", 49)].toSorted(),
    );
  });
});

describe("dates before 1900, and units beyond their limit, that are stored from before", () => {
  /** What an older version took, by columns and documents of each type. */
  const stored: [type: string, id: string, change: string][] = [
    ["user", "usr_kid", "update users set birth_date = '0019-04-05' where public_id = 'usr_kid'"],
    [
      "user",
      "usr_bcba",
      `update users set credentials = replace(credentials, '"2', '"0') where public_id = 'usr_bcba'`,
    ],
    [
      "authorization",
      "auth_1",
      "update authorizations set authorization_date = '0026-01-07' where public_id = 'auth_1'",
    ],
    [
      "authorizationPool",
      "apool_1",
      "update authorization_pools set total_units = 1e300 where public_id = 'apool_1'",
    ],
    [
      "session",
      "apt_1",
      "update sessions set start_time = '0026-01-08T14:00:00.000Z' where public_id = 'apt_1'",
    ],
    ["encounter", "enc_1", "update encounters set units = 1e300 where public_id = 'enc_1'"],
    [
      "encounter",
      "enc_2",
      "update encounters set start_time = '0026-01-08T14:00:00.000Z' where public_id = 'enc_2'",
    ],
    [
      "intakeLead",
      "lead_1",
      "update intake_leads set created_at = '1899-12-31T23:59:59.999Z' where public_id = 'lead_1'",
    ],
    [
      "goal",
      "goal_rating",
      `update recorded_data set entries = replace(entries, '"2', '"0') where goal_id = 'goal_rating'`,
    ],
    [
      "goal",
      "goal_behavior",
      `update goals set document = replace(document, '"20', '"00') where public_id = 'goal_behavior'`,
    ],
  ];
  const ids = [...new Set(stored.map(([, id]) => id))].toSorted();

  async function practiceFromBefore(): Promise<Database> {
    const database = await databaseOfFullPractice();
    for (const [, , change] of stored)
      await database.write((trx) => trx.executeQuery(CompiledQuery.raw(change)), {
        organizationId: "org_maple",
      });
    return database;
  }

  test("are found by the doctor", async () => {
    const database = await practiceFromBefore();
    expect(await database.read((db) => findBeyond(db, "org_maple"))).toEqual(ids);
    const { database: sound } = { database: await databaseOfFullPractice() };
    expect(await sound.read((db) => findBeyond(db, "org_maple"))).toEqual([]);
  });

  test("are no mistake in lines that do not change them, or that repeat them", async () => {
    const database = await practiceFromBefore();
    const records = (await Promise.all(ids.map((id) => recordOf(database, id)))) as Fields[];
    await mustImport(database, [organization, ...records]);
    await mustImport(database, [
      organization,
      { type: "user", publicId: "usr_kid", firstName: "Leonard" },
      { type: "user", publicId: "usr_bcba", firstName: "Bea" },
      { type: "authorization", publicId: "auth_1", authorizationStatus: "ENDED" },
      { type: "authorizationPool", publicId: "apool_1", totalUnits: 1e299 },
      { type: "session", publicId: "apt_1", title: "Moved" },
      { type: "goal", publicId: "goal_rating", title: "Calm" },
      { type: "goal", publicId: "goal_behavior", goalStatement: "Less" },
    ]);
    expect((await recordOf(database, "usr_kid"))?.birthDate).toBe("0019-04-05");
  });

  test("are mistakes where a line brings another one", async () => {
    const database = await practiceFromBefore();
    const goal = await recordOf(database, "goal_rating");
    const [first, ...others] = goal?.ratingInstances as Fields[];
    expect(
      await importFile(database, [
        organization,
        { type: "user", publicId: "usr_kid", birthDate: "0019-04-06" },
        { type: "encounter", publicId: "enc_1", units: 1e301 },
        {
          ...{ type: "goal", publicId: "goal_rating" },
          ratingInstances: [{ ...first, happenedAt: "0001-01-01T00:00:00.000Z" }, ...others],
        },
      ]),
    ).toEqual({
      report: [
        'f:2: user usr_kid: birthDate: "0019-04-06" must not be before 1900',
        'f:3: encounter enc_1: units: "1e+301" must be 1000000 or less',
        'f:4: goal goal_rating: ratingInstances[0].happenedAt: "0001-01-01T00:00:00.000Z" must not be before 1900',
      ],
    });
  });
});
