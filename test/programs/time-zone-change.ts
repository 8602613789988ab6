import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { check, expectEqual, printSum } from "../support/checks.ts";

/**
 * Tries what docs/operations.md says of sessions that were written by older rules of time zones. The program of commit
 * 2085c87d stores a demo practice in Vancouver by the rules of 2026a, and bills a part; then it is brought up to date,
 * mended, and compared: `bun run test:time-zones`.
 */

const COMMIT = "2085c87d";
const ROOT = join(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "caseload-time-zones-"));
const before = join(folder, "before");

function run(checkout: string, ...args: string[]) {
  const command = [process.execPath, join(checkout, "src/main.ts"), ...args];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

function must(checkout: string, ...args: string[]): { stdout: string; stderr: string } {
  const { exitCode, ...printed } = run(checkout, ...args);
  if (exitCode !== 0) throw new Error(`${args.join(" ")}: ${printed.stdout}${printed.stderr}`);
  return printed;
}

interface Row {
  raw: string;
  record: { publicId: string; startTime: string };
}

const rowsOf = (name: string): Row[] =>
  parse(readFileSync(join(folder, name, "session.csv")), { columns: true, bom: true, raw: true });

/** The exported records of a type. */
function recordsOf(type: string): { publicId: string; startTime: string }[] {
  const lines = must(ROOT, "export", "org_maple", "--types", type).stdout.trim().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line));
}

const olderRules = (): string[] =>
  (JSON.parse(run(ROOT, "doctor", "--json").stdout) as { message: string }[])
    .map(({ message }) => message)
    .filter((message) => message.includes("were written before"));

const counted = (sessions: number) =>
  `America/Vancouver changed from 2026-11-01: ${sessions} sessions of org_maple from today on were written before, by 2026a`;

try {
  mkdirSync(before);
  const { stdout: archive } = Bun.spawnSync(["git", "archive", COMMIT], { cwd: ROOT });
  Bun.spawnSync(["tar", "x"], { cwd: before, stdin: archive });
  Bun.spawnSync([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: before });
  const demo = must(before, "demo", "--sessions", "3000").stdout;
  writeFileSync(
    join(folder, "practice.ndjson"),
    demo.replaceAll('"timezone":"America/New_York"', '"timezone":"America/Vancouver"'),
  );
  must(before, "import", "practice.ndjson");
  must(before, "billing", "--bill", "batch-1");

  const exported = must(before, "export", "org_maple", "--csv", "old", "--types", "session");
  const [, sequence = ""] = /Sequence (\d+)/.exec(exported.stderr) ?? [];
  must(ROOT, "migrate", "--no-backup");
  const [sessions, encounters] = [recordsOf("session"), recordsOf("encounter")];
  const isToCome = ({ startTime }: { startTime: string }) => Date.parse(startTime) > Date.now();

  /** Compares what doctor says with the sessions to come, of which none begins meanwhile. */
  const expectCounted = (isMeant: (session: { publicId: string }) => boolean): void => {
    const meant = () => sessions.filter((each) => isToCome(each) && isMeant(each)).length;
    const [before, said, after] = [meant(), olderRules(), meant()];
    if (before !== after) return expectCounted(isMeant);
    expectEqual(said, before === 0 ? [] : [counted(before)]);
  };

  await check("doctor counts the sessions to come", () => expectCounted(() => true));

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rows = rowsOf("old");
  const kept = rows.filter(({ record }) => record.startTime >= tomorrow);
  const ids = new Set(kept.map(({ record }) => record.publicId));
  const [header] = readFileSync(join(folder, "old/session.csv"), "utf8").split("\n", 1);
  writeFileSync(
    join(folder, "old/session.csv"),
    `${header}\n${kept.map(({ raw }) => raw).join("")}`,
  );

  await check("a dry run lists the sessions that are kept, and writes nothing", () => {
    const { stdout } = must(ROOT, "import", "old", "--dry-run", "--changes", "--json");
    const { session, organization } = JSON.parse(stdout).changes;
    const written = { created: 0, changed: kept.length, unchanged: 0, deleted: 0 };
    expectEqual(session, { ...written, missing: sessions.length - kept.length });
    expectEqual(organization.changed, 0);
    expectEqual(recordsOf("session"), sessions);
  });

  must(ROOT, "import", "old", "--unchanged-since", sequence);
  const mended = new Map(recordsOf("session").map((record) => [record.publicId, record]));

  await check("they have their old local times, an hour earlier", () => {
    must(ROOT, "export", "org_maple", "--csv", "new", "--types", "session");
    const isKept = ({ record }: Row) => ids.has(record.publicId);
    expectEqual(rowsOf("new").filter(isKept), kept);
    const hours = sessions
      .filter(({ publicId }) => ids.has(publicId))
      .map(
        ({ publicId, startTime }) =>
          Date.parse(startTime) - Date.parse(mended.get(publicId)?.startTime ?? ""),
      );
    expectEqual([...new Set(hours)], [3_600_000]);
    expectEqual(hours.length, kept.length);
  });

  await check("other sessions are as they were, and so are encounters and what was billed", () => {
    const others = sessions.filter(({ publicId }) => !ids.has(publicId));
    expectEqual(others.length > 1000, true);
    expectEqual(
      others.map(({ publicId }) => mended.get(publicId)),
      others,
    );
    expectEqual(recordsOf("encounter"), encounters);
    expectEqual(JSON.stringify(encounters).includes('"batch":"batch-1"'), true);
  });

  await check("doctor counts none but those of today", () =>
    expectCounted(({ publicId }) => !ids.has(publicId)),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printSum();
