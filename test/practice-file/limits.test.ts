import { describe, expect, test } from "bun:test";
import { CompiledQuery } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { findBeyond } from "../../src/practice-file/limits.ts";
import { insert } from "../support/factories.ts";
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
  exportRecords,
  exportText,
  type Fields,
  importFile,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** Limits of what one user or pool has (docs/decisions.md), each at both sides, and for those who were beyond before. */

const KIB = 1024;
const transcript = await transcripts();
const practice = transcript(fullPractice);

const recordWith = (id: string) => fullPractice.find(({ publicId }) => publicId === id)!;
const [kid, clinician] = [recordWith("usr_kid"), recordWith("usr_bcba")];
const [payorEntry] = kid.payors as [Fields];
const [credential] = clinician.credentials as [Fields];
const [credentialing] = credential.payorCredentialing as [Fields];

const idsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}_${String(index).padStart(3, "0")}`);
const users = (role: string, name: string, count: number, more: Fields = {}): Fields[] =>
  idsOf(name, count).map((publicId) => ({
    ...{ type: "user", publicId, role, firstName: "Leo", lastName: "Park", ...more },
  }));

/** The records that the longest lists refer to, and one more. */
const listed: Fields[] = [
  ...(
    [
      ["location", "loc", 51],
      ["payor", "pay", 201],
      ["specialization", "spec", 51],
    ] as const
  ).flatMap(([type, name, count]) =>
    idsOf(name, count).map((publicId) => ({ type, publicId, name: "Name" })),
  ),
  ...users("TECHNICIAN", "usr_many_tech", 501),
  ...users("CLINICIAN", "usr_many_clinician", 51),
];

const withListed = transcript([...fullPractice, ...listed]);

const write = (...lines: Fields[]): Step => ["POST practice-file", lines, 200];
const refused = (lines: Fields[], path: (string | number)[], message: string): Step => [
  ...(["POST practice-file", lines, 400] as const),
  { validationErrors: [{ code: "custom", message, path }] },
];
/** Who the doctor finds to be beyond a limit. */
const beyond = (...ids: string[]): Step => [
  async (database, organizationId) =>
    expect(await database.read((db) => findBeyond(db, organizationId))).toEqual(ids),
];

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

  for (const [publicId, field, most, list] of lists) {
    const line = (count: number) => ({ type: "user", publicId, [field]: list(count) });
    withListed(`of ${publicId} ${field} ${most}`, [
      write(line(most)),
      refused(
        [line(most + 1)],
        [2, field],
        `user ${publicId}: ${field}: must have at most ${most} elements`,
      ),
      [`GET practice-file?ids=${publicId}`, 200, [{}, { [field]: list(most) }]],
    ]);
  }

  const withEntries = (...lengths: number[]) => ({
    ...{ type: "user", publicId: "usr_bcba" },
    credentials: lengths.map((length, place) => ({
      ...{ ...credential, payorCredentialing: credentialings(length, place) },
    })),
  });
  practice("200 entries of payorCredentialing in all credentials", [
    write(withEntries(100, 100)),
    refused(
      [withEntries(100, 100, 1)],
      [2, "credentials"],
      "user usr_bcba: credentials: must have at most 200 entries of payorCredentialing in all",
    ),
  ]);

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

for (const type of ["payor", "serviceLine", "specialization"]) {
  const line = (name: string): Fields => ({
    ...{ type, publicId: "new", name, ...(type === "serviceLine" && { billingUnitMinutes: 15 }) },
  });
  practice(
    `the name of a ${type} has at most 600 bytes in JSON, as 200 characters of any script have`,
    [
      write(line("\u6f22".repeat(200))),
      refused(
        [line("\u0001".repeat(101))],
        [2, "name"],
        `${type} new: name: must have at most 600 bytes`,
      ),
    ],
  );
}

/** Authorizations of the full practice's patient, who has two, one of them in a pool. */
const more = (count: number, row: Fields = authorization) =>
  idsOf("auth_more", count).map((publicId) => ({ ...row, publicId }));
const tooMany = (id: string) =>
  refused(
    [{ ...authorization, publicId: id }],
    [2, "patientId"],
    `authorization ${id}: patientId: is a patient with more than 200 authorizations`,
  );

describe("a patient has at most", () => {
  practice("200 authorizations in all, alone or in pools", [
    write(
      ...more(198).map((line, index) =>
        index % 2 === 0 ? line : { ...pooledAuthorization, publicId: line.publicId },
      ),
    ),
    tooMany("auth_last"),
    // One that goes makes room, whatever the order of the lines.
    write(
      { ...authorization, publicId: "auth_last" },
      { type: "authorization", publicId: "auth_more_000", deleted: true },
    ),
  ]);

  const pools = idsOf("apool_more", 100).map((publicId) => ({ ...pool, publicId }));
  practice("100 pools, empty ones included", [
    write(...pools.slice(0, 99)),
    refused(
      pools,
      [101, "patientId"],
      "authorizationPool apool_more_099: patientId: is a patient with more than 100 pools",
    ),
  ]);

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
  const busy = {
    type: "user",
    publicId: "usr_busy",
    role: "TECHNICIAN",
    firstName: "A",
    lastName: "B",
  };
  const leads = users("CLINICIAN", "usr_lead", 500, { careTeamTechnicianIds: ["usr_busy"] });
  const careTeamTechnicianIds = ["usr_tech", "usr_busy"];

  practice("by a file, in which the line of the one too many is refused at the technician", [
    write(busy, ...leads),
    refused(
      [{ ...clinician, publicId: "usr_last", email: null, careTeamTechnicianIds }],
      [2, "careTeamTechnicianIds", 1],
      "user usr_last: careTeamTechnicianIds[1]: is a technician with more than 500 leads",
    ),
  ]);

  const ada = { firstName: "Ada", lastName: "Wong", role: "CLINICIAN", careTeamTechnicianIds };
  practice("by POST /v1/users", [
    write(busy, ...leads.slice(1)),
    ["POST users", ada, 200],
    [
      "POST users",
      ada,
      400,
      validationBody({
        ...{ code: "custom", message: "This technician has 500 clinicians already" },
        path: ["careTeamTechnicianIds", 1],
      }),
    ],
  ]);
});

const linked = (lists: object, status: number, body: object = {}): Step => [
  "POST users",
  { firstName: "Ada", lastName: "Wong", role: "CLINICIAN", ...lists },
  ...([status, body] as const),
];
const atMost = (name: string, count: number, what: string) =>
  validationBody({
    ...{ code: "custom", message: `A provider has at most ${count} ${what}`, path: [name] },
  });
withListed("POST /v1/users links a provider to at most 200 payors and 50 specializations", [
  linked({ providerPayors: [...idsOf("pay", 200), ...idsOf("pay_unknown", 300)] }, 200),
  linked({ providerPayors: idsOf("pay", 201) }, 400, atMost("providerPayors", 200, "payors")),
  linked({ specializations: idsOf("spec", 50) }, 200),
  linked(
    ...([{ specializations: idsOf("spec", 51) }, 400] as const),
    atMost("specializations", 50, "specializations"),
  ),
]);

describe("who was beyond a limit before", () => {
  /** A patient with 60 locations, 201 authorizations and a payor name that is too long, stored past the import. */
  const stored: Step[] = [
    write(
      ...idsOf("loc", 61).map((publicId) => ({ type: "location", publicId, name: "Name" })),
      ...more(198),
      { type: "user", publicId: "usr_kid", locationIds: [] },
    ),
    [
      async (database, organizationId) => {
        const own = { organization_id: organizationId };
        for (const location_id of idsOf("loc", 60))
          await insert(database, "user_locations", { ...own, user_id: "usr_kid", location_id });
        await database.write(
          async (trx) => {
            const { public_id: _, ...row } = await trx
              .selectFrom("authorizations")
              .selectAll()
              .where("organization_id", "=", organizationId)
              .where("public_id", "=", "auth_1")
              .executeTakeFirstOrThrow();
            await trx
              .insertInto("authorizations")
              .values({ ...row, public_id: "auth_beyond" } as never)
              .execute();
            await trx
              .updateTable("payors")
              .set({ name: "\u0001".repeat(200) })
              .where("organization_id", "=", organizationId)
              .where("public_id", "=", "pay_acme")
              .execute();
          },
          { organizationId },
        );
      },
    ],
    beyond("pay_acme", "usr_kid"),
  ];
  const inPool = { type: "authorization", authorizationPoolId: "apool_1", payorId: null };

  practice("can be changed in what does not add to it", [
    ...stored,
    write(
      { type: "user", publicId: "usr_kid", firstName: "Leonard" },
      {
        ...{ type: "authorization", publicId: "auth_1", payorId: "pay_acme" },
        authorizationStatus: "ENDED",
      },
      { type: "payor", publicId: "pay_acme", name: "\u0002".repeat(200) },
    ),
    write(
      { type: "user", publicId: "usr_kid", locationIds: idsOf("loc", 61).slice(1) },
      { ...authorization, publicId: "auth_new" },
      { type: "authorization", publicId: "auth_beyond", deleted: true },
    ),
    [
      ...(["GET practice-file?ids=usr_kid", 200] as const),
      [{}, { locationIds: idsOf("loc", 61).slice(1) }],
    ],
  ]);

  practice("cannot be made to have more", [
    ...stored,
    refused(
      [{ type: "user", publicId: "usr_kid", locationIds: idsOf("loc", 61) }],
      [2, "locationIds"],
      "user usr_kid: locationIds: must have at most 50 elements",
    ),
    tooMany("auth_new"),
    // One that moves into the pool adds to the pool, not to the patient.
    write(...more(198, inPool)),
    write({ ...inPool, publicId: "auth_1" }),
    refused(
      [{ ...inPool, publicId: "auth_beyond" }],
      [2, "authorizationPoolId"],
      "authorization auth_beyond: authorizationPoolId: is a pool of more than 200 members",
    ),
  ]);

  practice(
    "is found by the doctor, and an export is refused in another practice with the lines named",
    [
      ...stored,
      [
        async (database, organizationId) => {
          const [first, ...records] = await exportRecords(database, organizationId);
          const there = { ...first, publicId: "org_there" };
          const { report } = (await importFile(database, [there, ...records])) as {
            report: string[];
          };
          expect(report.map((line) => line.replace(/^f:\d+: /, ""))).toEqual([
            "payor pay_acme: name: must have at most 600 bytes",
            "user usr_kid: locationIds: must have at most 50 elements",
          ]);
          expect(await database.read((db) => findBeyond(db, "org_there"))).toEqual([]);
        },
      ],
    ],
  );
});

describe("a session has at most 50 encounters", () => {
  const encounters = (count: number, from = 0): Fields[] =>
    idsOf("enc_more", from + count)
      .slice(from)
      .map((publicId) => ({
        ...{ type: "encounter", publicId, authorizationId: "auth_1", sessionId: "apt_1" },
        ...{ startTime: "2026-01-08T14:00:00.000Z", units: 1 },
      }));
  const [first, last] = ["enc_more_000", "enc_more_049"];
  const message = `encounter ${last}: sessionId: is a session with more than 50 encounters`;

  // The full practice's session has one.
  practice("at both sides, in one file and in several", [
    [
      "POST practice-file",
      encounters(50),
      400,
      whole(
        validationBody({
          ...{ code: "custom", message, path: [51, "sessionId"], reason: "does_not_fit" },
        }),
      ),
    ],
    write(...encounters(49)),
    refused(encounters(1, 49), [2, "sessionId"], message),
    write(...encounters(1, 49), { type: "encounter", publicId: first, sessionId: null }),
    beyond(),
  ]);

  practice(
    "those of whom more are stored from before are found by the doctor, and show the first 50",
    [
      [
        async (database, organization_id) => {
          for (const public_id of idsOf("enc_more", 50))
            await insert(database, "encounters", {
              ...{ organization_id, public_id, authorization_id: "auth_1", session_id: "apt_1" },
              ...{ start_time: "2026-01-08T14:00:00.000Z" as Instant, units: 1, billed: null },
              ...{ sequence: 1, first_sequence: 1 },
            });
        },
      ],
      beyond("apt_1"),
      write({ type: "session", publicId: "apt_1", title: "Old" }),
      [
        ...(["GET sessions/apt_1/utilization", 200] as const),
        { encounters: ["enc_1", ...idsOf("enc_more", 49)].map((publicId) => ({ publicId })) },
      ],
    ],
  );
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
