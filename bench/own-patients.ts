import { Database as SqliteFile } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../test/support/commands/program.ts";
import { startServer } from "./servers.ts";

/**
 * What a request of a caller who sees own patients only takes, against the same request of an administrator: processor
 * time of the server in milliseconds, in a practice of 15 and in one of 500 staff; for a technician with 1,000 and with
 * 2,000 own patients; and for one with 10 who have 100,000 sessions to come. `bun run bench:own-patients`.
 */

const PRACTICES = [1_500, 100_000];
const TIMES = 40;
const EXPENSIVE_TIMES = 4;

const day = new Date().toISOString().slice(0, 10);

interface Ids {
  patient: string;
  session: string;
}

const pathsOf = ({ patient, session }: Ids): string[] => [
  `users/${patient}`,
  `sessions/${session}`,
  "users",
  "users?search=an",
  "sessions",
  `sessions?startDate=${day}&endDate=${day}`,
  "sessions?status=CONFIRMED",
  "encounters",
  "goals",
  "authorization-utilization",
  "authorization-utilization?sort=endDate",
  "checks",
  "delivery",
  "billing-lines",
];

/** Patients of one technician, whose requests must take time in proportion to them. */
const OWN_PATIENTS = [1_000, 2_000];
const REPORTS = ["checks", "authorization-utilization?sort=share", "delivery", "billing-lines"];

/** When ten patients of one technician have sessions, whose number must not matter. */
const MANY_SESSIONS = Array.from({ length: 10_000 }, (_, hours) => hours / 24);

for (const sessions of PRACTICES) {
  await measure(
    `${sessions} sessions`,
    (caseload) => caseload("demo", "--sessions", String(sessions)),
    {
      pathsOf,
      timesOf: (path) => (/^(checks|delivery|billing-lines)/.test(path) ? EXPENSIVE_TIMES : TIMES),
    },
  );
}
for (const patients of OWN_PATIENTS)
  await measure(`${patients} own patients`, async () => practiceOf(patients), {
    pathsOf: () => REPORTS,
    timesOf: () => EXPENSIVE_TIMES,
  });
await measure("100000 sessions to come", async () => practiceOf(10, MANY_SESSIONS), {
  pathsOf: () => ["users", "goals"],
  timesOf: () => TIMES,
});

/**
 * A practice file of a technician and their clinician, who have all patients, each with some sessions.
 *
 * @param visits when each patient has one, in days from nine o'clock today.
 */
function practiceOf(patients: number, visits = [-13, -9, -5, -1, 3]): string {
  const instant = (days: number, hour: number) =>
    new Date(Date.parse(day) + days * 86_400_000 + hour * 3_600_000).toISOString();
  const person = (publicId: string, role: string, rest: object = {}) => ({
    ...{ type: "user", publicId, role, firstName: "Ana", lastName: publicId, ...rest },
  });
  const records: object[] = [
    { type: "organization", publicId: "org_maple", name: "Maple", timezone: "UTC" },
    { type: "location", publicId: "loc_main", name: "Main" },
    { type: "payor", publicId: "pay_acme", name: "Acme" },
    { type: "serviceLine", publicId: "svc_main", name: "Therapy", billingUnitMinutes: 15 },
    person("usr_tech", "TECHNICIAN"),
    person("usr_bcba", "CLINICIAN", { careTeamTechnicianIds: ["usr_tech"] }),
  ];
  for (let index = 0; index < patients; index += 1) {
    const [patientId, authorizationId] = [`usr_kid_${index}`, `auth_${index}`];
    records.push(person(patientId, "PATIENT"), {
      ...{ type: "authorization", publicId: authorizationId, patientId, payorId: "pay_acme" },
      ...{ authorizationNumber: "A", authorizationStatus: "AUTHORIZED" },
      ...{
        authorizedUnitsQuantity: 80,
        authorizedUnitFrequency: "WEEKLY",
        serviceLineId: "svc_main",
      },
      authorizationDate: instant(-100, 0).slice(0, 10),
      authorizationExpirationDate: instant(100, 0).slice(0, 10),
    });
    for (const [visit, days] of visits.entries()) {
      const publicId = `apt_${index}_${visit}`;
      records.push({
        ...{ type: "session", publicId, title: "Visit", status: "CONFIRMED" },
        ...{ startTime: instant(days, 9), endTime: instant(days, 10), isSupervision: false },
        ...{ isClientPresent: true, placeOfService: "OFFICE", locationId: "loc_main" },
        ...{ technicianId: "usr_tech", clientId: patientId, isBillable: true, isTelehealth: false },
        ...{ services: "svc_main", authorizationId },
      });
      if (days < 0)
        records.push({
          ...{ type: "encounter", publicId: `enc_${index}_${visit}`, authorizationId },
          ...{ sessionId: publicId, startTime: instant(days, 9), units: 4 },
        });
    }
  }
  return records.map((record) => JSON.stringify(record)).join("\n");
}

type Caseload = (...args: string[]) => Promise<string>;

async function measure(
  title: string,
  practice: (caseload: Caseload) => Promise<string>,
  { pathsOf, timesOf }: { pathsOf(ids: Ids): string[]; timesOf(path: string): number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "caseload-own-"));
  const caseload: Caseload = async (...args) => {
    const { status, stdout, stderr } = await runProgram(args, { cwd: folder });
    if (status !== 0) throw new Error(`caseload ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  try {
    const file = join(folder, "practice.ndjson");
    // Around today, since what was long ago makes nobody's own patients.
    await Bun.write(file, await practice(caseload));
    await caseload("import", file);
    const { technician, clinician, ...ids } = limit(join(folder, "caseload.db"));
    const keyOf = (...holder: string[]) =>
      caseload("keys", "create", "--organization", "org_maple", "--name", "bench", ...holder);
    const keys = {
      administrator: await keyOf("--role", "ADMIN"),
      technician: await keyOf("--user", technician),
      clinician: await keyOf("--user", clinician),
    };
    const server = await startServer({
      name: "own patients",
      command: (port) => ["bun", "src/main.ts", "serve", "--port", String(port)],
      readyPath: "/readyz",
      environment: { DATABASE_URL: join(folder, "caseload.db") },
    });
    const timeOf = async (path: string, key: string): Promise<number> => {
      const times = timesOf(path);
      const ask = async (): Promise<void> => {
        const headers = { Authorization: `Bearer ${key}` };
        const response = await fetch(`${server.url}/api/v1/${path}`, { headers });
        if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
        await response.text();
      };
      for (let time = 0; time < 3; time += 1) await ask();
      const before = server.processorTime();
      for (let time = 0; time < times; time += 1) await ask();
      return (server.processorTime() - before) / times;
    };
    console.log(`\n${title} | ${Object.keys(keys).join(" | ")}`);
    for (const path of pathsOf(ids)) {
      const figures: string[] = [];
      for (const key of Object.values(keys)) figures.push((await timeOf(path, key)).toFixed(1));
      console.log(`${path} | ${figures.join(" | ")}`);
    }
    await server.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Limits technicians and clinicians, and finds some who are booked, with a patient of both. */
function limit(path: string): Ids & { technician: string; clinician: string } {
  const file = new SqliteFile(path);
  try {
    file.run("update organizations set own_patients_only = 'TECHNICIANS_AND_CLINICIANS'");
    const row = file
      .query<Ids & { technician: string; clinician: string }, [string]>(
        `select session.client_id as patient, session.public_id as session,
          session.technician_id as technician, link.clinician_id as clinician
        from sessions as session
        join care_team_links as link on link.technician_id = session.technician_id
        join users on users.public_id = link.clinician_id and users.role = 'CLINICIAN'
        where session.client_id is not null and session.start_time > ? limit 1`,
      )
      .get(day);
    if (row === null) throw new Error("The practice has no session to come of a team");
    return row;
  } finally {
    file.close();
  }
}
