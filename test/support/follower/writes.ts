import { required } from "../goals/bodies.ts";
import { newLead } from "../intake-leads/practice.ts";
import { runProgram } from "../commands/program.ts";
import { type Fields, fileOf } from "../practice-file/practice-file.ts";
import { writePracticeFile } from "./follower.ts";

/** Random writes of all kinds to a practice, by the API of one or several nodes and by commands. */

const own: Fields = { type: "organization", publicId: "org_maple" };

interface Practice {
  urls: readonly string[];
  key: string;
  /** The working directory of commands. */
  cwd: string;
  env?: Record<string, string>;
}

/** Reproducible random integers from 0 to `count` (excluded). */
export function randomNumbers(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
}

/** Makes a number of random writes, one after another. */
export async function writeAtRandom(
  practice: Practice,
  writes: number,
  random: (count: number) => number,
): Promise<void> {
  const goals: string[] = [];
  const sessions: string[] = [];
  for (let index = 0; index < writes; index += 1) {
    const url = practice.urls[random(practice.urls.length)] as string;
    const send = (method: string, path: string, body?: unknown) =>
      request(url, practice.key, { method, path, body });
    const name = `${index}_${random(1_000_000)}`;
    switch (random(8)) {
      case 0:
        await send("POST", "users", { firstName: "Ida", lastName: name, role: "TECHNICIAN" });
        break;
      case 1:
        await send("POST", "intake-leads", newLead());
        break;
      case 2: {
        const body = { ...required.rating, treatmentPlanId: "tp_1" };
        goals.push((await send("POST", "goals", body)).publicId);
        break;
      }
      case 3: {
        const goal = goals[random(goals.length)];
        if (goal !== undefined) await send("PATCH", `goals/${goal}`, { title: `Calm ${name}` });
        break;
      }
      case 4: {
        const goal = goals.pop();
        if (goal !== undefined) await send("DELETE", `goals/${goal}`);
        break;
      }
      case 5: {
        const session = sessions.pop();
        if (session === undefined) break;
        await send("POST", "practice-file", [
          own,
          { type: "session", publicId: session, deleted: true },
        ]);
        break;
      }
      case 6:
        sessions.push(`apt_${name}`);
        await send("POST", "practice-file", [own, newSession(`apt_${name}`)]);
        break;
      default: {
        const change = { type: "session", publicId: "apt_1", title: name };
        const file = writePracticeFile(practice.cwd, [own, change]);
        const { cwd, env = {} } = practice;
        const { status, stderr } = await runProgram(["import", file], { cwd, env });
        if (status !== 0) throw new Error(stderr);
      }
    }
  }
}

/** A meeting of the staff, as a line of a practice file. */
export function newSession(publicId: string, locationId = "loc_main"): Fields {
  return {
    type: "session",
    publicId,
    // A separator of lines in Unicode, but none of a practice file.
    title: "Staff\u2028meeting",
    status: "CONFIRMED",
    startTime: "2026-03-16T14:00:00.000Z",
    endTime: "2026-03-16T15:00:00.000Z",
    isSupervision: false,
    isClientPresent: false,
    placeOfService: "OFFICE",
    locationId,
    isBillable: false,
    nonBillableCode: "nbc_meeting",
  };
}

async function request(
  url: string,
  key: string,
  { method, path, body }: { method: string; path: string; body: unknown },
): Promise<{ publicId: string }> {
  const isFile = Array.isArray(body);
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        "Content-Type": isFile ? "application/x-ndjson" : "application/json",
      }),
    },
    ...(body !== undefined && { body: isFile ? fileOf(body as Fields[]) : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? { publicId: "" } : (JSON.parse(text) as { publicId: string });
}
