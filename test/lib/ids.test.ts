import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newPublicId } from "../../src/lib/ids.ts";

const NOW = Date.parse("2026-01-08T14:00:00.000Z");
const LATEST = 2 ** 48 - 1;

/** The UUID in an id, parsed by arithmetic that shares no code with the implementation. */
function uuidOf(id: string): bigint {
  const digits = id.slice(id.indexOf("_") + 1);
  return [...digits].reduce(
    (value, digit) => value * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(digit)),
    0n,
  );
}

describe("newPublicId", () => {
  test("is the prefix and 26 lower-case characters of Crockford's base 32", () => {
    expect(newPublicId("usr_", NOW)).toMatch(/^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(newPublicId("apool_", NOW)).toMatch(/^apool_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  test("matches the form of ids in paths", () => {
    expect(newPublicId("goal_", NOW)).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  });

  test("contains a UUIDv7 of the given time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LATEST }), (now) => {
        const uuid = uuidOf(newPublicId("goal_", now));
        const version = (uuid >> 76n) & 0xfn;
        const variant = (uuid >> 62n) & 0b11n;
        expect([uuid >> 80n, version, variant]).toEqual([BigInt(now), 7n, 0b10n]);
      }),
    );
  });

  test("begins with the time in the form of TypeID", () => {
    // 48 bits of time after two zero bits fill ten digits. The third time is the example of
    // TypeID's specification, 01h2xcejqtf2nbrexx3vqjhp41 for 0188bac7-4afa-78aa-bc3b-bd1eef28d881.
    const times = [0, 1, 0x0188bac74afa, NOW, LATEST];
    expect(times.map((now) => newPublicId("key_", now).slice(0, 14))).toEqual([
      "key_0000000000",
      "key_0000000001",
      "key_01h2xcejqt",
      "key_01keeygdr0",
      "key_7zzzzzzzzz",
    ]);
  });

  test("sorts after every id created before it in the same millisecond", () => {
    const ids = Array.from({ length: 20_000 }, () => newPublicId("metric_", NOW));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("sorts before an id of a later millisecond", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: LATEST }), { minLength: 2, maxLength: 2 }),
        ([one = 0, other = 0]) => {
          const isBefore = newPublicId("usr_", one) < newPublicId("usr_", other);
          expect(isBefore).toBe(one < other);
        },
      ),
    );
  });

  test("ends in random bits, which differ between neighbours", () => {
    const RANDOM_BITS = 62n;
    const ends = Array.from({ length: 1000 }, () =>
      BigInt.asUintN(Number(RANDOM_BITS), uuidOf(newPublicId("usr_", NOW))),
    );
    expect(new Set(ends).size).toBe(1000);
    // Each bit is set about half the time. The probability of a count outside 400 to 600 of 1000 is
    // about one in billions.
    for (let bit = 0n; bit < RANDOM_BITS; bit++) {
      const set = ends.filter((end) => (end >> bit) & 1n).length;
      expect(set).toBeWithin(400, 601);
    }
  });

  test.each([-1, LATEST + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "throws for %p, which is not a valid number of milliseconds",
    (now) => {
      expect(() => newPublicId("usr_", now)).toThrow();
    },
  );
});
