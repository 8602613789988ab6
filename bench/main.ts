import { homedir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { measureBeside } from "./beside.ts";
import { measureBinary, measureBounds } from "./bounds.ts";
import { type DataSet, dataSet, sizeOf } from "./data.ts";
import { measureEngines, startPostgresql } from "./engines.ts";
import { measureFloorRatios } from "./floor-ratios.ts";
import { measureGrowth } from "./growth.ts";
import { measureImports } from "./imports.ts";
import {
  machineLine,
  moveToLoadCore,
  NotReady,
  processorUse,
  requireTools,
  shareOfOthers,
  toolVersions,
} from "./machine.ts";
import { measurePeers } from "./peers.ts";
import { peersChart, type Results, resultsPage } from "./report.ts";
import type { TestServer } from "../test/support/postgresql/server.ts";
import { fullSize, quickSize, type Size } from "./size.ts";

/**
 * Creates the data, runs all measurements, and writes `RESULTS.md` and a chart; `--quick` prints the page instead and
 * takes a minute.
 */

// As in the service, calendar arithmetic needs UTC.
process.env.TZ = "UTC";

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const { quick, folder } = new Command("bench")
  .option("--quick", "the smallest data, single rounds and no peers: print the results")
  .option(
    "--folder <path>",
    "where data and peers are kept",
    join(homedir(), ".cache", "caseload-bench"),
  )
  .parse()
  .opts<{ quick?: boolean; folder: string }>();

try {
  requireTools();
  const results = await measure(quick ? quickSize(folder) : fullSize(folder));
  if (quick) console.log(resultsPage(results));
  else {
    const page = join(import.meta.dir, "RESULTS.md");
    await Bun.write(page, resultsPage(results));
    await Bun.$`bun fmt ${page}`.quiet();
    await Bun.write(join(import.meta.dir, "sessions.svg"), peersChart(results));
  }
} catch (error) {
  if (!(error instanceof NotReady)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function measure(size: Size): Promise<Results> {
  say("making the data, where it is not there yet");
  const sets: DataSet[] = [];
  for (const sessions of size.scales) sets.push(await dataSet(size.folder, sessions));
  const largest = sets.at(-1);
  if (largest === undefined) throw new Error("There is nothing to measure");
  await Bun.$`bun run build`.cwd(join(import.meta.dir, "..")).quiet();
  // Processes that are started from here on use only the load generator's core.
  const postgresql = await startPostgresql();
  try {
    return await measureAll({ sets, largest, postgresql }, size);
  } finally {
    await postgresql.remove();
  }
}

interface Measured {
  sets: DataSet[];
  largest: DataSet;
  postgresql: TestServer;
}

async function measureAll({ sets, largest, postgresql }: Measured, size: Size): Promise<Results> {
  await moveToLoadCore();
  const before = processorUse();
  say("against the floor");
  const ratios = await measureFloorRatios(largest, size);
  say("bounds");
  const bounds = await measureBounds(largest, size);
  bounds.push(...(await measureBeside(largest, size)));
  bounds.push(...(await measureBinary(largest, join(import.meta.dir, "../dist/caseload"), size)));
  say("how cost grows");
  const growth = await measureGrowth(sets, size);
  say("SQLite and PostgreSQL");
  const engines = await measureEngines(sets, postgresql, size);
  say("imports");
  const imports = await measureImports(postgresql, size);
  say("beside others");
  const peers = await measurePeers(sets, size);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machineLine(),
    othersShare: shareOfOthers(before, processorUse()),
    versions: `Caseload ${packageJson.version}, ${await toolVersions()}`,
    sets: sets.map((set) => ({
      sessions: set.sessions,
      users: set.users,
      bytes: sizeOf(set),
    })),
    ratios,
    bounds,
    growth,
    engines,
    imports,
    peers,
  };
}

function say(words: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${words}`);
}
