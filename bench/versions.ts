import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { removeDatabase } from "./data.ts";
import { inRounds, load, type Work } from "./load.ts";
import { BOTH_CORES, moveToLoadCore, requireTools } from "./machine.ts";
import { intakeLead, sessionsPage, usersPage } from "./requests.ts";
import { type Server, startServer, withKey, withServers } from "./servers.ts";
import { CONNECTIONS } from "./size.ts";

/**
 * Compares this version with the checkout of another one, in turns: a page of sessions, one of 20,000 users and a lead, with
 * their audit rows. Each version imports the same demo practice into a database of its own, by the command line, since their
 * schemas differ. The bounds are shares of the other's requests a second.
 *
 *     bun bench/versions.ts FOLDER [--sessions 100000] [--rounds 7]
 */
const MIN_RATIOS = { sessionsPage: 0.9, usersPage: 0.5, intakeLead: 0.9 };
/** Users besides those of the demo practice, who come first in the list. */
const USERS = 20_000;
const WARM_UPS = 3;
const SECONDS = 3;

const command = new Command("versions")
  .argument("<folder>", "a checkout of the other version, with its packages installed")
  .option("--sessions <number>", "of the practice", "100000")
  .option("--rounds <number>", "of which the median counts", "7")
  .option("--data <path>", "where the databases go", join(homedir(), ".cache/caseload-bench/run"))
  .parse();
const { sessions, rounds, data } = command.opts<Record<"sessions" | "rounds" | "data", string>>();
const other = resolve(command.args[0] as string);

process.env.TZ = "UTC";
requireTools();
mkdirSync(data, { recursive: true });
const practice = join(data, "versions.ndjson");
// The other version's: it need not know fields that are new.
const demo = await caseload(other, "demo", "--sessions", sessions);
await Bun.write(practice, demo + Array.from({ length: USERS }, (_, index) => user(index)).join(""));
const [{ publicId: organizationId = "" }] = JSON.parse(
  `[${(await Bun.file(practice).text()).split("\n", 1)}]`,
) as [{ publicId?: string }];

const folders = { before: other, now: join(import.meta.dir, "..") };
const targets = {
  before: await prepare("before", folders.before),
  now: await prepare("now", folders.now),
};
await moveToLoadCore();
await withServers(
  {
    before: () => start("before"),
    now: () => start("now"),
  },
  async (servers) => {
    const works = { sessionsPage, usersPage, intakeLead };
    for (const name of Object.keys(works) as (keyof typeof works)[]) {
      const { before, now } = await compare(servers, works[name]);
      const ratio = now.requestsPerSecond / before.requestsPerSecond;
      const rates = [now, before].map((figures) => Math.round(figures.requestsPerSecond));
      console.log(
        `${name}: ${rates.join(" against ")} requests/s, ${ratio.toFixed(2)}; processor ${(before.processor / now.processor).toFixed(2)}`,
      );
      if (ratio < MIN_RATIOS[name]) process.exitCode = 1;
    }
  },
);

function user(index: number): string {
  const names = { firstName: "Ana", lastName: `Park ${index}` };
  const record = { type: "user", publicId: `usr_bench_${index}`, role: "CAREGIVER", ...names };
  return `${JSON.stringify(record)}\n`;
}

async function prepare(name: string, folder: string): Promise<{ database: string; key: string }> {
  const database = join(data, `versions-${name}.db`);
  removeDatabase(database);
  await caseload(folder, "--database", database, "import", practice);
  const key = await caseload(
    folder,
    ...["--database", database, "keys", "create", "--organization", organizationId],
    ...["--role", "ADMIN", "--name", "bench"],
  );
  return { database, key: key.trim() };
}

async function caseload(folder: string, ...args: string[]): Promise<string> {
  return Bun.$`taskset -c ${BOTH_CORES} bun src/main.ts ${args}`.cwd(folder).quiet().text();
}

function start(version: keyof typeof targets): Promise<Server> {
  const { database, key } = targets[version];
  return startServer({
    name: version,
    folder: folders[version],
    command: (port) => [
      ...["bun", "src/main.ts", "--database", database],
      ...["serve", "--port", String(port)],
    ],
    readyPath: "/api/v1/sessions",
    headers: withKey(key),
  });
}

async function compare(servers: Record<keyof typeof targets, Server>, work: (key: string) => Work) {
  const candidates = (["before", "now"] as const).map((name) => ({
    name,
    measure: () =>
      load(servers[name], work(targets[name].key), {
        connections: CONNECTIONS,
        seconds: SECONDS,
      }),
  }));
  await inRounds(WARM_UPS, candidates);
  return inRounds(Number(rounds), candidates);
}
