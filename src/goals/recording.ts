import { type TProperties, Type } from "@sinclair/typebox";
import type { Db } from "../../db/database.ts";
import type { Caller } from "../callers/api-keys.ts";
import { ownPatientsOf } from "../callers/own-patients.ts";
import { INSUFFICIENT_PERMISSIONS } from "../callers/permissions.ts";
import { GoalCalendar, sessionsFrom } from "../goal-progress/calendar.ts";
import { TAUGHT } from "../goal-progress/criterion.ts";
import { judged } from "../goal-progress/progress.ts";
import { listHeldSessions } from "../goal-progress/repository.ts";
import { DomainError, InvalidInput, type Issue } from "../lib/errors.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { getOrganization, nextSequence } from "../organizations/repository.ts";
import { MAX_ISSUES } from "../schema/explanation.ts";
import { PublicIdField, WrittenInstantField } from "../schema/fields.ts";
import { inForm } from "../schema/record-map.ts";
import { parse } from "../schema/validation.ts";
import {
  daysOfEntries,
  entriesOf,
  type Fields,
  type GoalDocument,
  goalsIn,
  inOrderOfTime,
  recordedData,
  timeOf,
  utcDay,
  withEach,
  withPhase,
} from "./document.ts";
import type { GoalStatus, GoalType } from "./models/common.ts";
import { MAX_BYTES_OF_TREE } from "./models/opportunity.ts";
import { MAX_RECORDED } from "./models/records.ts";
import {
  findPatientZone,
  type GoalPlace,
  readDocument,
  readRecorded,
  replaceGoals,
  replaceDays,
  setSequence,
  sizeOfRecorded,
} from "./repository.ts";

/** Recording: adding to what is recorded on a goal, or removing an entry, and how the goal goes on by that. */

const MAX_ENTRIES = 500;
const DAY = 86_400_000;
/** An entry's time may be so far ahead: clocks of phones are wrong, and zones are mistaken. */
const AHEAD = DAY;
/** A technician records what happened within this time. */
const OF_TECHNICIANS = 14 * DAY;
/** A goal that went on by itself so long ago goes back, if the entry is removed by which it did. */
const TAKEN_BACK = DAY;

/** @param fields of an entry, whose time is written, and whose id may be left out. */
function bodyOf<Fields extends TProperties>(name: string, fields: Fields) {
  return Type.Object(
    {
      entries: Type.Array(Type.Object(fields, { $id: `New${name}` }), {
        ...{ minItems: 1, maxItems: MAX_ENTRIES },
        description: "What is added; an entry that is there already is not.",
      }),
    },
    { $id: `${name}Recording` },
  );
}

const time = WrittenInstantField();
const publicId = Type.Optional(
  PublicIdField({ description: "The id of the entry, unique on the goal; one is made." }),
);
const { frequency_duration, opportunity, rating, interval } = recordedData;

/** The bodies, by the type of the stored goal. */
export const recordings = {
  frequency_duration: bodyOf("BehaviorInstance", {
    ...frequency_duration.entry.properties,
    ...{ happenedAt: time, publicId },
  }),
  opportunity: bodyOf("SkillTrial", {
    ...opportunity.entry.properties,
    ...{ happenedAt: time, publicId },
  }),
  rating: bodyOf("RatingInstance", {
    ...rating.entry.properties,
    ...{ happenedAt: time, publicId },
  }),
  interval: bodyOf("IntervalSet", {
    ...interval.entry.properties,
    ...{ startedAt: time, publicId },
  }),
} as const satisfies Record<GoalType, unknown>;

/** @throws InvalidInput */
export function checkedEntries(type: GoalType, body: unknown): Fields[] {
  const parsed = parse(recordings[type], body);
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
  return parsed.value.entries;
}

/** Who records, and on whose goal. */
export interface Recorder {
  caller: Pick<Caller, "organizationId" | "role" | "userId">;
  patientId: string;
  now: Instant;
}

/** @throws DomainError `notAllowed` for a technician whose own patient it is not, whatever the practice's setting is. */
export async function requireRecorder(db: Db, { caller, patientId, now }: Recorder): Promise<void> {
  if (caller.role !== "TECHNICIAN") return;
  const own = await ownPatientsOf(caller, db, now);
  if (!own.includes(patientId)) throw notAllowed();
}

function notAllowed(): DomainError {
  return new DomainError("notAllowed", INSUFFICIENT_PERMISSIONS);
}

/**
 * Adds entries to what is recorded on a goal. One that is there already is not added again. If the goal's criterion is met
 * then and its switch is on, it goes on by one status.
 *
 * @throws InvalidInput for times too far away, for the id of another entry, and beyond the limits of a tree.
 */
export async function record(
  trx: Db,
  place: GoalPlace,
  given: readonly Fields[],
  recorder: Recorder,
) {
  const { organizationId } = recorder.caller;
  const stored = await storedEntries(trx, organizationId, place);
  const added = newEntries(place, { stored, given }, recorder);
  const entries = inOrderOfTime(formOf(place), [...stored, ...added]);
  const tree = await readDocument(trx, organizationId, place.top);
  const judge = await judgeFor(trx, place, recorder);
  let goal = goalIn(tree, place.id);
  let advancedFrom: GoalStatus | null = null;
  if (added.length > 0) {
    await writeEntries(trx, organizationId, place, { entries, changed: added });
    await requireRoom(trx, organizationId, place);
    const next = judge(goal, entries).next;
    if (next !== null && isAutomatic(goal)) {
      advancedFrom = goal.status;
      const phases = withPhase(goal.phases, { status: next, now: recorder.now, isAutomatic: true });
      goal = { ...goal, status: next, phases };
    }
    await writeGoal(trx, organizationId, tree, advancedFrom === null ? undefined : goal);
  }
  const { isMet, inARow, next } = judge(goal, entries);
  return {
    ...{ recorded: added.length, alreadyThere: given.length - added.length },
    ...{ status: goal.status, advancedFrom, isMet, inARow, next },
  };
}

/**
 * Removes an entry. A goal that went on by itself by it, at most a day ago, goes back.
 *
 * @throws DomainError `notFound` for an unknown entry, `notAllowed` for one too old for a technician.
 */
export async function remove(trx: Db, place: GoalPlace, entryId: string, recorder: Recorder) {
  const { organizationId } = recorder.caller;
  const stored = await storedEntries(trx, organizationId, place);
  const entry = stored.find(({ publicId }) => publicId === entryId);
  if (entry === undefined) throw new DomainError("notFound", "Entry not found");
  if (isTooOld(timeOf(formOf(place), entry), recorder)) throw notAllowed();
  const entries = stored.filter((each) => each !== entry);
  await writeEntries(trx, organizationId, place, { entries, changed: [entry] });
  const tree = await readDocument(trx, organizationId, place.top);
  const goal = goalIn(tree, place.id);
  const before = takenBack(goal, recorder.now);
  const isTakenBack =
    before !== undefined && (await judgeFor(trx, place, recorder))(before, entries).isMet !== true;
  await writeGoal(trx, organizationId, tree, isTakenBack ? before : undefined);
  return {
    success: true as const,
    status: isTakenBack ? before.status : goal.status,
    takenBackFrom: isTakenBack ? goal.status : null,
  };
}

function formOf({ type }: GoalPlace): { goalType: GoalType } {
  return { goalType: type };
}

function goalIn(tree: GoalDocument, id: string): GoalDocument {
  return goalsIn(tree).find(({ goal }) => goal.publicId === id)?.goal as GoalDocument;
}

async function storedEntries(
  trx: Db,
  organizationId: string,
  { top, id }: GoalPlace,
): Promise<Fields[]> {
  return entriesOf(await readRecorded(trx, organizationId, { tops: [top], ids: [id] }));
}

function isTooOld(time: Instant, { caller, now }: Recorder): boolean {
  const age = epochMilliseconds(now) - epochMilliseconds(time);
  return caller.role === "TECHNICIAN" && age > OF_TECHNICIANS;
}

/** The entries that are not there already, in stored form. */
function newEntries(
  place: GoalPlace,
  { stored, given }: { stored: readonly Fields[]; given: readonly Fields[] },
  recorder: Recorder,
): Fields[] {
  const { entry: form, time } = recordedData[place.type];
  const known = new Map(stored.map((each) => [each.publicId, each]));
  const now = epochMilliseconds(recorder.now);
  const added: Fields[] = [];
  const issues: Issue[] = [];
  for (const [index, each] of given.entries()) {
    const refuse = (field: string, message: string) =>
      issues.push({ code: "custom", message, path: ["entries", index, field] });
    const entry = inForm(form, { ...each, publicId: each.publicId ?? newPublicId("rec_", now) });
    const same = known.get(entry.publicId);
    // What is there already is not judged anew: a phone without an answer may send it again behind the time.
    if (same !== undefined) {
      if (!Bun.deepEquals(same, entry)) refuse("publicId", "Is the id of another entry");
      continue;
    }
    const at = timeOf(formOf(place), entry);
    if (epochMilliseconds(at) > now + AHEAD) refuse(time, "Must be at most 24 hours from now");
    if (isTooOld(at, recorder)) refuse(time, "Must be within the last 14 days");
    added.push(entry);
    known.set(entry.publicId, entry);
  }
  if (issues.length > 0) throw new InvalidInput(issues.slice(0, MAX_ISSUES));
  return added;
}

/** Writes the days on which entries were added or removed. */
async function writeEntries(
  trx: Db,
  organizationId: string,
  place: GoalPlace,
  { entries, changed }: { entries: readonly Fields[]; changed: readonly Fields[] },
): Promise<void> {
  const form = formOf(place);
  const dayOf = (entry: Fields) => utcDay(timeOf(form, entry));
  const days = new Set(changed.map(dayOf));
  const left = entries.filter((entry) => days.has(dayOf(entry)));
  await replaceDays(trx, organizationId, place, { days, rows: daysOfEntries(form, left) });
}

/** @throws InvalidInput if more is recorded on a tree than it may have. */
async function requireRoom(trx: Db, organizationId: string, { top }: GoalPlace): Promise<void> {
  const { recorded, bytes } = await sizeOfRecorded(trx, organizationId, top);
  if (recorded > MAX_RECORDED || bytes > MAX_BYTES_OF_TREE)
    throw new InvalidInput([
      {
        code: "too_big",
        message:
          "At most 100,000 entries, and 12 MiB, can be recorded on a goal and those below it",
        path: ["entries"],
      },
    ]);
}

/** Notes that a goal has changed: what is recorded on one of its tree, or that one itself. */
async function writeGoal(
  trx: Db,
  organizationId: string,
  tree: GoalDocument,
  changed: GoalDocument | undefined,
): Promise<void> {
  const sequence = await nextSequence(trx, organizationId);
  if (changed === undefined)
    return setSequence(trx, { organizationId, publicId: tree.publicId, sequence });
  const { publicId, status, phases } = changed;
  const after = withEach(tree, (goal) =>
    goal.publicId === publicId ? { ...goal, status, phases } : goal,
  );
  await replaceGoals(trx, organizationId, [{ before: tree, after }], sequence);
}

/** Whether a goal goes on by itself from its status. */
function isAutomatic(goal: GoalDocument): boolean {
  const isTaught = TAUGHT.has(goal.status);
  return goal[`autoProgressTo${isTaught ? "Maintenance" : "Mastered"}Enabled`] === true;
}

/** A goal without its last phase, if that began by itself, and not long ago. */
function takenBack(goal: GoalDocument, now: Instant): GoalDocument | undefined {
  const [before, last] = goal.phases.slice(-2);
  if (before === undefined || last?.isAutomatic !== true || last.since === null) return undefined;
  const isRecent = epochMilliseconds(now) - epochMilliseconds(last.since) <= TAKEN_BACK;
  return isRecent
    ? { ...goal, status: before.status, phases: goal.phases.slice(0, -1) }
    : undefined;
}

/** Judges goals of a place by what is recorded on them. */
async function judgeFor(trx: Db, place: GoalPlace, { caller, patientId, now }: Recorder) {
  const { organizationId } = caller;
  const calendar = new GoalCalendar(now, await getOrganization(trx, organizationId));
  const spans = calendar.spansOf(await findPatientZone(trx, { organizationId, patientId }));
  // Only a behavior is measured by how long it was watched.
  const sessions =
    place.type === "frequency_duration"
      ? await listHeldSessions(trx, {
          ...{ organizationId, patientIds: [patientId] },
          ...{ from: sessionsFrom(spans.today), now },
        })
      : undefined;
  const { daysInARow } = calendar;
  return (goal: GoalDocument, entries: readonly Fields[]) =>
    judged(goal, entries, { spans, sessions: sessions?.get(patientId) ?? [], daysInARow });
}
