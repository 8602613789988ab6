import { addDays } from "../lib/calendar-date.ts";
import type { AuthorizationPoolRecord, AuthorizationRecord } from "../practice-file/model.ts";
import type { UnitFrequency } from "../utilization/periods.ts";
import { type Client, type Clinic, type Coverage, patientId } from "./clinic.ts";
import { allServices, numbered, type Service, serviceIds, unitsOf } from "./organization.ts";
import { isRequested, lacksPayor, unitsGranted } from "./slips.ts";
import type { Visit } from "./week.ts";

/** Generates the authorizations of every coverage, mostly with enough units for the client's weekly schedule. */

export function* authorizationPools(clinic: Clinic): Generator<AuthorizationPoolRecord> {
  for (const coverage of coverages(clinic)) {
    const { client } = coverage;
    const { pool } = client.payor;
    if (pool === undefined) continue;
    yield {
      type: "authorizationPool",
      publicId: poolId(coverage),
      patientId: patientId(client.number),
      payorId: client.payor.publicId,
      totalUnits: unitsNeeded(client.visits, pool.services, pool.frequency),
      unitFrequency: pool.frequency,
      isUnlimited: pool.isUnlimited,
    };
  }
}

export function* authorizations(clinic: Clinic): Generator<AuthorizationRecord> {
  for (const coverage of coverages(clinic))
    for (const service of allServices) {
      const publicId = authorizationId(coverage, service);
      if (publicId !== undefined && hasVisits(coverage.client, service))
        yield authorization(clinic, coverage, service, publicId);
    }
}

function authorization(
  clinic: Clinic,
  coverage: Coverage,
  service: Service,
  publicId: string,
): AuthorizationRecord {
  const { client, startDate, endDate } = coverage;
  const { payor } = client;
  const frequency = payor.standalone[service];
  return {
    type: "authorization",
    publicId,
    patientId: patientId(client.number),
    ...(frequency === undefined
      ? { authorizationPoolId: poolId(coverage) }
      : !lacksPayor(client, service) && { payorId: payor.publicId }),
    authorizationNumber: authorizationNumber(coverage, service),
    authorizationStatus: statusOf(clinic, coverage),
    ...(frequency !== undefined && {
      authorizedUnitsQuantity: unitsGranted(client, {
        service,
        needed: unitsNeeded(client.visits, [service], frequency),
      }),
      authorizedUnitFrequency: frequency,
    }),
    serviceLineId: serviceIds[service],
    authorizationDate: startDate,
    authorizationExpirationDate: endDate,
  };
}

function coverages(clinic: Clinic): Coverage[] {
  const all = clinic.clients.flatMap((client) => client.coverages);
  return all.filter((coverage) => isRequested(clinic, coverage));
}

/** The authorization of a service; undefined if the payor requires none. */
export function authorizationId(coverage: Coverage, service: Service): string | undefined {
  const { pool, standalone } = coverage.client.payor;
  const isCovered = service in standalone || pool?.services.includes(service) === true;
  return isCovered ? `${coverageId("auth_", coverage)}_${codeOf(service)}` : undefined;
}

function poolId(coverage: Coverage): string {
  return coverageId("apool_", coverage);
}

function coverageId(prefix: string, { client, number }: Coverage): string {
  return `${numbered(prefix, client.number)}_${number}`;
}

/** The procedure code, which is the last part of the service line's id. */
function codeOf(service: Service): string {
  return serviceIds[service].slice("svc_".length);
}

function authorizationNumber({ client, startDate }: Coverage, service: Service): string {
  const { prefix } = client.payor;
  return `${numbered(`${prefix}-`, client.number, 5)}-${codeOf(service)}-${startDate.slice(2, 7).replace("-", "")}`;
}

/** The payor decides on the next coverage a week before it begins. */
function statusOf({ calendar }: Clinic, { startDate, endDate }: Coverage): string {
  if (endDate < calendar.today) return "EXPIRED";
  return startDate > addDays(calendar.today, 7) ? "REQUESTED" : "AUTHORIZED";
}

function hasVisits({ visits }: Client, service: Service): boolean {
  return billed(visits, [service]).length > 0;
}

function billed(visits: readonly Visit[], services: readonly Service[]): Visit[] {
  return visits.filter(({ bills }) => "service" in bills && services.includes(bills.service));
}

const UNITS_OF_AN_HOUR = 4;
/** Each of the two reassessment weeks has one reassessment. */
const REASSESSMENTS = 2;
/** The maximum number of occurrences of a weekday in a month, a year and a coverage. */
const WEEKS = { MONTHLY: 5, YEARLY: 53, TOTAL: 27 };

/** The units needed per period of the frequency. Time is authorized in whole hours. */
function unitsNeeded(
  visits: readonly Visit[],
  services: readonly Service[],
  frequency: UnitFrequency,
): number {
  const isTimed = services.every((service) => service !== "speech");
  const step = isTimed ? UNITS_OF_AN_HOUR : 1;
  return Math.ceil(unitsIn(billed(visits, services), frequency) / step) * step;
}

function unitsIn(visits: Visit[], frequency: UnitFrequency): number {
  if (frequency === "DAILY") {
    const days = Map.groupBy(visits, ({ weekday }) => weekday).values();
    return Math.max(...days.map((day) => sum(day.map(unitsOfVisit))));
  }
  if (frequency === "WEEKLY") return sum(visits.map(unitsOfVisit));
  return sum(visits.map((visit) => unitsOfVisit(visit) * timesIn(WEEKS[frequency], visit)));
}

function unitsOfVisit({ bills, minutes }: Visit): number {
  return "service" in bills ? unitsOf(bills.service, minutes) : 0;
}

/** The maximum number of a visit's occurrences in a number of weeks. */
function timesIn(weeks: number, { isReassessment, parityOfWeek }: Visit): number {
  if (isReassessment) return REASSESSMENTS * Math.ceil(weeks / WEEKS.TOTAL);
  return parityOfWeek === undefined ? weeks : Math.ceil(weeks / 2);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
