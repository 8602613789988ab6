import { attribute } from "../intake-leads/attribution.ts";
import type { IntakeLeadRecord } from "../practice-file/model.ts";
import { caregiverId, patientId } from "./client.ts";
import type { Clinic } from "./clinic.ts";
import { families, type Family } from "./families.ts";
import { numbered } from "./ids.ts";
import type { Sex } from "./names.ts";
import { optionalList } from "./optional-list.ts";
import { Random } from "./random.ts";
import { labels } from "./reference-data.ts";

type Attribution = NonNullable<IntakeLeadRecord["attribution"]>;
type Relationship = IntakeLeadRecord["relationship"];

/** How each family came to the practice; those in therapy were leads once. */
export function* intakeLeads(clinic: Clinic): Generator<IntakeLeadRecord> {
  for (const family of families(clinic)) yield intakeLead(clinic, family);
}

function intakeLead({ seed }: Clinic, family: Family): IntakeLeadRecord {
  const { number, parent, stageId, inquiredAt } = family;
  const random = new Random(seed, "lead", number);
  const labelIds = random.some(labels, 0, 2).map(({ publicId }) => publicId);
  const attribution = newAttribution(random);
  const { source, channel, campaign } = attribute(attribution ?? {});
  return {
    type: "intakeLead",
    publicId: numbered("lead_", number),
    clientId: patientId(number),
    caregiverId: caregiverId(number),
    relationship: random.pick(RELATIONSHIPS[parent.sex]),
    stageId,
    ...optionalList("labelIds", labelIds),
    ...(attribution !== undefined && { attribution }),
    source,
    channel,
    ...(campaign !== null && { campaign }),
    createdAt: inquiredAt,
  };
}

/** As often as they are in the lists. */
const RELATIONSHIPS: Record<Sex, readonly Relationship[]> = {
  FEMALE: ["MOTHER", "MOTHER", "MOTHER", "MOTHER", "GUARDIAN", "GRANDPARENT", "STEPMOTHER"],
  MALE: ["FATHER", "FATHER", "FATHER", "FATHER", "GUARDIAN", "GRANDPARENT", "STEPFATHER"],
};

/** What the form recorded of the visit: nothing for those who called. */
function newAttribution(random: Random): Attribution | undefined {
  const landingPage = `https://maple.example/${random.pick(["", "intake", "early-intervention", "insurance"])}`;
  const clickId = () => random.whole(2 ** 40, 2 ** 50).toString(36);
  const visits: (Attribution | undefined)[] = [
    undefined,
    undefined,
    { referrer: "https://www.google.com/", landingPage },
    { referrer: "https://www.google.com/", landingPage },
    { referrer: "https://www.bing.com/", landingPage },
    {
      utm_source: "google",
      utm_medium: "cpc",
      utm_campaign: "aba-therapy-near-me",
      utm_term: random.pick(["aba therapy", "autism therapy", "early intervention"]),
      gclid: clickId(),
      landingPage,
    },
    {
      utm_source: "facebook",
      utm_medium: "paid_social",
      utm_campaign: "Spring open house",
      utm_content: "video",
      fbclid: clickId(),
      landingPage,
    },
    { fbclid: clickId(), referrer: "https://m.facebook.com/", landingPage },
    { utm_source: "newsletter", utm_medium: "email", utm_campaign: "Parent evening", landingPage },
    { referrer: "https://pediatrics.example/resources", landingPage },
  ];
  return random.pick(visits);
}
