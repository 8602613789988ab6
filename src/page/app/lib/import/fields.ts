import type { CellMeaning } from "../../../../lib/cells/oddities.ts";
import { remembered } from "../../../../lib/remembered.ts";
import { labelOf } from "../base/labels.ts";
import { plain } from "./names.ts";

/** What a sheet may be, the fields that its columns may have, and what offices and their programs call them. */

export const SHEET_TYPES = {
  patients: "Patients",
  staff: "Staff",
  authorizations: "Authorizations",
  appointments: "Appointments",
  caregivers: "Caregivers",
  payors: "Payors",
  locations: "Locations",
  services: "Services",
  codes: "Codes of what is not billed",
} as const;

export type SheetType = keyof typeof SHEET_TYPES;

/** What the cells of a field are: what is odd about them, and how they are read (`READERS`). */
export type Meaning = CellMeaning["kind"] | ("truth" | "locations" | "payor" | "person" | "people");

export interface Field {
  label: string;
  meaning: Meaning;
  /** Whether what is read stands in the record's field of the same name. */
  isOwn: boolean;
  /** The headings, as `plain` has them. */
  headings: RegExp;
  /** Its own names: what Caseload exports comes in. */
  names: ReadonlySet<string>;
}

/**
 * A line for each field: its id, what its cells are (behind `=`, if that is what the record has), its label, and headings
 * as `plain` has them.
 *
 * @param ids what stands before each id; likewise before headings and labels.
 */
function tableOf(lines: string, ids = "", first = "", labels = ""): Record<string, Field> {
  const fields = lines
    .trim()
    .split(/\s*\n\s*/)
    .map((line): [string, Field] => {
      const [name = "", meaning = "", ownLabel = "", ...headings] = line.split(/;\s*/);
      const [id, label] = [ids + name, labels + ownLabel];
      const field: Field = {
        label,
        meaning: meaning.replace("=", "") as Meaning,
        isOwn: meaning.startsWith("="),
        headings: new RegExp(`^${first}(?:${headings.join("|")})$`, "u"),
        names: new Set([id, id.replace(/Ids?$/, ""), label, labelOf(id)].map(plain)),
      };
      return [id, field];
    });
  return Object.fromEntries(fields);
}

/** Whom a sheet is about. */
const CLIENTS = "client|patient|child|student|learner|member";
const STAFF = "employee|staff|provider|therapist";

const NAMES = (own: string): string => `
  name; name; Name; (legal|full)?name${own}
  firstName; name; First name; (legal|given)?first(name)?; givenname; fname
  lastName; name; Last name; (legal)?last(name)?; surname|familyname|lname
  suffix; text; Suffix; (name)?suffix
  phoneNumber; =phone; Phone; (cell|mobile|home|work|primary|main|contact|day|evening)?(tele)?phone(number|home|cell|mobile|work)?[12]?; (cell|mobile|tel)(number)?; contactnumber
  email; =email; Email; (work|home|primary|contact|personal)?e?mail(address)?
`;

const ID = "publicId; text; ID; publicid|id";

const CARERS =
  "(?:primary)?((legal)?guardian(parent)?|parent(guardian)?|caregiver|mother|father|mom(dad)?|dad|responsibleparty|emergencycontact)";
const CARER = `${CARERS}(?:(?:number)?1)?`;

/** A second one of a row. */
const OTHER_GUARDIAN = new RegExp(
  `^(?:(secondary|second|other)${CARER}|${CARERS}(?:number)?2).*$`,
  "u",
);

const PREFIX = "(insurance|ins|(insurance)?policy|subscriber|insured|coverage|plan|pay[eo]r)";
const HOLDER = "(subscriber|policyholder|holder|insured|policy)s?";

/** The columns of an insurance; the second one's begin with `secondary`. */
const INSURANCE = `
  payor; word; Payor; insurance|ins; (insurance|ins|policy)(company|co|carrier|provider|pay[eo]r|name|plan); (pay[eo]r|funder|carrier)(name)?; fundingsource
  memberId; digits; Member ID; ${PREFIX}?member(id|number)(number)?; (?!pay[eo]r|plan)${PREFIX}(id|number|idnumber); (insureds|medicaid)(id|number)
  groupId; digits; Group; ${PREFIX}?group(number|id)?
  holder; name; Holder; subscriber|insured; ${HOLDER}name; (policy)?holder
  holderFirst; name; Holder’s first name; (${HOLDER}|insurance)first(name)?
  holderLast; name; Holder’s last name; (${HOLDER}|insurance)last(name)?
  holderBirth; birth; Holder’s birth date; (${HOLDER}|insurance)(dob|birthdate|dateofbirth|birthday)
  relationship; word; Holder is the patient’s; (patient)?relation(ship)?; relationshipto(insured|subscriber|policyholder|holder|patient); ${HOLDER}relation(ship)?
  from; day; In effect from; eff(ective)?(date)?; ${PREFIX}(effective|start|begin|from)(date|from)?
  to; day; In effect until; termination(date)?; termdate; ${PREFIX}(term(ination)?|end|expires|expiration|until)(date)?
`;

const CERTIFICATE =
  "((state)?(rbt|bcba|bacb|bcaba)*(cert|certificate|certification|credential|license|licence|registration)s?|rbt|bcba|bacb|rbtbcba)";

const CLIENT = `
  client; name; Patient; (${CLIENTS})(name|fullname|initials)?; name
  clientFirst; name; Patient’s first name; first(name)?
  clientLast; name; Patient’s last name; last(name)?
  clientNumber; digits; Patient’s record number; (client|patient|child|student|learner|account|record|external)(id|number|recordnumber|code); (medical)?recordnumber; mrn; chart(number|id)?
`;

const SERVICE =
  "(cpt|hcpcs|service|procedure|billing|proc){1,2}(codes?)?; code; serviceline|servicename|servicetype|services";

const PLACES =
  "locationIds; =locations; Locations; locations?; office|clinic|site|region; primary(office)?location";

export const FIELDS: Record<SheetType, Record<string, Field>> = {
  patients: {
    ...tableOf(`${NAMES("; client|patient|child|student|learner")}
    birthDate; =birth; Birth date; dob; birth(date|day)?; dateofbirth
    sex; =word; Sex; gender|mf|(birth|legal)?sex|sexatbirth
    internalRecordId; =digits; Record number; mrn; medicalrecordnumber; chart(number|id)?; (client|patient|child|student|learner|account|record|external)(id|number|recordnumber|identifier|code)
    addressLine1; =text; Address; (street|home|mailing)?address(line)?1?; street1?
    addressLine2; =text; Apartment, suite; (street|home|mailing)?address(line)?2; street2; (apt|unit|suite|apartment|aptunit|aptsuite)(number)?
    city; =text; City; city|town
    state; =text; State; state|st|province|stateprovince
    postalCode; =zip; ZIP code; zip(code)?; (zip)?post(al)?code
    country; =text; Country; country
    userStatus; =word; Status; status|active|stage|intakestage
    ${PLACES}
    primaryClinicianId; =person; Primary clinician; (supervising|primary|assigned|lead)?(bcba|clinician); case(manager|supervisor)
    clinicianIds; =people; Clinicians; team|careteam|clinicians
    guardian.name; name; Guardian’s name; ${CARER}(|names?|fullname)
    guardian.firstName; name; Guardian’s first name; ${CARER}first(name)?
    guardian.lastName; name; Guardian’s last name; ${CARER}last(name)?
    guardian.phoneNumber; phone; Guardian’s phone; ${CARER}((cell|mobile|home|work)?phone(number)?|cell|mobile|tel|number)
    guardian.email; email; Guardian’s email; ${CARER}e?mail(address)?
    role; word; Role; role
    ${ID}`),
    ...tableOf(INSURANCE, "insurance.", "(?:primary)?"),
    ...tableOf(INSURANCE, "insurance2.", "(?:secondary|2nd|second)", "Second insurance: "),
  },
  staff:
    tableOf(`${NAMES("; employee|staffmember|provider|therapist; (rbt|bt|bcba|technician|clinician)name")}
    role; word; Role; (staff|employee|provider)?role; position; (job|position)?title; stafftype; discipline; job; usertype
    isActive; =truth; Active; (employment|employee|staff)?status; active
    npiNumber; =digits; NPI; (individual|provider|rendering)?npi(number)?
    ${PLACES}
    certificate.number; digits; Certificate’s number; ${CERTIFICATE}(number|no|id|idnumber)
    certificate.type; word; Credential; credentials?; certifications?; (cert|certification|credential|license|licence)type; certificate
    certificate.expires; day; Certificate expires; ${CERTIFICATE}?(exp(ires|iration|iry)?|renewal)(on|at|date)?
    certificate.status; word; Credential’s status; ${CERTIFICATE}status
    certificate.area; text; Practice area; practicearea; (license|licence|cert|certification)state; licensedin
    ${ID}`),
  authorizations: tableOf(`${CLIENT}
    authorizationNumber; =digits; Number; auths?; authorization; (prior)?auth(orization)?(number|id|code)?; panumber; authref(erence)?(number)?
    serviceLineId; word; Service; ${SERVICE}
    quantity; number; Units; (total|weekly|monthly|daily|annual|yearly)?(authorized|approved|auth)?(units|qty|quantity|unitsquantity|hours|hrs)(authorized|approved|auth)?((per|a)?((week|month|year|annual)(ly)?|wk|mo|day|daily|yr))?
    frequency; word; Per; per; (authorized)?(unit|units)?frequency; period; limittype; unitsper; interval
    authorizationDate; day; First day; (auth(orization)?)?(start|begin|(valid)?from|effective(from)?)(date)?
    authorizationExpirationDate; =day; Last day; (auth(orization)?)?((valid|effective)?(end|until|to|through|thru)|exp(ires|iration|iry)?|termination)(on|date)?
    payorId; =payor; Payor; (primary)?insurance(company|name)?; ins; (pay[eo]r|funder)(name)?; carrier; fundingsource
    authorizationStatus; word; Status; (auth(orization)?)?status
    ${ID}`),
  appointments: tableOf(`
    start; time; Start; (session|actual|scheduled|appointment|appt)?(start|begin)s?(at|time|date|datetime)?; time(in|start|from|began); from
    end; time; End; (session|actual|scheduled|appointment|appt)?(end|finish)s?(at|time|date|datetime)?; time(out|end|to|ended); to
    date; day; Date; (start|appointment|appt|session|service|visit)?date((and)?time)?; dateof(service|session|visit); dos; day
    time; text; Time; (session|appointment|appt)?time
    duration; text; Length; (session|appointment|scheduled|actual|total)?(duration|minutes|mins|hours|hrs|length)(minutes|mins|hours|hrs|min)?
    ${CLIENT}
    provider; name; Provider; (rendering|service)?provider(name)?; staff(name|member)?; employee(name)?; therapist(name)?; (rbt|bt){1,2}(name)?; tech(nician)?(name|id)?; clinician(name)?; behaviortechnician
    providerFirst; name; Provider’s first name; (rendering)?(${STAFF}|clinician|technician|rbt)first(name)?
    providerLast; name; Provider’s last name; (rendering)?(${STAFF}|clinician|technician|rbt)last(name)?
    second; name; Second provider; (supervising|supervisor)?(bcba|clinician)(name)?; supervisor(name)?; supervisingprovider; clinicianid
    services; word; Service; ${SERVICE}; service(provided|rendered); treatment
    kind; word; Kind; (appointment|appt|session|event|visit)?type; nonbillablecode
    billable; word; Billable; (is)?billable
    status; word; Status; (appointment|appt|session|show|verification|attendance)?status; verification|attendance
    place; word; Place of service; where|place|placeofservice|pos|poscode
    location; word; Location; (service|appointment|session)?location; office|clinic|site; locationid
    authorization; digits; Authorization; (prior)?auth(orization)?(number|id|code)?; panumber
    units; number; Units delivered; units(delivered|billed|worked|rendered|completed|ofservice)?; serviceunits; (delivered|rendered|billed|completed|actual)units
    hoursWorked; number; Hours delivered; hours(worked|delivered|rendered); (worked|delivered|rendered)hours
    title; text; Title; title|subject
    publicId; text; ID; publicid|id; (appointment|appt|event|session)(id|number)`),
  caregivers: tableOf(`${NAMES("")}
    role; word; Role; role
    ${ID}`),
  payors: tableOf(`name; text; Name; name; (pay[eo]r|funder)(name)?; insurance(company|name)?
    ${ID}`),
  locations: tableOf(`name; text; Name; name; (location|office)(name)?; clinic|site
    ${ID}`),
  services: tableOf(`name; text; Name; name; service(name|line)?; description
    code; =text; Code; (cpt|hcpcs|service|procedure|billing)?code; cpt
    billingUnitMinutes; =number; Minutes of a unit; (billing)?unit(minutes|length)?; minutes(perunit)?
    ${ID}`),
  codes: tableOf(`name; text; Name; name; (nonbillable)?code; description
    ${ID}`),
};

/** Whom a heading is about, if the sheet is: `Client First Name` of clients is their first name; their id is not the row's. */
const ABOUT_WHOM: Partial<Record<SheetType, RegExp>> = {
  patients: new RegExp(`^(?:${CLIENTS})(?!$|id$)`, "u"),
  staff: new RegExp(`^(?:${STAFF})(?!$|id$)`, "u"),
};
/** Of other sheets; a client's status is not that of their appointments. */
const OF_THEIRS = new RegExp(`^(?:${CLIENTS})(?!$|id$|status$|type$)`, "u");

/** How a cell is to be written, or another name, behind a heading: `Name (Last, First)`, `Date of Service (DOS)`. */
const HINT =
  /\s*[([](?:[mdy/.\s-]+|[hms:\s]+|am\/pm|dob|dos|pos|mrn|cpt|id|npi|[mfxou/]+|(?:first|last|middle|initial|mi|name|[,\s])+|\*?required|optional|if (?:any|applicable|known)|e\.?g\..*)[)\]]/i;

/** Other ways to write a heading: `Chart No.`, `Insurance 2`, `Child’s name`, whom it is about in front. */
function spellings(heading: string, aboutWhom: RegExp): Set<string> {
  const bare = heading.replace(HINT, "");
  const whole = plain(bare)
    .replace(/^((?:insurance|ins|payor|payer|policy))([12])/u, (_, name, at) =>
      at === "2" ? `secondary${name}` : name,
    )
    .replace(/^(.*(?:insurance|payor|payer))2$/u, "secondary$1");
  const spelled = whole.replace(/(?<=.)(?:no|nr|num|nbr)$/u, "number");
  const shorter = spelled.replace(/(?<=id|mrn)number$/u, "").replace(/^number(?:of)?(?=.)/u, "");
  const ownerless = plain(bare.replaceAll(/['’]s\b/gi, ""));
  const ways = [whole, spelled, shorter, ownerless].flatMap((each) => [
    each,
    each.replace(aboutWhom, ""),
  ]);
  return new Set(ways.toSorted((a, b) => b.length - a.length).filter(Boolean));
}

const named = new Map<string, string[]>();

/** The fields that a heading may name, in the order of the type; usually one or none. */
export function fieldsNamed(type: SheetType, heading: string): string[] {
  const fields = Object.entries(FIELDS[type]);
  const namedBy = (name: string): string[] =>
    fields
      .filter(([, { headings, names }]) => headings.test(name) || names.has(name))
      .map(([id]) => id);
  return remembered(named, `${type} ${heading}`, () => {
    const aboutWhom = ABOUT_WHOM[type] ?? OF_THEIRS;
    const found = [...spellings(heading, aboutWhom)].map(namedBy);
    return found.find(({ length }) => length > 0) ?? [];
  });
}

/** Whether a heading names a field of any sheet. */
export function isKnownHeading(heading: string): boolean {
  return (Object.keys(FIELDS) as SheetType[]).some((type) => fieldsNamed(type, heading).length > 0);
}

/**
 * Whose column a heading of guardians is, of whom a patient has one: that of the `mother`, of who is called in an
 * `emergency`, of whichever `parent` it is; undefined for other headings.
 */
export function guardianOf(heading: string): string | undefined {
  const name = plain(heading);
  if (OTHER_GUARDIAN.test(name)) return "second";
  if (!fieldsNamed("patients", heading).some((field) => field.startsWith("guardian.")))
    return undefined;
  const [own = ""] = /emergency|responsible|momdad|mom|mother|dad|father/.exec(name) ?? [];
  return { "": "parent", momdad: "parent", mom: "mother", dad: "father" }[own] ?? own;
}
