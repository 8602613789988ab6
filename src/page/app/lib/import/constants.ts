import { remembered } from "../../../../lib/remembered.ts";
import { parseCalendarDate } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import type { SheetType } from "./fields.ts";
import { plain } from "./names.ts";
import { only } from "./practice.ts";
import type { SheetReader } from "./reader.ts";
import { CREDENTIALS, type Option, optionsOfKind } from "./words.ts";

/** The fields of sheets that may have one value for all rows. */

/** Values that are another for each row. */
export const BY_CERTIFICATE = "certificate";
export const BY_ROLE = "role";
/** The patient's first insurance on the day on which an authorization begins. */
export const FIRST_INSURANCE = "first";
export const THE_PATIENTS = "patient";
export const IN_FORCE = "force";
export const AS_PLANNED = "planned";
export const BILLED_BEFORE = "before";

/** A field whose value is one for all rows. */
export interface Constant {
  field: string;
  label: string;
  value: string;
  /** Undefined for a text, or a day. */
  options: readonly Option[] | undefined;
  isDay: boolean;
  /** Whether there must be one, and is none. */
  isAsked: boolean;
}

type Of<Value> = (reader: SheetReader) => Value;

/** Field, label, what is proposed (empty if nothing is), what may be chosen, and whether a sheet has it: without a column. */
type Declared = [
  field: string,
  label: string,
  proposal: string | Of<string>,
  options?: Of<Option[]> | undefined,
  isOf?: Of<boolean>,
];

/** The field whose value is a day. */
const FROM = "insurance.from";

const NONE: Option = { value: "", name: "None" };
const OPEN: Option = { value: "", name: "Please choose" };

/** Values with their names, in pairs. */
function options(...pairs: [value: string, name: string][]): Option[] {
  return pairs.map(([value, name]) => ({ value, name }));
}

/** The fixed values of a kind. */
const of = (kind: string) => () => optionsOfKind(kind);
/** A field that rows have needed. */
const needed =
  (field: string): Of<boolean> =>
  (reader) =>
    reader.needed.has(field);
/** A field of certificates. */
const certified =
  (field: string): Of<boolean> =>
  (reader) =>
    reader.has("certificate.number") && !reader.has(field);

function recordsOf({ context }: SheetReader, type: string): Option[] {
  const records = context.practice.all(type);
  return records.map(({ publicId, name }) => ({ value: publicId, name: String(name) }));
}

const CONSTANTS: Partial<Record<SheetType, Declared[]>> = {
  patients: [
    ["userStatus", "Status", "ACTIVE", of("userStatus")],
    [
      ...([FROM, "Insurance in effect from"] as const),
      ({ context }) => `${context.today.slice(0, 4)}-01-01`,
      undefined,
      (sheet) =>
        ["insurance", "insurance2"].some(
          (id) => sheet.has(`${id}.payor`, `${id}.memberId`) && !sheet.has(`${id}.from`),
        ),
    ],
  ],
  staff: [
    [
      ...(["role", "Role"] as const),
      (sheet) => (sheet.has("certificate.type") ? BY_CERTIFICATE : roleOfName(sheet.sheet.name)),
      (sheet) => [
        NONE,
        ...(sheet.has("certificate.type")
          ? options([BY_CERTIFICATE, "By each row’s certificate"])
          : []),
        ...optionsOfKind("role"),
      ],
    ],
    [
      ...(["certificate.type", "Credential"] as const),
      (sheet) => (sheet.has("role") ? BY_ROLE : ""),
      (sheet) => [
        NONE,
        ...(sheet.has("role") ? options([BY_ROLE, "From the role’s words"]) : []),
        ...CREDENTIALS.map((value) => ({ value, name: value })),
      ],
      certified("certificate.type"),
    ],
    ["certificate.area", "Practice area", "ABA", undefined, certified("certificate.area")],
    [
      ...(["certificate.status", "Credential’s status", "ACTIVE"] as const),
      undefined,
      certified("certificate.status"),
    ],
  ],
  authorizations: [
    ["authorizationStatus", "Status", "AUTHORIZED", of("authorizationStatus")],
    [
      ...(["payorId", "Payor", FIRST_INSURANCE] as const),
      (sheet) => [
        ...options([FIRST_INSURANCE, "The patient’s first insurance on that day"]),
        ...[NONE, ...recordsOf(sheet, "payor")],
      ],
    ],
    [
      ...(["frequency", "Per", "TOTAL"] as const),
      () => [
        ...optionsOfKind("frequency").filter(({ value }) => value !== "TOTAL"),
        ...options(["TOTAL", "The whole authorization"]),
      ],
    ],
  ],
  appointments: [
    ["status", "Status", "CONFIRMED", of("status")],
    [
      ...(["locationId", "Location", onlyLocation] as const),
      (sheet) => [
        ...[OPEN, ...recordsOf(sheet, "location")],
        ...options([THE_PATIENTS, "The patient’s"]),
      ],
      needed("locationId"),
    ],
    ["placeOfService", "Place of service", "OFFICE", of("place"), needed("placeOfService")],
    [
      ...(["authorizationId", "Authorization", IN_FORCE] as const),
      () => options([IN_FORCE, "The one in force"], ["none", "None"]),
      (sheet) => !sheet.has("authorization"),
    ],
    [
      ...(["nonBillableCode", "Code of what is not billed"] as const),
      (sheet) => onlyOf(recordsOf(sheet, "nonBillableCode")),
      (sheet) => [OPEN, ...recordsOf(sheet, "nonBillableCode")],
      needed("nonBillableCode"),
    ],
    [
      ...(["delivered", "Delivered", "nothing"] as const),
      () => options(["nothing", "Nothing"], [AS_PLANNED, "As long as planned, where it says so"]),
      (sheet) => !sheet.has("units", "hoursWorked"),
    ],
    [
      ...(["billing", "Billing of what was delivered", ""] as const),
      () => [
        OPEN,
        ...options(
          [BILLED_BEFORE, "Was billed before Caseload"],
          ["open", "Is still to be billed"],
        ),
      ],
      needed("billing"),
    ],
  ],
};

/** The value of a field for all rows: what was chosen, if it still may be, else what is proposed. */
export function constantOf(reader: SheetReader, field: string): string {
  const { sheet, proposals } = reader;
  const [, , proposal = "", choices] =
    CONSTANTS[sheet.type]?.find(([each]) => each === field) ?? [];
  const chosen = sheet.constants[field];
  const isDay = field === FROM && chosen !== "";
  const isThere = (): boolean =>
    choices?.(reader).some(({ value }) => value === chosen) ??
    (!isDay || parseCalendarDate(chosen ?? "") !== undefined);
  if (chosen !== undefined && isThere()) return chosen;
  return remembered(proposals, field, () =>
    typeof proposal === "string" ? proposal : proposal(reader),
  );
}

/** The fields of a sheet that have no column, and a value for all rows instead. */
export function constantsOf(reader: SheetReader): Constant[] {
  return (CONSTANTS[reader.sheet.type] ?? [])
    .filter(([field, , , , isOf]) => isOf?.(reader) ?? !reader.has(field))
    .map(([field, label, , choices]) => ({
      ...{ field, label, options: choices?.(reader), isDay: field === FROM },
      value: constantOf(reader, field),
      isAsked: reader.asked.has(field),
    }));
}

function roleOfName(name: string): string {
  const words = plain(name);
  if (/rbt|technician|behaviortech|therapist/.test(words)) return "TECHNICIAN";
  return /bcba|clinician|analyst/.test(words) ? "CLINICIAN" : "";
}

function onlyOf(choices: readonly Option[]): string {
  return only(choices)?.value ?? "";
}

function onlyLocation(reader: SheetReader): string {
  const locations = recordsOf(reader, "location");
  const patients = reader.context.practice.people(["PATIENT"]);
  const isOne = ({ locationIds }: Line): boolean =>
    (locationIds as string[] | undefined)?.length === 1;
  const areAll = locations.length > 1 && patients.length > 0 && patients.every(isOne);
  return areAll ? THE_PATIENTS : onlyOf(locations);
}
