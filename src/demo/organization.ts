import type { LocationRecord, OrganizationRecord, PracticeRecord } from "../practice-file/model.ts";
import type { UnitFrequency } from "../utilization/periods.ts";
import { DEMO_TIME_ZONE } from "./calendar.ts";
import text from "./reference-data.txt" with { type: "text" };

/** The organization with its locations, reference data, services and payors. */

/** A readable id, padded so that ids sort by number: `numbered("apt_", 17, 8)` is `apt_00000017`. */
export function numbered(prefix: string, number: number, width = 6): string {
  return prefix + String(number).padStart(width, "0");
}

/** The ids of a kind of record, by number. */
export function idsOf(prefix: string, width?: number): (number: number) => string {
  return (number) => numbered(prefix, number, width);
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
  ...["Maple Street", "Alder Creek", "Brookmere", "Quarry Hill"],
  ...["Larkspur Road", "Station Square", "Orchard Park", "Old Mill"],
];

export const locationId = idsOf("loc_", 4);

/** The first `count` locations. After the last name, names repeat with a number. */
export function* locations(count: number): Generator<LocationRecord> {
  for (let number = 1; number <= count; number += 1) {
    const name = `${LOCATION_NAMES[(number - 1) % LOCATION_NAMES.length]} clinic`;
    const round = Math.ceil(number / LOCATION_NAMES.length);
    yield {
      type: "location",
      publicId: locationId(number),
      name: round === 1 ? name : `${name} ${round}`,
    };
  }
}

/**
 * Payors, services, codes for non-billable time, specializations, and the intake board, of which one stage is custom,
 * one is inactive, and `INACTIVE` does not exist. Part of a practice file, in its order.
 */
export const referenceData = text
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as PracticeRecord);

/** Service lines: procedure codes of behavior analysis in units of 15 minutes, and speech visits. Ordered by id. */
export const serviceIds = {
  speech: "svc_92507",
  assessment: "svc_97151",
  direct: "svc_97153",
  supervision: "svc_97155",
  guidance: "svc_97156",
} as const;

export type Service = keyof typeof serviceIds;

export const allServices = Object.keys(serviceIds) as Service[];

const UNIT_MINUTES = 15;

/** The units of a visit. The demo's visits have whole units. */
export function unitsOf(service: Service, minutes: number): number {
  return service === "speech" ? 1 : minutes / UNIT_MINUTES;
}

/** A payor, with what it authorizes for six months and how it counts units. */
export interface Payor {
  publicId: string;
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
  prefix: "CBT",
  pool: pooled("TOTAL", ["direct", "supervision", "guidance"]),
  standalone: { assessment: "TOTAL", speech: "TOTAL" },
};

/** Without a pool. The authorizations of its first client end soon, and nobody has requested new ones. */
export const WITHOUT_POOL: Payor = {
  publicId: "pay_fairwind",
  prefix: "FHP",
  standalone: {
    direct: "WEEKLY",
    supervision: "MONTHLY",
    guidance: "MONTHLY",
    assessment: "TOTAL",
    speech: "YEARLY",
  },
};

/** Medicaid; some families have it in addition to their insurance. */
export const MEDICAID: Payor = {
  publicId: "pay_juniper",
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
  WITHOUT_POOL,
  MEDICAID,
  {
    publicId: "pay_lanternlight",
    prefix: "LLM",
    pool: pooled("WEEKLY", ["direct", "supervision"]),
    standalone: { guidance: "MONTHLY", assessment: "TOTAL", speech: "WEEKLY" },
  },
  {
    publicId: "pay_northgate",
    prefix: "NEH",
    pool: pooled("MONTHLY", ["direct", "supervision", "guidance"]),
    standalone: { assessment: "TOTAL", speech: "YEARLY" },
  },
  {
    publicId: "pay_riverbend",
    prefix: "RFC",
    pool: pooled("DAILY", ["direct", "supervision"]),
    standalone: { guidance: "TOTAL", assessment: "TOTAL", speech: "WEEKLY" },
  },
  SELF_PAY,
  {
    publicId: "pay_sunfield",
    prefix: "SCP",
    pool: pooled("YEARLY", ["direct", "supervision", "guidance"]),
    standalone: { assessment: "TOTAL", speech: "YEARLY" },
  },
];

function pooled(frequency: UnitFrequency, services: readonly Service[]) {
  return { frequency, services, isUnlimited: false };
}
