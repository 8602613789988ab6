import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  authorization,
  clinician,
  encounter,
  location,
  patient,
  payor,
  serviceLine,
  session,
} from "../support/practice-file/lines.ts";
import { type Fields, fileOf, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * What was handed over of a line stays, and what follows from it: each history as a transcript, written over HTTP by a
 * biller who hands over what the API shows.
 */

const service = await newService();
let practices = 0;

const SESSION = session("apt_1", "2026-03-03 15:00-16:00", {
  ...{ clinicianId: "usr_bcba", authorizationId: "auth_1" },
});
const authorized = (publicId: string, payorId: string, patientId = "usr_leo") =>
  authorization(publicId, { patientId, payorId, authorizationDate: "2026-01-01" });
const entry = (payorId: string) => ({
  ...{ payorId, priority: "PRIMARY", relationshipToPatient: "CHILD", memberId: `M-${payorId}` },
  ...{ insuredBirthDate: "1990-01-01", insuredAddress: {}, planHolder: "Mia Park" },
  effectiveStartDate: "2026-01-01",
});
const PRACTICE: Fields[] = [
  ...[location("loc_main"), payor("pay_acme"), payor("pay_birch")],
  serviceLine("svc_1", { code: "97153", modifiers: ["HM"] }),
  clinician("usr_bcba", { npiNumber: "1234567893" }),
  patient("usr_leo", { timezone: null, payors: [entry("pay_acme"), entry("pay_birch")] }),
  patient("usr_mia", { timezone: null, payors: [entry("pay_acme")] }),
  ...[authorized("auth_1", "pay_acme"), authorized("auth_2", "pay_acme")],
  ...[authorized("auth_3", "pay_birch"), authorized("auth_4", "pay_acme", "usr_mia"), SESSION],
  encounter("enc_1", "2026-03-03 15:00", 4, { authorizationId: "auth_1", sessionId: "apt_1" }),
];

const NOT_HANDED_OVER = ["encounterId", "problems", "state", "changedFields", "billed"];

/** A practice with one delivery, and a biller. */
async function newBiller() {
  practices += 1;
  const organization = `org_${practices}`;
  await mustImport(service.database, [{ type: "organization", publicId: organization, name: "M" }]);
  const key = await newApiKey(service.database, organization, "ADMIN");
  let hour = 0;
  const send = async (...records: Fields[]) => {
    // Each write has a time of its own.
    service.clock.set(new Date(Date.UTC(2026, 2, 9, hour++)).toISOString() as Instant);
    const { status, body } = await service.call("POST /api/v1/practice-file", {
      ...{ key, headers: { "Content-Type": "application/x-ndjson" } },
      raw: fileOf([{ type: "organization", publicId: organization, name: "M" }, ...records]),
    });
    return { status, body: body as Fields };
  };
  const change = (fields: Fields) => send({ type: "encounter", publicId: "enc_1", ...fields });
  const read = async (query = "startDate=2026-03-01&endDate=2026-03-31") => {
    const { body } = await service.call(`GET /api/v1/billing-lines?${query}`, { key });
    return (body as { data: [Fields & { billed: Fields[] }] }).data[0];
  };
  const knownOf = (line: Fields) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !NOT_HANDED_OVER.includes(name)));
  /** As the contract says what is handed over of an original, a replacement and a void. */
  const handOver = async (batch: string | null) => {
    const line = await read();
    const { claimFrequencyCode, replacesBatch, replacesUnits, billed } = line;
    const claim = billed.findLast((one) => one.takenBackAt === null && one.batch !== null);
    const now = { claimFrequencyCode, replacesBatch, replacesUnits };
    const voided = { ...(claim?.line as Fields), units: 0, ...now };
    const none = { claimFrequencyCode: null, replacesBatch: null, replacesUnits: null };
    const seen = batch === null ? { ...knownOf(line), ...none } : knownOf(line);
    const handed = batch !== null && claimFrequencyCode === "8" ? voided : seen;
    return change({ billed: [...billed, { batch, line: handed }] });
  };
  const mark = async (places: number[], takenBackAt: string | null) => {
    const { billed } = await read();
    return change({
      billed: billed.map((one, place) => (places.includes(place) ? { ...one, takenBackAt } : one)),
    });
  };
  const stored = async () => {
    const path = "GET /api/v1/practice-file?types=encounter&ids=enc_1";
    const { text } = await service.call(path, { key });
    return JSON.parse(text.split("\n")[1] ?? "").billed as Fields[];
  };
  await send(...PRACTICE);
  return { key, send, change, read, stored, handOver, mark, knownOf };
}

type Biller = Awaited<ReturnType<typeof newBiller>>;

const take =
  (...places: number[]) =>
  ({ mark }: Biller) =>
    mark(places, "2026-03-10T00:00:00Z");
const undo =
  (...places: number[]) =>
  ({ mark }: Biller) =>
    mark(places, null);
const bill =
  (batch: string) =>
  ({ handOver }: Biller) =>
    handOver(batch);
const leave = ({ handOver }: Biller) => handOver(null);
const units =
  (number: number) =>
  ({ change }: Biller) =>
    change({ units: number });
const moved =
  (authorizationId: string) =>
  ({ send }: Biller) =>
    send(
      { type: "session", publicId: "apt_1", authorizationId },
      { type: "encounter", publicId: "enc_1", authorizationId },
    );

/** What is done, and the state, what a hand-over would be, which batch it replaces, and its units. */
type Step = [string, (biller: Biller) => Promise<unknown>, (string | number | null)[]];

const histories: [string, Step[]][] = [
  [
    "billed once, changed after, billed again",
    [
      ["nothing", async () => undefined, ["READY", "1", null, null]],
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["other units", units(3), ["CHANGED", "7", "W47", 4]],
      ["W48", bill("W48"), ["BILLED", null, null, null]],
      ["other units", units(2), ["CHANGED", "7", "W48", 3]],
      ["the units of W48", units(3), ["BILLED", null, null, null]],
    ],
  ],
  [
    "taken back once counts as before; taken back twice is a past of its own",
    [
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["other units", units(3), ["CHANGED", "7", "W47", 4]],
      ["W48", bill("W48"), ["BILLED", null, null, null]],
      ["W48 is taken back", take(1), ["CHANGED", "7", "W47", 4]],
      ["W47 is taken back", take(0), ["TAKEN_BACK", "1", null, null]],
      ["not W47", undo(0), ["CHANGED", "7", "W47", 4]],
      ["W47 is taken back", take(0), ["TAKEN_BACK", "1", null, null]],
      ["W49", bill("W49"), ["BILLED", null, null, null]],
    ],
  ],
  [
    "taken out after: voided for good",
    [
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["no units", units(0), ["CHANGED", "8", "W47", 4]],
      ["W48 voids", bill("W48"), ["BILLED", null, null, null]],
      ["another payor changes nothing", moved("auth_3"), ["BILLED", null, null, null]],
      ["units again", units(4), ["CHANGED", "1", null, null]],
      ["W49", bill("W49"), ["BILLED", null, null, null]],
    ],
  ],
  [
    "moved to another authorization, then of another payor",
    [
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["another authorization", moved("auth_2"), ["CHANGED", "7", "W47", 4]],
      ["W48", bill("W48"), ["BILLED", null, null, null]],
      ["another payor", moved("auth_3"), ["CHANGED", "8", "W48", 4]],
      ["W49 voids at the old one", bill("W49"), ["CHANGED", "1", null, null]],
      ["W50", bill("W50"), ["BILLED", null, null, null]],
    ],
  ],
  [
    "of another patient",
    [
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      [
        "another patient",
        ({ change }) => change({ sessionId: null, authorizationId: "auth_4" }),
        ["CHANGED", "8", "W47", 4],
      ],
      ["W48 voids", bill("W48"), ["CHANGED", "1", null, null]],
    ],
  ],
  [
    "left as billed: the claim stands, and the line is compared with what was seen",
    [
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["other units", units(3), ["CHANGED", "7", "W47", 4]],
      ["left", leave, ["BILLED", null, null, null]],
      ["the units of W47", units(4), ["CHANGED", "7", "W47", 4]],
      ["what was left is taken back", take(1), ["BILLED", null, null, null]],
      ["no units", units(0), ["CHANGED", "8", "W47", 4]],
    ],
  ],
  [
    "of nothing there is a problem, until it is billed",
    [
      ["no units", units(0), ["PROBLEM", "1", null, null]],
      ["W47", bill("W47"), ["BILLED", null, null, null]],
      ["W47 is taken back", take(0), ["TAKEN_BACK", "1", null, null]],
    ],
  ],
  [
    "from another system: a batch is compared with nothing",
    [
      [
        "a batch",
        ({ change }) => change({ billed: [{ batch: "before Caseload" }] }),
        ["BILLED", null, null, null],
      ],
      ["other units", units(1), ["BILLED", null, null, null]],
      ["no units", units(0), ["BILLED", null, null, null]],
    ],
  ],
  [
    "a line with few fields is compared in few",
    [
      [
        "with units",
        ({ change }) => change({ billed: [{ batch: "W47", line: { units: 4 } }] }),
        ["BILLED", null, null, null],
      ],
      ["another payor", moved("auth_3"), ["BILLED", null, null, null]],
      ["other units", units(1), ["CHANGED", "7", "W47", 4]],
      ["W48", bill("W48"), ["BILLED", null, null, null]],
    ],
  ],
];

test.each(histories)("%s", async (_, steps) => {
  const biller = await newBiller();
  for (const [what, act, expected] of steps) {
    await act(biller);
    const line = await biller.read();
    const { state, claimFrequencyCode, replacesBatch, replacesUnits, changedFields } = line;
    const found = [state, claimFrequencyCode, replacesBatch, replacesUnits];
    expect([what, ...found]).toEqual([what, ...expected]);
    expect((changedFields as string[]).length > 0).toBe(state === "CHANGED");
    const stored = await biller.stored();
    const shown = line.billed.map((one, place) => ({ ...stored[place], ...one }));
    expect(shown).toEqual(stored);
  }
});

test("a void names what it voids, with no units; of other payors that of the old one", async () => {
  const biller = await newBiller();
  const { handOver, read, knownOf } = biller;
  await handOver("W47");
  const original = knownOf(await read());
  await moved("auth_3")(biller);
  await handOver("W48");
  const { billed } = await read();
  const code = { claimFrequencyCode: "8", replacesBatch: "W47", replacesUnits: 4 };
  expect(billed.at(-1)?.line).toEqual({ ...original, units: 0, ...code });
});

test("changedFields has what another claim would say, not names, zones, addresses and the times of a clock", async () => {
  const { send, handOver, read } = await newBiller();
  await handOver("W47");
  const changedBy = async (...records: Fields[]) => {
    await send(...records);
    return (await read()).changedFields;
  };
  expect(
    await changedBy(
      {
        ...{ type: "user", publicId: "usr_leo", firstName: "Leon", timezone: "America/Detroit" },
        ...{ addressLine1: "2 Oak St", city: "Salem", state: "MA", postalCode: "01970" },
        payors: [
          { ...entry("pay_acme"), insuredAddress: { city: "Salem" } },
          { ...entry("pay_birch"), memberId: "other" },
        ],
      },
      { type: "payor", publicId: "pay_acme", name: "Acme" },
      { type: "serviceLine", publicId: "svc_1", name: "Direct" },
      { type: "user", publicId: "usr_bcba", lastName: "Li" },
    ),
  ).toEqual([]);
  expect(
    await changedBy(
      { type: "serviceLine", publicId: "svc_1", modifiers: ["HO"] },
      { type: "user", publicId: "usr_bcba", npiNumber: "1" },
      {
        ...{ type: "user", publicId: "usr_leo", sex: "MALE", payors: [entry("pay_acme")] },
        birthDate: "2019-04-02",
      },
      { ...SESSION, placeOfService: "OFFICE", endTime: "2026-03-03T16:01:00.000Z" },
    ),
  ).toEqual([
    ...["endTime", "minutes", "patientBirthDate", "modifiers", "placeOfService"],
    ...["placeOfServiceCode", "renderedByNpi", "patientSex"],
  ]);
});

test("lines are shown of the last hand-over that counts and of the claim that stands; others are left out", async () => {
  const biller = await newBiller();
  for (const act of [bill("W47"), units(3), bill("W48"), units(2), leave, units(1), leave])
    await act(biller);
  const shown = async () => (await biller.read()).billed.map((one) => "line" in one);
  expect(await shown()).toEqual([false, true, false, true]);
  await take(3)(biller);
  expect(await shown()).toEqual([false, true, true, false]);
});

describe("two people at once", () => {
  test("never make two claims: the list of the second lacks that of the first", async () => {
    const { change, read } = await newBiller();
    await change({ billed: [{ batch: "W47 by Ana" }] });
    const { status, body } = await change({ billed: [{ batch: "W47 by Bo" }] });
    expect([status, body.validationErrors]).toEqual([
      400,
      [
        {
          ...{ code: "custom", path: [2, "billed"], reason: "does_not_fit" },
          message: "encounter enc_1: billed: must stay as it was handed over",
        },
      ],
    ]);
    expect((await read()).billed.map(({ batch }) => batch)).toEqual(["W47 by Ana"]);
  });
});

describe("what is stored stays:", () => {
  const AT = "2026-03-01T10:00:00.000Z";
  const LINE = { units: 4, payorId: "pay_acme" };
  const first = { batch: "W47", at: AT, takenBackAt: null, line: LINE };
  const second = { batch: "W48", at: AT, takenBackAt: null, line: null };
  const seen = { batch: null, at: AT, takenBackAt: null, line: null };
  const [back, later] = ["2026-03-02T10:00:00.000Z", "2026-03-03T10:00:00.000Z"];
  const taken = { ...first, takenBackAt: back };
  const secondTaken = { ...second, takenBackAt: back };
  const lateTaken = { ...first, takenBackAt: later };
  const longest = { ...first, batch: "é".repeat(100) };
  const largest = { ...first, line: large(24 * 1024) };

  /** The stored list, one that is given, and what is stored then; or where it is refused. */
  const cases: [string, Fields[], unknown, Fields[] | (string | number)[]][] = [
    ["as it is", [first], [first], [first]],
    ["what is left out is as stored", [first], [{ batch: "W47" }], [first]],
    ["the instant is the same one", [first], [{ ...first, at: "2026-03-01T11:00+01:00" }], [first]],
    [
      "the fields of a line in another order",
      [first],
      [{ ...first, line: { payorId: "pay_acme", units: 4 } }],
      [first],
    ],
    ["longer", [first], [{ batch: "W47" }, second], [first, second]],
    ["an object is the list of it", [], { batch: "W47", at: AT, line: LINE }, [first]],
    ["an object of what is stored", [first], { batch: "W47", at: AT, line: LINE }, [first]],
    ["taken back", [first], [taken], [taken]],
    ["taken back at another time", [taken], [lateTaken], [lateTaken]],
    ["not taken back", [taken], [{ ...first, takenBackAt: null }], [first]],
    ["both are taken back at once", [first, second], [taken, secondTaken], [taken, secondTaken]],
    ["taken back, and handed over again", [first], [taken, second], ["billed"]],
    ["the first of two is taken back", [first, second], [taken, second], ["billed"]],
    [
      "the first is not taken back before the second is",
      [taken, second],
      [first, second],
      ["billed"],
    ],
    [
      "behind what is taken back, the one before",
      [first, secondTaken],
      [taken, secondTaken],
      [taken, secondTaken],
    ],
    ["none", [first], [], ["billed"]],
    ["null is none", [first], null, ["billed"]],
    ["null where there is none", [], null, []],
    ["shorter", [first, second], [first], ["billed"]],
    ["another batch", [first], [{ ...first, batch: "W48" }], ["billed"]],
    ["another time", [first], [{ ...first, at: back }], ["billed"]],
    ["another line", [first], [{ ...first, line: { ...LINE, units: 3 } }], ["billed"]],
    ["a line with fewer fields", [first], [{ ...first, line: { units: 4 } }], ["billed"]],
    ["no line", [first], [{ ...first, line: null }], ["billed"]],
    ["a line where none was known", [second], [{ ...second, line: LINE }], ["billed"]],
    ["another order", [first, second], [second, first], ["billed"]],
    ["in front of it", [first], [second, first], ["billed"]],
    ["left as billed", [first], [first, seen], [first, seen]],
    ["left as billed, and nothing was", [], [seen], ["billed", 0, "batch"]],
    ["left as billed behind what is taken back", [taken], [taken, seen], ["billed", 1, "batch"]],
    ["forty", [], Array(40).fill(first), Array(40).fill(first)],
    ["forty-one", [], Array(41).fill(first), ["billed"]],
    ["a batch of a hundred characters", [], [longest], [longest]],
    ["a batch of more", [], [{ ...first, batch: "é".repeat(101) }], ["billed", 0, "batch"]],
    ["a batch that is none", [], [{ ...first, batch: " " }], ["billed", 0, "batch"]],
    ["a line that is as large as may be", [], [largest], [largest]],
    [
      "a line that is larger",
      [],
      [{ ...first, line: large(24 * 1024 + 1) }],
      ["billed", 0, "line"],
    ],
    [
      "a field that a line has not",
      [],
      [{ ...first, line: { unit: 4 } }],
      ["billed", 0, "line", "unit"],
    ],
    [
      "no field that a line has",
      [],
      [{ ...first, line: { encounterId: "enc_1" } }],
      ["billed", 0, "line", "encounterId"],
    ],
  ];

  test.each(cases)("%s", async (_, stored, given, expected) => {
    const biller = await newBiller();
    const { change } = biller;
    if (stored.length > 0) await markStored(change, stored);
    const { status, body } = await change({ billed: given });
    const paths = (body.validationErrors as { path: unknown[] }[] | undefined)?.map(
      ({ path }) => path,
    );
    const isRefused = typeof expected[0] === "string";
    expect([status, paths]).toEqual(isRefused ? [400, [[2, ...expected]]] : [200, undefined]);
    expect(await biller.stored()).toEqual((isRefused ? stored : expected) as Fields[]);
  });

  /** A history that a file alone cannot write is written in two. */
  async function markStored(change: Biller["change"], stored: Fields[]): Promise<void> {
    for (let length = 1; length <= stored.length; length += 1) {
      const { status } = await change({ billed: stored.slice(0, length) });
      expect(status).toBe(200);
    }
  }

  /** In JSON, a control character has six bytes. */
  function large(bytes: number): Fields {
    const names = [
      ...["patientId", "payorName", "memberId", "groupId", "planHolder", "priority", "payorId"],
      ...["authorizationId", "poolId", "serviceLineId", "placeOfService", "patientLastName"],
      ...["patientFirstName", "supervisedById", "renderedById", "internalRecordId", "patientCity"],
      ...[
        "renderedByFirstName",
        "renderedByLastName",
        "patientSex",
        "insuredCity",
        "serviceLineName",
      ],
    ];
    const line: Fields = {};
    for (const name of names) line[name] = "";
    for (const name of names) {
      const left = bytes - JSON.stringify(line).length;
      const wide = Math.min(200, Math.floor(left / 6));
      line[name] = "\u0001".repeat(wide) + (wide < 200 ? "x".repeat(left - 6 * wide) : "");
    }
    return line;
  }
});

describe("a billed encounter", () => {
  test("is not deleted while a hand-over counts; with 0 units it is voided, and taken back it goes", async () => {
    const biller = await newBiller();
    const remove = async () => {
      const { status, body } = await biller.change({ deleted: true });
      return [status, (body.validationErrors as { message: string }[] | undefined)?.[0]?.message];
    };
    const refused = [400, "encounter enc_1: deleted: is billed"];
    await bill("W47")(biller);
    expect(await remove()).toEqual(refused);
    await units(0)(biller);
    expect(await remove()).toEqual(refused);
    await bill("W48")(biller);
    expect(await remove()).toEqual(refused);
    await take(1)(biller);
    expect(await remove()).toEqual(refused);
    await take(0)(biller);
    expect(await remove()).toEqual([200, undefined]);
  });

  test("of 0 units makes no other one of its session delivered twice", async () => {
    const biller = await newBiller();
    const { send, read, key } = biller;
    await bill("W47")(biller);
    const second = {
      ...{ type: "encounter", publicId: "enc_2", authorizationId: "auth_1", sessionId: "apt_1" },
      ...{ startTime: "2026-03-03T15:30:00.000Z", units: 4 },
    };
    await send(second);
    const problems = async () => (await read("batch=W48"))?.problems;
    await send({ ...second, billed: [{ batch: "W48" }] });
    expect(await problems()).toEqual(["DELIVERED_TWICE"]);
    await units(0)(biller);
    expect(await problems()).toEqual([]);
    expect((await read("batch=W47")).problems).toEqual([]);
    // The check counts and names the others alone.
    const twice = async () => {
      const days = "startDate=2026-03-01&endDate=2026-03-31";
      const path = `GET /api/v1/checks?check=DELIVERED_TWICE&${days}`;
      const { body } = await service.call(path, { key });
      return (body as { data: Fields[] }).data.map(({ encounterIds, units }) => [
        encounterIds,
        units,
      ]);
    };
    expect(await twice()).toEqual([]);
    await send({ ...second, publicId: "enc_3", units: 1 });
    expect(await twice()).toEqual([[["enc_2", "enc_3"], 1]]);
  });
});
