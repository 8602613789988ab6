import type { Db } from "../../db/database.ts";
import { pieces } from "../lib/pieces.ts";
import { remembered } from "../lib/remembered.ts";
import { MOST_ENCOUNTERS } from "../encounters/model.ts";
import { FIRST_YEAR } from "../schema/fields.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { mostOfUser } from "../users/limits.ts";
import { type EarlyDate, earlyDates } from "./early-dates.ts";
import type { Path } from "./kinds/problem.ts";
import { kindOf, ownedTypes, variantOf } from "./model.ts";
import type { Fields, RecordLine } from "./read-record.ts";
import type { OwnedTable, Refuse } from "./kinds/record-kind.ts";
import {
  countOwners,
  findIds,
  findLongUsers,
  findOutlying,
  findRecords,
  findRecordsOf,
  type Outlying,
} from "./repository.ts";
import { type Addition, isRefused, refuse, type ImportState } from "./import-state.ts";
import { OFFICE_MESSAGES } from "./words.ts";

/**
 * Limits of what one user or pool has (docs/decisions.md), so that no page is larger than 50 MB; of dates and units, which
 * are slips beyond them. They are held against
 * what a file adds: whoever was beyond one before can be changed in everything that does not add to it.
 */

/** A limit within a record. */
interface RecordLimit {
  path: Path;
  most: number;
  sizeOf(record: Fields): number;
  message: string;
  /** Whether the size is the field's value itself. */
  isNumber?: true;
}

const { careTeamLeadIds: MOST_LEADS, ...lists } = mostOfUser;
const MOST_CREDENTIALING = 200;
/** Enough for 200 characters of any script; but not if most of them are escaped in JSON. */
const MOST_BYTES_OF_NAME = 600;

const nameLimit: RecordLimit = {
  path: ["name"],
  most: MOST_BYTES_OF_NAME,
  // Without quotes.
  sizeOf: ({ name }) => bytesOf(name) - 2,
  message: `must have at most ${MOST_BYTES_OF_NAME} bytes`,
};

/** More than anybody delivers at once. */
const MOST_UNITS = 1_000_000;
/** More than anybody authorizes. */
const MOST_AUTHORIZED = 1_000_000_000;

/** A limit of a number. */
function greatest(field: string, most: number): RecordLimit {
  return {
    path: [field],
    most,
    sizeOf: (record) => Number(record[field] ?? 0),
    message: OFFICE_MESSAGES.above(most),
    isNumber: true,
  };
}

const recordLimits: Partial<Record<OwnedType, readonly RecordLimit[]>> = {
  user: [
    ...Object.entries(lists).map(([field, most]): RecordLimit => ({
      path: [field],
      most,
      sizeOf: (record) => lengthOf(record[field]),
      message: OFFICE_MESSAGES.tooMany(most),
    })),
    {
      path: ["credentials"],
      most: MOST_CREDENTIALING,
      sizeOf: ({ credentials = [] }) =>
        (credentials as Fields[])
          .map(({ payorCredentialing }) => lengthOf(payorCredentialing))
          .reduce((sum, length) => sum + length, 0),
      message: `must have at most ${MOST_CREDENTIALING} entries of payorCredentialing in all`,
    },
  ],
  // Their names are in each user, authorization and pool that refers to them.
  payor: [nameLimit],
  serviceLine: [nameLimit],
  specialization: [nameLimit],
  authorizationPool: [greatest("totalUnits", MOST_AUTHORIZED)],
  authorization: [greatest("authorizedUnitsQuantity", MOST_AUTHORIZED)],
  encounter: [greatest("units", MOST_UNITS)],
};

/** Refuses what makes a record exceed a limit, or exceed it further than the stored one. */
export function checkLimits(
  type: OwnedType,
  record: Fields,
  before: Fields | undefined,
  refuse: Refuse,
): void {
  for (const { path, most, sizeOf, message, isNumber } of recordLimits[type] ?? []) {
    const size = sizeOf(record);
    if (size > most && (before === undefined || size > sizeOf(before)))
      refuse({ path, message, ...(isNumber === true && { value: size }) });
  }
  const early = earlyDatesOf(type, record);
  if (early.length === 0) return;
  const stored = new Set(before === undefined ? [] : earlyDatesOf(type, before).map(fieldAndValue));
  for (const date of early)
    if (!stored.has(fieldAndValue(date)))
      refuse({ path: date.path, message: TOO_EARLY, value: date.value });
}

const TOO_EARLY = `must not be before ${FIRST_YEAR}`;

function earlyDatesOf(type: OwnedType, record: Fields): EarlyDate[] {
  const variant = variantOf(type, record);
  return variant === undefined ? [] : earlyDates(variant, record);
}

/** An entry of a list may stand elsewhere in it than before. */
function fieldAndValue({ path, value }: EarlyDate): string {
  return [...path.filter((step) => typeof step === "string"), value].join(" ");
}

/** The ids of an organization's records and owners that are beyond a limit, each once. */
export async function findBeyond(db: Db, organizationId: string): Promise<string[]> {
  const beyond = new Set<string>();
  for (const type of ownedTypes) {
    const kind = kindOf(type);
    for (const piece of pieces(await findSuspects(db, organizationId, type), READ_AT_A_TIME))
      for (const rows of await findRecords(db, organizationId, kind, piece)) {
        const record = kind.present(rows) as Fields;
        const isBeyond = recordLimits[type]?.some(({ most, sizeOf }) => sizeOf(record) > most);
        if (isBeyond === true || earlyDatesOf(type, record).length > 0)
          beyond.add(String(record.publicId));
      }
  }
  for (const limit of sharedLimits)
    for (const id of (await limit.beyond(db, organizationId)).keys()) beyond.add(id);
  return [...beyond].sort();
}

/** Goals have up to 12 MiB. */
const READ_AT_A_TIME = 50;

/** Types whose records are few, and are all read. */
const FEW: readonly OwnedType[] = ["user", "payor", "serviceLine", "specialization"];

/** The ids of the records of a type that may be beyond a limit. Of documents it may be too many. */
function findSuspects(db: Db, organizationId: string, type: OwnedType): Promise<string[]> {
  const { table } = kindOf(type);
  if (FEW.includes(type)) return findIds(db, organizationId, table);
  return findOutlying(db, organizationId, { table, ...suspicious[type] });
}

/** Where records have dates and numbers with a limit, by the columns of their tables. */
const suspicious: Partial<Record<OwnedType, Outlying>> = {
  authorizationPool: { numbers: { total_units: MOST_AUTHORIZED } },
  authorization: {
    dates: ["authorization_date"],
    numbers: { authorized_units_quantity: MOST_AUTHORIZED },
  },
  session: { dates: ["start_time"] },
  encounter: { dates: ["start_time"], documents: ["billed"], numbers: { units: MOST_UNITS } },
  intakeLead: { dates: ["created_at"] },
  goal: {
    documents: ["document", "child_goals"],
    below: { table: "recorded_data", owner: "goal_id", document: "entries" },
  },
};

/** A limit of what several records add to a user or pool. */
interface SharedLimit {
  owner: "user" | "authorizationPool" | "session";
  most: number;
  sharesOf(type: OwnedType, record: Fields): Share[];
  /** What is stored of owners beyond the limit: of some, or of all. */
  beyond(db: Db, organizationId: string, ids?: readonly string[]): Promise<Map<string, number>>;
  messageAt(path: Path): string;
}

/** What a record adds to an owner. */
interface Share {
  id: string;
  amount: number;
  path: Path;
}

/** A limit of how many records of a type name an owner in a field. */
function numberLimit(
  owner: SharedLimit["owner"],
  most: number,
  named: { type: OwnedType; field: string; table: OwnedTable; column: string },
  message: string,
): SharedLimit {
  const { type, field, table, column } = named;
  return {
    owner,
    most,
    sharesOf(ofType, { [field]: value }) {
      if (ofType !== type) return [];
      const ids = ((Array.isArray(value) ? value : [value]) as unknown[]).filter(
        (id) => typeof id === "string",
      );
      return ids.map((id) => ({ id, amount: 1, path: [field] }));
    },
    beyond: (db, organizationId, ids) =>
      countOwners(db, organizationId, { table, column, ids, most }),
    messageAt: () => message,
  };
}

const MOST_AUTHORIZATIONS = 200;
const MOST_POOLS = 100;
const MOST_MEMBERS = 200;

/** What a page shows of a patient besides the patient's own record. */
const SHOWN_OF_PATIENT: readonly OwnedType[] = ["authorization", "authorizationPool"];
/** Users whose records are read at once, with all that is shown of them. */
const USERS_AT_A_TIME = 50;

/**
 * The users whose lines may exceed the limit. Those of others are not read: with less than this, all other fields do not
 * reach it, however long they are.
 */
async function findLarge(
  db: Db,
  organizationId: string,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const column = "patient_id";
  const counted = [
    await countOwners(db, organizationId, { table: "authorizations", column, ids, most: 30 }),
    await countOwners(db, organizationId, { table: "authorization_pools", column, ids, most: 20 }),
  ];
  const long = await findLongUsers(db, organizationId, { ids, most: 4_000 });
  return [...new Set([...long, ...counted.flatMap((owners) => [...owners.keys()])])];
}

/** Lines of a user, as an export writes them. */
const bytesLimit: SharedLimit = {
  owner: "user",
  most: 256 * 1024,
  sharesOf(type, record) {
    if (type === "user")
      return [{ id: String(record.publicId), amount: bytesOf(record), path: [] }];
    if (!SHOWN_OF_PATIENT.includes(type)) return [];
    return [{ id: String(record.patientId), amount: bytesOf(record), path: ["patientId"] }];
  },
  async beyond(db, organizationId, ids) {
    const users = await findLarge(db, organizationId, ids);
    const sizes = new Map<string, number>();
    for (const piece of pieces(users, USERS_AT_A_TIME))
      for (const type of ["user", ...SHOWN_OF_PATIENT] as const) {
        const kind = kindOf(type);
        const column = type === "user" ? "public_id" : "patient_id";
        const own = { column, ids: piece };
        for (const rows of await findRecordsOf(db, organizationId, kind, own))
          for (const { id, amount } of this.sharesOf(type, kind.present(rows) as Fields))
            sizes.set(id, (sizes.get(id) ?? 0) + amount);
      }
    return new Map([...sizes].filter(([, size]) => size > this.most));
  },
  messageAt: (path) =>
    path.length === 0
      ? "has more than 256 KiB, with the authorizations and pools of a patient"
      : "is a patient with more than 256 KiB, with all authorizations and pools",
};

const sharedLimits: readonly SharedLimit[] = [
  numberLimit(
    "authorizationPool",
    MOST_MEMBERS,
    {
      ...{ type: "authorization", field: "authorizationPoolId" },
      ...{ table: "authorizations", column: "authorization_pool_id" },
    },
    `is a pool of more than ${MOST_MEMBERS} members`,
  ),
  numberLimit(
    "user",
    MOST_AUTHORIZATIONS,
    { type: "authorization", field: "patientId", table: "authorizations", column: "patient_id" },
    `is a patient with more than ${MOST_AUTHORIZATIONS} authorizations`,
  ),
  numberLimit(
    "user",
    MOST_POOLS,
    {
      ...{ type: "authorizationPool", field: "patientId" },
      ...{ table: "authorization_pools", column: "patient_id" },
    },
    `is a patient with more than ${MOST_POOLS} pools`,
  ),
  numberLimit(
    "user",
    MOST_LEADS,
    {
      ...{ type: "user", field: "careTeamTechnicianIds" },
      ...{ table: "care_team_links", column: "technician_id" },
    },
    `is a technician with more than ${MOST_LEADS} leads`,
  ),
  numberLimit(
    "session",
    MOST_ENCOUNTERS,
    { type: "encounter", field: "sessionId", table: "encounters", column: "session_id" },
    `is a session with more than ${MOST_ENCOUNTERS} encounters`,
  ),
  bytesLimit,
];

/** Whether records of a type count in a shared limit. */
export function isShared(type: OwnedType): boolean {
  return type === "user" || type === "encounter" || SHOWN_OF_PATIENT.includes(type);
}

/**
 * Notes what a record that is written or deleted adds to its owners' shares.
 *
 * @param entry undefined for a record without a line.
 */
export function noteShares(
  { shares }: ImportState,
  type: OwnedType,
  entry: RecordLine | undefined,
  { before, after }: { before: Fields | undefined; after: Fields | undefined },
): void {
  for (const limit of sharedLimits) {
    const was = before === undefined ? [] : limit.sharesOf(type, before);
    const is = after === undefined ? [] : limit.sharesOf(type, after);
    const all = [...is, ...was.map(({ amount, ...share }) => ({ ...share, amount: -amount }))];
    for (const [id, own] of Map.groupBy(all, (share) => share.id)) {
      const amount = own.reduce((sum, share) => sum + share.amount, 0);
      if (amount === 0) continue;
      const ofLimit = remembered(shares, limit, () => new Map());
      remembered(ofLimit, id, () => []).push({ entry, amount, path: own[0]?.path ?? [] });
    }
  }
}

/** Refuses the line with which an owner exceeds a limit, or exceeds it further than before the file. */
export async function checkShares(state: ImportState): Promise<void> {
  const { trx, organizationId, created } = state;
  for (const limit of sharedLimits) {
    const grown = new Map(
      [...(state.shares.get(limit) ?? [])]
        .map(([id, additions]) => [id, { additions, growth: sumOf(additions) }] as const)
        .filter(([, { growth }]) => growth > 0),
    );
    // Of new owners, all was in the file.
    const isNew = new Set(created.get(limit.owner));
    const stored = [...grown.keys()].filter((id) => !isNew.has(id));
    const totals = new Map([...grown].map(([id, { growth }]) => [id, isNew.has(id) ? growth : 0]));
    for (const piece of pieces(stored))
      for (const [id, total] of await limit.beyond(trx, organizationId, piece))
        totals.set(id, total);
    for (const [id, { additions }] of grown)
      refuseAddition(state, limit, { id, additions, total: totals.get(id) ?? 0 });
  }
}

function refuseAddition(
  state: ImportState,
  { most, messageAt }: SharedLimit,
  { id, additions, total }: { id: string; additions: readonly Addition[]; total: number },
): void {
  if (total <= most || additions.some(({ entry }) => entry && isRefused(state, entry))) return;
  const added = additions
    .filter(({ amount }) => amount > 0)
    .sort((one, next) => (one.entry?.line ?? 0) - (next.entry?.line ?? 0));
  let sum = total - sumOf(added);
  for (const { entry, amount, path } of added) {
    sum += amount;
    if (sum <= most || entry === undefined) continue;
    const [field] = path;
    const listed = field === undefined ? undefined : entry.fields[field];
    return refuse(state, entry, {
      path: Array.isArray(listed) ? [...path, listed.indexOf(id)] : path,
      ...{ message: messageAt(path), reason: "does_not_fit" },
      value: field === undefined ? undefined : id,
    });
  }
}

function sumOf(additions: readonly Addition[]): number {
  return additions.reduce((sum, { amount }) => sum + amount, 0);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The length of a value as JSON, in bytes. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
