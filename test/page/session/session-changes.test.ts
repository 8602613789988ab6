import { UTC } from "../../../src/page/app/lib/base/dates.ts";
import { beforeEach, expect, test } from "bun:test";
import { discharge } from "../../../src/page/app/lib/person/discharge.ts";
import type { Change, Line } from "../../../src/page/app/lib/base/lines.ts";
import {
  booking,
  changeOf,
  deletion,
  delivery,
  onTop,
  statusChange,
  undelivery,
  correction,
} from "../../../src/page/app/lib/session/session-changes.ts";
import type { Encounter, Session } from "../../../src/page/app/lib/base/wire.ts";
import { newApiKey } from "../../support/factories.ts";
import { TestService } from "../../support/harness.ts";
import { databaseOfFullPractice } from "../../support/practice-file/full-practice.ts";

/** The page's changes of sessions, as the service stores them: each undo gives every field back. */

let service: TestService;
let key: string;
beforeEach(async () => {
  service = new TestService(await databaseOfFullPractice());
  key = await newApiKey(service.database, "org_maple");
});

async function read<Body>(path: string): Promise<Body> {
  const { status, body } = await service.call(`GET /api/v1/${path}`, { key });
  expect(status).toBe(200);
  return body as Body;
}

const session = (id: string) => read<Session>(`sessions/${id}`);

/** The records of a practice that the page changes, as an export has them. */
async function stored(): Promise<Line[]> {
  const { text } = await service.call("GET /api/v1/practice-file?types=user,session,encounter", {
    key,
  });
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

async function write(lines: readonly Line[]): Promise<void> {
  const own = { type: "organization", publicId: "org_maple" };
  const { status, body } = await service.call("POST /api/v1/practice-file", {
    key,
    raw: [own, ...lines].map((line) => JSON.stringify(line)).join("\n"),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  expect([status, status === 200 ? "" : body]).toEqual([200, ""]);
}

const without = ({ updatedAt, ...line }: Line): Line => line as Line;

/** What a change makes of some records; then it is undone, and all is as it was. */
async function madeOf(change: Change, ids: readonly string[]): Promise<(Line | undefined)[]> {
  const before = await stored();
  await write(change.lines);
  const after = await stored();
  const kept = (lines: Line[]) =>
    lines.filter(({ publicId }) => !ids.includes(publicId)).map(without);
  expect(kept(after)).toEqual(kept(before));
  await write(change.undo ?? []);
  expect((await stored()).map(without)).toEqual(before.map(without));
  return ids.map((id) => after.find(({ publicId }) => publicId === id));
}

async function authorizationOf(id: string): Promise<string | undefined> {
  const path = `sessions/${id}/utilization`;
  return (await read<{ authorizationId: string | null }>(path)).authorizationId ?? undefined;
}

test("a changed time and people", async () => {
  const times = { startTime: "2026-01-09T14:00:00.000Z", endTime: "2026-01-09T15:00:00.000Z" };
  const change = { ...times, technicianId: null } as Partial<Session>;
  const [made] = await madeOf(changeOf(await session("apt_2"), change, "Changed."), ["apt_2"]);
  expect(made).toMatchObject(times);
});

test("a change on top of another's, whose undo brings the other's back", async () => {
  const change = changeOf(
    await session("apt_2"),
    { title: "Mine", status: "DECLINED" },
    "Changed.",
  );
  await write([{ type: "session", publicId: "apt_2", title: "Theirs", technicianId: null }]);
  const [made] = await madeOf(onTop(change, await session("apt_2")), ["apt_2"]);
  expect(made).toMatchObject({ title: "Mine", status: "DECLINED", technicianId: null });
});

test("another status", async () => {
  const [made] = await madeOf(statusChange(await session("apt_4"), "DECLINED"), ["apt_4"]);
  expect(made?.status).toBe("DECLINED");
});

test("a deleted session comes back with its authorization, and one that is not billable without", async () => {
  const bound = await authorizationOf("apt_2");
  expect(bound).toBe("auth_2");
  const billable = deletion(await session("apt_2"), bound);
  expect(await madeOf(billable, ["apt_2"])).toEqual([undefined]);
  const code = (await stored()).find((line) => line.isBillable === false);
  const id = code?.publicId ?? "";
  expect(await madeOf(deletion(await session(id), undefined), [id])).toEqual([undefined]);
});

test("a booking of new sessions that declines others", async () => {
  const base = await session("apt_2");
  const added = ["apt_new_1", "apt_new_2"].map(
    (publicId) => ({ ...base, publicId, status: "CONFIRMED" }) as Session,
  );
  const change = booking(added, () => "auth_2", UTC, [await session("apt_4")]);
  expect(change.done).toBe("2 sessions booked (Jan 8, 2026) and 1 session cancelled.");
  const made = await madeOf(change, ["apt_new_1", "apt_new_2", "apt_4"]);
  expect(made.map((line) => [line?.status, line?.authorizationId])).toEqual([
    ["CONFIRMED", "auth_2"],
    ["CONFIRMED", "auth_2"],
    ["DECLINED", null],
  ]);
});

test("a delivery, its correction and its removal, with the session as their condition", async () => {
  const delivered = delivery(await session("apt_2"), "auth_2", 2.5);
  const [made] = await madeOf(delivered, ["enc_of_apt_2"]);
  expect(made).toMatchObject({ sessionId: "apt_2", authorizationId: "auth_2", units: 2.5 });
  expect([...delivered.lines, ...(delivered.undo ?? [])]).toContainEqual({
    ...{ type: "session", publicId: "apt_2" },
  });
  await write(delivered.lines);
  const { data } = await read<{ data: Encounter[] }>("encounters?sessionId=apt_2");
  const corrected = correction(await session("apt_2"), data[0] as Encounter, 3);
  expect((await madeOf(corrected, ["enc_of_apt_2"]))[0]).toEqual({ ...(made as Line), units: 3 });
  const removal = undelivery(await session("apt_2"), made);
  expect(await madeOf(removal, ["enc_of_apt_2"])).toEqual([undefined]);
  // While it is billed, it stays with 0 units.
  const billed = [{ batch: "W1", at: "2026-01-09T10:00:00.000Z", takenBackAt: null, line: null }];
  const emptied = undelivery(await session("apt_2"), { ...(made as Line), billed });
  expect((await madeOf(emptied, ["enc_of_apt_2"]))[0]).toEqual({ ...(made as Line), units: 0 });
});

test("two people who document a session at once have the same id for it; the longest has another", () => {
  const idOf = (publicId: string): string =>
    delivery({ publicId } as Session, "auth_1", 1).lines[1]?.publicId ?? "";
  expect(idOf("apt_1")).toBe("enc_of_apt_1");
  const longest = "x".repeat(128);
  expect(idOf(longest)).toMatch(/^enc_\w{26}$/);
  expect(idOf("x".repeat(121))).toHaveLength(128);
});

test("a patient is discharged with sessions that are deleted or cancelled", async () => {
  const lines = await stored();
  const child = lines.find(({ type, role }) => type === "user" && role === "PATIENT") as Line;
  const bare = lines.filter(({ publicId }) => ["apt_2", "apt_4"].includes(publicId));
  const patient = child as unknown as Parameters<typeof discharge>[0];
  for (const [fate, status] of [
    ["DELETE", undefined],
    ["CANCEL", "DECLINED"],
  ] as const) {
    const items = bare.map((line) => ({ line }));
    const change = discharge(patient, items, fate, items.length);
    const made = await madeOf(change, [child.publicId, "apt_2", "apt_4"]);
    expect(made.map((line) => line?.status)).toEqual([undefined, status, status]);
    expect(made[0]).toMatchObject({ userStatus: "DISCHARGED", isActive: false });
  }
});

test("units are corrected, and put back, only while the session is unchanged", () => {
  const { lines, undo } = correction(
    { publicId: "apt_1" } as never,
    { publicId: "enc_1", units: 6 } as never,
    8,
  );
  const guard = { type: "session", publicId: "apt_1" };
  const units = (count: number) => ({ type: "encounter", publicId: "enc_1", units: count });
  expect<unknown>([lines, undo]).toEqual([
    [guard, units(8)],
    [guard, units(6)],
  ]);
});
