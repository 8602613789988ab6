import type { NonBillableCodeRecord, ServiceLineRecord } from "../practice-file/model.ts";

/** What the practice does: procedure codes of behavior analysis in units of 15 minutes, and speech visits. */
export const serviceLines = {
  speech: serviceLine("svc_92507", "Speech and language therapy visit (92507)", null),
  assessment: serviceLine("svc_97151", "Behavior identification assessment (97151)", 15),
  direct: serviceLine("svc_97153", "Direct therapy by a technician (97153)", 15),
  supervision: serviceLine("svc_97155", "Therapy with protocol modification (97155)", 15),
  guidance: serviceLine("svc_97156", "Family guidance (97156)", 15),
} as const;

export type Service = keyof typeof serviceLines;

/** In the order of their ids. */
export const allServices = Object.keys(serviceLines) as Service[];

function serviceLine(
  publicId: string,
  name: string,
  billingUnitMinutes: number | null,
): ServiceLineRecord {
  return { type: "serviceLine", publicId, name, billingUnitMinutes };
}

/** The units of one visit of so many minutes; the demo's visits are whole units long. */
export function unitsOf(service: Service, minutes: number): number {
  const { billingUnitMinutes } = serviceLines[service];
  return billingUnitMinutes === null ? 1 : minutes / billingUnitMinutes;
}

/** What it is not paid for. */
export const nonBillableCodes = {
  meeting: nonBillableCode("nbc_meeting", "Team meeting"),
  supervision: nonBillableCode("nbc_supervision", "Technician supervision without client"),
  travel: nonBillableCode("nbc_travel", "Travel between clients"),
} as const;

function nonBillableCode(publicId: string, name: string): NonBillableCodeRecord {
  return { type: "nonBillableCode", publicId, name };
}
