import { expect, test } from "bun:test";
import { DEMO_ORGANIZATION } from "../../src/demo/practice.ts";
import { joiningPeople, overviewPractice, poolSubject, practiceOf } from "../../bench/practice.ts";

test("the first page of users has 25 users of nine roles", () => {
  const users = [...practiceOf(DEMO_ORGANIZATION, 2000)].filter((record) => record.type === "user");
  const first = users.toSorted((a, b) => ((a.createdAt ?? "") < (b.createdAt ?? "") ? -1 : 1));
  const page = first.slice(0, 25);
  expect(new Set(page.map(({ createdAt }) => createdAt)).size).toBe(1);
  expect(first[25]?.createdAt).not.toBe(page[0]?.createdAt as never);
  expect(new Set(page.map(({ role }) => role)).size).toBe(9);
});

test("joining people have unique ids and addresses, and do not refer to later records", () => {
  const own = new Set(
    [...practiceOf(DEMO_ORGANIZATION, 20_000)].map(({ type, publicId }) => `${type} ${publicId}`),
  );
  const above = new Set<string>();
  const emails = new Set<string>();
  for (const record of joiningPeople(1200)) {
    if (record.type === "organization") continue;
    expect(own.has(`${record.type} ${record.publicId}`)).toBe(false);
    const named = JSON.stringify(record).match(/"usr_\w+"/g) ?? [];
    const others = named.filter((id) => id !== JSON.stringify(record.publicId));
    expect(others.filter((id) => !above.has(id))).toEqual([]);
    above.add(JSON.stringify(record.publicId));
    if (record.type !== "user" || record.email === undefined) continue;
    expect(emails.has(record.email ?? "")).toBe(false);
    emails.add(record.email ?? "");
  }
  expect(emails.size).toBeGreaterThan(700);
});

test("the pool has four members and 3,500 records", () => {
  const records = [...poolSubject()];
  const count = (type: string) => records.filter((record) => record.type === type).length;
  expect(count("authorization")).toBe(4);
  expect(count("session") + count("encounter")).toBe(3500);
});

test("the overview's practice has one authorization and ten sessions per patient", () => {
  const records = [...overviewPractice(20)];
  const count = (type: string) => records.filter((record) => record.type === type).length;
  expect(["user", "authorization", "session", "encounter"].map(count)).toEqual([20, 20, 200, 120]);
});
