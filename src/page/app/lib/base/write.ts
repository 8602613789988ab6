import { noteAct } from "./acts.ts";
import { get, post, postOnce, type Reading, readRecords, withQuery } from "./api.ts";
import { Failure, type Issue } from "./failure.ts";
import { whenText } from "./format.ts";
import { type Change, isAsWritten, type Line } from "./lines.ts";
import { me, practiceZone } from "./me.ts";
import type { Query } from "./query.ts";
import { revision, underWay } from "./revision.ts";
import { signedIn } from "../sign-in/signed-in.ts";
import type { FindingChanges, Me } from "./wire.ts";

/** Writes lines of a practice file in one transaction. Each can be undone. */

/** The status of a write that is refused because a record has changed. */
const HAS_CHANGED = 412;

/** Whether a write was refused because somebody else has changed a record since. */
export function hasChanged(error: unknown): error is Failure {
  return error instanceof Failure && error.status === HAS_CHANGED;
}

/**
 * Writes a change. Then all views reload.
 *
 * @param since the sequence of the response that the change is based on.
 * @throws Failure if it is refused; with the status 412 if somebody else has changed a record since.
 */
export async function write(change: Change, since?: number): Promise<void> {
  const { done, tell, lines, undo, isShown = false } = change;
  const { sequence, findings } = await writing(() => sendLines(lines, since, change));
  const warnings = findings && tell?.(findings);
  const takeBack = undo && (() => undoWritten(change, undo, sequence));
  noteAct({ said: done, warnings, undo: takeBack }, isShown);
}

/**
 * Undoes a change. What has changed since, and is again as it was written, was undone by the person themselves, or by
 * somebody else: either way nothing of theirs is lost.
 */
async function undoWritten(change: Change, undo: Line[], sequence: number): Promise<number> {
  const about = { ...change, isUndo: true };
  try {
    return await writeLines(undo, sequence, about);
  } catch (error) {
    if (!hasChanged(error)) throw error;
    const reading: Reading = {};
    const stored = await readAll(change.lines, reading).catch(() => undefined);
    if (stored === undefined || !isAsWritten(change.lines, undo, stored)) throw error;
    return writeLines(undo, reading.sequence, about);
  }
}

/** The stored records of some lines. */
export async function readAll(lines: readonly Line[], reading?: Reading): Promise<Line[]> {
  const stored: Line[] = [];
  for (const [type, some] of Map.groupBy(lines, (line) => line.type))
    stored.push(...(await readRecords(type, idsOf(some), reading)));
  return stored;
}

function idsOf(lines: readonly Line[]): string[] {
  return lines.map(({ publicId }) => publicId);
}

/** The sessions of a change, as they were on the screen. */
interface Shown extends Pick<Change, "session" | "sessions" | "tell"> {
  isUndo?: boolean;
}

/** Of several sessions, when the first is that somebody else has changed. */
function whatChanged(
  { session, sessions }: Shown,
  lines: readonly Line[],
  issues: readonly Issue[],
): string {
  // The first line is the organization's, and lines count from 1.
  const ids = issues.map(({ path: [line] }) => lines[Number(line) - 2]?.publicId);
  const first = sessions?.find(({ publicId }) => ids.includes(publicId));
  if (first !== undefined) return `the session of ${whenText(first, practiceZone())}`;
  return session === undefined ? "this record" : "this session";
}

/** Writes lines as `write`, without saying so, and returns the sequence after it. A line of the practice itself comes first. */
export async function writeLines(
  lines: readonly Line[],
  since: number | undefined,
  about: Shown = {},
): Promise<number> {
  return (await writing(() => sendLines(lines, since, about))).sequence;
}

/** Says what the checks would find with some lines and do not without them, and the other way round. */
export async function findingsOf(
  lines: readonly Line[],
  reading?: Reading,
): Promise<FindingChanges> {
  const { findings } = await tryFile<Partial<Written>>(
    fileOf(lines),
    { findings: "true" },
    reading,
  );
  if (findings === undefined) throw new Failure("The answer was not understood.");
  return findings;
}

async function writing<Result>(send: () => Promise<Result>): Promise<Result> {
  underWay.value += 1;
  try {
    return await send();
  } finally {
    underWay.value -= 1;
  }
}

const NDJSON = "application/x-ndjson";

/** A practice file of some lines, with that of the practice first. */
export function fileOf(lines: readonly Line[]): string {
  const practice = { type: "organization", publicId: me().organization.publicId };
  const all = lines[0]?.type === "organization" ? lines : [practice, ...lines];
  return all.map((line) => JSON.stringify(line)).join("\n");
}

/** Asks what a practice file would do; nothing is written. @throws Failure with the mistakes of its lines. */
export function tryFile<Result>(file: string, asked: Query, reading?: Reading): Promise<Result> {
  const path = withQuery("practice-file", { dryRun: "true", ...asked });
  return post<Result>(path, file, reading, NDJSON);
}

/** Writes a practice file, unless one of its records has changed since. */
export function writeFile<Result>(
  file: string,
  since: number | undefined,
  asked: Query,
): Promise<Result> {
  const path = withQuery("practice-file", { unchangedSince: since, ...asked });
  return postOnce<Result>(path, file, NDJSON);
}

/** What the page reads of the response to a practice file. */
interface Written {
  sequence: number;
  findings?: FindingChanges;
}

async function sendLines(
  lines: readonly Line[],
  since: number | undefined,
  about: Shown,
): Promise<Written> {
  const isOfPractice = lines[0]?.type === "organization";
  const findings = about.isUndo || about.tell === undefined ? undefined : "true";
  try {
    const written = await writeFile<Written>(fileOf(lines), since, { findings });
    // What the page shows of the practice everywhere, such as its days, follows; without an answer with the next reload.
    const caller = signedIn.value;
    if (isOfPractice && caller) caller.me = await get<Me>("me").catch(() => caller.me);
    return written;
  } catch (error) {
    if (!hasChanged(error)) throw error;
    // All views show what somebody else has changed.
    revision.value += 1;
    const { requestId, issues } = error;
    const isGone = issues.some(({ message }) => message.startsWith("Has been deleted"));
    const what = whatChanged(about, lines, issues);
    const how = isGone ? "deleted" : "changed";
    // Since then, the person may have changed it themselves.
    const sentence = about.isUndo
      ? `${what.charAt(0).toUpperCase()}${what.slice(1)} has been ${how} since.`
      : `Somebody else has ${how} ${what} meanwhile.`;
    throw new Failure(`${sentence} Nothing was written.`, HAS_CHANGED, { requestId, issues });
  }
}
