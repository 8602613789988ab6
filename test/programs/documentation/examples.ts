import { join } from "node:path";
import { creationExamples, updateExamples } from "../../../src/goals/examples.ts";
import { newIntakeLeadExamples } from "../../../src/intake-leads/model.ts";
import { remembered } from "../../../src/lib/remembered.ts";
import { newUserExamples } from "../../../src/users/model.ts";
import { lists } from "../../support/operations.ts";

/**
 * Writes the example responses of the OpenAPI document, one of each operation, from the demo practice: `bun run
 * examples`. Run it when a response has other fields. It writes the same each time.
 */

const ROOT = join(import.meta.dir, "../../..");
const FILE = join(ROOT, "src/http/document/examples.json");
const NOW = "2026-03-02T15:00:00Z";

/**
 * Gives new ids numbers in the order in which they occur, behind the time of `NOW` that they begin with, so that every run
 * writes the same.
 */
function numbered(text: string): string {
  const numbers = new Map<string, number>();
  return text.replaceAll(/(?<=_[0-9a-z]{10})[0-9a-z]{16}\b/g, (random) => {
    const number = remembered(numbers, random, () => numbers.size + 1);
    return String(number).padStart(random.length, "0");
  });
}

const server = Bun.spawn(
  [process.execPath, "src/main.ts", "serve", "--ephemeral", "--json", "--now", NOW],
  { cwd: ROOT, stdout: "pipe", stderr: "ignore" },
);
process.on("exit", () => server.kill());
const { value } = await server.stdout.getReader().read();
const { url, key } = JSON.parse(new TextDecoder().decode(value)) as { url: string; key: string };

interface Sent {
  method?: string;
  json?: unknown;
  raw?: string;
}

async function send(path: string, { method, json, raw }: Sent = {}): Promise<unknown> {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        "Content-Type": raw === undefined ? "application/json" : "application/x-ndjson",
      }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return response.headers.get("content-type")?.includes("ndjson") ? text : JSON.parse(text);
}

const first = async <Element>(path: string): Promise<Element> => {
  const { data } = (await send(path)) as { data: [Element] };
  return data[0];
};
type WithId = { publicId: string };

const patient = await first<WithId & { authorizations: WithId[] }>(
  "users?role=PATIENT&isActive=true",
);
const [authorization] = patient.authorizations as [WithId];
const session = await first<WithId & { technicianId: string }>(
  `sessions?authorizationId=${authorization.publicId}&status=CONFIRMED`,
);
const lead = await first<WithId>("intake-leads");
const pool = await first<WithId>("authorization-utilization?pageSize=1&sort=-endDate");
const window = "startDate=2026-02-22&endDate=2026-03-07";
const lines = [{ type: "organization", publicId: "org_maple" }];
const session1 = { type: "session", publicId: session.publicId, status: "PATIENT_NO_SHOW" };

/** The first rows of each list, unless they are another example below. */
const examples: Record<string, unknown> = {};
for (const { operationId, path, isReport, parameters } of lists)
  if ("page" in parameters && operationId !== "listBillingSupport")
    examples[operationId] = await send(`${path.slice("/v1/".length)}?pageSize=${isReport ? 1 : 2}`);

Object.assign(examples, {
  getMe: await send("me"),
  listUsers: await send("users?role=TECHNICIAN&pageSize=1"),
  createUser: await send("users", { json: newUserExamples.technician?.value }),
  getUser: await send(`users/${patient.publicId}`),
  listNames: await send(`names?ids=${patient.publicId},${session.technicianId}`),
  inviteUser: {
    url: "https://caseload.example/#/invitation/org_maple.…",
    expiresAt: "2026-03-04T15:00:00.000Z",
  },
  revokeAccess: await send(`users/${patient.publicId}/access`, { method: "DELETE" }),
  listCalendars: {
    data: [
      {
        ...{ id: "key_000001", userId: "usr_technician_000001", name: "Phone" },
        ...{ createdAt: "2026-03-02T15:00:00.000Z", lastUsedAt: null },
      },
    ],
  },
  createCalendar: {
    ...{ id: "key_000001", path: "/calendar/caseloadcal_….ics", name: "Phone" },
    createdAt: "2026-03-02T15:00:00.000Z",
  },
  revokeCalendar: { message: "Calendar revoked successfully" },
  listPasskeys: {
    data: [
      {
        ...{ id: "passkey_000001", name: "Ana's phone", isSynced: true },
        ...{ createdAt: "2026-02-02T14:00:00.000Z", lastUsedAt: "2026-03-02T14:30:00.000Z" },
      },
    ],
  },
  removePasskey: { success: true },
  listBillingSupport: await send(`billing-support?patientId=${patient.publicId}&pageSize=1`),
  listSessions: await send(`sessions?pageSize=2&${window}`),
  getSession: await send(`sessions/${session.publicId}`),
  readSessionUtilization: await send(`sessions/${session.publicId}/utilization`),
  listEncounters: await send(`encounters?pageSize=2&${window}`),
  readAuthorizationUtilization: await send(
    `authorization-utilization/${authorization.publicId}?${window}`,
  ),
  readUtilizationLedger: await send(
    `authorization-utilization/${authorization.publicId}/ledger?startDate=2026-03-01&endDate=2026-03-07`,
  ),
  readUtilizationSummary: await send(
    `authorization-utilization/${pool.publicId}/summary?startDate=2026-03-01&endDate=2026-03-07`,
  ),
  askWhatIf: await send(`authorization-utilization/${authorization.publicId}/what-if`, {
    json: { add: [{ startTime: "2026-03-04T15:00:00Z", endTime: "2026-03-04T17:00:00Z" }] },
  }),
  createIntakeLead: await send("intake-leads", {
    json: Object.values(newIntakeLeadExamples)[0]?.value,
  }),
  getIntakeLead: await send(`intake-leads/${lead.publicId}`),
  createGoal: await send("goals", { json: creationExamples.rating.value }),
});
const goal = examples.createGoal as WithId;
const ratings = [{ publicId: "rec_000001", value: 4, happenedAt: "2026-03-02T14:30:00Z" }];
Object.assign(examples, {
  recordOnGoal: await send(`goals/${goal.publicId}/recorded-data`, { json: { entries: ratings } }),
  getGoal: await send(`goals/${goal.publicId}`),
  removeRecorded: await send(`goals/${goal.publicId}/recorded-data/rec_000001`, {
    method: "DELETE",
  }),
  updateGoal: await send(`goals/${goal.publicId}`, {
    method: "PATCH",
    json: updateExamples.rating.value,
  }),
  deleteGoal: await send(`goals/${goal.publicId}`, { method: "DELETE" }),
  exportPracticeFile: String(await send("practice-file"))
    .split("\n")
    .slice(0, 2)
    .join("\n"),
  importPracticeFile: await send("practice-file", {
    raw: [...lines, session1].map((line) => JSON.stringify(line)).join("\n"),
  }),
});
await Bun.write(FILE, `${numbered(JSON.stringify(examples, null, 2))}\n`);
Bun.spawnSync([process.execPath, "fmt", FILE]);
process.exit();
