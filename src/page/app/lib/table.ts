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

/** Letters and digits of a heading: `Birth date` and `birthDate` are the same. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** What offices call the fields besides their own names and labels. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  addressLine1: ["address", "street"],
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
  patientId: ["client", "patient", "clientid"],
  phoneNumber: ["phone", "mobile", "telephone", "cell"],
  postalCode: ["zip", "zipcode"],
  publicId: ["id"],
  serviceLineId: ["service"],
  services: ["service", "serviceline"],
  startTime: ["starts", "startsat"],
  technicianId: ["therapist", "rbt"],
};

/** The field of a heading among some; undefined if none is meant. */
export function guessField(
  heading: string,
  fields: readonly string[],
  labelOf: (field: string) => string,
): string | undefined {
  const name = plain(heading);
  const isOwn = (field: string): boolean =>
    [field, field.replace(/Ids?$/, ""), labelOf(field)].some((each) => plain(each) === name);
  return fields.find(isOwn) ?? fields.find((field) => OTHER_NAMES[field]?.includes(name) === true);
}

/** The type whose fields most headings name; of several, the one that they name most of. */
export function guessType(
  headings: readonly string[],
  columns: Readonly<Record<string, readonly string[]>>,
  labelOf: (field: string) => string,
): string | undefined {
  const scores = Object.entries(columns).map(([type, fields]) => {
    const matches = headings.filter((each) => guessField(each, fields, labelOf) !== undefined);
    return { type, matches: matches.length, share: matches.length / fields.length };
  });
  const [best] = scores.sort((a, b) => b.matches - a.matches || b.share - a.share);
  return best === undefined || best.matches === 0 ? undefined : best.type;
}
