import { type DataSet, workingCopy } from "./data.ts";
import { type Figures, inRounds, load, type Work } from "./load.ts";
import { poolUtilization, sessionsPage, usersPage } from "./requests.ts";
import { type Server, startCaseload, startFloor, startUnaudited, withServers } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

/** A request that both the service and the floor answer. */
export interface FloorRatio {
  work: string;
  /** Whether the service writes its audit row; the floor never does. */
  variant: string;
  caseload: Figures;
  bare: Figures;
}

const readings: { name: string; work: (key: string) => Work }[] = [
  { name: "sessions page of 25", work: sessionsPage },
  { name: "users page of 25, nine roles", work: usersPage },
  { name: "utilization: pool of 4, weekly, a year, 3,500 records", work: poolUtilization },
];

/** Requests per second of the service and of the floor, on the same file and in the same rounds. */
export async function measureFloorRatios(data: DataSet, size: Size): Promise<FloorRatio[]> {
  const database = await workingCopy(data, `${size.runFolder}/floor.db`);
  const target = { database, key: data.key };
  return withServers(
    {
      floor: () => startFloor(target),
      unaudited: () => startUnaudited(target),
      caseload: () => startCaseload(target),
    },
    async (servers) => {
      const ratios: FloorRatio[] = [];
      for (const { name, work } of readings) {
        const request = work(data.key);
        await requireEqualAnswers(Object.values(servers), request);
        const { floor: bare, unaudited, caseload } = await compare(servers, request, size);
        ratios.push({ work: name, variant: "without audit row", caseload: unaudited, bare });
        ratios.push({ work: name, variant: "with audit row", caseload, bare });
      }
      return ratios;
    },
  );
}

async function compare<Name extends string>(
  servers: Record<Name, Server>,
  work: Work,
  { rounds, seconds, warmUps }: Size,
): Promise<Record<Name, Figures>> {
  const entries = Object.entries(servers) as [Name, Server][];
  const candidates = entries.map(([name, server]) => ({
    name,
    measure: () => load(server, work, { connections: CONNECTIONS, seconds }),
  }));
  await inRounds(warmUps, candidates);
  return inRounds(rounds, candidates);
}

/** @throws Error if the servers do not answer the same bytes. */
async function requireEqualAnswers(servers: Server[], { path, headers = {} }: Work): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ url }) => (await fetch(url + path, { headers })).text()),
  );
  for (const [index, answer] of answers.entries())
    if (answer !== answers[0])
      throw new Error(
        `${servers[index]?.name} and ${servers[0]?.name} do not give the same bytes for ${path}`,
      );
}
