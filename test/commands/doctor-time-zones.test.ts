import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkZones, rulesIn } from "../../src/doctor/zoneinfo.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { differences, RULES_VERSION, rulesOf, type Stretch } from "../../src/lib/zone-rules.ts";

/** The machine's database of time zones, as `caseload doctor` compares it. */

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "caseload-zoneinfo-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** A file of RFC 9636: the offset before all changes, changes in seconds with their offsets, and the last rule. */
function timeZoneFile(before: number, changes: [at: number, offset: number][], rule: string) {
  const types = [before, ...changes.map(([, offset]) => offset)];
  const header = (times: number, kinds: number) => {
    const counts = Buffer.alloc(24);
    for (const [index, count] of [0, 0, 0, times, kinds, 4].entries())
      counts.writeUInt32BE(count, index * 4);
    return Buffer.concat([Buffer.from("TZif2"), Buffer.alloc(15), counts]);
  };
  const data = Buffer.alloc(changes.length * 9 + types.length * 6 + 4);
  for (const [index, [at]] of changes.entries()) {
    data.writeBigInt64BE(BigInt(at), index * 8);
    data.writeUInt8(index + 1, changes.length * 8 + index);
  }
  for (const [index, offset] of types.entries())
    data.writeInt32BE(offset, changes.length * 9 + index * 6);
  // The old form has one change, which nobody reads.
  return Buffer.concat([
    ...[header(1, 1), Buffer.alloc(4 + 1 + 6 + 4)],
    ...[header(changes.length, types.length), data, Buffer.from(`\n${rule}\n`)],
  ]);
}

const HOUR = 3600;
const PACIFIC = timeZoneFile(-8 * HOUR, [], "PST8PDT,M3.2.0,M11.1.0");
const NOW = "2026-11-28T12:00:00.000Z" as Instant;
const check = (...zones: string[]) => checkZones(zones as TimeZone[], NOW, folder);
const own = `rules of ${RULES_VERSION}`;

describe("the check of time zones", () => {
  test("a machine without a database, or whose database says no version", () => {
    const ok = {
      name: "time zones",
      ok: true,
      message: `${own}; this machine has none to compare`,
    };
    expect(checkZones([], NOW, join(folder, "none"))).toEqual(ok);
    put("tzdata.zi", "# a database\n");
    put("America/Vancouver", PACIFIC);
    expect(check("America/Vancouver")).toEqual(ok);
  });

  test.each([
    ["tzdata.zi", "# version 2025b\n# This zic input file is in the public domain.\n", "2025b"],
    ["+VERSION", "2025b\n", "2025b"],
    ["tzdata.zi", `# version ${RULES_VERSION}\n`, RULES_VERSION],
  ])("as old or older, by %s: whatever its files say", (name, content, version) => {
    put(name, content);
    put("America/Vancouver", PACIFIC);
    expect(check("America/Vancouver")).toEqual({
      name: "time zones",
      ok: true,
      message: `${own}, this machine's are of ${version}`,
    });
  });

  test("newer, and the same for the zones in use", () => {
    put("tzdata.zi", "# version 2099a\n");
    put("America/Los_Angeles", PACIFIC);
    put("America/Vancouver", PACIFIC);
    put("US/Pacific", "no rules");
    expect(check("America/Los_Angeles")).toEqual({
      name: "time zones",
      ok: true,
      message: `${own}, this machine's of 2099a are the same for the zones in use`,
    });
    expect(check("America/Los_Angeles", "Asia/Tokyo", "US/Pacific").message).toEndWith(
      "the same for the zones in use; it does not have Asia/Tokyo, US/Pacific",
    );
  });

  test("newer, and different, each with the day from which it differs", () => {
    put("tzdata.zi", "# version 2099a\n");
    put("America/Los_Angeles", PACIFIC);
    put("America/Vancouver", PACIFIC);
    const law = Date.UTC(2027, 5, 1) / 1000;
    put("Asia/Tokyo", timeZoneFile(9 * HOUR, [[law, 10 * HOUR]], "<+10>-10"));
    expect(check("America/Los_Angeles", "America/Vancouver", "Asia/Tokyo")).toEqual({
      name: "time zones",
      ok: false,
      message:
        `${own}, this machine's of 2099a differ for America/Vancouver from 2026-11-01, ` +
        "Asia/Tokyo from 2027-06-01: upgrade Caseload",
    });
  });

  test("not for what was more than a year ago, or is more than two years away", () => {
    put("tzdata.zi", "# version 2099a\n");
    const [ago, away] = [Date.UTC(2025, 10, 27) / 1000, Date.UTC(2028, 11, 1) / 1000];
    put(
      "Asia/Tokyo",
      timeZoneFile(
        8 * HOUR,
        [
          [ago, 9 * HOUR],
          [away, 10 * HOUR],
        ],
        "<+10>-10",
      ),
    );
    expect(check("Asia/Tokyo").ok).toBeTrue();
  });
});

test.each([
  ["Europe/Berlin", 1, "CET-1CEST,M3.5.0,M10.5.0/3"],
  ["Europe/Dublin", 0, "IST-1GMT0,M10.5.0,M3.5.0/1"],
  ["America/Nuuk", -2, "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"],
  ["Asia/Jerusalem", 2, "IST-2IDT,M3.4.4/26,M10.5.0"],
  ["Australia/Lord_Howe", 10.5, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"],
  ["Pacific/Chatham", 12.75, "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"],
  ["America/Santiago", -4, "<-04>4<-03>,M9.1.6/24,M4.1.6/24"],
  ["Asia/Kolkata", 5.5, "IST-5:30"],
])("the last rule of %s is read", (name, offset, rule) => {
  const [from, until] = [Date.UTC(2100), Date.UTC(2300)];
  // In January of the year from which the rule holds, the south has its summer.
  const isSouth = /M4\.1\.\d\S*$/.test(rule);
  const start = [
    from / 1000,
    (isSouth ? offset + (name.includes("Lord") ? 0.5 : 1) : offset) * HOUR,
  ];
  const rules = rulesIn(timeZoneFile(0, [start as [number, number]], rule), 2300);
  const within = (each: Stretch) => each.until > from && each.from < until;
  expect(differences(rulesOf(name), rules).filter(within)).toEqual([]);
});
