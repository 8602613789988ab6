import { choiceText } from "../base/labels.ts";
import { kindsOf, USUAL_VALUES } from "../base/record-fields.ts";
import { isDegree, plain } from "./names.ts";

/** The words of an office for fields that have fixed values. */

/** A value that a field may have. */
export interface Option {
  value: string;
  name: string;
}

/** What is chosen for a word that is to be left out. */
export const LEFT_EMPTY = "-";

export const CREDENTIALS = ["RBT", "BCBA", "BCaBA", "BCBA-D"];

/** What offices write for fixed values, by kind and value, as `plain` has it. */
const WORDS: Record<string, Record<string, string>> = {
  userStatus: {
    ACTIVE: "yes y active current inservice inservices activeclient true x 1",
    SERVICES_PAUSED: "onhold hold paused servicespaused",
    INACTIVE: "inactive no n notactive false 0",
    DISCHARGED: "discharged discharge dc closed graduated terminated",
    WAITLIST: "waitlist waiting waitinglist waitlisted",
    LEAD: "intake prospective prospect referral lead inquiry new",
    ARCHIVED: "archived archive",
  },
  sex: {
    MALE: "m male boy man",
    FEMALE: "f female girl woman",
    OTHER: "o other x nonbinary nb",
  },
  role: {
    TECHNICIAN:
      "rbt bt technician tech behaviortech behaviortechnician registeredbehaviortechnician behaviortherapist paraprofessional therapist abatherapist rbtbt leadrbt seniorrbt",
    CLINICIAN:
      "bcba bcbad bcaba lba laba behavioranalyst boardcertifiedbehavioranalyst clinician slp ot supervisor clinicalsupervisor leadbcba seniorbcba",
    CLINICAL_ADMIN: "clinicaldirector clinicaladmin directorofclinicalservices",
    ADMIN: "owner admin administrator officemanager practicemanager ceo executivedirector director",
    BILLING_MANAGER: "biller billing billingmanager billingspecialist",
    SCHEDULING_MANAGER:
      "scheduler scheduling frontdesk office reception receptionist schedulingmanager schedulingcoordinator",
    PAYROLL_ADMIN: "payroll hr humanresources payrolladmin hrmanager",
  },
  status: {
    CONFIRMED:
      "completed complete show showed attended kept rendered occurred checkedout checkedin verified converted scheduled confirmed active present",
    UNCONFIRMED: "pending tentative unconfirmed",
    DECLINED: "declined",
    PATIENT_NO_SHOW: "noshow missed dns didnotshow patientnoshow clientnoshow ns",
  },
  place: {
    OFFICE: "clinic center centre office inclinic incenter inoffice 11",
    HOME: "home clienthome clientshome patienthome patientshome inhome 12",
    SCHOOL: "school inschool 3 03",
    OTHER: "community incommunity daycare other otherplaceofservice otherunlistedfacility 99",
    TELEHEALTH_PROVIDED_IN_PATIENT_HOME: "telehealth video telemedicine virtual 10",
    TELEHEALTH_PROVIDED_ELSEWHERE: "2 02",
  },
  frequency: {
    DAILY: "day daily perday d",
    WEEKLY: "week wk weekly perweek weeks w",
    MONTHLY: "month mo monthly permonth months m",
    YEARLY: "year annual annually yearly peryear yr",
    TOTAL: "total auth authperiod authorizationperiod authorization term perauth perauthorization",
  },
  relationship: {
    SELF: "self same patient client",
    PARENT: "child son daughter dependent parent mother father mom dad stepparent",
    GUARDIAN: "guardian legalguardian fosterparent",
    SPOUSE: "spouse husband wife",
    OTHER: "other grandparent grandmother grandfather",
  },
  isActive: {
    true: "yes y true x 1 active current employed fulltime parttime",
    false: "no n false 0 inactive terminated former left termed separated",
  },
  billable: {
    true: "yes y true x 1 billable",
    false: "no n false 0 nonbillable notbillable unbillable",
  },
  authorizationStatus: {
    AUTHORIZED: "authorized approved active current open",
    PENDING: "pending requested submitted inreview",
    DENIED: "denied rejected",
    EXPIRED: "expired ended closed",
  },
};

const PLACES = ["TEMPORARY_LODGING", "PLACE_OF_EMPLOYMENT", "COMMUNITY_MENTAL_HEALTH_CENTER"];

/** The fixed values by kind: those with words of offices, and of some kinds all. */
const VALUES = new Map<string, readonly string[]>([
  ...Object.entries(WORDS).map(([kind, words]) => [kind, Object.keys(words)] as const),
  ...Object.entries(USUAL_VALUES),
  ["role", kindsOf("user").filter((role) => !["PATIENT", "CAREGIVER"].includes(role))],
  ["place", [...Object.keys(WORDS.place ?? {}), ...PLACES]],
  ["status", [...Object.keys(WORDS.status ?? {}), "REQUESTED_TO_CANCEL"]],
]);

/** The kind of fixed values that the words of a field may stand for. */
export function kindOf(field: string): string {
  return field === "location" ? "place" : field.replace(/^insurance2?\./, "");
}

/** Whether a value is one that a field may have, whatever the practice has. */
export function isFixedValue(field: string, value: string): boolean {
  const values = VALUES.get(kindOf(field));
  return values !== undefined && (value === LEFT_EMPTY || values.includes(value));
}

/** Words of statuses that say of an appointment that it took place. */
const TOOK_PLACE = new Set(
  "completed complete show showed attended kept rendered occurred verified converted".split(" "),
);

export function tookPlace(status: string): boolean {
  return TOOK_PLACE.has(plain(status));
}

/** The fixed values of a kind, to choose from. */
export function optionsOfKind(kind: string): Option[] {
  const names: Record<string, string> = { true: "Yes", false: "No" };
  return (VALUES.get(kind) ?? []).map((value) => ({
    value,
    name: names[value] ?? choiceText(value),
  }));
}

/** A place as its code with its name: `11 - Office`, `Home (12)`. */
const CODED_PLACE = /^(?:(\d{1,2})[\s:.–-]+(\D+)|(\D+?)[\s(–-]+(\d{1,2})\)?)$/;

/** The place that a code with a name is, if both say so: `11 Main Street` is none. */
function codedPlace(word: string): string | undefined {
  const [, before = "", nameBehind = "", name = nameBehind, codeBehind = before] =
    CODED_PLACE.exec(word) ?? [];
  if (name === "") return undefined;
  const own = valueOfWord("place", codeBehind);
  const named = valueOfWord("place", name) ?? (/^telehealth/i.test(name) ? "TELEHEALTH" : "-");
  return own?.startsWith(named.slice(0, "TELEHEALTH".length)) ? own : undefined;
}

/** Who cancelled may stand before it, or how: `Client cancelled`, `Late cancel`. */
const CANCELLED = /(?<!no[nt]|un)cancel/u;

/** The value that a word means; undefined if it means none. */
export function valueOfWord(kind: string, word: string): string | undefined {
  const text = plain(word);
  const called = Object.entries(WORDS[kind] ?? {}).find(([, words]) =>
    ` ${words} `.includes(` ${text} `),
  );
  if (called !== undefined) return called[0];
  const own = ({ value, name }: Option): boolean => plain(value) === text || plain(name) === text;
  const found = optionsOfKind(kind).find(own)?.value;
  if (found !== undefined) return found;
  if (kind === "status") return CANCELLED.test(text) ? "DECLINED" : undefined;
  return kind === "place" ? codedPlace(word) : kind === "role" ? roleOfWords(word) : undefined;
}

/** The role that all words of a text mean, degrees aside: `M.A., BCBA`, `Registered Behavior Technician (RBT)`. */
function roleOfWords(text: string): string | undefined {
  const words = text.split(/[,;/()&]/).map((word) => word.trim());
  const own = words.filter((word) => word !== "" && !isDegree(word));
  if (own.length === 0 || words.length < 2) return undefined;
  const [role, ...others] = new Set(own.map((word) => valueOfWord("role", word)));
  return others.length === 0 ? role : undefined;
}
