import { expect, test } from "bun:test";
import fc from "fast-check";
import { Overlaps, type Tag, type Ties } from "../../src/checks/overlaps.ts";
import { runs } from "../support/runs.ts";
import { type Instant, toInstant } from "../../src/lib/instant.ts";

/** Overlapping sessions of a person, compared with a search through all pairs of sessions. */

interface Session {
  publicId: number;
  ties: Ties;
  startTime: Instant;
  endTime: Instant;
}

const minute = (minutes: number) => toInstant(Date.parse("2026-03-11") + minutes * 60_000);

const CLIENTS: Tag[] = ["client a", "client b", "client c"];
const MEMBERS: Tag[] = ["member a", "member b", "member c"];
const SUPERVISIONS: Tag[] = ["supervision a", "supervision b"];
const ties = fc.record({
  own: fc.subarray([...CLIENTS, ...MEMBERS, ...SUPERVISIONS], { maxLength: 3 }),
  besides: fc
    .tuple(
      fc.subarray(CLIENTS, { maxLength: 1 }),
      fc.subarray(MEMBERS),
      fc.subarray(SUPERVISIONS, { maxLength: 1 }),
    )
    .map((tags) => tags.flat()),
  alike: fc.constantFrom("x", "y", undefined),
});
/** What is given later. */
const LATER: Tag = "member d";

/** Many starts and ends are equal, there are more sessions at once than a finding has ids, and most end before others. */
const sessions = fc
  .array(
    fc.record({
      start: fc.nat(30),
      minutes: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(60)),
      ties,
    }),
    { maxLength: 120, size: "max" },
  )
  .map((list) =>
    list
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, minutes, ties }, publicId) => ({
        ...{ publicId, ties, startTime: minute(start), endTime: minute(start + minutes) },
      })),
  );

/** All earlier sessions that one overlaps. */
function overlappedBy(session: Session, all: readonly Session[]): Session[] {
  return all
    .slice(0, session.publicId)
    .filter((one) => one.startTime < one.endTime && session.startTime < session.endTime)
    .filter((one) => !one.ties.own.some((tag) => session.ties.besides.includes(tag)))
    .filter((one) => one.endTime > session.startTime);
}

test("of all overlapped sessions with other tags: the first 20, their number, whether one is alike, and the greatest overlap", () => {
  fc.assert(
    fc.property(sessions, fc.array(fc.nat(119), { maxLength: 3 }), (given, tied) => {
      const all = given.map((session) => ({ ...session }));
      const overlaps = new Overlaps<Session>();
      for (const session of all) {
        if (tied.includes(session.publicId)) {
          // Another tag for those with even numbers that go on.
          const goingOn = all
            .slice(0, session.publicId)
            .filter((one) => one.startTime < one.endTime && one.endTime > session.startTime);
          for (const one of goingOn)
            if (one.publicId % 2 === 0 && !one.ties.own.includes(LATER))
              one.ties = { ...one.ties, own: [...one.ties.own, LATER] };
          overlaps.tie("usr_ana", ({ publicId }) => publicId % 2 === 0, LATER);
          session.ties = { ...session.ties, besides: [...session.ties.besides, LATER] };
        }
        const expected = overlappedBy(session, all);
        const end = Math.max(...expected.map((one) => Date.parse(one.endTime)));
        const shared = Math.min(end, Date.parse(session.endTime)) - Date.parse(session.startTime);
        const { first, ...found } = overlaps.add("usr_ana", session.ties, session) ?? {};
        expect(first === undefined ? undefined : { ...found, first: first() }).toEqual(
          expected.length === 0
            ? undefined
            : {
                first: expected.slice(0, 20),
                count: expected.length,
                hasAlike: expected.some(
                  ({ ties }) => ties.alike !== undefined && ties.alike === session.ties.alike,
                ),
                minutes: shared / 60_000,
              },
        );
      }
    }),
    { numRuns: runs(300) },
  );
});

const clientOnly = (id: string): Ties => ({ own: [`client ${id}`], besides: [`client ${id}`] });

test("sessions of other people do not count", () => {
  const overlaps = new Overlaps<Session>();
  const ties = clientOnly("usr_leo");
  const session = { publicId: 1, ties, startTime: minute(0), endTime: minute(9) };
  expect(overlaps.add("usr_ana", ties, session)).toBeUndefined();
  expect(overlaps.add("usr_ben", ties, { ...session, publicId: 2 })).toBeUndefined();
});

test.each([
  ["of as many clients", (index: number) => clientOnly(`usr_${index}`)],
  [
    "of one client, but for the last ones",
    (index: number) => clientOnly(`usr_${index < 1_900 ? 0 : index}`),
  ],
  [
    "of one group, but for each second one",
    (index: number) => {
      const group: Tag[] = index % 2 === 0 ? ["member a"] : [];
      const tags: Tag[] = [`client usr_${index}`, ...group];
      return { own: tags, besides: tags };
    },
  ],
])(
  "2,000 sessions at once %s are each looked at a few times, not once for each pair",
  (_, tiesOf) => {
    let reads = 0;
    const overlaps = new Overlaps<Session>();
    for (let publicId = 0; publicId < 2_000; publicId += 1) {
      const ties = tiesOf(publicId);
      const found = overlaps.add("usr_ana", ties, {
        ...{ publicId, ties, startTime: minute(0) },
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
