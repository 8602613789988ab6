/** Attribution: derives the source and channel of a lead from what a form recorded of the visit. */
import { hasForbiddenCharacter } from "../lib/text.ts";
import { MAX_SHORT_TEXT } from "../schema/fields.ts";
import {
  searchEngines,
  shoppingSites,
  type Sites,
  socialNetworks,
  videoSites,
} from "./attribution-sources.ts";

/** Fields that a form can record of a visit. */
export const ATTRIBUTION_FIELDS = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "gclid",
  "gbraid",
  "wbraid",
  "fbclid",
  "referrer",
  "landingPage",
] as const;
export type AttributionField = (typeof ATTRIBUTION_FIELDS)[number];
export type Attribution = Partial<Record<AttributionField, string | null>>;

/** A lead's origin, for reports. `campaign` is null if none was given. */
export interface LeadOrigin {
  source: string;
  channel: Channel;
  campaign: string | null;
}

type SiteKind = "search" | "social" | "video" | "shopping";

/** The referring site; `siteKind` is known only for listed sites. */
interface Site {
  source: string;
  siteKind: SiteKind | undefined;
}

/** The input of the rules: lower case; empty where unknown. */
interface Visit extends Site {
  medium: string;
  campaign: string;
}

// Google Analytics' placeholders for missing values. Forms that copy from it send them, too.
const DIRECT = "(direct)";
const NOT_SET = "(not set)";
/** The channel if no rule matches. */
const UNASSIGNED = "Unassigned";

/**
 * Google Analytics 4's default channel group for tagged links (https://support.google.com/analytics/answer/9756891).
 * The first matching rule decides. The patterns omit Google's leading and trailing `.*`, which would be slow on long
 * texts.
 */
const CHANNEL_RULES = [
  ["Direct", ({ source, medium }) => source === DIRECT && medium === ""],
  ["Cross-network", ({ campaign }) => campaign.includes("cross-network")],
  ["Paid Shopping", (visit) => isShopping(visit) && isPaid(visit.medium)],
  ["Paid Search", ({ siteKind, medium }) => siteKind === "search" && isPaid(medium)],
  ["Paid Social", ({ siteKind, medium }) => siteKind === "social" && isPaid(medium)],
  ["Paid Video", ({ siteKind, medium }) => siteKind === "video" && isPaid(medium)],
  ["Display", ({ medium }) => /^(?:display|banner|expandable|interstitial|cpm)$/.test(medium)],
  ["Paid Other", ({ medium }) => isPaid(medium)],
  ["Organic Shopping", (visit) => isShopping(visit)],
  [
    "Organic Social",
    ({ siteKind, medium }) =>
      siteKind === "social" || /^(?:social(?:[ -](?:network|media))?|sm)$/.test(medium),
  ],
  ["Organic Video", ({ siteKind, medium }) => siteKind === "video" || medium.includes("video")],
  ["Organic Search", ({ siteKind, medium }) => siteKind === "search" || medium === "organic"],
  ["Referral", ({ medium }) => /^(?:referral|app|link)$/.test(medium)],
  ["Email", ({ source, medium }) => saysEmail(source) || saysEmail(medium)],
  ["Affiliates", ({ medium }) => medium === "affiliate"],
  ["Audio", ({ medium }) => medium === "audio"],
  ["SMS", ({ source, medium }) => source === "sms" || medium === "sms"],
  [
    "Mobile Push Notifications",
    ({ source, medium }) => source === "firebase" || /push$|mobile|notification/.test(medium),
  ],
] as const satisfies readonly (readonly [string, (visit: Visit) => boolean])[];

const isPaid = (medium: string) => /cp|^ppc$|^retargeting$|^paid/.test(medium);
const saysEmail = (word: string) => /^e[-_ ]?mail$/.test(word);
const isShopping = ({ siteKind, campaign }: Visit) =>
  siteKind === "shopping" || /(?:[^a-df-z]|^)shop|shopping/.test(campaign);

export type Channel = (typeof CHANNEL_RULES)[number][0] | typeof UNASSIGNED;

/** All values of `channel`. */
export const CHANNELS: readonly Channel[] = [...CHANNEL_RULES.map(([name]) => name), UNASSIGNED];

const REFERRER_PROTOCOLS = new Set(["https:", "http:", "android-app:"]);
/** Base for landing pages that are sent as a path only; just their query is used. */
const ANY_SITE = "https://landing-page.invalid";
/** Maximum length of a host name (RFC 1035). Longer texts are not parsed. */
const MAX_HOST_LENGTH = 253;
/** Matches the star of `google.*`: `.com`, `.de`, `.co.uk`, `.com.au`. */
const COUNTRY_ENDING = /\.(?:com|(?:com?\.)?[a-z]{2})$/;

/**
 * The origin of a lead. The first of these that is present decides:
 *
 * 1. a click id. Google's mean paid search; Facebook's means a paid or organic post, depending on the medium. A click
 *    id with an unrelated medium is ignored: it stems from a link that was passed on;
 * 2. the utm fields, by the rules above. A campaign alone decides only if a rule matches it;
 * 3. the referrer, except the practice's own site;
 * 4. nothing: a direct visit.
 *
 * Click ids and utm fields that the form omits are read from the landing page's query, their original source. Letter
 * case is ignored. Listed sites get their one name for every spelling (`fb`, `l.facebook.com`); campaigns keep their
 * spelling. There is no invalid input: meaningless values count as missing.
 *
 * @example
 * attribute({ utm_source: "Google", utm_medium: "cpc", utm_campaign: "Spring" });
 * // { source: "google", channel: "Paid Search", campaign: "Spring" }
 * attribute({ referrer: "https://www.google.co.uk/" });
 * // { source: "google", channel: "Organic Search", campaign: null }
 * attribute({});
 * // { source: "(direct)", channel: "Direct", campaign: null }
 */
export function attribute(raw: Attribution): LeadOrigin {
  const landingPage = textOf(raw.landingPage);
  const query = URL.parse(landingPage, ANY_SITE)?.searchParams;
  const tag = (field: AttributionField) => textOf(raw[field]) || shortText(query?.get(field));

  const campaign = tag("utm_campaign") || null;
  const medium = tag("utm_medium").toLowerCase();
  if (tag("gclid") || tag("gbraid") || tag("wbraid")) {
    return { source: "google", channel: "Paid Search", campaign };
  }
  if (tag("fbclid") && (medium === "" || isPaid(medium))) {
    const channel = medium === "" ? "Organic Social" : "Paid Social";
    return { source: "facebook", channel, campaign };
  }

  const { source, siteKind } = siteOf(tag("utm_source").toLowerCase());
  const tagged = channelOf({ source, siteKind, medium, campaign: campaign?.toLowerCase() ?? "" });
  if (source || medium || tagged !== UNASSIGNED) {
    return { source: source || NOT_SET, channel: tagged, campaign };
  }

  const referrer = siteAt(textOf(raw.referrer));
  if (referrer !== undefined && referrer.source !== siteAt(landingPage)?.source) {
    const channel = REFERRAL_CHANNELS[referrer.siteKind ?? "any other"];
    return { source: referrer.source, channel, campaign };
  }
  return campaign === null
    ? { source: DIRECT, channel: "Direct", campaign }
    : { source: NOT_SET, channel: UNASSIGNED, campaign };
}

function channelOf(visit: Visit): Channel {
  return CHANNEL_RULES.find(([, holds]) => holds(visit))?.[0] ?? UNASSIGNED;
}

/** The channel of a referred visitor, by the kind of the referring site. */
const REFERRAL_CHANNELS: Record<SiteKind | "any other", Channel> = {
  search: "Organic Search",
  social: "Organic Social",
  video: "Organic Video",
  shopping: "Organic Shopping",
  "any other": "Referral",
};

/** The trimmed text; empty if it is a placeholder or has forbidden characters. */
function textOf(text: string | null | undefined): string {
  const trimmed = text?.trim() ?? "";
  const saysNothing = /^\((?:not set|none)\)$/i.test(trimmed);
  return saysNothing || hasForbiddenCharacter(trimmed) ? "" : trimmed;
}

/** Like `textOf`, but empty if longer than a form's field may be: for values of the landing page's query. */
function shortText(text: string | null | undefined): string {
  const trimmed = textOf(text);
  return trimmed.length > MAX_SHORT_TEXT ? "" : trimmed;
}

/**
 * The site of a referrer, as sent by browsers (`https://l.facebook.com/`) and Android apps
 * (`android-app://com.linkedin.android/`) or typed by people (`google.com`, `facebook`). Undefined if the text is not an
 * address, or has no top-level domain, such as `localhost` or an IP address.
 */
function siteAt(address: string): Site | undefined {
  const url = URL.parse(/^[a-z-]+:\/\//i.test(address) ? address : `https://${address}`);
  // An email address parses as a URL with a user name, which browsers never send as a referrer.
  if (url === null || !REFERRER_PROTOCOLS.has(url.protocol) || url.username !== "")
    return undefined;
  if (url.hostname.length > MAX_HOST_LENGTH) return undefined;
  const site = siteOf(url.hostname.toLowerCase());
  return site.siteKind !== undefined || /\.[a-z]/.test(site.source) ? site : undefined;
}

/**
 * The site for a name: the listed site with this spelling, else the name itself. `name` is in lower case: a short name,
 * a host, or any `utm_source`.
 */
function siteOf(name: string): Site {
  const host = name.replace(/\.$/, "").replace(/^(?:www|m|l)\.(?=.+\.)/, "");
  if (host.length > MAX_HOST_LENGTH) return { source: name, siteKind: undefined };
  const labels = host.split(".");
  const domains = labels.map((_, index) => `.${labels.slice(index).join(".")}`);
  const spellings = [host, ...domains].flatMap((spelling) => [
    spelling,
    spelling.replace(COUNTRY_ENDING, ".*"),
  ]);
  const site = spellings.map((spelling) => SITES.get(spelling)).find((site) => site !== undefined);
  return site ?? { source: host, siteKind: undefined };
}

/** The listed sites by spelling. */
const SITES = new Map([
  ...spellingsOf("search", searchEngines),
  ...spellingsOf("social", socialNetworks),
  ...spellingsOf("video", videoSites),
  ...spellingsOf("shopping", shoppingSites),
]);

function spellingsOf(siteKind: SiteKind, sites: Sites): [string, Site][] {
  return Object.entries(sites).flatMap(([source, spellings]) => {
    const site = { source, siteKind };
    return [source, ...spellings].map((spelling): [string, Site] => [spelling, site]);
  });
}
