import type { Cause, CheckName } from "./findings.ts";
import { billedIn } from "../billing/hand-overs.ts";
import { STEP_NAMES } from "../goals/goals.ts";
import { toPutOf } from "../authorizations/putting-on.ts";
import { dateOf, type Instant, type TimeZone } from "../base/dates.ts";
import { countText, dateText, whenText } from "../base/format.ts";
import { peopleIn } from "./finding-records.ts";
import { type Change, deletionOf, type Line } from "../base/lines.ts";
import { addressOf, addressOfSession } from "../base/place.ts";
import type { Query } from "../base/query.ts";
import {
  mayChangeGoals,
  mayPlan,
  mayPutOnAuthorization,
  mayWrite,
  writableRoles,
} from "../base/rights.ts";
import type { Session } from "../base/wire.ts";
import { delivery } from "../session/session-changes.ts";

/** The one act that mends all of a cause, and what it writes. */

/** A dialog above the view, a place, or, written at once, another status of a goal. */
export type Act = { name: string } & (
  { dialog: string; about: Query } | { address: string } | { goalId: string; status: string }
);

/** The act on a cause; nothing for who may not do it. */
export function actOn(cause: Cause): Act | undefined {
  const { check, findings, key, person } = cause;
  const mend = (name: string, isAllowed: boolean): Act | undefined =>
    isAllowed ? { name, dialog: "mend", about: { cause: key } } : undefined;
  const counted = (name: string): string =>
    `${name}${findings.length > 1 ? ` ${findings.length}` : ""}…`;
  switch (check) {
    case "OUTSIDE_AUTHORIZATION":
    case "NO_AUTHORIZATION":
      return puttingOn(cause);
    case "OVER_AUTHORIZED":
      return editingOf(cause);
    case "NOT_DOCUMENTED":
      return mend(counted("Delivered"), mayWrite("encounter"));
    case "DELIVERED_UNHELD":
    case "DELIVERED_TWICE":
      return mend(counted("Remove"), mayWrite("encounter"));
    case "PROVIDER_OVERLAP":
    case "PROVIDER_LEFT":
      return mend("Give to…", mayPlan());
    case "PATIENT_OVERLAP": {
      // Whoever delivers it, the patient is at both: the later one has to be at another time.
      const session = findings[0]?.sessionIds.at(-1);
      if (session === undefined || !mayPlan()) return undefined;
      return { name: "Change…", address: addressOfSession(session) };
    }
    case "PATIENT_LEFT":
      return mend(counted("Delete"), mayPlan());
    case "CREDENTIALS_ENDED":
      if (person === null || writableRoles().length === 0) return mend("Give to…", mayPlan());
      return { name: "Credentials…", address: addressOf(["people", person.id], { open: "edit" }) };
    case "RENEWAL_DUE":
      return renewalOf(cause);
    case "GOAL_MET":
    case "GOAL_SILENT":
    case "GOAL_NO_LONGER_MET":
    case "GOAL_PAST":
      return goalAct(cause);
  }
}

/** Each goal is decided by itself. Why nothing is recorded on one is seen there alone. */
function goalAct({ check, findings: [first] }: Cause): Act | undefined {
  const goalId = first?.goalId;
  if (goalId == null) return undefined;
  if (check === "GOAL_SILENT") return { name: "Goal…", address: addressOf(["goals", goalId]) };
  if (!mayChangeGoals()) return undefined;
  if (check === "GOAL_PAST")
    return { name: "New target date…", dialog: "edit-goal", about: { id: goalId } };
  return check === "GOAL_MET"
    ? { name: STEP_NAMES.IN_MAINTENANCE, goalId, status: "IN_MAINTENANCE" }
    : { name: STEP_NAMES.IN_PROGRESS, goalId, status: "IN_PROGRESS" };
}

function puttingOn({ findings }: Cause): Act | undefined {
  const what = toPutOf(findings);
  if (what === undefined || !mayPutOnAuthorization()) return undefined;
  const { patientId, sessionIds, encounterIds } = what;
  const payors = new Set(findings.map(({ payorId }) => payorId));
  const about = {
    ...{ patientId, sessions: sessionIds.join(), encounters: encounterIds.join() },
    payor: payors.size === 1 ? findings[0]?.payorId : undefined,
  };
  return { name: "Put on authorization…", dialog: "put-on", about };
}

/** The form of its authorization or pool. */
function editingOf({ findings: [first] }: Cause): Act | undefined {
  if (first === undefined || !mayWrite("authorization")) return undefined;
  const { authorizationId, poolId, patientId: patient } = first;
  return poolId === null
    ? {
        name: "Edit authorization…",
        dialog: "edit-authorization",
        about: { id: authorizationId, patient },
      }
    : { name: "Edit pool…", dialog: "edit-pool", about: { id: poolId, patient } };
}

/** Authorizations that end together are renewed together. */
function renewalOf({ findings }: Cause): Act | undefined {
  const [first] = findings;
  if (first === undefined || !mayWrite("authorization")) return undefined;
  const { patientId: patient } = first;
  const ids = findings.flatMap(({ authorizationId }) => authorizationId ?? []);
  if (findings.length > 1 && ids.length === findings.length)
    return {
      name: `Renew ${ids.length}…`,
      dialog: "renew-all",
      about: { ids: ids.join(), patient },
    };
  return {
    name: "Renew…",
    dialog: "renew",
    about: { id: first.poolId ?? first.authorizationId, patient },
  };
}

/** What is done with the records of a cause that are chosen; `Give` gives sessions to others, slot by slot. */
export type Mend = "Delivered" | "Remove" | "Delete" | "Give";

export const MENDS: Partial<Record<CheckName, Mend>> = {
  NOT_DOCUMENTED: "Delivered",
  DELIVERED_UNHELD: "Remove",
  DELIVERED_TWICE: "Remove",
  PATIENT_LEFT: "Delete",
  PROVIDER_LEFT: "Give",
  PROVIDER_OVERLAP: "Give",
  CREDENTIALS_ENDED: "Give",
};

/** The records of a cause that are written: encounters that are removed, or sessions; of overlapping ones the later. */
export function recordsToMend({ check, findings }: Cause): { type: string; ids: string[] } {
  const isRemoved = MENDS[check] === "Remove";
  const ids = findings.flatMap(({ sessionIds, encounterIds }) =>
    isRemoved ? encounterIds : sessionIds.slice(-1),
  );
  return { type: isRemoved ? "encounter" : "session", ids: [...new Set(ids)] };
}

/** A record that can be chosen. */
export interface Item {
  line: Line;
  /** Its units, or those that are planned, where they are what it is about. */
  units?: number;
  /** Whether it is chosen at first: of what is delivered twice, the first one stays. */
  isChosen: boolean;
  /** Why it is not offered. */
  refusal?: string | undefined;
}

/** `Tue, Dec 1, 9:00 – 11:00 AM, Leo Park, Ana Ruiz, 8 units, has no authorization`; of an encounter its day. */
export function itemText(
  { line, units, refusal }: Item,
  zone: TimeZone,
  name: (id: string) => string,
): string {
  const { type, startTime } = line;
  const parts =
    type === "encounter"
      ? [dateText(dateOf(startTime as Instant, zone))]
      : [whenText(line as unknown as Session, zone), ...peopleIn(line).map(name)];
  const counted = units === undefined ? [] : [countText(units, "unit")];
  return [...parts, ...counted, ...(refusal === undefined ? [] : [refusal])].join(", ");
}

/** `Remove 2, 8 units` */
export function mendText(mend: Mend, chosen: readonly Item[]): string {
  const units = chosen.reduce((sum, item) => sum + (item.units ?? 0), 0);
  return [
    `${mend} ${chosen.length}`,
    ...(mend === "Delete" ? [] : [countText(units, "unit")]),
  ].join(", ");
}

/** A record of a cause. */
export function itemOf({ check, findings }: Cause, line: Line): Item {
  const { publicId } = line;
  const staying = check === "DELIVERED_TWICE" ? findings.map((one) => one.encounterIds[0]) : [];
  const finding = findings.find(
    ({ sessionIds, encounterIds }) =>
      sessionIds.includes(publicId) || encounterIds.includes(publicId),
  );
  const mend = MENDS[check];
  const refusal = refusalOf(line, mend);
  return {
    ...{ line, refusal, isChosen: refusal === undefined && !staying.includes(publicId) },
    ...(mend !== "Delete" && { units: Number(line.units ?? finding?.units ?? 0) }),
  };
}

function refusalOf({ billed, authorizationId }: Line, mend: Mend | undefined): string | undefined {
  if (mend === "Delivered" && typeof authorizationId !== "string") return "has no authorization";
  const batch = Array.isArray(billed) ? billedIn(billed) : undefined;
  return batch === undefined ? undefined : `is billed in batch ${batch}`;
}

/** What becomes of the chosen records, in one write with one undo. */
export function mendingOf(mend: Exclude<Mend, "Give">, chosen: readonly Item[]): Change {
  const lines = chosen.map(({ line }) => line);
  if (mend === "Delivered") {
    const each = chosen.map(({ line, units }) =>
      delivery(line as unknown as Session, String(line.authorizationId), Number(units)),
    );
    return {
      done: `Delivered: ${countText(each.length, "session")}.`,
      lines: each.flatMap((change) => change.lines),
      undo: each.flatMap((change) => change.undo ?? []),
    };
  }
  const [one, many, done] =
    mend === "Remove" ? ["delivery", "deliveries", "removed"] : ["session", "sessions", "deleted"];
  const said = lines.length === 1 ? `1 ${one} was` : `${lines.length} ${many} were`;
  return { done: `${said} ${done}.`, lines: deletionOf(lines), undo: lines };
}
