import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type DataSet, workingCopy } from "./data.ts";
import { type Figures, load, medianFigures, type Work } from "./load.ts";
import { directus } from "./peers/directus.ts";
import { express } from "./peers/express.ts";
import { jsonServer } from "./peers/json-server.ts";
import type { Peer } from "./peers/peer.ts";
import { prism } from "./peers/prism.ts";
import { sessionsPage } from "./requests.ts";
import { type Server, startCaseload, startFloor, startServer } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

const peers: Peer[] = [express, jsonServer, prism, directus];

/** The results of a peer on each data set, or the reason why there are none. */
export interface PeerResult {
  name: string;
  outcomes: (Figures | { reason: string })[];
}

/** Some peers take a second for a request, and longer just after their start. */
const SECONDS = 5;

type Outcome = PeerResult["outcomes"][number];

/** Measures the sessions page of the service, the floor and the peers on each data set. */
export async function measurePeers(sets: DataSet[], size: Size): Promise<PeerResult[]> {
  const ready = size.withPeers ? await installAll(size.folder) : [];
  const results = new Map<string, Outcome[]>();
  for (const data of sets)
    for (const [name, outcome] of await measureOn(data, ready, size))
      results.set(name, [...(results.get(name) ?? []), outcome]);
  return [...results].map(([name, outcomes]) => ({ name, outcomes }));
}

/** A peer with the folder of its packages, or the reason why they could not be installed. */
type Installed = { peer: Peer } & ({ folder: string } | { reason: string });

async function measureOn(
  data: DataSet,
  ready: Installed[],
  size: Size,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const running: { server: Server; work: Work }[] = [];
  const database = await workingCopy(data, `${size.runFolder}/peers.db`);
  const target = { database, key: data.key };
  try {
    const caseload = await startCaseload(target);
    running.push({ server: caseload, work: sessionsPage(data.key) });
    running.push({ server: await startFloor(target), work: sessionsPage(data.key) });
    const openApi = await (await fetch(`${caseload.url}/swagger/json`)).text();
    for (const installed of ready) {
      const { peer } = installed;
      try {
        if ("reason" in installed) throw new Error(installed.reason);
        const scratch = emptyFolder(`${size.runFolder}/${peer.id}`);
        const place = { folder: installed.folder, scratch, data, database, openApi };
        const server = await startServer(await peer.prepare(place));
        running.push({ server, work: peer.work(place) });
      } catch (error) {
        outcomes.set(peer.name, { reason: (error as Error).message });
      }
    }
    for (const [name, outcome] of await compare(running, size)) outcomes.set(name, outcome);
    return outcomes;
  } finally {
    for (const { server } of running) await server.stop();
  }
}

/** Measures in turns like `inRounds`; for a peer that fails in any turn, only the reason is returned. */
async function compare(
  running: { server: Server; work: Work }[],
  size: Size,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const candidates = running.map(({ server, work }) => ({
    name: server.name,
    measure: () => load(server, work, { connections: CONNECTIONS, seconds: SECONDS }),
  }));
  const measured = new Map<string, Figures[]>(candidates.map(({ name }) => [name, []]));
  // The first round is a warm-up and not counted.
  for (let round = 0; round <= size.shortRounds; round += 1)
    for (const { name, measure } of candidates.filter(({ name }) => !outcomes.has(name)))
      try {
        const figures = await measure();
        if (round > 0) measured.get(name)?.push(figures);
      } catch (error) {
        outcomes.set(name, { reason: (error as Error).message });
      }
  for (const [name, figures] of measured)
    if (!outcomes.has(name)) outcomes.set(name, medianFigures(figures));
  return outcomes;
}

async function installAll(folder: string): Promise<Installed[]> {
  const installed: Installed[] = [];
  for (const peer of peers) installed.push(await install(peer, `${folder}/peers/${peer.id}`));
  return installed;
}

/** Installs a peer's packages if necessary; a failure is returned as result. */
async function install(peer: Peer, folder: string): Promise<Installed> {
  const done = `${folder}/installed-${peer.packages.join("-").replaceAll(/[^\w.-]/g, "_")}`;
  if (existsSync(done)) return { peer, folder };
  if (Bun.which("npm") === null) return { peer, reason: "not installed: npm is missing" };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{ "private": true }\n');
  const { exitCode, stderr } =
    await Bun.$`npm install --no-audit --no-fund --loglevel=error ${peer.packages}`
      .cwd(folder)
      .nothrow()
      .quiet();
  if (exitCode !== 0)
    return { peer, reason: `not installed: ${firstComplaint(stderr.toString())}` };
  writeFileSync(done, "");
  return { peer, folder };
}

function firstComplaint(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "npm gave no reason";
}

function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
