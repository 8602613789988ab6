import type { CalendarDate } from "../lib/calendar-date.ts";
import type {
  AuthorizationRecord,
  CaregiverRecord,
  PatientRecord,
  PracticeRecord,
  UserRecord,
} from "../practice-file/model.ts";
import type { PlaceOfService, SessionStatus } from "../sessions/model.ts";
import { datesIn } from "./calendar.ts";
import text from "./practice.txt" with { type: "text" };
import slipData from "./slips.yaml";
import weekData from "./weeks.yaml";

/**
 * The clinic as it is written down: `practice.txt` has its records, as a practice file whose days are counted from the week
 * of today; `weeks.yaml` what recurs every week; `slips.yaml` what goes otherwise. All people are fictitious.
 */

/** How it is laid over the weeks around a day. */
export interface Demo {
  today: CalendarDate;
  /** For how many weeks more than is written there are sessions; by default none. */
  moreWeeks?: number;
}

/** What is done in a slot: its title, and the service line or, without a client, the code that it is booked on. */
export const visits = {
  direct: { title: "Direct therapy", serviceLineId: "svc_97153" },
  supervision: { title: "Direct therapy with clinician", serviceLineId: "svc_97155" },
  guidance: { title: "Family guidance", serviceLineId: "svc_97156" },
  assessment: { title: "Reassessment", serviceLineId: "svc_97151" },
  speech: { title: "Speech therapy", serviceLineId: "svc_92507" },
  meeting: { title: "Team meeting", nonBillableCode: "nbc_meeting" },
  talk: { title: "Technician supervision", nonBillableCode: "nbc_supervision" },
} as const;

/** A time that recurs every week, or every other week. */
export interface Slot {
  visit: keyof typeof visits;
  /** On which days, as in `Mon Wed`. */
  on: string;
  weeks?: "even" | "odd";
  /** From when to when, as in `13:00-16:00`. */
  at: string;
  /** Where it is if not in the clinic; `VIDEO` is telehealth in the patient's home. */
  place?: PlaceOfService | "VIDEO";
  /** The technician. */
  with?: string;
  /** The clinician, unless it is the child's. */
  by?: string;
}

/** A goal by its name. */
export interface WrittenGoal {
  goal: string;
  status: string;
  /** Of a skill that is taught in steps: the step that is being taught, from 1. */
  step?: number;
  /**
   * How it goes on, if not as usual: it is met, or was and is no longer; nothing is recorded since weeks, or was in two of
   * them; or it has ended with the therapy.
   */
  course?: "met" | "lost" | "silent" | "forgotten" | "ended";
  /** Whether its date is past. */
  past?: true;
  /** Whether it has gone into maintenance by itself. */
  automatic?: true;
}

/** The therapy of a child, from its first week until before the last one. */
interface Therapy {
  since: number;
  until?: number;
  week?: Slot[];
  goals: WrittenGoal[];
}

/** What is unlike the plan in a session. */
export interface Slip {
  status?: SessionStatus;
  /** Who is booked instead; null for nobody. */
  technician?: string | null;
  from?: string;
  /** Whether it is booked on the authorization that has ended. */
  onEnded?: true;
  /** How many encounters document it; by default those that were held have one. */
  encounters?: number;
  /** Units that were delivered more or less than planned. */
  units?: number;
  /** Units that were handed over more than were delivered; or that nothing was, or that it was taken back the day after. */
  billed?: number | "forgotten" | "taken back";
  /** False where nothing was recorded on any goal. */
  recorded?: false;
}

export const { team, children } = weekData as {
  team: (Slot & { technicians: string[] })[];
  /** By name. */
  children: Record<string, Therapy>;
};

/** By why they are so, and then by the words for sessions: `Lucy Carver, Mon 13:00, week -1`, or all of a day or week. */
export const slips = slipData as Record<string, Record<string, Slip>>;

/** The records that are written down, in the order of a practice file. */
export function writtenRecords(today: CalendarDate): PracticeRecord[] {
  const lines = datesIn(text, today).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as PracticeRecord);
}

/** A child in therapy. */
export interface Child extends Therapy {
  name: string;
  record: PatientRecord;
  /** Later ones last. */
  authorizations: AuthorizationRecord[];
}

export function childrenIn(records: readonly PracticeRecord[]): Child[] {
  const patientOf = finder<PatientRecord>(records, ({ role }) => role === "PATIENT");
  const authorizations = records
    .filter((each) => each.type === "authorization")
    .sort((a, b) => ((a.authorizationDate ?? "") < (b.authorizationDate ?? "") ? -1 : 1));
  const byPatient = Map.groupBy(authorizations, ({ patientId }) => patientId);
  return Object.entries(children).map(([name, therapy]) => {
    const record = patientOf(name);
    return { ...therapy, name, record, authorizations: byPatient.get(record.publicId) ?? [] };
  });
}

export type Employee = Exclude<UserRecord, PatientRecord | CaregiverRecord>;

/** Finds an employee by name. */
export function staffIn(records: readonly PracticeRecord[]): (name: string) => Employee {
  return finder(records, ({ role }) => role !== "PATIENT" && role !== "CAREGIVER");
}

function finder<User extends UserRecord>(
  records: readonly PracticeRecord[],
  isMeant: (user: UserRecord) => boolean,
): (name: string) => User {
  const users = records.filter((each): each is User => each.type === "user" && isMeant(each));
  const byName = new Map(users.map((each) => [`${each.firstName} ${each.lastName}`, each]));
  return (name) => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`Nobody in the demo is called ${name}`);
    return found;
  };
}

/** A readable id, padded so that ids sort by number: `numbered("apt_", 17, 8)` is `apt_00000017`. */
export function numbered(prefix: string, number: number, width = 6): string {
  return prefix + String(number).padStart(width, "0");
}
