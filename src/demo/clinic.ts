import type { Role } from "../callers/roles.ts";
import type { IntakeLeadRecord } from "../practice-file/model.ts";
import type { PlaceOfService, SessionStatus } from "../sessions/model.ts";
import type { UnitFrequency } from "../utilization/periods.ts";
import { FIRST_WEEK } from "./calendar.ts";
import familyData from "./families.json";
import text from "./reference-data.txt" with { type: "text" };
import scheduleData from "./schedule.json";
import slipData from "./slips.json";
import staffData from "./staff.json";

/**
 * The clinic as it is written down: staff, families with their authorizations, weekly slots and goals, and what goes
 * wrong, each by name. Times are weeks from the week of today, which is week 0. All people are fictitious.
 */

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

export type Service = Exclude<keyof typeof visits, "meeting" | "talk">;

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
  /** The clinician, unless it is the family's. */
  by?: string;
}

export interface Employee {
  is: { id: string; role: Exclude<Role, "PATIENT" | "CAREGIVER">; name: string };
  work: { phone: string; since: number; at: string[]; left?: true; sms?: true; withoutNpi?: true };
  /** Of those who treat patients: all insurers have approved it, except those that are named. */
  certificate?: { type: string; until: number; pending?: string[]; expired?: string[] };
  trainings?: string[];
  specializations?: string[];
  /** The technicians whom they supervise. */
  team?: string[];
}

/** Units of services, alone or shared in a pool. */
export type Grant = { units: number; per: UnitFrequency } & (
  { service: Service; withoutPayor?: true } | { pool: Service[]; unlimited?: true }
);

export interface Family {
  child: { name: string; sex: string; born: number; withoutZone?: true; left?: true };
  parent: { name: string; is: IntakeLeadRecord["relationship"]; phone: string; sms?: true };
  /** Street, perhaps an apartment, town and postal code. */
  home: string;
  inquiry: { week: number; stage: string; labels?: string[] };
  attribution?: NonNullable<IntakeLeadRecord["attribution"]>;
  insurance?: { payor: string; medicaid?: true; parentBorn?: number };
  /** Of families on the intake board. */
  location?: string;
  /** From its first week until before the last one. Every 26 weeks, authorizations are renewed unless it was forgotten. */
  therapy?: { since: number; until?: number; notRenewed?: true; clinician: string; at: string };
  authorizations?: Grant[];
  week?: Slot[];
  goals?: WrittenGoal[];
}

/** A goal by its text. */
export interface WrittenGoal {
  goal: string;
  status: string;
  /** Of a skill that is taught in steps: the step that is being taught, from 1. */
  step?: number;
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
}

export const staff = staffData as Employee[];
export const families = familyData as Family[];
export const schedule = scheduleData as {
  /** Slots without a client, of several technicians. */
  team: (Slot & { technicians: string[] })[];
  /** The weeks that were handed over for billing. */
  billed: number[];
};

/** Records that are the same on every day, in the order of a practice file. */
export const referenceData: string[] = text.trimEnd().split("\n");

const staffIds = new Map(staff.map(({ is }) => [is.name, is.id]));

export function staffId(name: string): string {
  const id = staffIds.get(name);
  if (id === undefined) throw new Error(`Nobody of the demo's staff is called ${name}`);
  return id;
}

/** A readable id, padded so that ids sort by number: `numbered("apt_", 17, 8)` is `apt_00000017`. */
export function numbered(prefix: string, number: number, width = 6): string {
  return prefix + String(number).padStart(width, "0");
}

/** The slips of a session, a day or a week by its words: `Lucy Carver, Mon 13:00, week -1`. */
const writtenSlips = Object.values(slipData).flat() as ({ session: string } & Slip)[];
const slips = new Map<string, Slip>();
for (const { session, ...slip } of writtenSlips)
  slips.set(session, { ...slips.get(session), ...slip });

/** Of weeks before the first one only absences are known: they recur every four weeks. */
export function slipOf(child: string, week: number, day: string, from: string): Slip {
  const found = (of: number): Slip => ({
    ...slips.get(`${child}, week ${of}`),
    ...slips.get(`${child}, ${day}, week ${of}`),
    ...slips.get(`${child}, ${day} ${from}, week ${of}`),
  });
  if (week >= FIRST_WEEK) return found(week);
  const { status } = found(FIRST_WEEK + (((week % 4) + 4) % 4));
  return { ...slips.get(`${child}, week ${week}`), ...(status && { status }) };
}
