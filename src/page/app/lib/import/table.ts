import { plain } from "../base/plain.ts";

/** Tables of CSV, as spreadsheets write them. */

const DELIMITERS = [",", ";", "\t"];

/** The rows of a table, the headings first. The delimiter is the one that the first row has most of. */
export function parseTable(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, "").replace(/^sep=.\r?\n/, "");
  const [first = ""] = content.split(/\r?\n/, 1);
  const countOf = (delimiter: string): number => first.split(delimiter).length;
  const delimiter = DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === "") {
      cell = "";
      isQuoted = true;
    } else if (character === delimiter) endCell();
    else if (character === "\n") {
      endCell();
      rows.push(row);
      row = [];
    } else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return rows;
}

/** Rows as CSV, as they are. */
export function tableText(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\r\n");
}

/** What offices call the fields besides their own names and labels. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  addressLine1: ["address", "street", "streetaddress"],
  authorizationDate: ["authstart", "validfrom"],
  authorizationExpirationDate: ["authend", "expires", "expiration", "validuntil"],
  authorizationNumber: ["authnumber", "auth"],
  authorizedUnitsQuantity: ["units", "authorizedunits"],
  birthDate: ["dob", "birthday", "dateofbirth"],
  clientId: ["client", "patient", "patientid"],
  email: ["emailaddress", "mail"],
  endTime: ["ends", "endsat"],
  firstName: ["first", "givenname"],
  internalRecordId: ["mrn", "recordnumber"],
  lastName: ["last", "surname", "familyname"],
  locationIds: ["location", "office", "clinic", "site"],
  patientId: ["client", "patient", "clientid"],
  phoneNumber: ["phone", "mobile", "telephone", "cell"],
  postalCode: ["zip", "zipcode"],
  primaryClinicianId: ["bcba", "clinician", "supervisor", "primarybcba"],
  publicId: ["id"],
  serviceLineId: ["service"],
  services: ["service", "serviceline"],
  sex: ["gender"],
  startTime: ["starts", "startsat"],
  state: ["st"],
  technicianId: ["therapist", "rbt"],
};

/** Whom a heading is about, in a list of people: `Client First Name` is their first name. */
const ABOUT_WHOM = /^(client|patient|child|student|learner|employee|staff)(?=.)/;

/** The field of a heading among some; undefined if none is meant. */
export function guessField(
  heading: string,
  fields: readonly string[],
  labelOf: (field: string) => string,
): string | undefined {
  const name = plain(heading);
  const named = (text: string): string | undefined => {
    const isOwn = (field: string): boolean =>
      [field, field.replace(/Ids?$/, ""), labelOf(field)].some((each) => plain(each) === text);
    return (
      fields.find(isOwn) ?? fields.find((field) => OTHER_NAMES[field]?.includes(text) === true)
    );
  };
  return named(name) ?? named(name.replace(ABOUT_WHOM, ""));
}

/**
 * The type whose fields most headings name. What they leave open, the name of the file settles: `payor.csv` with an id
 * and a name has payors. Else, of several, the one that they name most of.
 */
export function guessType(
  headings: readonly string[],
  columns: Readonly<Record<string, readonly string[]>>,
  labelOf: (field: string) => string,
  fileName = "",
): string | undefined {
  const name = plain(fileName);
  const scores = Object.entries(columns).map(([type, fields]) => {
    const matches = headings.filter((each) => guessField(each, fields, labelOf) !== undefined);
    // The longest name counts: `intakeLabel` and not another one that it begins with.
    const named = [type, labelOf(type)].filter((each) => name.startsWith(plain(each)));
    const length = Math.max(0, ...named.map((each) => each.length));
    return { type, matches: matches.length, length, share: matches.length / fields.length };
  });
  const [best] = scores.sort(
    (a, b) => b.matches - a.matches || b.length - a.length || b.share - a.share,
  );
  // Headings may name nothing that is known, in a file that says what it has.
  return best === undefined || best.matches + best.length === 0 ? undefined : best.type;
}
