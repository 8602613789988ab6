import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type Role, roles } from "../callers/roles.ts";
import type { GoalProgressPage } from "../goal-progress/model.ts";
import type { ChecksReport } from "../checks/model.ts";
import type { DeliveryReport } from "../delivery/model.ts";
import { addDays, daysBetween, parseCalendarDate } from "../lib/calendar-date.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { localDate, localDateTime, parseTimeZone, type TimeZone, UTC } from "../lib/time-zone.ts";
import type { Me } from "../me/model.ts";
import type { SessionPage } from "../sessions/model.ts";
import { sessionStatuses } from "../sessions/model.ts";
import type { SupervisionReport } from "../supervision/model.ts";
import type { User, UserPage } from "../users/model.ts";
import type { UtilizationLedger } from "../utilization/models/ledger.ts";
import type { UtilizationEntryPage } from "../utilization/models/overview.ts";
import { fromMillionths, toMillionths } from "../utilization/units.ts";
import { type Api, Refused } from "./api.ts";
import { idOf, type Ids, knowing, requireForm, requireKnown } from "./ids.ts";
import { namesIn } from "./names.ts";
import { firstOf, goalName, listed, person } from "./texts.ts";
import { wouldItFit } from "./would-it-fit.ts";

/** The tools for agents. Each only reads: it asks the API once or twice with the caller's key, and shows less of it. */
export interface Tool {
  name: string;
  description: string;
  input: TSchema;
  /** @throws Refused */
  run(api: Api, args: unknown): Promise<unknown>;
}

function tool<Fields extends TProperties>(
  name: string,
  description: string,
  fields: Fields,
  run: (api: Api, args: Static<TObject<Fields>>) => Promise<unknown>,
): Tool {
  const input = Type.Object(fields, { additionalProperties: false });
  // The protocol's library has checked the arguments against the schema.
  return {
    name,
    description,
    input,
    async run(api, args) {
      requireForm(args as Ids);
      return run(api, args as Static<TObject<Fields>>);
    },
  };
}

const authorizationId = idOf("authorizationId");
const patientId = Type.Optional(idOf("patientId"));
const payorId = Type.Optional(idOf("payorId"));
const date = Type.Optional(Type.String({ format: "date" }));
const time = Type.String({
  description: "2026-11-24 09:00 in the zone of the call, or with an offset",
});
const timezone = Type.Optional(Type.String({ description: "IANA zone of all days" }));
const share = Type.Optional(Type.Number({ minimum: 0 }));
const month = { pattern: "^[0-9]{4}-[0-9]{2}$", description: "YYYY-MM" };

/** Leads come from web forms, and caregivers are nobody's business here. */
const shownRoles = roles.filter((role) => role !== "CAREGIVER");
const LEAD = "LEAD";
const PEOPLE = 10;
/** Some of the people found are not shown: a web form makes any number of leads of a name. */
const PEOPLE_READ = 100;

/** Days of an explanation around today. */
const DAYS_BEFORE = 14;
const DAYS_AFTER = 13;
/** The longest window of an explanation, in days, and the most elements of each of its lists. */
const EXPLAINED_DAYS = 92;
const EXPLAINED = 100;
/** The longest window of a list of sessions, in days. */
const LISTED_DAYS = 31;

export const tools: Tool[] = [
  tool(
    "find_person",
    "Find patients and staff by name, email, phone, record number or id: ids for the other tools. At most 10.",
    {
      search: Type.String({ minLength: 2 }),
      role: Type.Optional(Type.Union(shownRoles.map((role) => Type.Literal(role)))),
    },
    async (api, { search, role }) => {
      const { data } = await api.get<Static<typeof UserPage>>("users", {
        ...{ search, role, pageSize: PEOPLE_READ },
      });
      const found = data.filter(isShown);
      if (found.length === 0) found.push(...(await personOfId(api, search, role)).filter(isShown));
      return {
        data: found.slice(0, PEOPLE).map((user) => ({
          ...person(user.publicId, user.firstName, user.lastName),
          role: user.role,
          ...(user.role === "PATIENT" && {
            recordNumber: user.internalRecordId,
            status: user.userStatus,
          }),
        })),
      };
    },
  ),
  tool(
    "authorizations_at_a_glance",
    "Current authorizations and pools with the units of one day's period: authorized, delivered, committed (delivered and booked), left. share is committed of authorized, elapsedShare the part of the period that has passed. At most 25, the fullest first unless sorted otherwise.",
    {
      ...{ patientId, payorId, date, minShare: share, maxShare: share },
      sort: Type.Optional(Type.String({ pattern: "^-?(share|endDate)$" })),
      timezone,
    },
    async (api, query) => {
      const page = await api.get<Static<typeof UtilizationEntryPage>>("authorization-utilization", {
        ...query,
        pageSize: 25,
      });
      if (page.data.length === 0) await requireKnown(api, query);
      return listed(page, (entry) => ({
        ...{ id: entry.publicId, subject: entry.subject },
        patient: person(entry.patientId, entry.patientFirstName, entry.patientLastName),
        payor: entry.payorId && { id: entry.payorId, name: entry.payorName },
        services: entry.services.map((service) => ({
          authorizationId: service.authorizationId,
          service: service.serviceLineName,
        })),
        ...{ startDate: entry.startDate, endDate: entry.endDate, timezone: entry.timezone },
        period: { startDate: entry.period.startDate, endDate: entry.period.endDate },
        authorized: entry.unitsAuthorized ?? "unlimited",
        delivered: entry.period.unitsUtilized,
        committed: entry.unitsCommitted,
        left: entry.unitsLeft,
        ...{ share: entry.share, elapsedShare: entry.elapsedShare, overFrom: entry.overFrom },
      }));
    },
  ),
  tool(
    "explain_authorization",
    `Why an authorization or pool has its numbers: units of each period, what counts by day, and what does not, with the reason. By default the 28 days around today, at most ${EXPLAINED_DAYS}; ${EXPLAINED} of each list.`,
    { authorizationId, startDate: date, endDate: date, timezone },
    async (api, { authorizationId, timezone, ...days }) => {
      const window = await explainedDays(api, days);
      const { publicId, startDate, endDate, pool, members, ledger, ...response } = await knowing(
        "authorizationId",
        api.get<UtilizationLedger>(`authorization-utilization/${authorizationId}/ledger`, {
          ...{ ...window, timezone },
        }),
      );
      const counted = ledger.filter(({ period }) => period !== null);
      const byDay = Map.groupBy(counted, ({ day, type }) => `${day} ${type}`);
      return {
        ...{ id: publicId, startDate, endDate, timezone: response.timezone },
        pool: pool && { id: pool.poolPublicId, ...firstOf(EXPLAINED, { periods: pool.periods }) },
        ...firstOf(EXPLAINED, {
          members: members.map((member) => ({
            ...{ id: member.authorizationPublicId, service: member.serviceLinePublicId },
            ...firstOf(EXPLAINED, { periods: member.periods }),
          })),
          counts: [...byDay].map(
            ([day, entries]) => `${day}: ${sumOf(entries.map(({ units }) => units))}`,
          ),
          doesNotCount: ledger
            .filter(({ period }) => period === null)
            .map(({ day, type, publicId, reason }) => `${day} ${type} ${publicId}: ${reason}`),
        }),
      };
    },
  ),
  tool(
    "would_it_fit",
    "What if these sessions were booked or cancelled: whether the units of an authorization suffice. Books nothing.",
    {
      authorizationId,
      add: Type.Optional(
        Type.Array(
          Type.Object({ startTime: time, endTime: time }, { additionalProperties: false }),
          { maxItems: 100 },
        ),
      ),
      cancel: Type.Optional(
        Type.Array(Type.String(), { maxItems: 100, description: "session ids from sessions_of" }),
      ),
      timezone,
    },
    wouldItFit,
  ),
  tool(
    "sessions_of",
    `Sessions of up to ${LISTED_DAYS} days, of a person or of the whole practice. At most 100, by start.`,
    {
      startDate: Type.String({ format: "date" }),
      endDate: date,
      patientId,
      technicianId: Type.Optional(idOf("technicianId")),
      clinicianId: Type.Optional(idOf("clinicianId")),
      authorizationId: Type.Optional(authorizationId),
      status: Type.Optional(Type.Union(sessionStatuses.map((status) => Type.Literal(status)))),
      timezone,
    },
    async (api, { startDate, endDate = startDate, timezone, status, ...ids }) => {
      requireDays(startDate, endDate, LISTED_DAYS);
      const zone = timezone ?? (await zoneOf(api));
      const { patientId: clientId, ...others } = ids;
      const page = await api.get<Static<typeof SessionPage>>("sessions", {
        ...{ ...others, clientId, status, startDate, endDate, timezone: zone, pageSize: 100 },
      });
      if (page.data.length === 0) await requireKnown(api, ids);
      const names = await namesIn(api, page.data);
      return {
        timezone: zone,
        ...listed(page, (session) => ({
          id: session.publicId,
          start: localMinute(session.startTime, zone),
          end: localMinute(session.endTime, zone),
          status: session.status,
          patient: names.person(session.clientId),
          technician: names.person(session.technicianId),
          ...(session.isBillable
            ? {
                clinician: names.person(session.clinicianId),
                service: names.service(session.services),
              }
            : { service: names.service(session.nonBillableCode) }),
          ...(session.isSupervision && { isSupervision: true }),
        })),
      };
    },
  ),
  tool(
    "what_needs_attention",
    "Findings of the checks from 28 days ago to 28 days ahead unless given: sessions outside their authorization or without one, units exceeded, undocumented or double sessions, ended credentials and more. Totals by check, and 25 findings.",
    {
      check: Type.Optional(
        Type.String({ description: "a name of totals, or several with commas" }),
      ),
      ...{ startDate: date, endDate: date, patientId, payorId },
      providerId: Type.Optional(idOf("providerId")),
      timezone,
    },
    async (api, query) => {
      const report = await api.get<Static<typeof ChecksReport>>("checks", {
        ...query,
        pageSize: 25,
      });
      if (report.data.length === 0) await requireKnown(api, query);
      return {
        ...{ startDate: report.startDate, endDate: report.endDate, totals: report.totals },
        ...listed(report, (finding) => ({
          ...{ check: finding.check, date: finding.date, timezone: finding.timezone },
          message: finding.message,
          patient: person(finding.patientId, finding.patientFirstName, finding.patientLastName),
          provider: person(finding.providerId, finding.providerFirstName, finding.providerLastName),
          units: finding.units,
          ...{ sessionIds: finding.sessionIds, encounterIds: finding.encounterIds },
          ...{ authorizationId: finding.authorizationId, poolId: finding.poolId },
          ...{ payorId: finding.payorId, goalId: finding.goalId },
        })),
      };
    },
  ),
  tool(
    "delivered",
    "What was delivered in a month: sums, and units of 100 authorizations.",
    { month: Type.String(month), payorId, patientId, timezone },
    async (api, query) => {
      const report = await api.get<Static<typeof DeliveryReport>>("delivery", {
        ...query,
        pageSize: 100,
      });
      if (report.data.length === 0) await requireKnown(api, query);
      const { data, pagination, ...sums } = report;
      return {
        ...sums,
        ...listed({ data, pagination }, (entry) => ({
          authorizationId: entry.authorizationId,
          number: entry.authorizationNumber,
          poolId: entry.poolId,
          patient: person(entry.patientId, entry.patientFirstName, entry.patientLastName),
          payor: entry.payorId && { id: entry.payorId, name: entry.payorName },
          service: entry.serviceLinePublicId,
          ...{ timezone: entry.timezone, encounters: entry.encounters },
          ...{ unitsDelivered: entry.unitsDelivered, hoursDelivered: entry.hoursDelivered },
          unitsOutside: entry.unitsOutside,
          sessions: entry.sessions,
        })),
      };
    },
  ),
  tool(
    "supervision",
    "How much each technician is supervised in a month (the current one unless given), and what is still to be booked. At most 50, who lacks most first. No proof of compliance.",
    {
      month: Type.Optional(Type.String(month)),
      requiredShare: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, description: "0.05 unless given" }),
      ),
      technicianId: Type.Optional(idOf("technicianId")),
    },
    async (api, query) => {
      const report = await api.get<Static<typeof SupervisionReport>>("supervision", {
        ...query,
        pageSize: 50,
      });
      if (report.data.length === 0) await requireKnown(api, query);
      const { data, pagination, ...month } = report;
      return {
        ...month,
        ...listed(
          { data, pagination },
          ({ technicianId, technicianFirstName, technicianLastName, ...entry }) => ({
            technician: person(technicianId, technicianFirstName, technicianLastName),
            ...entry,
          }),
        ),
      };
    },
  ),
  tool(
    "goals_at_a_look",
    "Treatment goals, in BASELINE, IN_PROGRESS or IN_MAINTENANCE unless status says otherwise, with the last point that counts and whether the criterion is met. At most 50.",
    {
      patientId,
      providerId: Type.Optional(idOf("providerId")),
      status: Type.Optional(Type.String({ description: "One or several, with commas" })),
    },
    async (api, { status = WORKED_ON, ...query }) => {
      const page = await api.get<Static<typeof GoalProgressPage>>("goal-progress", {
        ...{ ...query, status, pageSize: 50 },
      });
      if (page.data.length === 0) await requireKnown(api, query);
      return listed(page, (goal) => {
        const last = goal.points.findLast(({ state }) => state === "COUNTS");
        return {
          goal: { id: goal.goalId, name: goalName(goal.name) },
          patient: person(goal.patientId, goal.patientFirstName, goal.patientLastName),
          ...{ status: goal.status, criterion: goal.criterion, unit: goal.valueUnit },
          last: last && { startDate: last.startDate, endDate: last.endDate, value: last.value },
          ...{ isMet: goal.isMet, inARow: goal.inARow, next: goal.next },
          ...{ sessionsSince: goal.sessionsSince, targetDate: goal.targetDate },
        };
      });
    },
  ),
];

/** The statuses in which goals are worked on. */
const WORKED_ON = "BASELINE,IN_PROGRESS,IN_MAINTENANCE";

/** Whether a person is shown: no caregiver, and no lead. */
function isShown(user: User): boolean {
  return user.role !== "CAREGIVER" && !(user.role === "PATIENT" && user.userStatus === LEAD);
}

async function personOfId(api: Api, id: string, role: Role | undefined): Promise<User[]> {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) return [];
  try {
    const user = await api.get<User>(`users/${id}`);
    return role === undefined || user.role === role ? [user] : [];
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return [];
    throw error;
  }
}

/** The organization's time zone, else UTC. */
async function zoneOf(api: Api): Promise<TimeZone> {
  const { organization } = await api.get<Static<typeof Me>>("me");
  return parseTimeZone(organization.timezone ?? "") ?? UTC;
}

/** `4+8`; of a day with very many, how many there are and what they come to. */
function sumOf(units: readonly number[]): string {
  if (units.length <= EXPLAINED) return units.join("+");
  const sum = fromMillionths(units.reduce((all, one) => all + toMillionths(one), 0));
  return `${sum} in ${units.length}`;
}

/** The window of an explanation: what is given, as far as one may be long, else around today. */
async function explainedDays(
  api: Api,
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
): Promise<{ startDate: string; endDate: string }> {
  const [from, to] = [parseCalendarDate(startDate ?? ""), parseCalendarDate(endDate ?? "")];
  if (from !== undefined) {
    const last = endDate ?? addDays(from, EXPLAINED_DAYS - 1);
    requireDays(from, last, EXPLAINED_DAYS);
    return { startDate: from, endDate: last };
  }
  if (to !== undefined) return { startDate: addDays(to, 1 - EXPLAINED_DAYS), endDate: to };
  const today = localDate(toInstant(api.now()), await zoneOf(api));
  return { startDate: addDays(today, -DAYS_BEFORE), endDate: addDays(today, DAYS_AFTER) };
}

/** @throws Refused for a window that is too long; the API refuses other mistakes. */
function requireDays(startDate: string, endDate: string, most: number): void {
  const [from, to] = [parseCalendarDate(startDate), parseCalendarDate(endDate)];
  if (from !== undefined && to !== undefined && daysBetween(from, to) >= most)
    throw new Refused(400, `400: endDate: Must be within ${most} days of startDate, both counted`);
}

/** `2026-11-27 09:00` in a zone, which the API has accepted. */
function localMinute(instant: Instant, zone: string): string {
  return localDateTime(instant, zone as TimeZone)
    .slice(0, 16)
    .replace("T", " ");
}
