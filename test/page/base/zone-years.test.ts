import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offsetAt, type TimeZone } from "../../../src/lib/time-zone.ts";
import { RULES_VERSION, zoneNames } from "../../../src/lib/zone-rules.ts";
import { bundled } from "../../../src/page/bundle.ts";
import { PAGE_YEARS } from "../../../src/page/zone-years.ts";
import { seeded } from "../../support/practice-file/increments.ts";

/** The rules of time zones that the page has, as they are bundled for browsers. */

let folder: string;
let page: { offsetAt: typeof offsetAt; parseTimeZone: (name: string) => unknown };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "caseload-zones-"));
  const file = join(folder, "time-zone.js");
  writeFileSync(file, bundled("../../lib/time-zone.ts")["time-zone.js"] ?? "");
  page = await import(file);
});

afterAll(() => rmSync(folder, { recursive: true }));

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
