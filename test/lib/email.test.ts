import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { emailKey, isEmail } from "../../src/lib/email.ts";

const LOCAL_OF_64 = "a".repeat(64);
const LABEL_OF_63 = "b".repeat(63);
/** 64 characters, `@`, and 63 + 63 + 58 + 2 with three dots. */
const ADDRESS_OF_254 = `${LOCAL_OF_64}@${LABEL_OF_63}.${LABEL_OF_63}.${"c".repeat(58)}.me`;

describe("isEmail", () => {
  test.each([
    "ana@maple.example",
    "Ana.Ruiz@Maple.Example",
    "ana.ruiz+intake@maple.example",
    "o'brien@maple.example",
    "_x-1!#$%&*/=?^`{|}~@maple.example",
    "1@2.co",
    "ana@mail.maple.co.uk",
    "ana@xn--mnchen-3ya.example",
    "ana@maple.xn--p1ai",
    `${LOCAL_OF_64}@maple.example`,
    `ana@${LABEL_OF_63}.example`,
    ADDRESS_OF_254,
  ])("accepts %p", (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    ["", "an empty text"],
    ["ana", "no @"],
    ["@", "an @ only"],
    ["@maple.example", "no local part"],
    ["ana@", "no domain"],
    ["ana@maple", "no top-level domain"],
    ["ana@maple.", "an empty top-level domain"],
    ["ana@.example", "an empty label"],
    ["ana@maple..example", "two dots in the domain"],
    ["ana@maple.example.", "a dot at the end"],
    ["ana@@maple.example", "two @"],
    ["ana@ruiz@maple.example", "two @"],
    [".ana@maple.example", "a dot first"],
    ["ana.@maple.example", "a dot before the @"],
    ["ana..ruiz@maple.example", "two dots together"],
    ["ana ruiz@maple.example", "a space"],
    [" ana@maple.example", "a space first"],
    ["ana@maple.example ", "a space last"],
    ["ana@maple.example\n", "a line end"],
    ["ana@maple.example\u0000", "U+0000"],
    ["ana,ruiz@maple.example", "a comma"],
    ['"ana ruiz"@maple.example', "a quoted local part"],
    ["Ana <ana@maple.example>", "a display name"],
    ["mailto:ana@maple.example", "a URI"],
    ["ana@-maple.example", "a label that begins with a hyphen"],
    ["ana@maple-.example", "a label that ends with a hyphen"],
    ["ana@ma_ple.example", "an underscore in the domain"],
    ["ana@127.0.0.1", "an IP number"],
    ["ana@127.0.0.100", "an IP number with a long end"],
    ["ana@[127.0.0.1]", "an IP number in brackets"],
    ["ana@maple.e", "a top-level domain of one letter"],
    ["ana@maple.example-", "a top-level domain that ends with a hyphen"],
    ["ána@maple.example", "a letter beyond ASCII before the @"],
    ["ana@münchen.example", "a letter beyond ASCII after the @"],
    ["ſana@maple.example", "a letter that only folding makes ASCII"],
    ["ana@maple.example\u212a", "the Kelvin sign, which only folding makes ASCII"],
    [`a${LOCAL_OF_64}@maple.example`, "a local part of 65"],
    [`ana@b${LABEL_OF_63}.example`, "a label of 64"],
    [`${ADDRESS_OF_254}e`, "255 characters"],
  ])("refuses %p: %s", (text) => {
    expect(isEmail(text)).toBe(false);
  });

  test("the longest address of the tests has 254 characters", () => {
    expect(ADDRESS_OF_254).toHaveLength(254);
  });

  test("accepts random addresses of fast-check", () => {
    // fast-check generates local parts of atoms, and domains with at least two labels.
    fc.assert(fc.property(fc.emailAddress(), isEmail));
  });

  test("refuses malicious texts quickly", () => {
    const hostile = [
      "a".repeat(1_000_000),
      `a@${"a.".repeat(500_000)}`,
      `a@${"a-".repeat(126)}`,
      `${".a".repeat(100)}@a.me`,
      "@".repeat(1_000_000),
    ];
    const start = performance.now();
    expect(hostile.filter(isEmail)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe("emailKey", () => {
  test.each([
    ["Ana.Ruiz@Maple.Example", "ana.ruiz@maple.example"],
    ["ana.ruiz@maple.example", "ana.ruiz@maple.example"],
    ["ÁNA@MAPLE.EXAMPLE", "ána@maple.example"],
    ["", ""],
  ])("of %p is %p", (text, key) => {
    expect(emailKey(text)).toBe(key);
  });

  test("is the same for upper and lower case", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const key = emailKey(email);
        expect([emailKey(email.toUpperCase()), emailKey(email.toLowerCase())]).toEqual([key, key]);
        expect(emailKey(key)).toBe(key);
      }),
    );
  });

  test("differs for different addresses", () => {
    expect(emailKey("anaruiz@maple.example")).not.toBe(emailKey("ana.ruiz@maple.example"));
    expect(emailKey("ana+a@maple.example")).not.toBe(emailKey("ana@maple.example"));
  });
});
