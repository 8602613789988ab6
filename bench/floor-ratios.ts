import { Database } from "bun:sqlite";
import { type DataSet, workingCopy } from "./data.ts";
import { type Figures, inRounds, load, type Work } from "./load.ts";
import {
  intakeLead,
  leadBody,
  overviewByEnd,
  overviewByShare,
  poolUtilization,
  sessionsPage,
  usersPage,
  whatIf,
} from "./requests.ts";
import {
  type Server,
  startCaseload,
  startFloor,
  startUnaudited,
  withKey,
  withServers,
} from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

/** A piece of work that the service and the floor both do. */
export interface FloorRatio {
  work: string;
  /** What is compared with what. */
  variant: string;
  caseload: Figures;
  bare: Figures;
  /** The least ratio that was aimed at; undefined where none was. */
  target: number | undefined;
}

interface Reading {
  name: string;
  work: (key: string) => Work;
  /** Without the audit row, and with it. */
  targets: [unaudited: number, audited: number];
  /** Whether it is of the practice whose overview is measured. */
  isOverview?: true;
}

const readings: Reading[] = [
  { name: "sessions page of 25", work: sessionsPage, targets: [0.85, 0.75] },
  { name: "users page of 25, nine roles", work: usersPage, targets: [0.85, 0.78] },
  {
    name: "utilization: pool of 4, weekly, a year, 3,500 records",
    work: poolUtilization,
    targets: [1, 1],
  },
  { name: "overview by end", work: overviewByEnd, targets: [0.5, 0.4], isOverview: true },
  { name: "overview by share", work: overviewByShare, targets: [0.65, 0.55], isOverview: true },
  { name: "what-if", work: whatIf, targets: [0.4, 0.3], isOverview: true },
];

/** Requests a second of the service and of the floor, on the same file and in the same rounds. */
export async function measureFloorRatios(data: DataSet, size: Size): Promise<FloorRatio[]> {
  const { key, overviewKey } = data;
  const database = await workingCopy(data, `${size.runFolder}/floor.db`);
  const target = { database, key };
  return withServers(
    {
      floor: () => startFloor(target),
      auditedFloor: () => startFloor(target, true),
      unaudited: () => startUnaudited(target),
      caseload: () => startCaseload(target),
    },
    async ({ floor, auditedFloor, unaudited, caseload }) => {
      const ratios: FloorRatio[] = [];
      for (const reading of readings)
        ratios.push(
          ...(await compareReading(
            reading,
            reading.isOverview ? overviewKey : key,
            { floor, unaudited, caseload },
            size,
          )),
        );
      for (const bare of [floor, auditedFloor])
        await requireEqualLeads(database, key, [caseload, bare]);
      ratios.push(...(await compareLeads(key, { floor, auditedFloor, caseload }, size)));
      return ratios;
    },
  );
}

async function compareReading(
  { name: work, work: requestOf, targets: [unauditedTarget, auditedTarget] }: Reading,
  key: string,
  servers: Record<"floor" | "unaudited" | "caseload", Server>,
  size: Size,
): Promise<FloorRatio[]> {
  const request = requestOf(key);
  await requireEqualAnswers(Object.values(servers), request);
  const { floor: bare, unaudited, caseload } = await compare(servers, () => request, size);
  return [
    { work, variant: "without audit row", caseload: unaudited, bare, target: unauditedTarget },
    { work, variant: "with audit row", caseload, bare, target: auditedTarget },
  ];
}

/** A lead's audit row is part of its transaction, so that there is no lead without; but there is such a floor. */
async function compareLeads(
  key: string,
  servers: Record<"floor" | "auditedFloor" | "caseload", Server>,
  size: Size,
): Promise<FloorRatio[]> {
  const { floor, auditedFloor, caseload } = await compare(servers, () => intakeLead(key), size);
  const work = "intake lead, synced to the disk";
  return [
    { work, variant: "both with audit row", caseload, bare: auditedFloor, target: 0.65 },
    { work, variant: "with audit row", caseload, bare: floor, target: undefined },
  ];
}

async function compare<Name extends string>(
  servers: Record<Name, Server>,
  work: () => Work,
  { rounds, seconds, warmUps }: Size,
): Promise<Record<Name, Figures>> {
  const entries = Object.entries(servers) as [Name, Server][];
  const candidates = entries.map(([name, server]) => ({
    name,
    measure: () => load(server, work(), { connections: CONNECTIONS, seconds }),
  }));
  await inRounds(warmUps, candidates);
  return inRounds(rounds, candidates);
}

/** @throws Error when the servers' answers, to what changes nothing, are not the same bytes. */
async function requireEqualAnswers(
  servers: Server[],
  { path, headers = {}, numbered }: Work,
): Promise<void> {
  const request = numbered
    ? {
        method: numbered.method,
        body: numbered.body,
        headers: { ...headers, "Content-Type": "application/json" },
      }
    : { headers };
  const answers = await Promise.all(
    servers.map(async ({ url }) => (await fetch(url + path, request)).text()),
  );
  const [first] = answers;
  for (const [index, answer] of answers.entries())
    if (answer !== first)
      throw new Error(
        `${servers[index]?.name} and ${servers[0]?.name} do not give the same bytes for ${path}`,
      );
}

/**
 * Sends one lead to each server.
 *
 * @throws Error when what they wrote is not the same, ids, times and email addresses aside.
 */
async function requireEqualLeads(path: string, key: string, servers: Server[]): Promise<void> {
  const written: string[] = [];
  for (const { url, name } of servers) {
    const response = await fetch(`${url}/api/v1/intake-leads`, {
      method: "POST",
      headers: { ...withKey(key), "Content-Type": "application/json" },
      body: leadBody(),
    });
    if (response.status !== 201) throw new Error(`${name} answered a lead with ${response.status}`);
    const answer = (await response.json()) as Record<"client" | "caregiver", { publicId: string }>;
    written.push(rowsOfLead(path, answer.client.publicId, answer.caregiver.publicId));
  }
  if (new Set(written).size > 1)
    throw new Error(`A lead leaves other rows in the service than in the floor: ${written}`);
}

function rowsOfLead(path: string, clientId: string, caregiverId: string): string {
  const file = new Database(path, { readonly: true });
  const rows = [
    "select * from users where public_id in (?1, ?2) order by role",
    "select * from user_locations where user_id in (?1, ?2)",
    "select * from intake_leads where client_id = ?1 and caregiver_id = ?2",
    `select * from intake_lead_labels where lead_id =
       (select public_id from intake_leads where client_id = ?1 and caregiver_id = ?2)`,
  ].map((statement) => file.query(statement).all(clientId, caregiverId));
  file.close();
  return JSON.stringify(rows)
    .replaceAll(/"(usr|lead)_[^"]+"/g, '"$1"')
    .replaceAll(/lead\d+@/g, "lead@")
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"time"');
}
