import { type CalendarDate, dateOf, type Instant, type TimeZone } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import {
  AS_PLANNED,
  BILLED_BEFORE,
  type CalendarMaking,
  IN_FORCE,
  makeAppointments,
  THE_PATIENTS,
  TO_BE_BILLED,
} from "./appointments.ts";
import { FIRST_INSURANCE, makeAuthorizations } from "./authorizations.ts";
import { BY_ROLE } from "./entries.ts";
import type { SheetType } from "./fields.ts";
import { makeList } from "./lists.ts";
import { plain } from "./names.ts";
import { BY_CERTIFICATE, makeCaregivers, makePatients, makeStaff } from "./people.ts";
import { type ImportLine, type NewIds, Practice, type Stored } from "./practice.ts";
import { SheetReader } from "./reader.ts";
import { Resolving } from "./resolving.ts";
import type { Sheet } from "./sheet.ts";
import { CREDENTIALS, type Option, optionsOfKind } from "./words.ts";

/** The lines of a practice file that sheets become, all together, and what there is to say and to choose. */

export interface ImportContext {
  stored: Stored;
  ids: NewIds;
  zone: TimeZone;
  now: Instant;
}

/** A field whose value is one for all rows. */
export interface Constant {
  field: string;
  label: string;
  value: string;
  /** Undefined for a text, or a day. */
  options?: readonly Option[];
  isDay?: boolean;
  /** Whether there must be one, and is none. */
  isAsked: boolean;
}

export interface BuiltSheet {
  reader: SheetReader;
  constants: Constant[];
}

export interface Built {
  lines: ImportLine[];
  practice: Practice;
  sheets: Map<Sheet, BuiltSheet>;
}

/** What others refer to comes first. */
const ORDER: readonly SheetType[] = [
  ...(["payors", "locations", "services", "codes", "staff", "caregivers", "patients"] as const),
  ...(["authorizations", "appointments"] as const),
];

export function buildImport(sheets: readonly Sheet[], context: ImportContext): Built {
  const { stored, ids, zone, now } = context;
  const today = dateOf(now, zone);
  const practice = new Practice(stored, ids);
  const built = new Map<Sheet, BuiltSheet>();
  const proposals = new Map<SheetReader, Map<string, string>>();
  const making: CalendarMaking = {
    ...{ practice, resolving: new Resolving(practice), guardians: new Map(), now },
    zone,
    dayOf: (instant) => dateOf(instant, zone),
    constant: (reader, field) => {
      const chosen = reader.sheet.constants[field];
      if (chosen !== undefined && mayBe(field, chosen, practice)) return chosen;
      const known = proposals.get(reader)?.get(field);
      if (known !== undefined) return known;
      const proposal = proposalOf(reader, field, { practice, today });
      proposals.set(reader, (proposals.get(reader) ?? new Map()).set(field, proposal));
      return proposal;
    },
  };
  const sorted = sheets.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
  for (const sheet of sorted) {
    const reader = new SheetReader(sheet, { zone, today });
    makersOf(sheet.type)(reader, making);
    const constants = constantsOf(reader).map((each) => ({
      ...each,
      value: making.constant(reader, each.field),
      isAsked: reader.asked.has(each.field),
      ...(each.field === "locationId" && { options: locationOptions(practice) }),
      ...(each.field === "payorId" && { options: payorOptions(practice) }),
      ...(each.field === "nonBillableCode" && {
        options: recordOptions(practice, "nonBillableCode"),
      }),
    }));
    built.set(sheet, { reader, constants });
  }
  return { lines: practice.lines, practice, sheets: built };
}

function makersOf(type: SheetType): (reader: SheetReader, making: CalendarMaking) => void {
  if (type === "patients") return makePatients;
  if (type === "staff") return makeStaff;
  if (type === "caregivers") return makeCaregivers;
  if (type === "authorizations") return makeAuthorizations;
  if (type === "appointments") return makeAppointments;
  return makeList;
}

/** The types of records that a value for all rows may be, besides what is said in words. */
const RECORDS: Record<string, string> = {
  locationId: "location",
  payorId: "payor",
  nonBillableCode: "nonBillableCode",
};

/** Whether a value may be one for all rows: what was chosen at another time may be gone. */
function mayBe(field: string, value: string, practice: Practice): boolean {
  const type = RECORDS[field];
  if (type === undefined || ["", THE_PATIENTS, FIRST_INSURANCE].includes(value)) return true;
  return practice.find(type, value) !== undefined;
}

const EMPTY: Option = { value: "", name: "None" };

const LABELS: Record<string, string> = {
  userStatus: "Status",
  "insurance.from": "Insurance in effect from",
  role: "Role",
  "certificate.type": "Credential",
  "certificate.area": "Practice area",
  "certificate.status": "Credential’s status",
  authorizationStatus: "Status",
  payorId: "Payor",
  frequency: "Per",
  status: "Status",
  locationId: "Location",
  placeOfService: "Place of service",
  authorizationId: "Authorization",
  nonBillableCode: "Code of what is not billed",
  delivered: "Delivered",
  billing: "Billing of what was delivered",
};

type Described = Pick<Constant, "field" | "label" | "options" | "isDay">;

/** The fields of a sheet that have no column, and a value for all rows instead. */
function constantsOf(reader: SheetReader): Described[] {
  const { sheet, needed } = reader;
  const without = (field: string, options?: readonly Option[]): Described[] =>
    reader.has(field) ? [] : [described(field, options)];
  if (sheet.type === "patients")
    return [
      ...without("userStatus", optionsOfKind("userStatus")),
      ...(reader.has("insurance.payor", "insurance.memberId") && !reader.has("insurance.from")
        ? [{ ...described("insurance.from"), isDay: true }]
        : []),
    ];
  if (sheet.type === "staff") {
    const byCertificate = { value: BY_CERTIFICATE, name: "By each row’s certificate" };
    const roles = [
      EMPTY,
      ...(reader.has("certificate.type") ? [byCertificate] : []),
      ...optionsOfKind("role"),
    ];
    const byRole = { value: BY_ROLE, name: "From the role’s words" };
    const credentials = CREDENTIALS.map((value) => ({ value, name: value }));
    const types = [EMPTY, ...(reader.has("role") ? [byRole] : []), ...credentials];
    return [
      ...without("role", roles),
      ...(reader.has("certificate.number")
        ? [
            ...without("certificate.type", types),
            ...without("certificate.area"),
            ...without("certificate.status"),
          ]
        : []),
    ];
  }
  if (sheet.type === "authorizations")
    return [
      ...without("authorizationStatus", optionsOfKind("authorizationStatus")),
      ...without("payorId", []),
      ...without("frequency", frequencies()),
    ];
  if (sheet.type !== "appointments") return [];
  const inForce = { value: IN_FORCE, name: "The one in force" };
  const nothing = { value: "nothing", name: "Nothing" };
  const planned = { value: AS_PLANNED, name: "As long as planned, where it says so" };
  const ifNeeded = (field: string, options: readonly Option[]): Described[] =>
    needed.has(field) ? [described(field, options)] : [];
  return [
    ...without("status", optionsOfKind("status")),
    ...ifNeeded("locationId", []),
    ...ifNeeded("placeOfService", optionsOfKind("place")),
    ...(reader.has("authorization")
      ? []
      : [described("authorizationId", [inForce, { value: "none", name: "None" }])]),
    ...ifNeeded("nonBillableCode", []),
    ...(reader.has("units", "hoursWorked") ? [] : [described("delivered", [nothing, planned])]),
    ...ifNeeded("billing", [
      { value: "", name: "Please choose" },
      { value: BILLED_BEFORE, name: "Was billed before Caseload" },
      { value: TO_BE_BILLED, name: "Is still to be billed" },
    ]),
  ];
}

function frequencies(): Option[] {
  return optionsOfKind("frequency").map((option) =>
    option.value === "TOTAL" ? { ...option, name: "The whole authorization" } : option,
  );
}

function described(field: string, options?: readonly Option[]): Described {
  return { field, label: LABELS[field] ?? field, ...(options && { options }) };
}

function recordOptions(practice: Practice, type: string): Option[] {
  const all = practice
    .all(type)
    .map(({ publicId, name }) => ({ value: publicId, name: String(name) }));
  return [{ value: "", name: "Please choose" }, ...all];
}

function locationOptions(practice: Practice): Option[] {
  return [...recordOptions(practice, "location"), { value: THE_PATIENTS, name: "The patient’s" }];
}

function payorOptions(practice: Practice): Option[] {
  const [, ...payors] = recordOptions(practice, "payor");
  return [
    { value: FIRST_INSURANCE, name: "The patient’s first insurance on that day" },
    EMPTY,
    ...payors,
  ];
}

/** What is proposed as the value of all rows; empty where nothing is. */
function proposalOf(
  { sheet }: SheetReader,
  field: string,
  { practice, today }: { practice: Practice; today: CalendarDate },
): string {
  const hasField = (name: string): boolean => sheet.fields.includes(name);
  switch (field) {
    case "userStatus":
      return "ACTIVE";
    case "insurance.from":
      return `${today.slice(0, 4)}-01-01`;
    case "role":
      return hasField("certificate.type") ? BY_CERTIFICATE : roleOfName(sheet.name);
    case "certificate.type":
      return hasField("role") ? BY_ROLE : "";
    case "certificate.area":
      return "ABA";
    case "certificate.status":
      return "ACTIVE";
    case "authorizationStatus":
      return "AUTHORIZED";
    case "payorId":
      return FIRST_INSURANCE;
    case "frequency":
      return "TOTAL";
    case "status":
      return "CONFIRMED";
    case "placeOfService":
      return "OFFICE";
    case "authorizationId":
      return IN_FORCE;
    case "locationId":
      return onlyLocation(practice);
    case "nonBillableCode": {
      const [code, ...others] = practice.all("nonBillableCode");
      return code !== undefined && others.length === 0 ? code.publicId : "";
    }
    case "delivered":
      return "nothing";
    default:
      return "";
  }
}

function roleOfName(name: string): string {
  const words = plain(name);
  if (/rbt|technician|behaviortech|therapist/.test(words)) return "TECHNICIAN";
  return /bcba|clinician|analyst/.test(words) ? "CLINICIAN" : "";
}

function onlyLocation(practice: Practice): string {
  const [location, ...others] = practice.all("location");
  if (location === undefined || others.length === 0) return location?.publicId ?? "";
  const patients = practice.people(["PATIENT"]);
  const isOne = ({ locationIds }: Line): boolean =>
    (locationIds as string[] | undefined)?.length === 1;
  return patients.length > 0 && patients.every(isOne) ? THE_PATIENTS : "";
}
