/** From where a lead came: what a form recorded of the visit, made into a source and a channel. */
import { hasForbiddenCharacter } from "../lib/text.ts";
import { MAX_SHORT_TEXT } from "../schema/fields.ts";
import {
  searchEngines,
  shoppingSites,
  type Sites,
  socialNetworks,
  videoSites,
} from "./attribution-sources.ts";

/** What a form may record of the visit. */
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

/** A lead's origin as reports count it. `campaign` is null where none was named. */
export interface LeadOrigin {
  source: string;
  channel: Channel;
  campaign: string | null;
}

type SiteKind = "search" | "social" | "video" | "shopping";

/** Who sent the visitor; the kind is known only of the sites in the lists. */
interface Site {
  source: string;
  siteKind: SiteKind | undefined;
}

/** A visit as the rules see it: in lower case, empty where nothing is known. */
interface Visit extends Site {
  medium: string;
  campaign: string;
}

// Google Analytics' own words for what is missing. Forms that copy from it send them along.
const DIRECT = "(direct)";
const NOT_SET = "(not set)";
/** No rule holds: no guess is made. */
const UNASSIGNED = "Unassigned";

/**
 * Google Analytics 4's default channel group for tagged links, in its order: the first rule that holds
 * decides (https://support.google.com/analytics/answer/9756891). Its patterns stand here without their
 * leading and trailing `.*`, with which a long text could keep the process busy.
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

/** Every value that `channel` can have. */
export const CHANNELS: readonly Channel[] = [...CHANNEL_RULES.map(([name]) => name), UNASSIGNED];

const REFERRER_PROTOCOLS = new Set(["https:", "http:", "android-app:"]);
/** Landing pages are often sent as a path alone; only the query matters there. */
const ANY_SITE = "https://landing-page.invalid";
/** No longer text is a host name (RFC 1035), and none is worth taking apart. */
const MAX_HOST_LENGTH = 253;
/** What the star of `google.*` stands for: `.com`, `.de`, `.co.uk`, `.com.au`. */
const COUNTRY_ENDING = /\.(?:com|(?:com?\.)?[a-z]{2})$/;

/**
 * The origin of a lead. The first of these that says something decides:
 *
 * 1. a click id. Google's are a paid search, Facebook's is its paid or organic post, by the medium;
 *    one beside a medium of another kind was only carried along in a link that was passed on;
 * 2. the utm fields, by the rules above. A campaign alone decides only where a rule knows its name;
 * 3. the referrer, unless it is the practice's own site;
 * 4. nothing, which is a visitor who typed the address.
 *
 * Click ids and utm fields that the form left out are read from the landing page's query, where they
 * came from in the first place. Letter case makes no difference, a site of the lists goes by one name
 * however it is written (`fb`, `l.facebook.com`), and a campaign keeps its spelling, being a name that
 * somebody chose. No input is an error: whatever says nothing counts as missing.
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
  const landingPage = given(raw.landingPage);
  const query = URL.parse(landingPage, ANY_SITE)?.searchParams;
  const tag = (field: AttributionField) => given(raw[field]) || shortText(query?.get(field));

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

  const referrer = siteAt(given(raw.referrer));
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

/** The channel of a visitor whom a site referred, by the site's kind where the lists know it. */
const REFERRAL_CHANNELS: Record<SiteKind | "any other", Channel> = {
  search: "Organic Search",
  social: "Organic Social",
  video: "Organic Video",
  shopping: "Organic Shopping",
  "any other": "Referral",
};

/** The text without white space around it; empty where it says nothing or could not be stored. */
function given(text: string | null | undefined): string {
  const trimmed = text?.trim() ?? "";
  const saysNothing = /^\((?:not set|none)\)$/i.test(trimmed);
  return saysNothing || hasForbiddenCharacter(trimmed) ? "" : trimmed;
}

/** Where the landing page has more text than a form may give, it says nothing either. */
function shortText(text: string | null | undefined): string {
  const trimmed = given(text);
  return trimmed.length > MAX_SHORT_TEXT ? "" : trimmed;
}

/**
 * The site at an address as browsers (`https://l.facebook.com/`), Android's applications
 * (`android-app://com.linkedin.android/`) and people (`google.com`, `facebook`) give it. Undefined where
 * the text is no address, or one without a top-level domain, such as `localhost` or an IP number.
 */
function siteAt(address: string): Site | undefined {
  const url = URL.parse(/^[a-z-]+:\/\//i.test(address) ? address : `https://${address}`);
  // An email address reads as a URL with a user name, which no browser sends in a referrer.
  if (url === null || !REFERRER_PROTOCOLS.has(url.protocol) || url.username !== "")
    return undefined;
  if (url.hostname.length > MAX_HOST_LENGTH) return undefined;
  const site = siteOf(url.hostname.toLowerCase());
  return site.siteKind !== undefined || /\.[a-z]/.test(site.source) ? site : undefined;
}

/**
 * The site that `name` names, by its name in the lists if it is there. `name` is in lower case,
 * and may be a short name, a host, or whatever a marketer made up.
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
  const known = spellings.map((spelling) => SITES.get(spelling)).find((site) => site !== undefined);
  return known ?? { source: host, siteKind: undefined };
}

/** Every spelling of the lists, with the site that it stands for. */
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
