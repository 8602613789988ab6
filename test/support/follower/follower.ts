import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blockOf } from "../documentation/printed.ts";
import type { Fields } from "../practice-file/practice-file.ts";
import { fileOf } from "../practice-file/practice-file.ts";

/** Runs the programs of `docs/clients.md` that keep a copy, as printed there but for ports and intervals. */

const ROOT = join(import.meta.dir, "../../..");

interface Program {
  file: string;
  command: string;
  /** The blocks of the page that it consists of. */
  source(page: string): string;
}

export type ProgramName = "ts" | "python" | "doorbell";

const programs: Record<ProgramName, Program> = {
  ts: {
    file: "follow.ts",
    command: process.execPath,
    source: (page) => followTs(page).replace("1_000)", "100)"),
  },
  python: {
    file: "follow.py",
    command: "python3",
    source: (page) =>
      blockOf(page, "python", "# follow.py:").replace("sleep(pause)", "sleep(pause / 10)"),
  },
  doorbell: {
    file: "doorbell.ts",
    command: process.execPath,
    source: (page) =>
      followTs(page).replace(/^for \(;;\)[^]*/m, "") +
      blockOf(page, "ts", "import { Webhook }")
        .replace("port: 8080", "port: process.env.PORT")
        .replace("3_600_000", "Number(process.env.INTERVAL)"),
  },
};

function followTs(page: string): string {
  return blockOf(page, "ts", "// follow.ts:");
}

/** Whether this machine can run a program. */
export function canRun(name: ProgramName): boolean {
  return Bun.which(programs[name].command) !== null;
}

/** The server and the key; for the doorbell also its secret, its own port, and its polling interval. */
export interface FollowerSettings {
  url: string;
  key: string;
  secret?: string;
  port?: number;
  interval?: number;
}

const HOUR = 3_600_000;

/** A follower of a practice, in its own folder; it can be killed and restarted. */
export class Follower {
  #process: Bun.Subprocess | undefined;

  private constructor(
    readonly name: ProgramName,
    private readonly folder: string,
  ) {}

  static async in(parent: string, name: ProgramName): Promise<Follower> {
    const folder = join(parent, name);
    mkdirSync(folder);
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
    const { file, source } = programs[name];
    await Bun.write(join(folder, file), source(page));
    return new Follower(name, folder);
  }

  start({ url, key, secret = "", port = 0, interval = HOUR }: FollowerSettings): void {
    const { file, command } = programs[this.name];
    this.#process = Bun.spawn([command, file], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH ?? "",
        CASELOAD_URL: url,
        CASELOAD_KEY: key,
        CASELOAD_SECRET: secret,
        PORT: String(port),
        INTERVAL: String(interval),
      },
      // Programs report that the server is away, or that its history began again.
      stdout: "ignore",
      stderr: "ignore",
    });
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  /** The sequence of the copy; undefined if there is none yet. */
  get sequence(): number | undefined {
    return this.#copy()?.sequence;
  }

  /** The copy as a practice file, with lines in any order after the first. */
  get file(): string {
    const records = Object.values(this.#copy()?.records ?? {});
    const isOrganization = ({ type }: Fields) => type === "organization";
    return fileOf([
      ...records.filter(isOrganization),
      ...records.filter((r) => !isOrganization(r)),
    ]);
  }

  #copy(): { sequence: number; records: Record<string, Fields> } | undefined {
    const path = join(this.folder, "copy.json");
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }
}

/** Writes a practice file, to be imported by a command. */
export function writePracticeFile(folder: string, records: readonly Fields[]): string {
  const path = join(folder, `${crypto.randomUUID()}.ndjson`);
  writeFileSync(path, fileOf(records));
  return path;
}
