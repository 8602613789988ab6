import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  attribute,
  type Attribution,
  ATTRIBUTION_FIELDS,
  CHANNELS,
} from "../../src/intake-leads/attribution.ts";
import { type Case, expectAll, tag } from "../support/intake-leads/attribution-cases.ts";

describe("a click id takes precedence over all other fields", () => {
  expectAll([
    [{ gclid: "EAIaIQ" }, "google", "Paid Search"],
    [{ gbraid: "0AAAAA" }, "google", "Paid Search"],
    [{ wbraid: "Cj8KCQ" }, "google", "Paid Search"],
    [{ gclid: "x", utm_campaign: " Spring 2026 " }, "google", "Paid Search", "Spring 2026"],
    [{ gclid: "x", ...tag("newsletter", "email") }, "google", "Paid Search"],
    [{ gclid: "x", fbclid: "y" }, "google", "Paid Search"],
    [{ gclid: "x", referrer: "https://www.facebook.com/" }, "google", "Paid Search"],
    [{ fbclid: "IwAR" }, "facebook", "Organic Social"],
    [{ fbclid: "x", utm_source: "newsletter" }, "facebook", "Organic Social"],
    [{ fbclid: "x", utm_medium: "(not set)" }, "facebook", "Organic Social"],
    [{ fbclid: "x", utm_medium: "CPC" }, "facebook", "Paid Social"],
    [{ fbclid: "x", ...tag("ig", "paid_social", "Kids") }, "facebook", "Paid Social", "Kids"],
    [{ fbclid: "x", utm_medium: "retargeting" }, "facebook", "Paid Social"],
    [{ fbclid: "x", referrer: "https://www.google.com/" }, "facebook", "Organic Social"],
  ]);
});

describe("fbclid together with utm fields: the utm fields decide", () => {
  expectAll([
    [{ fbclid: "x", ...tag("newsletter", "email", "May") }, "newsletter", "Email", "May"],
    [{ fbclid: "x", ...tag("facebook", "social") }, "facebook", "Organic Social"],
    [{ fbclid: "x", utm_medium: "sms" }, "(not set)", "SMS"],
  ]);
});

describe("utm_campaign alone does not set a source", () => {
  expectAll([
    [{ utm_campaign: "May", referrer: "https://google.com/" }, "google", "Organic Search", "May"],
    [{ utm_campaign: "May" }, "(not set)", "Unassigned", "May"],
  ]);
});

describe("without a click id and utm fields, the referrer decides", () => {
  describe("a search engine is Organic Search", () => {
    expectAll([
      [{ referrer: "https://www.google.com/" }, "google", "Organic Search"],
      [{ referrer: "https://www.google.de/search?q=aba#top" }, "google", "Organic Search"],
      [{ referrer: "https://google.co.uk" }, "google", "Organic Search"],
      [{ referrer: "http://www.google.com.au:80/" }, "google", "Organic Search"],
      [{ referrer: "https://maps.google.de/" }, "google", "Organic Search"],
      [{ referrer: "HTTPS://WWW.GOOGLE.COM./" }, "google", "Organic Search"],
      [{ referrer: "google.com" }, "google", "Organic Search"],
      [{ referrer: " www.google.com/ " }, "google", "Organic Search"],
      [{ referrer: "//www.google.com/" }, "google", "Organic Search"],
      [{ referrer: "Google" }, "google", "Organic Search"],
      [
        { referrer: "android-app://com.google.android.googlequicksearchbox/" },
        "google",
        "Organic Search",
      ],
      [{ referrer: "https://cn.bing.com/" }, "bing", "Organic Search"],
      [{ referrer: "https://duckduckgo.com/" }, "duckduckgo", "Organic Search"],
      [{ referrer: "https://search.yahoo.com/" }, "yahoo", "Organic Search"],
      [{ referrer: "https://uk.search.yahoo.com/" }, "yahoo", "Organic Search"],
      [{ referrer: "https://www.yahoo.co.jp/" }, "yahoo", "Organic Search"],
      [{ referrer: "https://yandex.com.tr/" }, "yandex", "Organic Search"],
      [{ referrer: "https://search.brave.com/" }, "brave", "Organic Search"],
      [{ referrer: "https://m.baidu.com/" }, "baidu", "Organic Search"],
    ]);
  });

  describe("a social network is Organic Social", () => {
    expectAll([
      [{ referrer: "https://www.facebook.com/" }, "facebook", "Organic Social"],
      [{ referrer: "https://l.facebook.com/l.php?u=x" }, "facebook", "Organic Social"],
      [{ referrer: "https://lm.facebook.com/" }, "facebook", "Organic Social"],
      [{ referrer: "m.facebook.com" }, "facebook", "Organic Social"],
      [{ referrer: "https://l.instagram.com/" }, "instagram", "Organic Social"],
      [{ referrer: "https://t.co/abc" }, "twitter", "Organic Social"],
      [{ referrer: "https://x.com/" }, "twitter", "Organic Social"],
      [{ referrer: "https://m.me/clinic" }, "messenger", "Organic Social"],
      [{ referrer: "https://www.pinterest.co.uk/" }, "pinterest", "Organic Social"],
      [{ referrer: "https://de.pinterest.com/" }, "pinterest", "Organic Social"],
      [{ referrer: "https://old.reddit.com/r/autism" }, "reddit", "Organic Social"],
      [{ referrer: "https://nextdoor.com/" }, "nextdoor", "Organic Social"],
      [{ referrer: "https://www.yelp.com/" }, "yelp", "Organic Social"],
      [{ referrer: "android-app://com.linkedin.android/" }, "linkedin", "Organic Social"],
      [{ referrer: "Android-App://Com.LinkedIn.Android" }, "linkedin", "Organic Social"],
      [{ referrer: "https://ana.blogspot.com/" }, "blogger", "Organic Social"],
      [{ referrer: "https://groups.google.com/" }, "google groups", "Organic Social"],
    ]);
  });

  describe("a video site is Organic Video", () => {
    expectAll([
      [{ referrer: "https://www.youtube.com/" }, "youtube", "Organic Video"],
      [{ referrer: "https://m.youtube.com/watch?v=x" }, "youtube", "Organic Video"],
      [{ referrer: "https://youtu.be/x" }, "youtube", "Organic Video"],
      [{ referrer: "https://player.vimeo.com/" }, "vimeo", "Organic Video"],
      [{ referrer: "https://www.twitch.tv/" }, "twitch", "Organic Video"],
    ]);
  });

  describe("a shopping site is Organic Shopping", () => {
    expectAll([
      [{ referrer: "https://www.amazon.com/" }, "amazon", "Organic Shopping"],
      [{ referrer: "https://smile.amazon.co.uk/" }, "amazon", "Organic Shopping"],
      [{ referrer: "https://www.etsy.com/shop/x" }, "etsy", "Organic Shopping"],
      [{ referrer: "https://shopping.google.com/" }, "google shopping", "Organic Shopping"],
    ]);
  });

  describe("any other site is Referral, with its host as source", () => {
    expectAll([
      [{ referrer: "https://www.parents.example/aba?x=1" }, "parents.example", "Referral"],
      [{ referrer: "https://m.parents.example/" }, "parents.example", "Referral"],
      [{ referrer: "Parents.Example/aba" }, "parents.example", "Referral"],
      [{ referrer: "https://blog.parents.example/" }, "blog.parents.example", "Referral"],
      [{ referrer: "https://münchen.example/" }, "xn--mnchen-3ya.example", "Referral"],
      [{ referrer: "android-app://org.example.app/" }, "org.example.app", "Referral"],
    ]);
  });

  describe("a host that only resembles a known site is another site", () => {
    expectAll([
      [{ referrer: "https://mail.google.com/" }, "mail.google.com", "Referral"],
      [{ referrer: "https://mail.yahoo.com/" }, "mail.yahoo.com", "Referral"],
      [{ referrer: "https://notgoogle.com/" }, "notgoogle.com", "Referral"],
      [{ referrer: "https://google.com.evil.example/" }, "google.com.evil.example", "Referral"],
      [{ referrer: "https://google.example/" }, "google.example", "Referral"],
      [{ referrer: "https://facebook.com.evil.example/" }, "facebook.com.evil.example", "Referral"],
      [{ referrer: "https://myfacebook.com/" }, "myfacebook.com", "Referral"],
      [{ referrer: "https://evil.example/google.com" }, "evil.example", "Referral"],
    ]);
  });

  describe("the practice's own site is not used as a referrer", () => {
    const landingPage = "https://www.clinic.example/intake";
    expectAll([
      [{ referrer: "https://clinic.example/about", landingPage }, "(direct)", "Direct"],
      [{ referrer: "https://google.com/", landingPage }, "google", "Organic Search"],
      [{ referrer: "https://other.example/", landingPage }, "other.example", "Referral"],
    ]);
  });
});

describe("a lead without any data is Direct", () => {
  expectAll([
    [{}, "(direct)", "Direct"],
    [
      Object.fromEntries(ATTRIBUTION_FIELDS.map((field) => [field, ""])) as Attribution,
      "(direct)",
      "Direct",
    ],
    [
      Object.fromEntries(ATTRIBUTION_FIELDS.map((field) => [field, " \t"])) as Attribution,
      "(direct)",
      "Direct",
    ],
    [{ utm_source: null, referrer: null }, "(direct)", "Direct"],
    [tag("(not set)", "(none)", "(not set)"), "(direct)", "Direct"],
    [{ utm_term: "aba therapy", utm_content: "blue button" }, "(direct)", "Direct"],
    [{ landingPage: "https://clinic.example/intake" }, "(direct)", "Direct"],
  ]);

  describe("a referrer that is not a URL or host is ignored", () => {
    expectAll(
      [
        "a friend",
        "friend",
        "n/a",
        "5",
        "ana@maple.example",
        "mailto:ana@maple.example",
        "about:blank",
        "javascript:alert(1)",
        "file:///home/ana/page.html",
        "ftp://files.example/page.html",
        "http://localhost:3000/",
        "http://192.168.1.1/",
        "http://[::1]/",
        "https://",
        "https://[",
        "://",
        "?",
        "https://clinic.%00/",
        "\ud800",
      ].map((referrer): Case => [{ referrer }, "(direct)", "Direct"]),
    );
  });
});

describe("fields that the form left out are read from the query of the landing page", () => {
  expectAll([
    [{ landingPage: "https://clinic.example/?gclid=x" }, "google", "Paid Search"],
    [{ landingPage: "/intake?fbclid=x#form" }, "facebook", "Organic Social"],
    [{ landingPage: "clinic.example/?wbraid=x" }, "google", "Paid Search"],
    [
      { landingPage: "/?utm_source=News+Letter&utm_medium=e-mail&utm_campaign=May%20Day" },
      "news letter",
      "Email",
      "May Day",
    ],
    [{ landingPage: "/?utm_source=bing", utm_source: "google" }, "google", "Organic Search"],
    [{ landingPage: "/?utm_medium=cpc", utm_source: "google" }, "google", "Paid Search"],
    [{ landingPage: "/?utm_source=bing", utm_source: "" }, "bing", "Organic Search"],
    [{ landingPage: "/#gclid=x" }, "(direct)", "Direct"],
    [{ landingPage: "/?gclid=" }, "(direct)", "Direct"],
    [{ landingPage: "/?referrer=google.com" }, "(direct)", "Direct"],
    // Characters that a database must not get, which only percent escapes of the query can contain.
    [{ landingPage: "/?utm_source=x%00y" }, "(direct)", "Direct"],
    [{ landingPage: "/?utm_source=%ff" }, "\ufffd", "Unassigned"],
    [{ landingPage: "https://[/?gclid=x" }, "(direct)", "Direct"],
  ]);
});

describe("spelling", () => {
  expectAll([
    [tag(" Google ", " CPC ", " Spring 2026 "), "google", "Paid Search", "Spring 2026"],
    [tag("FACEBOOK.com", "Social"), "facebook", "Organic Social"],
    [tag("www.Parents.example", "referral"), "parents.example", "Referral"],
    [tag("News Letter", "email"), "news letter", "Email"],
  ]);
});

describe("random input", () => {
  const words = [
    ...["google", "fb", "youtube", "amazon", "(direct)", "(not set)", "cpc", "email", "shop"],
    ...["https://www.google.com/", "https://a.example/?gclid=1", "//", "?", "\u0000", "\ud800"],
  ];
  const value = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: "binary" }),
    fc.webUrl({ withQueryParameters: true }),
    fc.constant(null),
  );
  const raw = fc.record(Object.fromEntries(ATTRIBUTION_FIELDS.map((field) => [field, value])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Attribution>;

  test("gives a source that can be stored and a known channel", () => {
    fc.assert(
      fc.property(raw, (attribution) => {
        const { source, channel, campaign } = attribute(attribution);
        expect(CHANNELS).toContain(channel);
        expect(source).toMatch(/\S/);
        expect(source).toBe(source.trim());
        expect(campaign).not.toBe("");
        for (const stored of [source, campaign ?? ""]) {
          expect(stored.isWellFormed()).toBe(true);
          expect(stored).not.toContain("\u0000");
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("gives the same result in upper case", () => {
    const upperCase = (attribution: Attribution) =>
      Object.fromEntries(
        Object.entries(attribution).map(([field, text]) => [field, text?.toUpperCase() ?? null]),
      ) as Attribution;
    // In landing pages, escapes and queries are case-sensitive.
    const ascii = fc.record(
      { utm_source: fc.constantFrom(...words), utm_medium: fc.constantFrom(...words) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(ascii, (attribution) => {
        expect(attribute(upperCase(attribution))).toEqual(attribute(attribution));
      }),
      { numRuns: 500 },
    );
  });

  test("is processed in less than 500 ms, including texts that make regular expressions backtrack", () => {
    const MEGABYTE = 2 ** 20;
    const hostile = ["cp\n", "shop", ".", "a.", "m.", "www.", "(not set", "?", "&a=", " x"].map(
      (part) => part.repeat(MEGABYTE / part.length),
    );
    for (const text of hostile) {
      for (const field of ATTRIBUTION_FIELDS) {
        const start = performance.now();
        attribute({ [field]: text });
        expect(performance.now() - start).toBeLessThan(5_000);
      }
    }
  });
});
