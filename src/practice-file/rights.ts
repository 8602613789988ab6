import type { Db } from "../../db/database.ts";
import type { AuthorizationRow, EncounterRow, SessionRow, UserRow } from "../../db/schema.ts";
import {
  billingRoles,
  type Holder,
  mayAssign,
  permissions,
  type Reach,
  reachOf,
} from "../callers/permissions.ts";
import type { Reader } from "../callers/own-patients.ts";
import { isRole } from "../callers/roles.ts";
import { completed } from "../billing/hand-overs.ts";
import { Billed, type StoredHandOver } from "../billing/line.ts";
import { DomainError } from "../lib/errors.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { dayOf, type TimeZone } from "../lib/time-zone.ts";
import { InstantField } from "../schema/fields.ts";
import type { RecordType } from "../schema/record-types.ts";
import { parse } from "../schema/validation.ts";
import { presentAt } from "../lib/presence.ts";
import { pieces } from "../lib/pieces.ts";
import {
  checkRecord,
  type Fields,
  mergedRecord,
  type ReadLine,
  type RecordLine,
} from "./read-record.ts";
import { findColumns, findRecords } from "./repository.ts";
import { session } from "./kinds/sessions.ts";

/**
 * What a caller may send in a practice file. `src/callers/permissions.ts` has the table; here are the lines that belong
 * to each reach. Every line of the file is checked by itself, whatever its other mistakes are and however often its id
 * occurs, so that no order of lines gets around it.
 */

/** Whose file it is. */
export interface Sender extends Holder, Reader {
  userId?: string | null;
}

/** The error for a line that the sender may not send. */
export function forbidden({ line, type }: { line: number; type: RecordType }): DomainError {
  const { message } = permissions.writePracticeFile;
  return new DomainError("notAllowed", `${message}: line ${line}, ${type}`);
}

/** Whether the sender may send any line that is valid. */
export function maySendAll(sender: Sender): boolean {
  return reachOf(sender, "organization") === "ALL";
}

/**
 * Checks what is certain without the database.
 *
 * @returns whether the rest must be checked by `requireReach`.
 * @throws DomainError if the line is of another organization, or may not be sent.
 */
export function requireAllowed(record: ReadLine, sender: Sender, isFirst: boolean): boolean {
  const { type, publicId } = record;
  if (isFirst && type === "organization") {
    if (publicId !== undefined && publicId !== sender.organizationId)
      throw new DomainError("notAllowed", "Access denied");
    if ("isDeletion" in record && !maySendAll(sender)) throw forbidden(record);
    return false;
  }
  // A second organization is a mistake, whoever sends it.
  if (type === undefined || type === "organization") return false;
  const reach = reachOf(sender, type);
  const isDeletion = "isDeletion" in record || Object.hasOwn(record.fields, "deleted");
  if (
    reach === undefined ||
    (isDeletion && (reach === "ASSIGNABLE" || reach === "AUTHORIZATION")) ||
    (reach === "OWN_DAY" &&
      type === "session" &&
      (isDeletion || hasOtherFields(record, OF_OWN_DAY)))
  )
    throw forbidden({ line: record.line, type });
  return reach !== "ALL" || (givesBilled(record) && !billingRoles.includes(sender.role));
}

/** Whether a line says what was handed over of an encounter. */
function givesBilled(record: ReadLine): boolean {
  const { fields, nulls } = fieldsOf(record);
  return (
    record.type === "encounter" && (Object.hasOwn(fields, "billed") || nulls.includes("billed"))
  );
}

/** The fields of a session that somebody may change at their own one. */
const OF_OWN_DAY = ["status", "startTime", "endTime"];

function hasOtherFields(record: ReadLine, allowed: readonly string[]): boolean {
  const { fields, nulls } = fieldsOf(record);
  const names = ["type", "publicId", ...allowed];
  return [...Object.keys(fields), ...nulls].some((name) => !names.includes(name));
}

function isNpiAlone(record: ReadLine): boolean {
  const { fields, nulls } = fieldsOf(record);
  const isGiven = Object.hasOwn(fields, "npiNumber") || nulls.includes("npiNumber");
  return isGiven && !hasOtherFields(record, ["npiNumber"]);
}

/** The fields of a line; none of a deletion, or a line that is not a record. */
function fieldsOf(record: ReadLine): { fields: Fields; nulls: readonly string[] } {
  return "fields" in record ? record : { fields: {}, nulls: [] };
}

/** The value that a field has after a line. */
function resulting(record: ReadLine, name: string, stored: unknown): unknown {
  const { fields, nulls } = fieldsOf(record);
  if (nulls.includes(name)) return null;
  return Object.hasOwn(fields, name) ? fields[name] : stored;
}

/** The lines of a file by the type and id of their records. */
type Records = ReadonlyMap<RecordType, ReadonlyMap<string, RecordLine>>;

/** When and where an own day is. */
interface Today {
  now: Instant;
  zone: TimeZone;
}

/**
 * Checks the lines that `requireAllowed` left, against the stored records. In the transaction of the write, which
 * excludes other writers.
 *
 * @throws DomainError for the first line that may not be sent.
 */
export async function requireReach(
  trx: Db,
  { limited, records }: { limited: readonly ReadLine[]; records: Records },
  sender: Sender,
  today: Today,
): Promise<void> {
  const reachOfLine = ({ type }: ReadLine) => type && reachOf(sender, type);
  for (const piece of pieces(limited)) {
    const within = (reach: Reach) => piece.filter((record) => reachOfLine(record) === reach);
    const isAllowed: Record<Reach, (record: ReadLine) => boolean> = {
      ALL: () => true,
      ASSIGNABLE: await assignableUsers(trx, within("ASSIGNABLE"), sender),
      OWN_DAY: await ownRecords(trx, within("OWN_DAY"), sender, today),
      AUTHORIZATION: await boundSessions(trx, within("AUTHORIZATION"), sender, records),
    };
    const isBilledAsBefore = await billedEncounters(trx, piece, sender, today);
    for (const record of piece)
      if (!isAllowed[reachOfLine(record) ?? "ALL"](record) || !isBilledAsBefore(record))
        throw forbidden({ line: record.line, type: record.type as RecordType });
  }
}

function idsOf(records: readonly ReadLine[]): string[] {
  return records.flatMap(({ publicId }) => publicId ?? []);
}

/**
 * Whether the sender may assign the stored and the new role of the user in a line, or bills and says their NPI alone. No
 * role at all is a mistake.
 */
async function assignableUsers(
  trx: Db,
  lines: readonly ReadLine[],
  sender: Sender,
): Promise<(record: ReadLine) => boolean> {
  const columns = ["role"] as const;
  const stored = await findColumns<Pick<UserRow, "role">>(trx, sender.organizationId, {
    ...{ table: "users", columns, ids: idsOf(lines) },
  });
  return (record) => {
    const before = stored.get(record.publicId ?? "")?.role;
    const after = resulting(record, "role", before);
    if (billingRoles.includes(sender.role) && isNpiAlone(record)) return true;
    return [before, after].every((role) => !isRole(role) || mayAssign(sender.role, role));
  };
}

const sessionColumns = [
  "start_time",
  "is_supervision",
  "technician_id",
  "clinician_id",
  "authorization_id",
] as const;

type Session = Pick<SessionRow, (typeof sessionColumns)[number]>;

/** Whether the session or encounter in a line belongs to the own day of the sender, before and after it. */
async function ownRecords(
  trx: Db,
  lines: readonly ReadLine[],
  { organizationId, userId }: Sender,
  today: Today,
): Promise<(record: ReadLine) => boolean> {
  const encounters = await findColumns<Pick<EncounterRow, "session_id" | "authorization_id">>(
    trx,
    organizationId,
    {
      table: "encounters",
      columns: ["session_id", "authorization_id"],
      ids: idsOf(lines.filter(({ type }) => type === "encounter")),
    },
  );
  const sessionIdsOf = (record: ReadLine): unknown[] => {
    if (record.type === "session") return [record.publicId];
    const encounter = encounters.get(record.publicId ?? "");
    const after = resulting(record, "sessionId", encounter?.session_id);
    return encounter === undefined ? [after] : [encounter.session_id, after];
  };
  const ids = lines.flatMap(sessionIdsOf).filter((id) => typeof id === "string");
  const sessions = await findColumns<Session>(trx, organizationId, {
    ...{ table: "sessions", columns: sessionColumns, ids },
  });
  return (record) => {
    const own = sessionIdsOf(record).map((id) => {
      const session = sessions.get(id as string);
      return session && isPresent(session, userId) && isOfToday(session, today)
        ? session
        : undefined;
    });
    const session = own.at(-1);
    if (session === undefined || own.includes(undefined)) return false;
    if (record.type === "session") return isOnSameDay(record, session, today.zone);
    const encounter = encounters.get(record.publicId ?? "");
    const authorizationId = resulting(record, "authorizationId", encounter?.authorization_id);
    // A new encounter without an authorization is a mistake.
    return authorizationId === undefined || authorizationId === session.authorization_id;
  };
}

/** Whether what was handed over stays as it is, which only some roles may change. */
async function billedEncounters(
  trx: Db,
  lines: readonly ReadLine[],
  { organizationId, role }: Sender,
  { now }: Today,
): Promise<(record: ReadLine) => boolean> {
  const isFree = (record: ReadLine) => billingRoles.includes(role) || !givesBilled(record);
  const ids = idsOf(lines.filter((record) => !isFree(record)));
  const encounters = await findColumns<Pick<EncounterRow, "billed">>(trx, organizationId, {
    ...{ table: "encounters", columns: ["billed"], ids },
  });
  return (record) => {
    if (isFree(record)) return true;
    const json = encounters.get(record.publicId ?? "")?.billed ?? "[]";
    const before = JSON.parse(json) as StoredHandOver[];
    const parsed = parse(Billed, resulting(record, "billed", before) ?? []);
    return !("issues" in parsed) && Bun.deepEquals(completed(parsed.value, before, now), before);
  };
}

function isPresent(session: Session, userId: string | null | undefined): boolean {
  const { is_supervision: isSupervision, technician_id, clinician_id } = session;
  const staff = presentAt({
    isSupervision,
    technicianId: technician_id,
    clinicianId: clinician_id,
  });
  return staff.includes(userId ?? "");
}

/**
 * Whether a line leaves its session as it is, or says nothing but its authorization, which is one of its client, or
 * none. A session that is not stored cannot be made by such a line, so the line is a mistake or, if the session was
 * deleted meanwhile, a conflict.
 */
async function boundSessions(
  trx: Db,
  lines: readonly ReadLine[],
  { organizationId }: Sender,
  records: Records,
): Promise<(record: ReadLine) => boolean> {
  const ids = idsOf(lines);
  const rows = ids.length === 0 ? [] : await findRecords(trx, organizationId, session, ids);
  const stored = new Map(rows.map((each) => [each.row.public_id, session.present(each) as Fields]));
  const wanted = lines.map((record) => resulting(record, "authorizationId", null));
  const authorizations = await findColumns<Pick<AuthorizationRow, "patient_id">>(
    trx,
    organizationId,
    {
      table: "authorizations",
      columns: ["patient_id"],
      ids: wanted.filter((id) => typeof id === "string"),
    },
  );
  const patientOf = (id: string): unknown => {
    const line = records.get("authorization")?.get(id);
    const before = authorizations.get(id)?.patient_id;
    return line === undefined ? before : resulting(line, "patientId", before);
  };
  return (record) => {
    const before = stored.get(record.publicId ?? "");
    if (hasOtherFields(record, ["authorizationId"]))
      return before !== undefined && isUnchanged(record, before);
    const id = resulting(record, "authorizationId", null);
    if (before === undefined || typeof id !== "string") return true;
    // An unknown authorization is a mistake.
    return [undefined, before.clientId].includes(patientOf(id) as string | undefined);
  };
}

function isUnchanged(record: ReadLine, before: Fields): boolean {
  if (!("isWhole" in record)) return false;
  const { record: after } = checkRecord("session", mergedRecord(record, before));
  const named =
    after &&
    Object.entries(before).every(([name, value]) => Bun.deepEquals(after[name] ?? null, value));
  return named === true;
}

/** How long a session belongs to the own day. */
const OWN_DAYS = 14 * 86_400_000;

/** Whether a session starts today, or started within the last 14 days. */
function isOfToday({ start_time: start }: Session, { now, zone }: Today): boolean {
  const age = epochMilliseconds(now) - epochMilliseconds(start);
  return (age >= 0 && age <= OWN_DAYS) || dayOf(start, zone) === dayOf(now, zone);
}

const Start = InstantField();

/** Whether a line leaves its session on the day on which it starts. No instant at all is a mistake. */
function isOnSameDay(record: ReadLine, session: Session, zone: TimeZone): boolean {
  const start = parse(Start, resulting(record, "startTime", session.start_time));
  return "issues" in start || dayOf(start.value, zone) === dayOf(session.start_time, zone);
}
