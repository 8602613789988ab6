import { Database } from "bun:sqlite";
import { type DataSet, workingCopy } from "./data.ts";
import { type Figures, inRounds, load, type Work } from "./load.ts";
import {
  get,
  goalDeletion,
  goalUpdate,
  INTERVAL_GOAL,
  intakeLead,
  newGoal,
  newUser,
  poolUtilization,
  sessionsPage,
  usersPage,
} from "./requests.ts";
import { type Server, startCaseload } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

/** The results of an endpoint on each data set, from the smallest to the largest. */
export interface Growth {
  work: string;
  figures: Figures[];
}

/** A data set with a server on a copy of it. */
interface Scale {
  data: DataSet;
  server: Server;
  treatmentPlanId: string;
  /** The number of its goals that measurements have already used for deletion. */
  goalsGiven: number;
}

/** The requests of each endpoint. Deep pages are page 10,000, or the last one. */
const requests: Record<string, (scale: Scale) => Work> = {
  "GET sessions, page 1": ({ data }) => sessionsPage(data.key),
  "GET sessions, page 10,000 or the last": ({ data }) =>
    get(data.key, `/sessions?page=${deepPage(data.sessions)}`),
  "GET sessions, one row and the total of all days": ({ data }) =>
    get(data.key, "/sessions?pageSize=1&startDate=2000-01-01&endDate=2030-12-31"),
  "GET sessions of a client": ({ data }) => get(data.key, "/sessions?clientId=usr_patient_000001"),
  "GET one session": ({ data }) => get(data.key, "/sessions/apt_bench_1"),
  "GET users, page 1": ({ data }) => usersPage(data.key),
  "GET users, page 10,000 or the last": ({ data }) =>
    get(data.key, `/users?page=${deepPage(data.users)}`),
  "GET users, one row and the total of a role": ({ data }) =>
    get(data.key, "/users?pageSize=1&role=ADMIN&isActive=true"),
  "GET users, search": ({ data }) => get(data.key, "/users?search=nguyen"),
  "GET specializations": ({ data }) => get(data.key, "/specializations"),
  "GET authorization-utilization": ({ data }) => poolUtilization(data.key),
  "POST users": ({ data }) => newUser(data.key),
  "POST intake-leads": ({ data }) => intakeLead(data.key),
  "POST goals": ({ data, treatmentPlanId }) => newGoal(data.key, treatmentPlanId),
  "PATCH goals": ({ data }) => goalUpdate(data.key, `${GOAL_PREFIX}0`),
  "DELETE goals": (scale) => {
    scale.goalsGiven += GOALS_PER_MEASUREMENT;
    return goalDeletion(scale.data.key, GOAL_PREFIX, scale.goalsGiven);
  },
};

function deepPage(rows: number): number {
  return Math.min(10_000, Math.floor(rows / 25));
}

/** Requests per second of each endpoint on each data set; the data sets take turns. */
export async function measureGrowth(sets: DataSet[], size: Size): Promise<Growth[]> {
  const scales: Scale[] = [];
  try {
    for (const data of sets) scales.push(await startScale(data, size));
    const growth: Growth[] = [];
    for (const [work, request] of Object.entries(requests)) {
      const candidates = scales.map((scale, index) => ({
        name: String(index),
        measure: () =>
          load(scale.server, request(scale), {
            connections: CONNECTIONS,
            seconds: size.shortSeconds,
          }),
      }));
      await inRounds(size.shortWarmUps, candidates);
      growth.push({ work, figures: Object.values(await inRounds(size.shortRounds, candidates)) });
    }
    return growth;
  } finally {
    for (const { server } of scales) await server.stop();
  }
}

async function startScale(data: DataSet, size: Size): Promise<Scale> {
  const database = await workingCopy(data, `${size.runFolder}/growth-${data.sessions}.db`);
  const treatmentPlanId = addGoals(database, data.organizationId);
  const server = await startCaseload({ database, key: data.key });
  return { data, server, treatmentPlanId, goalsGiven: 0 };
}

const GOAL_PREFIX = "goal_bench_";
/** More goals than one measurement deletes. */
const GOALS_PER_MEASUREMENT = 30_000;
const GOALS = 200_000;

/** Creates goals to delete on a plan, and returns the id of the plan. */
function addGoals(path: string, organizationId: string): string {
  const file = new Database(path, { readwrite: true, strict: true });
  const plan = file
    .query<{ public_id: string }, [string]>(
      "select public_id from treatment_plans where organization_id = ? order by public_id limit 1",
    )
    .get(organizationId);
  if (plan === null) throw new Error("The data set has no treatment plan");
  const goal = {
    ...{ goalType: "interval", status: "BASELINE", treatmentPlanId: plan.public_id },
    ...INTERVAL_GOAL,
  };
  file.run(
    `insert into goals (organization_id, public_id, treatment_plan_id, type, status, document, child_goals)
     with recursive numbers (number) as
       (select 0 union all select number + 1 from numbers where number < ?5)
     select ?1, ?2 || number, ?3, 'interval', 'BASELINE', json_set(?4, '$.publicId', ?2 || number), '[]'
     from numbers`,
    [organizationId, GOAL_PREFIX, plan.public_id, JSON.stringify(goal), GOALS],
  );
  file.run("pragma wal_checkpoint(truncate)");
  file.close();
  return plan.public_id;
}
