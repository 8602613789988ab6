import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import { readTime } from "../../../src/lib/cells/times.ts";
import { offsetAt, type TimeZone } from "../../../src/lib/time-zone.ts";
import { RULES_VERSION, zoneNames } from "../../../src/lib/zone-rules.ts";
import { bundled } from "../../../src/page/bundle.ts";
import { PAGE_YEARS } from "../../../src/page/zone-years.ts";
import { seeded } from "../../support/practice-file/increments.ts";

/** The rules of time zones that the page has, as they are bundled for browsers. */

let folder: string;
let page: {
  offsetAt: typeof offsetAt;
  parseTimeZone: (name: string) => unknown;
  readTime: typeof readTime;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "caseload-zones-"));
  const files = { time: "time-zone", cells: "cells/times" };
  const [zones, cells] = await Promise.all(
    Object.entries(files).map(([name, path]) => {
      const file = join(folder, `${name}.js`);
      writeFileSync(file, Object.values(bundled(`../../lib/${path}.ts`))[0] ?? "");
      return import(file);
    }),
  );
  page = { ...zones, ...cells };
});

afterAll(() => rmSync(folder, { recursive: true }));

test("a page makes no instant of a time before its first year, whose clocks it does not know", () => {
  const zone = "America/New_York" as TimeZone;
  const calendar = { zone, today: "2026-11-28" as CalendarDate, onShortYear() {} };
  expect(page.readTime("2006-12-31 09:00", calendar)).toEqual({
    message: "is a time before 2007, of which the page does not know the clocks",
  });
  for (const cell of ["2007-01-01 09:00", "2006-12-31 09:00Z", "2031-07-01 9:00 AM"])
    expect(page.readTime(cell, calendar)).toEqual(readTime(cell, calendar));
});

test("a page has the names of the server", () => {
  expect(zoneNames.filter((name) => page.parseTimeZone(name) !== name)).toEqual([]);
  expect(page.parseTimeZone("Factory")).toBeUndefined();
});

/** Their rules are tables until 2086. */
const LISTED_LONG = ["Asia/Gaza", "Asia/Hebron"];

test("a page has the server's offsets at 2,000 moments from 2007 to 9999, in every zone", () => {
  const [start, end] = [Date.UTC(PAGE_YEARS.first), Date.UTC(PAGE_YEARS.last + 1)];
  const last = Date.UTC(10_000);
  const random = seeded(50);
  const wrong: string[] = [];
  for (const name of zoneNames as TimeZone[])
    for (let index = 0; index < 2000; index++) {
      const isListed = index % 2 === 0 || LISTED_LONG.includes(name);
      const moment = start + Math.floor(random() * ((isListed ? end : last) - start));
      if (page.offsetAt(moment, name) !== offsetAt(moment, name))
        wrong.push(`${name} ${new Date(moment).toISOString()}, ${RULES_VERSION}`);
    }
  expect(wrong.slice(0, 10)).toEqual([]);
});
