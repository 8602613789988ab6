import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../practice-file/practice-file.ts";
import { fileOf } from "../practice-file/practice-file.ts";

/** Runs the programs of `docs/clients.md` that keep a copy, exactly as printed there. */

const ROOT = join(import.meta.dir, "../../..");

type Language = "ts" | "python";

const programs: Record<Language, { file: string; command: string }> = {
  ts: { file: "follow.ts", command: process.execPath },
  python: { file: "follow.py", command: "python3" },
};

/** Whether this machine can run the language. */
export function canRun(language: Language): boolean {
  return Bun.which(programs[language].command) !== null;
}

async function sourceOf(language: Language): Promise<string> {
  const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
  const { file } = programs[language];
  const block = new RegExp(`^\`\`\`${language}\\n(\\S+ ${file}:[^]*?)^\`\`\`$`, "m").exec(page);
  if (block?.[1] === undefined) throw new Error(`docs/clients.md has no ${file}`);
  // Shorter waits, to speed up the tests.
  return block[1].replace("1_000)", "20)").replace("time.sleep(1)", "time.sleep(0.02)");
}

/** A follower of a practice, in its own folder; it can be killed and restarted. */
export class Follower {
  #program: Bun.Subprocess | undefined;

  private constructor(
    private readonly language: Language,
    private readonly folder: string,
  ) {}

  static async in(folder: string, language: Language): Promise<Follower> {
    await Bun.write(join(folder, programs[language].file), await sourceOf(language));
    return new Follower(language, folder);
  }

  start(url: string, key: string): void {
    const { command, file } = programs[this.language];
    this.#program = Bun.spawn([command, file], {
      cwd: this.folder,
      env: { PATH: process.env.PATH ?? "", CASELOAD_URL: url, CASELOAD_KEY: key },
      stdout: "ignore",
      stderr: "inherit",
    });
  }

  async kill(): Promise<void> {
    this.#program?.kill("SIGKILL");
    await this.#program?.exited;
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
