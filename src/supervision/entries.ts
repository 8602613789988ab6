import { compare } from "../lib/compare.ts";
import { fractionOf, roundedHalfUp, roundedUp } from "../lib/rounding.ts";
import type { SupervisionEntry } from "./model.ts";
import type { Technician } from "./repository.ts";
import type { Figures, TechnicianFigures } from "./schedule.ts";
import { states, type SupervisionState } from "./states.ts";

const HOUR = 3_600_000n;

/** What the BACB requires of a month with service, besides the share of the hours. */
const REQUIRED_CONTACTS = 2;
const REQUIRED_OBSERVED = 1;

const NOTHING: Figures = { service: 0, supervision: 0, contacts: 0, observed: 0 };

/** What is still to be booked. */
type Needed = Pick<SupervisionEntry, "hoursNeeded" | "contactsNeeded" | "observationNeeded">;

/**
 * A technician's month.
 *
 * @param requiredShare a decimal number from 0 to 1.
 */
export function entryOf(
  technician: Technician,
  { booked, delivered }: TechnicianFigures = { booked: NOTHING, delivered: NOTHING },
  requiredShare: string,
): SupervisionEntry {
  const needed = neededBeside(booked, booked.service, requiredShare);
  const stillToDeliver = neededBeside(delivered, booked.service, requiredShare);
  return {
    ...technician,
    hoursDelivered: hours(delivered.service),
    hoursBooked: hours(booked.service),
    supervisedDelivered: hours(delivered.supervision),
    supervisedBooked: hours(booked.supervision),
    contactsDelivered: delivered.contacts,
    contactsBooked: booked.contacts,
    observedDelivered: delivered.observed,
    observedBooked: booked.observed,
    shareDelivered: shareOf(delivered),
    shareBooked: shareOf(booked),
    ...needed,
    state: stateOf(booked.service, needed, stillToDeliver),
  };
}

/** Orders entries by state, then by what is needed, the most first, then by id. */
export function compareEntries(a: SupervisionEntry, b: SupervisionEntry): number {
  return (
    states.indexOf(a.state) - states.indexOf(b.state) ||
    b.hoursNeeded - a.hoursNeeded ||
    b.contactsNeeded - a.contactsNeeded ||
    compare(a.technicianId, b.technicianId)
  );
}

/** What lacks of the requirements for some hours of service. */
function neededBeside(figures: Figures, service: number, requiredShare: string): Needed {
  if (service === 0) return { hoursNeeded: 0, contactsNeeded: 0, observationNeeded: false };
  const { numerator, denominator } = fractionOf(requiredShare);
  const lacking = numerator * BigInt(service) - denominator * BigInt(figures.supervision);
  return {
    hoursNeeded: lacking > 0n ? roundedUp(lacking, denominator * HOUR, 2) : 0,
    contactsNeeded: Math.max(0, REQUIRED_CONTACTS - figures.contacts),
    observationNeeded: figures.observed < REQUIRED_OBSERVED,
  };
}

function stateOf(service: number, needed: Needed, stillToDeliver: Needed): SupervisionState {
  if (service === 0) return "NO_HOURS";
  if (isAnything(needed)) return "SHORT";
  return isAnything(stillToDeliver) ? "BOOKED" : "MET";
}

function isAnything({ hoursNeeded, contactsNeeded, observationNeeded }: Needed): boolean {
  return hoursNeeded > 0 || contactsNeeded > 0 || observationNeeded;
}

function hours(milliseconds: number): number {
  return roundedHalfUp(BigInt(milliseconds), HOUR, 2);
}

/** The share of service that is supervised; null without service. */
export function shareOf({ service, supervision }: Figures): number | null {
  return service === 0 ? null : roundedHalfUp(BigInt(supervision), BigInt(service), 4);
}
