import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../practice-file/practice-file.ts";
import { fileOf } from "../practice-file/practice-file.ts";

/** The programs of `docs/clients.md` that keep a copy, run as they stand there. */

const ROOT = join(import.meta.dir, "../../..");

type Language = "ts" | "python";

const programs: Record<Language, { file: string; command: string }> = {
  ts: { file: "follow.ts", command: process.execPath },
  python: { file: "follow.py", command: "python3" },
};

/** Whether this machine can run it. */
export function canRun(language: Language): boolean {
  return Bun.which(programs[language].command) !== null;
}

async function sourceOf(language: Language): Promise<string> {
  const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
  const { file } = programs[language];
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?${file}[^]*?)^\`\`\`$`, "m").exec(page);
  if (block?.[1] === undefined) throw new Error(`docs/clients.md has no ${file}`);
  // A copy need not wait a second where nothing else is to be waited for.
  return block[1].replace("1_000)", "20)").replace("time.sleep(1)", "time.sleep(0.02)");
}

/** A program that follows a practice, in a folder of its own, and can be killed and started again. */
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

  /** The sequence of the copy; undefined while there is none. */
  get sequence(): number | undefined {
    return this.#copy()?.sequence;
  }

  /** The copy as a practice file, whatever the order of its lines behind the first. */
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

/** Writes a practice file for a command to import. */
export function writePracticeFile(folder: string, records: readonly Fields[]): string {
  const path = join(folder, `${crypto.randomUUID()}.ndjson`);
  writeFileSync(path, fileOf(records));
  return path;
}
