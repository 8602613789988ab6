import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { zipSync } from "fflate";
import { create } from "tar";

/**
 * Packs a folder reproducibly: sorted names, one date for all files, no owners.
 *
 * @param file must end with `.tar.gz` or `.zip`.
 */
export async function pack(folder: string, file: string, date: Date): Promise<void> {
  const cwd = dirname(folder);
  const files = filesBelow(folder).map((path) => relative(cwd, path));
  if (file.endsWith(".zip")) return packZip({ cwd, files, date }, file);
  await create({ cwd, file, gzip: { level: 9 }, portable: true, mtime: date }, files);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

async function packZip(
  { cwd, files, date }: { cwd: string; files: string[]; date: Date },
  file: string,
): Promise<void> {
  // Zip files have local times without a zone; UTC makes them reproducible.
  const mtime = new Date(date.getTime() + date.getTimezoneOffset() * 60_000);
  const entries = files.map((name) => {
    const path = name.replaceAll("\\", "/");
    return [path, [readFileSync(join(cwd, name)), { mtime, level: 9 as const }]] as const;
  });
  await Bun.write(file, zipSync(Object.fromEntries(entries) as never));
}
