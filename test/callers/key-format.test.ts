import { createHash } from "node:crypto";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hashKey, isWellFormedKey, newKey } from "../../src/callers/key-format.ts";
import { runs } from "../support/runs.ts";

/** The format of API keys: what secret scanners recognize, and what is refused without a query. */

const FORM = /^caseload_[0-9a-hjkmnp-tv-z]{39}$/;

const keys = fc.constantFrom(...Array.from({ length: 50 }, () => newKey()));
const anyCharacter = fc.string({ minLength: 1, maxLength: 1, unit: "grapheme-ascii" });

test("a new key is caseload_, 32 characters of 160 random bits, and a checksum of 7 characters", () => {
  const made = Array.from({ length: 200 }, () => newKey());
  expect(made.filter((key) => !FORM.test(key))).toEqual([]);
  expect(made.filter((key) => !isWellFormedKey(key))).toEqual([]);
  expect(new Set(made).size).toBe(200);
});

test("the key of a calendar has a prefix of its own", () => {
  const key = newKey("CALENDAR");
  expect(key).toMatch(/^caseloadcal_[0-9a-hjkmnp-tv-z]{39}$/);
  expect(isWellFormedKey(key)).toBe(true);
  expect(isWellFormedKey(key.replace("cal_", "_"))).toBe(false);
  expect(newKey("AGENT")).toMatch(FORM);
});

test("every character of the random part takes every digit of base 32", () => {
  const made = Array.from({ length: 2000 }, () => newKey());
  for (let index = "caseload_".length; index < "caseload_".length + 32; index++)
    expect(new Set(made.map((key) => key[index])).size).toBe(32);
});

test("a change of any one character is detected", () => {
  fc.assert(
    fc.property(keys, fc.nat(47), anyCharacter, (key, index, character) => {
      fc.pre(key[index] !== character);
      const changed = key.slice(0, index) + character + key.slice(index + 1);
      expect(isWellFormedKey(changed)).toBe(false);
    }),
    { numRuns: runs(2000) },
  );
});

test("an exchange of two neighbouring characters of the random part is detected", () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 9, max: 39 }), (key, index) => {
      const [a = "", b = ""] = key.slice(index, index + 2);
      fc.pre(a !== b);
      expect(isWellFormedKey(key.slice(0, index) + b + a + key.slice(index + 2))).toBe(false);
    }),
    { numRuns: runs(1000) },
  );
});

describe("malformed keys", () => {
  const key = newKey();
  test.each([
    ["an empty text", ""],
    ["the prefix alone", "caseload_"],
    ["one character less", key.slice(0, -1)],
    ["one character more", `${key}0`],
    ["capitals", key.toUpperCase()],
    ["a space before", ` ${key}`],
    ["a line feed after", `${key}\n`],
    ["another prefix", key.replace("caseload_", "caselOad_")],
    [
      "letters that Crockford's base 32 does not have",
      `caseload_${"ilou".repeat(10).slice(0, 39)}`,
    ],
    ["a long text", key.repeat(10_000)],
    ["NUL characters", "\0".repeat(48)],
  ])("%s", (_, text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });
});

test("the stored form of a key is its SHA-256 in hexadecimal", () => {
  const key = newKey();
  expect(hashKey(key)).toBe(createHash("sha256").update(key).digest("hex"));
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
