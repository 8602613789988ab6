import { describe, expect, test } from "bun:test";
import { issueKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { connect, textOf } from "../support/mcp/agent.ts";
import { elm, importOffice, session, user } from "../support/mcp/office.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Questions of an office, answered by the texts of the tools alone: every id that a call takes stood in an answer before,
 * and the answer to the question stands in the last one.
 */

const service = await newService({ agents: { isLocal: true } });
await importOffice(service.database);
const holder = { role: "ADMIN" } as const;
const { key } = await issueKey(service.database, "org_elm", { holder, kind: "AGENT" });
const client = await connect(service, key);

type Answer = { data: Record<string, never>[]; total?: number } & Record<string, never>;

async function ask(tool: string, args: Record<string, unknown>): Promise<Answer> {
  return JSON.parse(await textOf(client, tool, args));
}

const refusal = (tool: string, args: Record<string, unknown>) => textOf(client, tool, args);

/** The routes of the log lines since there were some. */
const routesSince = (before: number) =>
  service.log
    .slice(before)
    .map(({ route }) => String(route))
    .toSorted();

const idOfPerson = async (search: string): Promise<string> => {
  const { data } = await ask("find_person", { search });
  expect(data).toHaveLength(1);
  return String(data[0]?.id);
};

test("who sees Yuna Park tomorrow?", async () => {
  const patientId = await idOfPerson("Yuna Park");
  const { data } = await ask("sessions_of", { startDate: "2026-03-12", patientId });
  expect(data as unknown).toEqual([
    {
      ...{ id: "apt_2", start: "2026-03-12 09:00", end: "2026-03-12 11:00", status: "CONFIRMED" },
      patient: { id: "usr_p1", name: "Yuna Park" },
      technician: { id: "usr_t2", name: "Teo Vance" },
      clinician: { id: "usr_c1", name: "Ines Roth" },
      service: { id: "svc_97153", name: "Direct therapy" },
    },
  ]);
});

test("read me Thursday's schedule", async () => {
  const { timezone, data } = await ask("sessions_of", { startDate: "2026-03-12" });
  const lines = (data as unknown as Record<string, { name: string } & string>[]).map(
    ({ start, technician, patient, service }) =>
      `${start}: ${technician?.name} with ${patient?.name}, ${service?.name}`,
  );
  expect([timezone, lines] as unknown).toEqual([
    "America/New_York",
    [
      "2026-03-12 09:00: Teo Vance with Yuna Park, Direct therapy",
      "2026-03-12 13:00: Mara Quinn with Omar Bell, Direct therapy",
    ],
  ]);
});

test("what was delivered for Northgate in March? A name is refused where an id is due, not answered with zero", async () => {
  const month = "2026-03";
  expect(await refusal("delivered", { month, payorId: "Northgate Health" })).toBe(
    "error: 404: payorId: no such payor; ids stand in the answers of authorizations_at_a_glance and delivered",
  );
  const { data } = await ask("delivered", { month });
  const payors = (data as unknown as { payor: { id: string; name: string } }[]).map(
    ({ payor }) => payor,
  );
  const payorId = payors.find(({ name }) => name.startsWith("Northgate"))?.id;
  const answer = await ask("delivered", { month, payorId });
  expect(answer.totals as unknown).toMatchObject({ unitsDelivered: 8, encounters: 1 });
});

test("does anybody see Yuna on Sunday? An empty list says nobody", async () => {
  const patientId = await idOfPerson("yuna");
  const text = await textOf(client, "sessions_of", { startDate: "2026-03-15", patientId });
  expect(text).toBe('{"timezone":"America/New_York","data":[]}');
});

test("would Friday from nine to eleven still fit for Yuna?", async () => {
  const patientId = await idOfPerson("Park");
  const { data } = await ask("authorizations_at_a_glance", { patientId });
  const authorizationId = data[0]?.id;
  const add = (hours: number) => [
    { startTime: "2026-03-13 09:00", endTime: `2026-03-13 ${9 + hours}:00` },
  ];
  const two = await ask("would_it_fit", { authorizationId, add: add(2) });
  expect([two.fits, two.timezone] as unknown[]).toEqual([true, "America/New_York"]);
  const three = await ask("would_it_fit", { authorizationId, add: add(3) });
  expect(three as unknown).toMatchObject({
    fits: false,
    periods: [{ startDate: "2026-03-08", unitsCommitted: 16, unitsAfter: 28, unitsOver: 4 }],
  });
});

test("whose units are nearly used up this week?", async () => {
  const { data } = await ask("authorizations_at_a_glance", { minShare: 0.6 });
  expect(data as unknown).toMatchObject([
    {
      ...{ id: "auth_yuna", patient: { name: "Yuna Park" }, payor: { name: "Northgate Health" } },
      ...{ authorized: 24, delivered: 8, committed: 16, left: 8, share: 0.6667 },
    },
  ]);
});

test("why does it say 16 units for Yuna?", async () => {
  const { data } = await ask("authorizations_at_a_glance", { minShare: 0.6 });
  const answer = await ask("explain_authorization", { authorizationId: data[0]?.id });
  expect(answer.counts as unknown).toEqual([
    "2026-03-09 session: 8",
    "2026-03-09 encounter: 8",
    "2026-03-12 session: 8",
  ]);
});

test("what needs our attention, and which technician has too little supervision?", async () => {
  const { totals, data } = await ask("what_needs_attention", { startDate: "2026-03-01" });
  expect(totals as unknown).toMatchObject({ NOT_DOCUMENTED: 0, PROVIDER_OVERLAP: 0 });
  expect(data as unknown).toEqual([]);
  const report = await ask("supervision", { month: "2026-03" });
  expect(report.data as unknown).toMatchObject([
    { technician: { id: "usr_t1", name: "Mara Quinn" } },
    { technician: { id: "usr_t2", name: "Teo Vance" } },
  ]);
});

describe("an id that the practice does not have is refused, never answered with nothing:", () => {
  const days = { startDate: "2026-03-01", endDate: "2026-03-31" };
  const month = "2026-03";
  const cases: [tool: string, name: string, args: Record<string, unknown>, from: string][] = [
    ["authorizations_at_a_glance", "patientId", {}, "find_person"],
    ["authorizations_at_a_glance", "payorId", {}, "authorizations_at_a_glance and delivered"],
    ["explain_authorization", "authorizationId", {}, "authorizations_at_a_glance and delivered"],
    ["would_it_fit", "authorizationId", {}, "authorizations_at_a_glance and delivered"],
    ["sessions_of", "patientId", days, "find_person"],
    ["sessions_of", "technicianId", days, "find_person"],
    ["sessions_of", "clinicianId", days, "find_person"],
    ["sessions_of", "authorizationId", days, "authorizations_at_a_glance and delivered"],
    ["what_needs_attention", "patientId", days, "find_person"],
    ["what_needs_attention", "providerId", days, "find_person"],
    ["what_needs_attention", "payorId", days, "authorizations_at_a_glance and delivered"],
    ["delivered", "patientId", { month }, "find_person"],
    ["delivered", "payorId", { month }, "authorizations_at_a_glance and delivered"],
    ["supervision", "technicianId", { month }, "find_person"],
    ["goals_at_a_look", "patientId", {}, "find_person"],
    ["goals_at_a_look", "providerId", {}, "find_person"],
  ];

  test.each(cases)("%s %s", async (tool, name, args, from) => {
    const what = name.slice(0, -"Id".length);
    const error = `error: 404: ${name}: no such ${what}; ids stand in the answers of ${from}`;
    for (const id of ["usr_none", "Yuna Park", "", "../me", "x".repeat(129)])
      expect(await refusal(tool, { ...args, [name]: id })).toBe(error);
  });

  test("the table has every argument that is an id", async () => {
    const { tools } = await client.listTools();
    const ids = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {})
        .filter(([argument]) => argument.endsWith("Id"))
        .map(([argument, schema]) => [
          name,
          argument,
          (schema as { description: string }).description,
        ]),
    );
    expect(ids.toSorted()).toEqual(
      cases.map(([tool, name, , from]) => [tool, name, `id from ${from}`]).toSorted(),
    );
  });

  test("a patient is no technician", async () => {
    const technicianId = await idOfPerson("Yuna Park");
    expect(await refusal("sessions_of", { ...days, technicianId })).toStartWith(
      "error: 404: technicianId: no such technician",
    );
    expect(await refusal("delivered", { month, patientId: "usr_t1" })).toStartWith(
      "error: 404: patientId: no such patient",
    );
  });

  test("one that it has is answered with nothing, and looked up then alone", async () => {
    const routesOf = async (args: Record<string, unknown>) => {
      const before = service.log.length;
      await ask("delivered", args);
      return routesSince(before);
    };
    expect(await routesOf({ month: "2025-03", payorId: "pay_1", patientId: "usr_p1" })).toEqual([
      ...["/mcp", "/v1/delivery", "/v1/names", "/v1/payors"],
    ]);
    expect(await routesOf({ month, payorId: "pay_1", patientId: "usr_p1" })).toEqual([
      ...["/mcp", "/v1/delivery"],
    ]);
  });
});

describe("times as answers show them", () => {
  const authorizationId = "auth_yuna";
  const add = (startTime: string, endTime = startTime) => [{ startTime, endTime }];
  const whatIf = (args: object) => refusal("would_it_fit", { authorizationId, ...args });

  test("are of the zone of the call, else of the answer", async () => {
    const units = async (args: object) => {
      const { periods } = JSON.parse(await whatIf(args));
      return periods.map(({ startDate, unitsAfter }: Record<string, unknown>) => [
        startDate,
        unitsAfter,
      ]);
    };
    // Sunday, 00:30 in New York is Saturday in Chicago.
    const local = add("2026-03-15 00:30", "2026-03-15T01:30");
    expect(await units({ add: local })).toEqual([["2026-03-15", 4]]);
    expect(await units({ add: local, timezone: "America/Chicago" })).toEqual([["2026-03-15", 4]]);
    const instant = add("2026-03-15T00:30:00-04:00", "2026-03-15T01:30:00-04:00");
    expect(await units({ add: instant })).toEqual([["2026-03-15", 4]]);
    expect(await units({ add: instant, timezone: "America/Chicago" })).toEqual([
      ["2026-03-08", 20],
    ]);
  });

  test.each([
    ["2026-03-08 02:30", "Does not exist in America/New_York"],
    ["2026-11-01 01:30", "Occurs twice in America/New_York"],
  ])("%s is refused", async (time, message) => {
    const error = `error: 400: add: 0: startTime: ${message}, because of a clock change: add an offset`;
    expect(await whatIf({ add: add(time) })).toBe(error);
    expect(await whatIf({ add: add(time), timezone: "America/New_York" })).toBe(error);
  });

  test("that are none are refused by the API, and a zone that is none, too", async () => {
    for (const time of ["9 am", "2026-02-30 09:00", "2026-03-12 24:00", "2026-03-12"])
      expect(await whatIf({ add: add(time) })).toStartWith(
        "error: 400: add: 0: startTime: Must be",
      );
    expect(await whatIf({ add: add("2026-03-12 09:00"), timezone: "Mars" })).toBe(
      "error: 400: timezone: Must be an IANA time zone, such as America/New_York",
    );
  });
});

describe("a pool's id", () => {
  const add = [{ startTime: "2026-03-12 09:00", endTime: "2026-03-12 10:00" }];
  const instants = [{ startTime: "2026-03-12T13:00:00Z", endTime: "2026-03-12T14:00:00Z" }];

  test("stands for its only member that is open", async () => {
    for (const times of [add, instants]) {
      const args = { authorizationId: "apool_omar", add: times };
      expect(await ask("would_it_fit", args)).toMatchObject({
        ...{ authorizationPublicId: "auth_omar", poolPublicId: "apool_omar", fits: true },
      } as never);
    }
  });

  test("lists its members where none or several are, and where sessions are asked", async () => {
    const members =
      "auth_omar (Direct therapy, 2026-01-01 to 2026-06-30), auth_omar_old (Direct therapy, 2025-07-01 to 2025-12-31)";
    const error = `error: 400: authorizationId: is a pool, which has no sessions; name a member: ${members}`;
    const later = [{ startTime: "2027-03-12 09:00", endTime: "2027-03-12 10:00" }];
    const authorizationId = "apool_omar";
    expect(await refusal("would_it_fit", { authorizationId, add: later })).toBe(error);
    expect(await refusal("sessions_of", { authorizationId, startDate: "2026-03-12" })).toBe(error);
  });
});

test("an id finds its person", async () => {
  expect((await ask("find_person", { search: "usr_t2" })).data as unknown).toEqual([
    { id: "usr_t2", name: "Teo Vance", role: "TECHNICIAN" },
  ]);
  const role = "PATIENT";
  expect((await ask("find_person", { search: "usr_t2", role })).data as unknown).toEqual([]);
  expect((await ask("find_person", { search: "usr_none" })).data as unknown).toEqual([]);
});

describe("an explanation", () => {
  const authorizationId = "auth_yuna";
  const explain = (args: object) => ask("explain_authorization", { authorizationId, ...args });

  test("is of 92 days at most, also where one of them is given", async () => {
    for (const days of [{ startDate: "2026-02-01" }, { endDate: "2026-05-03" }]) {
      const { startDate, endDate } = await explain(days);
      expect([startDate, endDate] as unknown[]).toEqual(["2026-02-01", "2026-05-03"]);
    }
    const all = await explain({ startDate: "2026-02-01", endDate: "2026-05-03" });
    expect(all.total).toBeUndefined();
  });

  test("has 100 elements of each list, and the number of all", async () => {
    const declined = Array.from({ length: 130 }, (_, index) =>
      session(`apt_many_${index}`, `2026-04-${10 + (index % 20)}`, 9, {
        ...{ status: "DECLINED", clientId: "usr_p1", authorizationId, technicianId: "usr_t1" },
      }),
    );
    await mustImport(service.database, [elm, ...declined]);
    const { total, doesNotCount } = await explain({ startDate: "2026-04-01" });
    expect(total as unknown).toEqual({ doesNotCount: 130 });
    expect(doesNotCount as unknown).toHaveLength(100);
  });
});

test("a day with more than 100 sessions is told in few words", async () => {
  const booked = Array.from({ length: 101 }, (_, index) =>
    session(`apt_busy_${index}`, "2026-05-20", 9, {
      ...{ clientId: "usr_p1", authorizationId: "auth_yuna", technicianId: "usr_t1" },
    }),
  );
  await mustImport(service.database, [elm, ...booked]);
  const { counts } = await ask("explain_authorization", {
    ...{ authorizationId: "auth_yuna", startDate: "2026-05-20", endDate: "2026-05-20" },
  });
  expect(counts as unknown).toEqual(["2026-05-20 session: 808 in 101"]);
});

test("an answer that would be made of very many records is refused, and others come after it", async () => {
  const booked = Array.from({ length: 16_000 }, (_, index) =>
    session(`apt_flood_${index}`, "2026-06-10", 9, {
      ...{ clientId: "usr_p1", authorizationId: "auth_yuna", technicianId: "usr_t1" },
    }),
  );
  await mustImport(service.database, [elm, ...booked]);
  const flooded = { authorizationId: "auth_yuna", startDate: "2026-06-01", endDate: "2026-06-30" };
  for (let times = 0; times < 6; times += 1)
    expect(await refusal("explain_authorization", flooded)).toBe(
      "error: 413: Too many records; ask for fewer days, or for one person",
    );
  const { data } = await ask("find_person", { search: "Yuna Park" });
  expect(data).toHaveLength(1);
}, 60_000);

test("the names of 100 sessions with 300 people take three requests; with long ids, as many as fit", async () => {
  const people = (tag: string) =>
    Array.from({ length: 100 }, (_, index) => [
      user(`usr_${tag}t${index}`, "TECHNICIAN", "Tia", `T${index}`),
      user(`usr_${tag}c${index}`, "CLINICIAN", "Cleo", `C${index}`),
      user(`usr_${tag}p${index}`, "PATIENT", "Pia", `P${index}`),
      session(`apt_${tag}${index}`, tag === "n" ? "2026-08-03" : "2026-08-04", 9, {
        ...{ technicianId: `usr_${tag}t${index}`, clinicianId: `usr_${tag}c${index}` },
        ...{ clientId: `usr_${tag}p${index}`, status: "CONFIRMED" },
      }),
    ]).flat();
  for (const [tag, day, requests] of [
    ["n", "2026-08-03", 3],
    ["x".repeat(110), "2026-08-04", 5],
  ] as const) {
    await mustImport(service.database, [elm, ...people(tag)]);
    const before = service.log.length;
    const { data } = await ask("sessions_of", { startDate: day });
    expect(data).toHaveLength(100);
    for (const { technician, clinician, patient, service } of data)
      for (const named of [technician, clinician, patient, service])
        expect(named as unknown).toMatchObject({
          name: expect.stringMatching(/^(Tia|Cleo|Pia|Direct)/),
        });
    expect(routesSince(before)).toEqual([
      ...[
        "/mcp",
        "/v1/me",
        ...Array(requests).fill("/v1/names"),
        "/v1/service-lines",
        "/v1/sessions",
      ],
    ]);
  }
});
