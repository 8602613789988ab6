import type { PayorRecord } from "../practice-file/model.ts";
import type { UnitFrequency } from "../utilization/periods.ts";
import type { Service } from "./services.ts";

/** A payor, what it authorizes for half a year, and how it counts. */
export interface Payor {
  publicId: string;
  name: string;
  /** Begins the member and group ids that the payor gives out. */
  prefix: string;
  /** Services that draw on one bucket of units. */
  pool?: { frequency: UnitFrequency; services: readonly Service[]; isUnlimited: boolean };
  /** Services with units of their own. One that is named nowhere needs no authorization. */
  standalone: Partial<Record<Service, UnitFrequency>>;
}

/** Its pool is for the whole of a coverage; the first client of it is half way through. */
export const POOL_IN_TOTAL: Payor = {
  publicId: "pay_copperfield",
  name: "Copperfield Benefit Trust",
  prefix: "CBT",
  pool: pooled("TOTAL", ["direct", "supervision", "guidance"]),
  standalone: { assessment: "TOTAL", speech: "TOTAL" },
};

/** The state's; some families have it beside their insurance. */
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

/** Families who pay by themselves, without a limit. */
export const SELF_PAY: Payor = {
  publicId: "pay_self",
  name: "Self-pay",
  prefix: "SELF",
  pool: { ...pooled("TOTAL", ["direct", "supervision", "speech"]), isUnlimited: true },
  standalone: {},
};

/**
 * As many as a team has seats, so that each team has a client of every one: in the smallest practice there are
 * authorizations of every frequency, in pools and alone. In the order of their ids.
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
