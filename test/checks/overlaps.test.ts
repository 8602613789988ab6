import { expect, test } from "bun:test";
import fc from "fast-check";
import { Overlaps } from "../../src/checks/overlaps.ts";
import { type Instant, toInstant } from "../../src/lib/instant.ts";

/** Overlapping sessions of a person, compared with a search through all pairs of sessions. */

interface Session {
  publicId: number;
  group: string | null;
  startTime: Instant;
  endTime: Instant;
}

const minute = (minutes: number) => toInstant(Date.parse("2026-03-11") + minutes * 60_000);

/** Many starts and ends are equal, there are more sessions at once than a finding has ids, and most end before others. */
const sessions = fc
  .array(
    fc.record({
      start: fc.nat(30),
      minutes: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(60)),
      group: fc.constantFrom("usr_leo", "usr_leo", "usr_leo", "usr_mia", "usr_zoe", null),
    }),
    { maxLength: 120, size: "max" },
  )
  .map((list) =>
    list
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, minutes, group }, publicId) => ({
        ...{ publicId, group, startTime: minute(start), endTime: minute(start + minutes) },
      })),
  );

/** All earlier sessions that one overlaps. */
function overlappedBy(session: Session, all: readonly Session[]): Session[] {
  return all
    .slice(0, session.publicId)
    .filter((one) => one.startTime < one.endTime && session.startTime < session.endTime)
    .filter((one) => one.group === null || one.group !== session.group)
    .filter((one) => one.endTime > session.startTime);
}

test("of all overlapped sessions of other groups: the first 20, their number, and the greatest overlap", () => {
  fc.assert(
    fc.property(sessions, (all) => {
      const overlaps = new Overlaps<Session>();
      for (const session of all) {
        const expected = overlappedBy(session, all);
        const end = Math.max(...expected.map((one) => Date.parse(one.endTime)));
        const shared = Math.min(end, Date.parse(session.endTime)) - Date.parse(session.startTime);
        const { first, ...found } = overlaps.add("usr_ana", session.group, session) ?? {};
        expect(first === undefined ? undefined : { ...found, first: first() }).toEqual(
          expected.length === 0
            ? undefined
            : {
                first: expected.slice(0, 20),
                count: expected.length,
                minutes: shared / 60_000,
              },
        );
      }
    }),
    { numRuns: 300 },
  );
});

test("sessions of other people do not count", () => {
  const overlaps = new Overlaps<Session>();
  const session = { publicId: 1, group: null, startTime: minute(0), endTime: minute(9) };
  expect(overlaps.add("usr_ana", null, session)).toBeUndefined();
  expect(overlaps.add("usr_ben", null, { ...session, publicId: 2 })).toBeUndefined();
});

test.each([
  ["of as many clients", (index: number) => `usr_${index}`],
  ["of one client, but for the last ones", (index: number) => `usr_${index < 1_900 ? 0 : index}`],
])(
  "2,000 sessions at once %s are each looked at a few times, not once for each pair",
  (_, groupOf) => {
    let reads = 0;
    const overlaps = new Overlaps<Session>();
    for (let publicId = 0; publicId < 2_000; publicId += 1) {
      const group = groupOf(publicId);
      const found = overlaps.add("usr_ana", group, {
        ...{ publicId, group, startTime: minute(0) },
        get endTime() {
          reads += 1;
          return minute(90);
        },
      });
      expect(found?.first().length ?? 0).toBeLessThanOrEqual(20);
    }
    expect(reads).toBeLessThan(2_000 * 10);
  },
);
