import { CHECKED_DAYS } from "./checks-practice.ts";
import type { Work } from "./load.ts";
import { OVERVIEW_DAY, POOL_ID, POOL_YEAR } from "./practice.ts";
import { withKey } from "./servers.ts";

/** The requests of the benchmarks. */

const API = "/api/v1";

/** Numbers that make requests unique: every measurement has its own range. */
const RANGE = 10_000_000;
let ranges = 0;

function nextRange(): number {
  ranges += 1;
  return ranges * RANGE;
}

export function get(key: string, path: string): Work {
  return { path: `${API}${path}`, headers: withKey(key) };
}

function send(key: string, method: string, path: string, body: string, first: number): Work {
  return { ...get(key, path), numbered: { method, body, first } };
}

export function sessionsPage(key: string): Work {
  return get(key, "/sessions");
}

export function usersPage(key: string): Work {
  return get(key, "/users");
}

/** A pool of four authorizations by week, over its year, with 3,500 records. */
export function poolUtilization(key: string): Work {
  const { startDate, endDate } = POOL_YEAR;
  return get(
    key,
    `/authorization-utilization/${POOL_ID}?startDate=${startDate}&endDate=${endDate}`,
  );
}

/** The first page of all current authorizations, the next to end first. */
export function overviewByEnd(key: string): Work {
  return get(key, `/authorization-utilization?sort=endDate&date=${OVERVIEW_DAY}`);
}

/** The same, the fullest first. */
export function overviewByShare(key: string): Work {
  return get(key, `/authorization-utilization?sort=-share&date=${OVERVIEW_DAY}`);
}

/** The first page of all checks, over 57 days. */
export function allChecks(key: string): Work {
  const { startDate, endDate } = CHECKED_DAYS;
  return get(key, `/checks?startDate=${startDate}&endDate=${endDate}`);
}

/** The first page of billing lines of the same days. */
export function billingLines(key: string): Work {
  const { startDate, endDate } = CHECKED_DAYS;
  return get(key, `/billing-lines?startDate=${startDate}&endDate=${endDate}`);
}

/** A lead as sent by a form on a practice's website; `{n}` makes the email address unique. */
const LEAD = JSON.stringify({
  client: {
    firstName: "Leo",
    lastName: "Park",
    birthdate: "2019-04-02",
    sex: "MALE",
    address: "12 Maple Street",
    city: "Burlington",
    state: "VT",
    zip: "05401",
    country: "US",
    timezone: "America/New_York",
    selectedLocations: ["loc_0001"],
    intakeStatusKey: "WAITLIST",
    labelPublicIds: ["lbl_school"],
  },
  caregiver: {
    firstName: "Mina",
    lastName: "Park",
    relationship: "MOTHER",
    email: "lead{n}@bench.example",
    phone: "+18026584000",
  },
  attribution: {
    utm_source: "google",
    utm_medium: "cpc",
    utm_campaign: "Spring",
    referrer: "https://www.google.com/",
    landingPage: "https://maple.example/intake",
  },
});

export function intakeLead(key: string): Work {
  return send(key, "POST", "/intake-leads", LEAD, nextRange());
}

export function newUser(key: string): Work {
  const body = { firstName: "Ana", lastName: "Ruiz", email: "user{n}@bench.example" };
  return send(key, "POST", "/users", JSON.stringify(body), nextRange());
}

/** The fields of an interval goal. */
export const INTERVAL_GOAL = {
  title: "Stays seated",
  intervalDuration: 30,
  intervalQuantity: 10,
  sets: 3,
  intervalRecordingType: "WHOLE",
};

export function newGoal(key: string, treatmentPlanId: string): Work {
  const body = { type: "interval", treatmentPlanId, ...INTERVAL_GOAL };
  return send(key, "POST", "/goals", JSON.stringify(body), 0);
}

export function goalUpdate(key: string, goalId: string): Work {
  const body = { title: "Stays seated at circle time, version {n}" };
  return send(key, "PATCH", `/goals/${goalId}`, JSON.stringify(body), nextRange());
}

/** Deletes goals by the numbers at the end of their ids, starting with a given one. */
export function goalDeletion(key: string, idPrefix: string, first: number): Work {
  return send(key, "DELETE", `/goals/${idPrefix}{n}`, "", first);
}
