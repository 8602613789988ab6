import type {
  IntakeLabelRecord,
  IntakeStageRecord,
  LocationRecord,
  NonBillableCodeRecord,
  OrganizationRecord,
  PayorRecord,
  ServiceLineRecord,
  SpecializationRecord,
} from "../practice-file/model.ts";
import type { UnitFrequency } from "../utilization/periods.ts";
import { DEMO_TIME_ZONE } from "./calendar.ts";

/** The organization and its reference data: locations, specializations, services, intake board and payors. */

/** A readable id, padded so that ids sort by number: `numbered("apt_", 17, 8)` is `apt_00000017`. */
export function numbered(prefix: string, number: number, width = 6): string {
  return prefix + String(number).padStart(width, "0");
}

/** Each seed makes another organization, so that several demo practices fit into one database. */
export function organization(seed: number): OrganizationRecord {
  return {
    type: "organization",
    publicId: organizationId(seed),
    name: seed === 1 ? "Maple Street ABA" : `Maple Street ABA, practice ${seed}`,
    timezone: DEMO_TIME_ZONE,
    weekStartsOn: "SUNDAY",
  };
}

export function organizationId(seed: number): string {
  return seed === 1 ? "org_maple" : `org_maple_${seed}`;
}

const LOCATION_NAMES = [
  "Maple Street clinic",
  "Alder Creek clinic",
  "Brookmere clinic",
  "Quarry Hill clinic",
  "Larkspur Road clinic",
  "Station Square clinic",
  "Orchard Park clinic",
  "Old Mill clinic",
];

export function locationId(number: number): string {
  return numbered("loc_", number, 4);
}

/** The first `count` locations. After the last name, names repeat with a number. */
export function* locations(count: number): Generator<LocationRecord> {
  for (let number = 1; number <= count; number += 1) {
    const name = LOCATION_NAMES[(number - 1) % LOCATION_NAMES.length] ?? "";
    const round = Math.ceil(number / LOCATION_NAMES.length);
    yield {
      type: "location",
      publicId: locationId(number),
      name: round === 1 ? name : `${name} ${round}`,
    };
  }
}

/** Ordered by id, like all lists in this file. */
export const specializations = [
  specialization("spec_early_intervention", "Early intervention"),
  specialization("spec_feeding", "Feeding therapy"),
  specialization("spec_play_groups", "Facilitated play groups", false),
  specialization("spec_school", "School consultation"),
  specialization("spec_severe_behavior", "Severe behavior"),
  specialization("spec_social_skills", "Social skills"),
  specialization("spec_speech", "Speech and language"),
  specialization("spec_summer_camp", "Summer camp", false),
  specialization("spec_verbal_behavior", "Verbal behavior"),
];

function specialization(publicId: string, name: string, isActive = true): SpecializationRecord {
  return { type: "specialization", publicId, name, isActive };
}

type StageKey = NonNullable<IntakeStageRecord["key"]>;

/** The intake board. One stage is custom, one is inactive, and `INACTIVE` does not exist. */
export const stages = [
  stage("stage_active", 9, "In therapy", "ACTIVE"),
  stage("stage_approved", 6, "Authorization approved", "AUTH_APPROVED"),
  { ...stage("stage_archived", 12, "Archived", "ARCHIVED"), isActive: false },
  stage("stage_assessment", 7, "Assessment scheduled", "ASSESSMENT_SCHEDULED"),
  stage("stage_benefits", 4, "Benefits verified", "VERIFIED_BENEFITS"),
  stage("stage_discharged", 11, "Discharged", "DISCHARGED"),
  stage("stage_new", 1, "New inquiry", "LEAD"),
  stage("stage_paused", 10, "Services paused", "SERVICES_PAUSED"),
  stage("stage_requested", 5, "Authorization requested", "AUTH_REQUESTED"),
  stage("stage_therapy", 8, "Therapy scheduled", "THERAPY_SCHEDULED"),
  stage("stage_tour", 2, "Clinic tour booked"),
  stage("stage_waitlist", 3, "Waitlist", "WAITLIST"),
];

function stage(
  publicId: string,
  position: number,
  name: string,
  key?: StageKey,
): IntakeStageRecord {
  return { type: "intakeStage", publicId, ...(key && { key }), name, position, isActive: true };
}

export const labels = [
  label("lbl_bilingual", "Family prefers Spanish"),
  label("lbl_evenings", "Evenings only"),
  label("lbl_pediatrician", "Pediatrician referral"),
  label("lbl_school", "School district referral"),
  label("lbl_sibling", "Sibling already with us"),
  label("lbl_urgent", "Safety concern"),
];

function label(publicId: string, name: string): IntakeLabelRecord {
  return { type: "intakeLabel", publicId, name };
}

/** Services: procedure codes of behavior analysis in units of 15 minutes, and speech visits. */
export const serviceLines = {
  speech: serviceLine("svc_92507", "Speech and language therapy visit (92507)", null),
  assessment: serviceLine("svc_97151", "Behavior identification assessment (97151)", 15),
  direct: serviceLine("svc_97153", "Direct therapy by a technician (97153)", 15),
  supervision: serviceLine("svc_97155", "Therapy with protocol modification (97155)", 15),
  guidance: serviceLine("svc_97156", "Family guidance (97156)", 15),
} as const;

export type Service = keyof typeof serviceLines;

/** Ordered by id. */
export const allServices = Object.keys(serviceLines) as Service[];

function serviceLine(
  publicId: string,
  name: string,
  billingUnitMinutes: number | null,
): ServiceLineRecord {
  return { type: "serviceLine", publicId, name, billingUnitMinutes };
}

/** The units of a visit. The demo's visits have whole units. */
export function unitsOf(service: Service, minutes: number): number {
  const { billingUnitMinutes } = serviceLines[service];
  return billingUnitMinutes === null ? 1 : minutes / billingUnitMinutes;
}

/** Codes for non-billable time. */
export const nonBillableCodes = {
  meeting: nonBillableCode("nbc_meeting", "Team meeting"),
  supervision: nonBillableCode("nbc_supervision", "Technician supervision without client"),
  travel: nonBillableCode("nbc_travel", "Travel between clients"),
} as const;

function nonBillableCode(publicId: string, name: string): NonBillableCodeRecord {
  return { type: "nonBillableCode", publicId, name };
}

/** A payor, with what it authorizes for six months and how it counts units. */
export interface Payor {
  publicId: string;
  name: string;
  /** The prefix of member and group ids. */
  prefix: string;
  /** The pool: services that share units. */
  pool?: { frequency: UnitFrequency; services: readonly Service[]; isUnlimited: boolean };
  /** Services with their own units. Services in neither list need no authorization. */
  standalone: Partial<Record<Service, UnitFrequency>>;
}

/** Its pool is for a whole coverage; its first client is half way through. */
export const POOL_IN_TOTAL: Payor = {
  publicId: "pay_copperfield",
  name: "Copperfield Benefit Trust",
  prefix: "CBT",
  pool: pooled("TOTAL", ["direct", "supervision", "guidance"]),
  standalone: { assessment: "TOTAL", speech: "TOTAL" },
};

/** Medicaid; some families have it in addition to their insurance. */
export const MEDICAID: Payor = {
  publicId: "pay_juniper",
  name: "Juniper State Medicaid",
  prefix: "JSM",
  standalone: {
    direct: "DAILY",
    supervision: "WEEKLY",
    guidance: "TOTAL",
    assessment: "YEARLY",
    speech: "MONTHLY",
  },
};

/** Families who pay themselves, without limit. */
export const SELF_PAY: Payor = {
  publicId: "pay_self",
  name: "Self-pay",
  prefix: "SELF",
  pool: { ...pooled("TOTAL", ["direct", "supervision", "speech"]), isUnlimited: true },
  standalone: {},
};

/**
 * As many payors as a team has seats, so that each team has a client of every payor. Even the smallest practice then
 * has authorizations of every frequency, in pools and standalone. Ordered by id.
 */
export const payors: readonly Payor[] = [
  POOL_IN_TOTAL,
  {
    publicId: "pay_fairwind",
    name: "Fairwind Health Plan",
    prefix: "FHP",
    standalone: {
      direct: "WEEKLY",
      supervision: "MONTHLY",
      guidance: "MONTHLY",
      assessment: "TOTAL",
      speech: "YEARLY",
    },
  },
  MEDICAID,
  {
    publicId: "pay_lanternlight",
    name: "Lanternlight Mutual",
    prefix: "LLM",
    pool: pooled("WEEKLY", ["direct", "supervision"]),
    standalone: { guidance: "MONTHLY", assessment: "TOTAL", speech: "WEEKLY" },
  },
  {
    publicId: "pay_northgate",
    name: "Northgate Employers Health",
    prefix: "NEH",
    pool: pooled("MONTHLY", ["direct", "supervision", "guidance"]),
    standalone: { assessment: "TOTAL", speech: "YEARLY" },
  },
  {
    publicId: "pay_riverbend",
    name: "Riverbend Family Coverage",
    prefix: "RFC",
    pool: pooled("DAILY", ["direct", "supervision"]),
    standalone: { guidance: "TOTAL", assessment: "TOTAL", speech: "WEEKLY" },
  },
  SELF_PAY,
  {
    publicId: "pay_sunfield",
    name: "Sunfield Community Plan",
    prefix: "SCP",
    pool: pooled("YEARLY", ["direct", "supervision", "guidance"]),
    standalone: { assessment: "TOTAL", speech: "YEARLY" },
  },
];

function pooled(frequency: UnitFrequency, services: readonly Service[]) {
  return { frequency, services, isUnlimited: false };
}

export function payorRecord({ publicId, name }: Payor): PayorRecord {
  return { type: "payor", publicId, name };
}
