import type { Db } from "../../db/database.ts";
import { GoalCalendar, sessionsFrom } from "../goal-progress/calendar.ts";
import { dayOfStretch, TAUGHT } from "../goal-progress/criterion.ts";
import { LOOKED_AT } from "../goal-progress/points.ts";
import { judged, type Scope, sessionsSince, targetDateOf } from "../goal-progress/progress.ts";
import {
  findPlansOf,
  type ListedGoal,
  listGoalsOfPatients,
  listHeldSessions,
  type RecordedSince,
  readGoalsOf,
  readRecordedSince,
} from "../goal-progress/repository.ts";
import { isNoLongerMet } from "../goal-progress/verdict.ts";
import { type GoalDocument, timeOf } from "../goals/document.ts";
import type { GoalStatus } from "../goals/models/common.ts";
import { addDays, type DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { pieces } from "../lib/pieces.ts";
import { UTC } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { type CheckName, checks } from "./checks.ts";
import type { Sink } from "./findings.ts";
import { includes } from "./session-checks.ts";

/** Checks of goals. They are about today, as their patients have it. */

interface GoalScope {
  organizationId: string;
  now: Instant;
  /** The days that are looked at. */
  days: DateRange;
  filter: { patientId?: string | undefined; payorId?: string | undefined };
  /** Only goals of patients among them. */
  people?: readonly string[] | undefined;
}

const LOOKED_AFTER: readonly GoalStatus[] = [
  "BASELINE",
  "IN_PROGRESS",
  "IN_MAINTENANCE",
  "MASTERED",
];
/** Goals whose entries are in memory at a time. */
const GOALS_OF_PIECE = 100;
/** How many sessions without an entry are silence. */
const SILENT_SESSIONS = 6;
/** How far back is read, in days: as far as most goals need, and then further for the others. */
const WINDOWS = [14, 60, LOOKED_AT];

export async function checkGoals(db: Db, scope: GoalScope, sink: Sink): Promise<void> {
  const { organizationId, now, filter } = scope;
  // These findings have no payor.
  if (filter.payorId !== undefined) return;
  const calendar = new GoalCalendar(now, await getOrganization(db, organizationId));
  const { today } = calendar.spansOf(UTC);
  // In no zone is today more than a day away.
  if (addDays(today, 1) < scope.days.startDate || addDays(today, -1) > scope.days.endDate) return;
  const { patientId } = filter;
  const patientIds = patientId === undefined ? scope.people : [patientId];
  const planIds = patientIds && (await findPlansOf(db, organizationId, patientIds));
  const { rows } = await listGoalsOfPatients(db, organizationId, {
    statuses: LOOKED_AFTER,
    ...(planIds && { planIds }),
  });
  const active = rows.filter(
    ({ isActive, patientTimeZone }) =>
      isActive === 1 && includes(scope.days, calendar.spansOf(patientTimeZone).today),
  );
  for (const piece of pieces(active, GOALS_OF_PIECE))
    await checkPiece(db, { organizationId, calendar }, piece, sink);
}

interface Practice {
  organizationId: string;
  calendar: GoalCalendar;
}

async function checkPiece(
  db: Db,
  { organizationId, calendar }: Practice,
  rows: readonly ListedGoal[],
  sink: Sink,
): Promise<void> {
  const goals = await readGoalsOf(db, organizationId, rows);
  const { today } = calendar.spansOf(UTC);
  const sessions = await listHeldSessions(db, {
    ...{ organizationId, now: calendar.now, from: sessionsFrom(today) },
    patientIds: [...new Set(rows.map((row) => row.patientId))],
  });
  let left = rows;
  for (const days of WINDOWS) {
    if (left.length === 0) return;
    const recordedOn = await readRecordedSince(db, {
      organizationId,
      tops: [...new Set(left.map(({ top }) => top))],
      ids: left.map(({ id }) => id),
      since: addDays(today, -days - 2),
    });
    left = left.filter((row) => {
      const spans = calendar.spansOf(row.patientTimeZone);
      const goal = goals.get(row.id)?.goal as GoalDocument;
      const recorded = recordedOn(row.id);
      const goalScope = {
        ...{ spans, sessions: sessions.get(row.patientId) ?? [] },
        ...{ daysInARow: calendar.daysInARow, from: addDays(spans.today, -days) },
      };
      const judgement = judged(goal, recorded.entries, goalScope);
      const needed = TAUGHT.has(goal.status) ? (judgement.criterion?.points ?? 0) : 2;
      const begun = dayOfStretch(goal, spans.zone);
      const isKnown =
        judgement.criterion === null ||
        judgement.counting.length >= needed ||
        (begun !== undefined && begun >= goalScope.from);
      if (!isKnown && days < LOOKED_AT) return true;
      find({ row, goal, recorded, judgement, scope: goalScope }, sink);
      return false;
    });
  }
}

interface Looked {
  row: ListedGoal;
  goal: GoalDocument;
  recorded: RecordedSince;
  judgement: ReturnType<typeof judged>;
  scope: Scope;
}

/** Adds what is found of a goal. */
function find({ row, goal, recorded, judgement, scope }: Looked, sink: Sink): void {
  const { zone, today } = scope.spans;
  const { isMet, counting, criterion, pointUnit } = judgement;
  const isTaught = TAUGHT.has(goal.status);
  const add = (check: CheckName, message: string) => {
    const { patientId, primaryClinicianId: providerId } = row;
    const about = { check, date: today, patientId, providerId, payorId: null };
    sink.add({
      ...about,
      make: () => ({
        ...{ ...about, timezone: zone, sessionIds: [], encounterIds: [] },
        ...{ authorizationId: null, poolId: null },
        ...{ authorizationStartDate: null, authorizationEndDate: null },
        ...{ units: null, message, goalId: row.id },
      }),
    });
  };
  if (isTaught && isMet === true && criterion !== null) {
    const { points } = criterion;
    add("GOAL_MET", checks.GOAL_MET.message({ points, unit: pointUnit }));
  }
  const last = recorded.entries.at(-1);
  const lastRecordedAt = last === undefined ? recorded.lastBefore : timeOf(goal, last);
  const hasSteps = (goal.childGoals ?? []).length > 0;
  const sessions = isTaught ? sessionsSince(goal, lastRecordedAt, scope) : 0;
  if (sessions >= SILENT_SESSIONS && (lastRecordedAt !== null || !hasSteps))
    add("GOAL_SILENT", checks.GOAL_SILENT.message({ sessions }));
  if ((goal.status === "IN_MAINTENANCE" || goal.status === "MASTERED") && isNoLongerMet(counting))
    add("GOAL_NO_LONGER_MET", checks.GOAL_NO_LONGER_MET.message({ unit: pointUnit }));
  const date = targetDateOf(goal, zone);
  if (isTaught && date !== null && date < today)
    add("GOAL_PAST", checks.GOAL_PAST.message({ date }));
}
