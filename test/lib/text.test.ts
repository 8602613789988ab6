import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  digitsOfPhone,
  digitsOfTerm,
  foldForSearch,
  hasForbiddenCharacter,
  quoted,
  searchTerms,
} from "../../src/lib/text.ts";
import { runs } from "../support/runs.ts";

/** Characters of all planes, and strings of UTF-16 units including unpaired surrogates. */
const utf16Unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: utf16Unit, maxLength: 40 }),
);

describe("foldForSearch", () => {
  test.each([
    ["", ""],
    ["Smith", "smith"],
    ["Muñoz", "munoz"],
    ["MUN\u0303OZ", "munoz"],
    ["Zoë Ångström", "zoe angstrom"],
    ["Nguyễn Thị Ánh", "nguyen thi anh"],
    ["Đặng", "dang"],
    ["Łukasz Żółć", "lukasz zolc"],
    ["Bjørn Ærø", "bjorn aero"],
    ["Þórður", "thordur"],
    ["Œuvre", "oeuvre"],
    ["Strauß", "strauss"],
    ["STRAUẞ", "strauss"],
    ["Straſse", "strasse"],
    ["İpek", "ipek"],
    ["Işık", "isik"],
    ["Ħal Għaxaq", "hal ghaxaq"],
    ["Bəxtiyar", "bextiyar"],
    ["Ŋáŧo", "nato"],
    ["Škoda Čapek", "skoda capek"],
    ["ﬁnn", "finn"],
    ["ＡＢＣ１２３", "abc123"],
    ["Ὀδυσσεύς", "οδυσσευσ"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
    ["Фёдор", "федор"],
    ["O’Brien", "o'brien"],
    ["O‘Brien", "o'brien"],
    ["Ka‘ahumanu Kaʻiulani Oʼahu", "ka'ahumanu ka'iulani o'ahu"],
    ["O´Brien O`Brien O′Brien O＇Brien O\u1ffdBrien", "o'brien o'brien o'brien o'brien o'brien"],
    ["Ana‐Luz‑Ana‒Luz–Ana—Luz―Ana−Luz", "ana-luz-ana-luz-ana-luz-ana-luz"],
    ["\u202a+1 415\u202c Mu\u00adñoz\u200b\ufeff\u2060 \u3164", "+1 415 munoz "],
    ["jane.doe+x@Example.com", "jane.doe+x@example.com"],
    ["+1 (415) 555-2671", "+1 (415) 555-2671"],
    ["100%_\\", "100%_\\"],
    ["李小龍", "李小龍"],
    ["👩🏽‍⚕️", "👩🏽⚕"],
  ])("folds %p to %p", (text, folded) => {
    expect(foldForSearch(text)).toBe(folded);
  });

  test("is idempotent for every character of Unicode", () => {
    const changed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const folded = foldForSearch(String.fromCodePoint(code));
      if (foldForSearch(folded) !== folded) changed.push(`U+${code.toString(16)}`);
    }
    expect(changed).toEqual([]);
  });

  test("is idempotent for random texts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldForSearch(text);
        expect(foldForSearch(folded)).toBe(folded);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("ignores letter case and composition in Latin names", () => {
    // Up to U+024F, the last of the European letters with case.
    const letter = fc.integer({ min: 0x41, max: 0x24f }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit: letter }), (name) => {
        const spellings = [
          name.toUpperCase(),
          name.toLowerCase(),
          name.normalize("NFC"),
          name.normalize("NFD"),
        ];
        expect(new Set(spellings.map(foldForSearch))).toEqual(new Set([foldForSearch(name)]));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("searchTerms", () => {
  test.each([
    ["", []],
    ["   ", []],
    ["Muñoz", ["munoz"]],
    ["  Ana   MUÑOZ ", ["ana", "munoz"]],
    ["ana\tmuñoz\nruiz", ["ana", "munoz", "ruiz"]],
    ["ana\u00a0ruiz\u3000lópez\u2028x\u0085y", ["ana", "ruiz", "lopez", "x", "y"]],
    ["50% _a \\b", ["50%", "_a", "\\b"]],
    ["ana Ana ÁNA luz", ["ana", "luz"]],
    ["\u0301", []],
    ["Brown, Robert;", ["brown", "robert"]],
    [",;a,b;, , ;a,b", ["a,b"]],
    ["(802) 658-4000", ["(802)658-4000"]],
    ["(802) x 4000", ["(802)", "x", "4000"]],
    ["+1 (802) 658-4000", ["+1(802)658-4000"]],
    ["+1 802 658 4000", ["+1802", "658", "4000"]],
    ["1 802 658 4000", ["18026584000"]],
    ["Ruiz, 1 (802) 658-4000", ["ruiz", "18026584000"]],
    ["1 802 658 40001", ["1", "802", "658", "40001"]],
    ["21 802 658 4000", ["21", "802", "658", "4000"]],
    ["\u200b \u00ad", []],
  ])("of %p are %p", (search, terms) => {
    expect(searchTerms(search)).toEqual(terms);
  });

  test("are folded, not empty, and contain no white space", () => {
    fc.assert(
      fc.property(anyText, (search) => {
        for (const term of searchTerms(search)) {
          expect(term).not.toMatch(/^$|\p{White_Space}/u);
          expect(foldForSearch(term)).toBe(term);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  test("each occur in the folded text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldForSearch(text);
        expect(searchTerms(text).filter((term) => !folded.includes(term))).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("the digits of a term", () => {
  test.each(["4000", "(802)658-4000", "+18026584000", "80.2-6", "４０００"])(
    "%p match a phone number that contains them",
    (text) => {
      const [term = ""] = searchTerms(text);
      const phone = `+1 (802) ${term.replaceAll(/\D/g, "")} / 99`;
      expect(digitsOfPhone(phone)).toContain(digitsOfTerm(term) ?? "none");
    },
  );

  test.each(["400", "4-0-0", "x4000", "a@4000.example", "", "----"])(
    "%p are not searched",
    (term) => {
      expect(digitsOfTerm(term)).toBeUndefined();
    },
  );

  test("are mapped to characters that no keyboard has", () => {
    expect(digitsOfPhone("+1 (802) 658-4000 ext. 7")).toMatch(/^[\x10-\x19]{12}$/);
    expect(digitsOfPhone("none")).toBe("");
  });
});

describe("hasForbiddenCharacter", () => {
  test.each([
    ["\u0000"],
    ["Ana\u0000"],
    ["\u0000Ana"],
    ["\ud83d"],
    ["\ude00"],
    ["Ana\ud83d"],
    ["\ude00\ud83d"],
    ["\ud83d\ud83d\ude00"],
  ])("finds one in %p", (text) => {
    expect(hasForbiddenCharacter(text)).toBe(true);
  });

  test.each([[""], ["Ana"], ["\u0001\u001f\u007f"], ["😀"], ["\ufffd\uffff"], ["Muñoz\n"]])(
    "finds none in %p",
    (text) => {
      expect(hasForbiddenCharacter(text)).toBe(false);
    },
  );

  test("finds U+0000 and whatever a round trip through UTF-8 changes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sent = new TextDecoder().decode(new TextEncoder().encode(text));
        expect(hasForbiddenCharacter(text)).toBe(sent !== text || text.includes("\u0000"));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("quoted", () => {
  test("names each value once, in order", () => {
    expect(quoted(["loc_1", "loc_2", "loc_1"])).toBe("'loc_1', 'loc_2'");
  });

  test("names at most fifty values and counts the others", () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);
    expect(quoted(values(50))).toEndWith("'v49'");
    expect(quoted(values(52))).toEndWith("'v49' and 2 more");
  });
});
