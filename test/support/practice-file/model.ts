import { exported, fieldTable, rowOf } from "./fields.ts";
import { type Fields, keyOf } from "./practice-file.ts";

/**
 * A plain model of an import: a map of records, to which lines are applied, and the rules that the result must keep.
 * It knows nothing of the program.
 */
export type Model = ReadonlyMap<string, Fields>;

/** What fields refer to: a type, or users of some roles. */
const references: Record<string, Record<string, string>> = {
  user: {
    caregiverId: "CAREGIVER",
    primaryClinicianId: "PROVIDER",
    clinicianIds: "PROVIDER",
    careTeamTechnicianIds: "TECHNICIAN",
    primaryLocationId: "location",
    locationIds: "location",
    specializationIds: "specialization",
    providerPayorIds: "payor",
    "payors.payorId": "payor",
    "credentials.payorCredentialing.payorId": "payor",
  },
  authorizationPool: { patientId: "PATIENT", payorId: "payor" },
  authorization: {
    patientId: "PATIENT",
    authorizationPoolId: "authorizationPool",
    payorId: "payor",
    serviceLineId: "serviceLine",
  },
  session: {
    locationId: "location",
    technicianId: "TECHNICIAN",
    clientId: "PATIENT",
    clinicianId: "CLINICIAN",
    providerLocationId: "location",
    services: "serviceLine",
    authorizationId: "authorization",
    nonBillableCode: "nonBillableCode",
  },
  encounter: { authorizationId: "authorization", sessionId: "session" },
  intakeLead: {
    clientId: "PATIENT",
    caregiverId: "CAREGIVER",
    stageId: "intakeStage",
    labelIds: "intakeLabel",
  },
  treatmentPlan: { patientId: "PATIENT" },
  goal: { treatmentPlanId: "treatmentPlan" },
};

const CLINICIANS = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];
const groups: Record<string, readonly string[]> = {
  CLINICIAN: CLINICIANS,
  PROVIDER: [...CLINICIANS, "TECHNICIAN"],
};

/** What a field of a record refers to, if it does. */
export function targetOf(type: unknown, field: string): string | undefined {
  return references[String(type)]?.[field];
}

/** Whether a record may stand where a type or a role is needed. */
export function fits(record: Fields, target: string): boolean {
  return record.type === "user"
    ? (groups[target] ?? [target]).includes(String(record.role))
    : record.type === target;
}

const defaults: Fields = {
  isActive: true,
  shouldSendSMS: false,
  userStatus: "LEAD",
  weekStartsOn: "SUNDAY",
  autoProgressToMaintenanceEnabled: false,
  autoProgressToMasteredEnabled: false,
  isBehavior: false,
  recordsData: false,
  isGroup: false,
};

function defaultOf(name: string, record: Fields): unknown {
  if (record.type === "goal" && name === "status") return "BASELINE";
  if (name === "measurementType") return String(record.goalType).toUpperCase();
  return defaults[name] ?? null;
}

const TIMES = ["createdAt", "updatedAt"];
const OF_FREQUENCIES = ["frequencyUnit", "observationPeriod", "observationPeriodUnit"];

/** The record that a line makes of a stored one. */
export function merged(stored: Fields | undefined, line: Fields, now: string): Fields {
  const all: Fields = { ...stored, ...line };
  const row = rowOf(all);
  const isOther = stored !== undefined && rowOf(stored) !== row;
  const record: Fields = {};
  for (const name of (fieldTable[row] ?? "").split(" ")) {
    let value = all[name];
    if (isOther && !(name in line) && name === "measurementType") value = null;
    if (isOther && !(name in line) && name.endsWith("Metric")) value = fitted(value, all.goalType);
    if (TIMES.includes(name)) value ??= stored?.[name] ?? now;
    if (name === "billed" && value !== null && value !== undefined)
      value = wholeBilled(value as Fields[], (stored?.billed ?? []) as Fields[], now);
    record[name] = value ?? defaultOf(name, all);
  }
  const result = record.type === "goal" ? withPhases(kept(record, stored), now) : exported(record);
  if (!("updatedAt" in result) || (line.updatedAt ?? null) !== null) return result;
  const isChanged = stored === undefined || !Bun.deepEquals({ ...result }, { ...stored });
  return isChanged ? { ...result, updatedAt: now } : result;
}

/** A goal whose children keep trials and phases that their elements leave out. */
function kept(goal: Fields, stored: Fields | undefined): Fields {
  const known = new Map(treeOf(stored ?? {}).map((each) => [each.publicId, each]));
  const withOwn = (child: Fields): Fields => {
    const { phases, skillTrials } = known.get(child.publicId) ?? {};
    return { ...(phases ? { phases, skillTrials } : {}), ...ofChildren(child, withOwn) };
  };
  return ofChildren(goal, withOwn);
}

/** A goal in whose phases its status is the last one, and so are those below it. */
function withPhases(goal: Fields, now: string): Fields {
  const each = (one: Fields): Fields => {
    const phases = (one.phases ?? []) as Fields[];
    const begun = phases.length > 0 ? phases : [{ status: one.status }];
    const last = begun.at(-1) as Fields;
    const since = String(last.since ?? now) > now ? last.since : now;
    const added = last.status === one.status ? [] : [{ status: one.status, since }];
    const all = [...begun, ...added].map((phase) => ({ isAutomatic: false, ...phase }));
    return ofChildren({ ...one, phases: all.slice(-50) }, each);
  };
  return exported(each(goal));
}

function ofChildren(goal: Fields, change: (child: Fields) => Fields): Fields {
  const { childGoals } = goal;
  return Array.isArray(childGoals) ? { ...goal, childGoals: childGoals.map(change) } : goal;
}

function treeOf(goal: Fields): Fields[] {
  return [goal, ...((goal.childGoals ?? []) as Fields[]).flatMap(treeOf)];
}

/** What a hand-over leaves out is as it is stored at its place. */
function wholeBilled(billed: Fields[], stored: Fields[], now: string): Fields[] {
  const whole = (one: Fields, index: number) => ({
    ...{ at: now, takenBackAt: null, line: null },
    ...stored[index],
    ...Object.fromEntries(Object.entries(one).filter(([name, value]) => name !== "at" || value)),
  });
  return billed.map(whole);
}

/** Whether an encounter says the same of what was handed over before, but for what is taken back at the end. */
function keepsBilled(before: Fields | undefined, after: Fields): boolean {
  const [was, is] = [before, after].map((one) => (one?.billed ?? []) as Fields[]);
  const counts = (one: Fields) => one.takenBackAt === null;
  const first = is!.find(counts);
  return (
    (first === undefined || first.batch !== null) &&
    was!.every((one, index) => {
      const own = is![index];
      if (own === undefined) return false;
      const isLast = is!.slice(index + 1).every((each) => !counts(each));
      const names = ["batch", "at", "line", ...(isLast ? [] : ["takenBackAt"])];
      return names.every((name) => Bun.deepEquals(one[name] ?? null, own[name] ?? null));
    })
  );
}

function isBilled({ billed }: Fields): boolean {
  return ((billed ?? []) as Fields[]).some(({ takenBackAt }) => takenBackAt === null);
}

function fitted(metric: unknown, goalType: unknown): unknown {
  if (goalType !== "opportunity" || typeof metric !== "object") return metric;
  const names = Object.entries(metric as Fields);
  return Object.fromEntries(names.filter(([name]) => !OF_FREQUENCIES.includes(name)));
}

export interface Applied {
  after: Model;
  /** Why the import must be refused; empty if it must not be. */
  faults: string[];
}

export interface Missing {
  type: string;
  many: boolean;
}

/** Applies the lines of a file: first those that write, then deletions. */
export function applied(
  before: Model,
  lines: readonly Fields[],
  { now, missing }: { now: string; missing: Missing | undefined },
): Applied {
  const after = new Map(before);
  const written = lines.filter(({ deleted }) => deleted !== true);
  const faults = takeMovedGoals(after, written);
  for (const line of written) {
    const record = merged(after.get(keyOf(line)), line, now);
    if (!keepsBilled(after.get(keyOf(line)), record)) faults.push("is not as it was handed over");
    after.set(keyOf(line), record);
  }
  faults.push(...strangers(before, after, { lines, missing }));
  const deletions = lines.filter(({ deleted }) => deleted === true);
  if (missing !== undefined) faults.push(...deleteMissing({ before, after, lines, missing }));
  for (const line of deletions) {
    if (isBilled(after.get(keyOf(line)) ?? {})) faults.push("is billed");
    after.delete(keyOf(line));
  }
  return { after, faults: [...faults, ...faultsOf(after)] };
}

/** Takes the goals that lines name out of the trees that they leave. */
function takeMovedGoals(after: Map<string, Fields>, written: readonly Fields[]): string[] {
  const lines = written.filter(({ type }) => type === "goal");
  const named = lines.flatMap((line) =>
    [...idsOfTree(line)].map((id) => ({ id, top: line.publicId })),
  );
  for (const [key, goal] of after) {
    if (goal.type !== "goal") continue;
    const elsewhere = named.filter(({ top }) => top !== goal.publicId).map(({ id }) => id);
    if (elsewhere.includes(String(goal.publicId))) after.delete(key);
    else after.set(key, pruned(goal, elsewhere));
  }
  return new Set(named.map(({ id }) => id)).size < named.length
    ? ["a goal stands in the file twice"]
    : [];
}

/**
 * The goals that lines name elsewhere than they were, and nowhere take away: child goals of another patient, and goals of
 * their own.
 */
function strangers(
  before: Model,
  after: Model,
  { lines, missing }: { lines: readonly Fields[]; missing: Missing | undefined },
): string[] {
  const patientOf = ({ treatmentPlanId }: Fields) =>
    after.get(`treatmentPlan ${String(treatmentPlanId)}`)?.patientId;
  const goals = [...before.values()].filter(({ type }) => type === "goal");
  return lines.flatMap((line) => {
    if (line.type !== "goal" || line.deleted === true) return [];
    const patient = patientOf(after.get(keyOf(line)) as Fields);
    return [...idsOfTree(line)].flatMap((id) => {
      const top = goals.find((goal) => [...idsOfTree(goal)].includes(id));
      if (top === undefined || top.publicId === line.publicId) return [];
      const own = lines.find((each) => keyOf(each) === keyOf(top));
      if (own === undefined ? missing?.type === "goal" : own.deleted === true) return [];
      if (top.publicId === id) return [`${id} is a goal of its own`];
      const isLeft =
        own !== undefined &&
        ("childGoals" in own || (own.goalType ?? "opportunity") !== "opportunity");
      return isLeft || patient === undefined || patientOf(top) === patient
        ? []
        : [`${id} is another patient's`];
    });
  });
}

function* idsOfTree({ publicId, childGoals }: Fields): Generator<string> {
  yield String(publicId);
  for (const child of (childGoals ?? []) as Fields[]) yield* idsOfTree(child);
}

function pruned(goal: Fields, ids: readonly string[]): Fields {
  if (!Array.isArray(goal.childGoals)) return goal;
  const kept = (goal.childGoals as Fields[]).filter(
    ({ publicId }) => !ids.includes(String(publicId)),
  );
  return { ...goal, childGoals: kept.map((child) => pruned(child, ids)) };
}

function deleteMissing({
  before,
  after,
  lines,
  missing: { type, many },
}: {
  before: Model;
  after: Map<string, Fields>;
  lines: readonly Fields[];
  missing: Missing;
}): string[] {
  const ofFile = new Set(lines.map(keyOf));
  const stored = [...before.values()].filter((record) => record.type === type);
  const gone = stored.filter((record) => after.has(keyOf(record)) && !ofFile.has(keyOf(record)));
  for (const record of gone) after.delete(keyOf(record));
  if (gone.some(isBilled)) return ["is billed"];
  if (!lines.some((line) => line.type === type && line.deleted !== true)) return ["no record"];
  return 2 * gone.length > stored.length && !many ? ["more than half"] : [];
}

/** The rules that a practice breaks. */
function faultsOf(practice: Model): string[] {
  const records = [...practice.values()];
  return [
    ...records.flatMap((record) => faultsOfRecord(record, practice)),
    ...sharedEmails(records),
  ];
}

function faultsOfRecord(record: Fields, practice: Model): string[] {
  const faults = Object.entries(references[String(record.type)] ?? {}).flatMap(([field, target]) =>
    idsAt(record, field.split(".")).flatMap((id) => {
      const type = /^[A-Z]+$/.test(target) ? "user" : target;
      const named = practice.get(`${type} ${id}`);
      const isFit = named !== undefined && fits(named, target);
      return isFit ? [] : [`${keyOf(record)}: ${field} is ${id}`];
    }),
  );
  return [
    ...faults,
    ...disagreements(record, practice).map((fault) => `${keyOf(record)}: ${fault}`),
  ];
}

function idsAt(value: unknown, [name, ...inner]: string[]): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((each) => idsAt(each, name === undefined ? [] : [name, ...inner]));
  return name === undefined ? [String(value)] : idsAt((value as Fields)[name], inner);
}

function disagreements(record: Fields, practice: Model): string[] {
  const at = (type: string, id: unknown) => practice.get(`${type} ${String(id)}`);
  const faults: Record<string, boolean | undefined> = {};
  if (record.type === "authorization") {
    const pool = at("authorizationPool", record.authorizationPoolId);
    const isAlone = record.authorizationPoolId === null;
    faults.dates = String(record.authorizationExpirationDate) < String(record.authorizationDate);
    faults.quantity = isAlone && record.authorizedUnitsQuantity === null;
    faults.frequency = isAlone && record.authorizedUnitFrequency === null;
    faults.patient = pool !== undefined && pool.patientId !== record.patientId;
    faults.payor = pool !== undefined && record.payorId !== null && pool.payorId !== record.payorId;
    faults.id = at("authorizationPool", record.publicId) !== undefined;
  }
  if (record.type === "session") {
    const bound = at("authorization", record.authorizationId ?? null);
    faults.times = String(record.endTime) < String(record.startTime);
    faults.client = bound !== undefined && bound.patientId !== record.clientId;
    faults.service = bound !== undefined && bound.serviceLineId !== record.services;
  }
  if (record.type === "encounter") {
    const held = at("session", record.sessionId);
    faults.session =
      held !== undefined && (held.authorizationId ?? null) !== record.authorizationId;
  }
  return Object.keys(faults).filter((fault) => faults[fault] === true);
}

function sharedEmails(records: readonly Fields[]): string[] {
  const emails = records.flatMap(({ type, email }) =>
    type === "user" && typeof email === "string" ? [email.toLowerCase()] : [],
  );
  return new Set(emails).size < emails.length ? ["two users have one email"] : [];
}

/** The counts of an import for each type in the file. */
export function talliesOf(before: Model, after: Model, lines: readonly Fields[]) {
  const types = [...new Set(lines.map(({ type }) => String(type)))];
  const keysOf = (model: Model, type: string) =>
    [...model.values()].filter((record) => record.type === type).map(keyOf);
  return Object.fromEntries(
    types.map((type) => {
      const ofType = lines.filter((line) => line.type === type);
      const given = ofType.filter(({ deleted }) => deleted !== true).map(keyOf);
      const isSame = (key: string) => Bun.deepEquals(before.get(key), after.get(key));
      const written = new Set(given);
      return [
        type,
        {
          created: given.filter((key) => !before.has(key)).length,
          changed: given.filter((key) => before.has(key) && !isSame(key)).length,
          unchanged: given.filter((key) => before.has(key) && isSame(key)).length,
          deleted: keysOf(before, type).filter((key) => !after.has(key)).length,
          missing: keysOf(after, type).filter((key) => !written.has(key)).length,
        },
      ];
    }),
  );
}
