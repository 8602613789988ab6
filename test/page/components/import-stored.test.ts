import { afterAll, expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import { useDocument } from "./dom.ts";

await useDocument();
const { readStored } = await import("../../../src/page/app/lib/import/sending.ts");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** What an import reads of the practice for its appointments. */

const days = ["2026-02-04", "2026-02-05", "2026-04-10", "2026-04-11"];
const { fetch } = globalThis;
Reflect.set(globalThis, "fetch", async (path: string) => {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const headers = { "X-Request-Id": "req_1" };
  if (!pathname.endsWith("/encounters") && !pathname.endsWith("/sessions"))
    return new Response('{"type":"organization","publicId":"org_1"}\n', {
      headers: { ...headers, "Content-Type": "application/x-ndjson" },
    });
  const [first = "", last = ""] = ["startDate", "endDate"].map((name) => searchParams.get(name)!);
  const found = days.filter((day) => first <= day && day <= last);
  const data = found.map((day) => ({ publicId: `enc_${day}`, sessionId: "apt_1" }));
  const pagination = { total: data.length, page: 1, pageSize: 1000, totalPages: 1 };
  return Response.json({ data, pagination }, { headers });
});
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", fetch);
});

test("what was delivered is looked for up to a month before and after the days of its sessions", async () => {
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  signIn("key", { key: { role: "ADMIN", userId: null }, organization, writes: [] } as never);
  const spans = [["2026-03-08", "2026-03-10"]] as [CalendarDate, CalendarDate][];
  const { sessions, encounters } = await readStored({ spans, ids: [] });
  expect(sessions).toEqual([]);
  expect(encounters.map(({ publicId }) => publicId)).toEqual(["enc_2026-02-05", "enc_2026-04-10"]);
});
