import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import type { AuthorizationPoolRecord, AuthorizationRecord } from "../practice-file/model.ts";
import { dayOf, FIRST_WEEK, LAST_WEEK } from "./calendar.ts";
import { type Family, families, type Grant, numbered, type Service, visits } from "./clinic.ts";

/** The authorizations of each family: all of them last for a term of 26 weeks, and are renewed for the next one. */

export const WEEKS_OF_TERM = 26;

/** How the clinic is laid over the weeks around a day. */
export interface Demo {
  today: CalendarDate;
  /** For how many terms more than is written there are sessions, and therapies have gone on; by default none. */
  moreTerms?: number;
}

export function firstWeek({ moreTerms = 0 }: Demo): number {
  return FIRST_WEEK - WEEKS_OF_TERM * moreTerms;
}

/** A term of a family's therapy. */
export interface Term {
  /** From 1. */
  number: number;
  startWeek: number;
}

/** The term of a week; undefined when there is no therapy. */
export function termOf({ moreTerms = 0 }: Demo, { therapy }: Family, week: number) {
  if (therapy === undefined) return undefined;
  const since = therapy.since - WEEKS_OF_TERM * moreTerms;
  if (week < since || (therapy.until !== undefined && week >= therapy.until)) return undefined;
  const terms = Math.floor((week - since) / WEEKS_OF_TERM);
  return { number: terms + 1, startWeek: since + terms * WEEKS_OF_TERM };
}

/** The term on whose authorizations a week is booked: the one before while nobody has asked for new ones. */
export function bookedTerm(demo: Demo, family: Family, { number }: Term): number {
  const current = termOf(demo, family, 0)?.number ?? number;
  return family.therapy?.notRenewed ? Math.min(number, current) : number;
}

/** The terms that have authorizations, and a part in the weeks with sessions. */
function termsOf(demo: Demo, family: Family): Term[] {
  const terms = new Map<number, Term>();
  for (let week = firstWeek(demo); week <= LAST_WEEK; week += 1) {
    const term = termOf(demo, family, week);
    if (term && bookedTerm(demo, family, term) === term.number) terms.set(term.number, term);
  }
  return [...terms.values()];
}

export function* authorizationPools(demo: Demo): Generator<AuthorizationPoolRecord> {
  for (const [index, family] of families.entries())
    for (const term of termsOf(demo, family))
      for (const grant of family.authorizations ?? [])
        if ("pool" in grant)
          yield {
            type: "authorizationPool",
            publicId: poolId(index, term),
            patientId: patientId(index),
            payorId: payorOf(family),
            totalUnits: grant.units,
            unitFrequency: grant.per,
            isUnlimited: grant.unlimited === true,
          };
}

export function* authorizations(demo: Demo): Generator<AuthorizationRecord> {
  for (const [index, family] of families.entries())
    for (const term of termsOf(demo, family))
      for (const [service, grant] of servicesOf(family))
        yield authorization(demo, { index, family, term, service, grant });
}

/** The services that a family has authorizations for, in the order of their ids. */
function servicesOf({ authorizations: grants = [] }: Family): [Service, Grant][] {
  const all = grants.flatMap((grant) => {
    const services = "pool" in grant ? grant.pool : [grant.service];
    return services.map((service): [Service, Grant] => [service, grant]);
  });
  return all.sort(([one], [other]) => (codeOf(one) < codeOf(other) ? -1 : 1));
}

interface Part {
  index: number;
  family: Family;
  term: Term;
  service: Service;
  grant: Grant;
}

function authorization(
  { today }: Demo,
  { index, family, term, service, grant }: Part,
): AuthorizationRecord {
  const startDate = dayOf(today, term.startWeek);
  const endDate = addDays(dayOf(today, term.startWeek + WEEKS_OF_TERM), -1);
  const isStandalone = "service" in grant;
  const member = numbered(`${prefixOf(payorOf(family))}-`, index + 1, 5);
  return {
    type: "authorization",
    publicId: authorizationId(index, term.number, service),
    patientId: patientId(index),
    ...(!isStandalone && { authorizationPoolId: poolId(index, term) }),
    ...(isStandalone && !grant.withoutPayor && { payorId: payorOf(family) }),
    authorizationNumber: `${member}-${codeOf(service)}-${startDate.slice(2, 7).replace("-", "")}`,
    authorizationStatus: statusOf(today, startDate, endDate),
    ...(isStandalone && {
      authorizedUnitsQuantity: grant.units,
      authorizedUnitFrequency: grant.per,
    }),
    serviceLineId: visits[service].serviceLineId,
    authorizationDate: startDate,
    authorizationExpirationDate: endDate,
  };
}

/** The payor decides on the next term a week before it begins. */
function statusOf(today: CalendarDate, startDate: CalendarDate, endDate: CalendarDate): string {
  if (endDate < today) return "EXPIRED";
  return startDate > addDays(today, 7) ? "REQUESTED" : "AUTHORIZED";
}

export function isAuthorized(family: Family, service: Service): boolean {
  return servicesOf(family).some(([authorized]) => authorized === service);
}

export function authorizationId(index: number, term: number, service: Service): string {
  return `${numbered("auth_", index + 1)}_${term}_${codeOf(service)}`;
}

function poolId(index: number, { number }: Term): string {
  return `${numbered("apool_", index + 1)}_${number}`;
}

/** The procedure code, which is the last part of the service line's id. */
function codeOf(service: Service): string {
  return visits[service].serviceLineId.slice("svc_".length);
}

export function patientId(index: number): string {
  return numbered("usr_patient_", index + 1);
}

/** What the numbers of a payor's members begin with. */
export function prefixOf(payorId: string): string {
  return payorId.slice("pay_".length, "pay_".length + 3).toUpperCase();
}

function payorOf({ child, insurance }: Family): string {
  if (insurance === undefined) throw new Error(`Nobody pays for ${child.name}`);
  return insurance.payor;
}
