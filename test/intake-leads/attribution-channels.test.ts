import { describe } from "bun:test";
import { expectAll, tag } from "../support/intake-leads/attribution-cases.ts";

describe("the utm fields follow the default channel groups of Google Analytics 4", () => {
  describe("Direct", () => {
    expectAll([
      [tag("(direct)", "(none)"), "(direct)", "Direct"],
      [tag("(direct)", "(not set)"), "(direct)", "Direct"],
      [tag("(direct)", ""), "(direct)", "Direct"],
      [tag("(direct)", "banana"), "(direct)", "Unassigned"],
    ]);
  });

  describe("Cross-network", () => {
    expectAll([
      [tag("google", "cpc", "Cross-network"), "google", "Cross-network", "Cross-network"],
      [tag("x", "y", "all cross-network ads"), "twitter", "Cross-network", "all cross-network ads"],
      [{ utm_campaign: "cross-network" }, "(not set)", "Cross-network", "cross-network"],
    ]);
  });

  describe("Paid and Organic Shopping", () => {
    expectAll([
      [tag("amazon", "cpc"), "amazon", "Paid Shopping"],
      [tag("newsletter", "ppc", "Shopping"), "newsletter", "Paid Shopping", "Shopping"],
      [tag("newsletter", "paid", "shop now"), "newsletter", "Paid Shopping", "shop now"],
      [tag("amazon.co.uk", ""), "amazon", "Organic Shopping"],
      [tag("newsletter", "email", "eshop"), "newsletter", "Organic Shopping", "eshop"],
      [tag("newsletter", "email", "pet-shop"), "newsletter", "Organic Shopping", "pet-shop"],
      // A letter other than e before "shop" makes it part of another word.
      [tag("newsletter", "email", "Workshop"), "newsletter", "Email", "Workshop"],
      [tag("newsletter", "email", "bishop"), "newsletter", "Email", "bishop"],
      [
        tag("newsletter", "email", "workshopping"),
        "newsletter",
        "Organic Shopping",
        "workshopping",
      ],
    ]);
  });

  describe("Paid Search, Social, Video and Other", () => {
    expectAll([
      [tag("google", "cpc"), "google", "Paid Search"],
      [tag("google", "cpm"), "google", "Paid Search"],
      [tag("bing", "ppc"), "bing", "Paid Search"],
      [tag("yahoo", "retargeting"), "yahoo", "Paid Search"],
      [tag("duckduckgo", "paid"), "duckduckgo", "Paid Search"],
      [tag("facebook", "paid-social"), "facebook", "Paid Social"],
      [tag("fb", "cpc"), "facebook", "Paid Social"],
      [tag("ig", "cpc"), "instagram", "Paid Social"],
      [tag("nextdoor", "cpm"), "nextdoor", "Paid Social"],
      [tag("youtube", "cpv+cpc"), "youtube", "Paid Video"],
      [tag("clinic partners", "cpc"), "clinic partners", "Paid Other"],
      [tag("clinic partners", "xcpx"), "clinic partners", "Paid Other"],
      [tag("clinic partners", "paidads"), "clinic partners", "Paid Other"],
      // "ppc" and "retargeting" match only as the whole medium, "paid" only as its beginning.
      [tag("clinic partners", "ppcx"), "clinic partners", "Unassigned"],
      [tag("clinic partners", "my retargeting"), "clinic partners", "Unassigned"],
      [tag("clinic partners", "unpaid"), "clinic partners", "Unassigned"],
    ]);
  });

  describe("Display", () => {
    expectAll([
      [tag("clinic partners", "display"), "clinic partners", "Display"],
      [tag("clinic partners", "Banner"), "clinic partners", "Display"],
      [tag("clinic partners", "expandable"), "clinic partners", "Display"],
      [tag("clinic partners", "interstitial"), "clinic partners", "Display"],
      [tag("clinic partners", "cpm"), "clinic partners", "Display"],
      [tag("google", "display"), "google", "Display"],
    ]);
  });

  describe("Organic Social, Video and Search", () => {
    expectAll([
      [tag("facebook", ""), "facebook", "Organic Social"],
      [tag("facebook", "post"), "facebook", "Organic Social"],
      [tag("linkedin", "email"), "linkedin", "Organic Social"],
      [tag("our club", "social"), "our club", "Organic Social"],
      [tag("our club", "social-network"), "our club", "Organic Social"],
      [tag("our club", "Social Media"), "our club", "Organic Social"],
      [tag("our club", "sm"), "our club", "Organic Social"],
      [tag("our club", "social_media"), "our club", "Unassigned"],
      [tag("youtube", ""), "youtube", "Organic Video"],
      [tag("our club", "promo-video-1"), "our club", "Organic Video"],
      [tag("google", ""), "google", "Organic Search"],
      [tag("google", "organic"), "google", "Organic Search"],
      [tag("our club", "organic"), "our club", "Organic Search"],
      [tag("our club", "organic search"), "our club", "Unassigned"],
    ]);
  });

  describe("Referral, Email, Affiliates, Audio, SMS and Mobile Push Notifications", () => {
    expectAll([
      [tag("our club", "referral"), "our club", "Referral"],
      [tag("our club", "app"), "our club", "Referral"],
      [tag("our club", "link"), "our club", "Referral"],
      [tag("newsletter", "email"), "newsletter", "Email"],
      [tag("newsletter", "E-Mail"), "newsletter", "Email"],
      [tag("newsletter", "e_mail"), "newsletter", "Email"],
      [tag("newsletter", "e mail"), "newsletter", "Email"],
      [tag("email", ""), "email", "Email"],
      [tag("newsletter", "emails"), "newsletter", "Unassigned"],
      [tag("partner", "affiliate"), "partner", "Affiliates"],
      [tag("partner", "affiliates"), "partner", "Unassigned"],
      [tag("podcast", "audio"), "podcast", "Audio"],
      [tag("reminder", "sms"), "reminder", "SMS"],
      [tag("sms", ""), "sms", "SMS"],
      [tag("app", "web push"), "app", "Mobile Push Notifications"],
      [tag("app", "mobile-1"), "app", "Mobile Push Notifications"],
      [tag("app", "notifications"), "app", "Mobile Push Notifications"],
      [tag("firebase", ""), "firebase", "Mobile Push Notifications"],
      [tag("app", "pushed"), "app", "Unassigned"],
    ]);
  });

  describe("Unassigned if no rule matches, without falling back on the referrer", () => {
    expectAll([
      [tag("newsletter", ""), "newsletter", "Unassigned"],
      [tag("", "banana"), "(not set)", "Unassigned"],
      [{ ...tag("flyer", "print"), referrer: "https://google.com/" }, "flyer", "Unassigned"],
      [{ utm_medium: "email", referrer: "https://google.com/" }, "(not set)", "Email"],
    ]);
  });
});
