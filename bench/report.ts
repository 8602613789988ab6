import type { Bound } from "./bounds.ts";
import { lineChart } from "./chart.ts";
import type { EngineFigures } from "./engines.ts";
import type { FloorRatio } from "./floor-ratios.ts";
import type { Growth } from "./growth.ts";
import {
  type ImportFigures,
  MAX_CHANGES_TIME,
  MAX_MEMORY,
  MAX_WRITE_TIME,
  MIN_RECORDS,
} from "./imports.ts";
import type { Figures } from "./load.ts";
import type { PeerResult } from "./peers.ts";

/** All results of a run. */
export interface Results {
  date: string;
  machine: string;
  /** The share of processor time used by other programs during the run. */
  othersShare: number;
  versions: string;
  /** Sessions, users and bytes of each data set. */
  sets: { sessions: number; users: number; bytes: number }[];
  ratios: FloorRatio[];
  bounds: Bound[];
  growth: Growth[];
  engines: EngineFigures[];
  imports: ImportFigures[];
  peers: PeerResult[];
}

/** Above this share, other programs have influenced the results. */
const QUIET_SHARE = 0.05;

/** The results as a page of Markdown; the chart is a separate file. */
export function resultsPage(results: Results): string {
  const { date, machine, othersShare, versions, sets, ratios, bounds, growth } = results;
  const { engines, imports, peers } = results;
  const scales = sets.map(({ sessions }) => `${count(sessions)} sessions`);
  return [
    "# Measurements",
    "",
    `\`bun run bench\` made this page on ${date}.`,
    "",
    `- Machine: ${machine}.`,
    `- ${othersLine(othersShare)}`,
    `- Versions: ${versions}.`,
    `- Data: the demo practice, imported: ${sets.map(setLine).join("; ")}; nine smaller organizations beside it.`,
    "- Load: wrk with 32 connections on one core, the server on another; rounds of all that are compared take turns; the first do not count, and of the others medians are shown. Every server's log goes to /dev/null.",
    "",
    "## Against the floor",
    "",
    "The floor (`bench/floor.ts`) is a plain `Bun.serve` with prepared `bun:sqlite` statements over the same file. It finds the key, does the work and answers the same bytes, and nothing else. The ratio is of requests a second; beside it stands that of the processor's time for a request, which other programs do not disturb.",
    "",
    ...table(
      ["work", "", "Caseload, requests/s", "floor, requests/s", "ratio", "processor"],
      ratios.map(ratioCells),
    ),
    "",
    "## Bounds",
    "",
    ...table(
      ["what", "measured", "bound", ""],
      bounds.map(({ work, measured, bound, isMet }) => [work, measured, bound, mark(isMet)]),
    ),
    "",
    "## How cost grows",
    "",
    "Requests a second at 32 connections, with the audit row of each durable before its answer.",
    "",
    ...table(
      ["endpoint", ...scales],
      growth.map(({ work, figures }) => [work, ...figures.map(rate)]),
    ),
    "",
    "## SQLite and PostgreSQL",
    "",
    "Requests a second of the same data in a file and in PostgreSQL, copied there by `caseload copy`, each request with its audit row on the disk before its answer. Here nodes, PostgreSQL and the load share both cores; two nodes have 16 connections each. The ratio is of one node to the file.",
    "",
    ...table(
      [...["work", "sessions", "SQLite", "PostgreSQL, one node", "two nodes"], "ratio"],
      engines.map(engineCells),
    ),
    "",
    "## Imports",
    "",
    `\`caseload import\` of a whole practice into an empty database, and imports beside a server of which a page is read and to which a lead is sent 20 times a second: by the command, and of 8 MiB over HTTP, where no lead may take longer than ${MAX_WRITE_TIME / 1_000} s.`,
    "",
    ...table(
      [
        ...["", "sessions", "records", "records/s", "bound", "", "memory, MB", "bound", ""],
        ...["500 changed sessions, ms", "bound", ""],
        ...["slowest page, ms", "slowest lead, ms", "leads refused"],
        ...["slowest page beside 8 MiB, ms", "slowest lead beside 8 MiB, ms", ""],
      ],
      imports.map(importCells),
    ),
    "",
    "## Beside others",
    "",
    "Requests a second for the same page of 25 sessions. Caseload authenticates, validates, and records each request in its audit trail; the floor authenticates; so does Express with Knex, over the same database and its indexes, and Directus by a static token. json-server holds all in memory, in order; Prism answers the example of the OpenAPI document.",
    "",
    "![Requests a second for a page of 25 sessions, by the number of sessions](sessions.svg)",
    "",
    ...table(
      ["", ...scales.slice(0, peers[0]?.outcomes.length)],
      peers.map(({ name, outcomes }) => [
        name,
        ...outcomes.map((outcome) => ("reason" in outcome ? outcome.reason : rate(outcome))),
      ]),
    ),
    "",
  ].join("\n");
}

/** The sessions page of all servers, by the number of sessions. */
export function peersChart({ sets, peers }: Results): string {
  return lineChart({
    title: "A page of 25 sessions",
    subtitle: "Requests a second at 32 connections, by the number of sessions (logarithmic)",
    categories: sets.slice(0, peers[0]?.outcomes.length).map(({ sessions }) => count(sessions)),
    series: peers.map(({ name, outcomes }) => ({
      name,
      values: outcomes.map((outcome) =>
        "reason" in outcome ? undefined : outcome.requestsPerSecond,
      ),
      style: name === "Caseload" ? "main" : name === "floor" ? "reference" : "plain",
    })),
  });
}

function othersLine(share: number): string {
  const line = `Other programs took ${Math.round(share * 100)} % of the processors' time during the run`;
  return share > QUIET_SHARE
    ? `${line}, so that figures are lower and less even than on a quiet machine.`
    : `${line}: the machine was quiet.`;
}

function setLine({ sessions, users, bytes }: Results["sets"][number]): string {
  return `${count(sessions)} sessions with ${count(users)} users (${Math.round(bytes / 1_000_000)} MB)`;
}

function ratioCells({ work, variant, caseload, bare }: FloorRatio): string[] {
  return [
    ...[work, variant, rate(caseload), rate(bare)],
    (caseload.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
    (bare.processor / caseload.processor).toFixed(2),
  ];
}

function engineCells({ work, sessions, sqlite, oneNode, twoNodes }: EngineFigures): string[] {
  return [
    ...[work, count(sessions), rate(sqlite), rate(oneNode), rate(twoNodes)],
    (oneNode.requestsPerSecond / sqlite.requestsPerSecond).toFixed(2),
  ];
}

function importCells(figures: ImportFigures): string[] {
  const { engine, sessions, records, recordsPerSecond, memory, changes } = figures;
  const { besideCommand, besideUpload } = figures;
  const least = MIN_RECORDS[engine];
  const longest = MAX_CHANGES_TIME[engine];
  return [
    ...[engine, count(sessions), count(records), count(Math.round(recordsPerSecond))],
    ...[`≥ ${count(least)}`, mark(recordsPerSecond >= least)],
    ...[count(Math.round(memory)), `≤ ${MAX_MEMORY}`, mark(memory <= MAX_MEMORY)],
    ...[count(Math.round(changes)), `≤ ${longest}`, mark(changes <= longest)],
    ...[count(Math.round(besideCommand.read)), count(Math.round(besideCommand.write))],
    count(besideCommand.refusedWrites),
    ...[count(Math.round(besideUpload.read)), count(Math.round(besideUpload.write))],
    mark(besideUpload.write <= MAX_WRITE_TIME && besideUpload.refusedWrites === 0),
  ];
}

function mark(isMet: boolean): string {
  return isMet ? "✓" : "missed";
}

function rate({ requestsPerSecond }: Figures): string {
  // 99.6 would be 1.0e+2.
  return requestsPerSecond >= 99.5
    ? count(Math.round(requestsPerSecond))
    : requestsPerSecond.toPrecision(2);
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** The lines of a Markdown table. */
function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
