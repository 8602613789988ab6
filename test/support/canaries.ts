import { document, endpoints } from "./endpoints.ts";

/**
 * Every name, address, phone number, clinical text and key that tests put into the data or send is a canary:
 * where one turns up in a log line, an answer that refuses, or the metrics, data has leaked. The factories and
 * the harness see to both, so that every test is a test of this.
 */

/** What holds such texts in bodies; columns have the same names in snake case. */
const fields = [
  // Of a person.
  ...["firstName", "lastName", "email", "phone", "phoneNumber"],
  ...["address", "addressLine1", "addressLine2", "city", "zip", "postalCode"],
  ...["internalRecordId", "npiNumber", "memberId", "groupId", "planHolder", "credentialNumber"],
  ...["authorizationNumber", "notes", "insuredAddress", "attribution"],
  // Of a treatment.
  ...["goalStatement", "title", "description", "definition", "instructions", "shortDescription"],
  ...["progressSummary", "skillCategory", "targetMaladaptiveBehaviorName"],
  ...["antecedent", "consequence"],
];
const columns = fields.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
const PERSONAL_FIELDS = new Set([...fields, ...columns]);

/** Parameters of a query that a caller fills with them. */
const PERSONAL_PARAMETERS = ["search", "email"];

/** The number that the refusal of a phone number shows. */
const SHOWN_PHONE = "+14155552671";

/** What the service says of itself, whoever asks: its documentation, without the examples in it. */
const documentation = JSON.stringify(document, (name, value) =>
  name === "example" || name === "examples" ? undefined : value,
);
const ownWords = documentation + SHOWN_PHONE;

/** Ids are in lower case, and may hold any short text by chance; so may times and durations. */
const LIKE_PART_OF_AN_ID = /^[0-9a-z_.:-]{0,11}$/;

/** Shorter texts turn up by chance, however long they are when escaped: "\0" is six characters of JSON. */
const SHORTEST = 3;

/** What a text is in JSON, if it is a canary at all. */
function asCanary(text: string): string[] {
  return text.length < SHORTEST || LIKE_PART_OF_AN_ID.test(text)
    ? []
    : [JSON.stringify(text).slice(1, -1)];
}

/** The canaries in the data of all services, by their first characters: many are found as fast as few. */
const planted = new Map<number, Set<string>>();

/** Makes canaries of texts, wherever they may turn up from now on. */
export function plant(texts: readonly string[]): void {
  for (const canary of texts.flatMap(asCanary)) {
    const alike = planted.get(beginning(canary, 0));
    if (alike === undefined) planted.set(beginning(canary, 0), new Set([canary]));
    else alike.add(canary);
  }
}

/** The canaries in a JSON text: those that were planted, and some more texts. */
export function canariesIn(text: string, more: readonly string[] = []): string[] {
  const found = more.flatMap(asCanary).filter((canary) => text.includes(canary));
  for (let position = 0; position <= text.length - SHORTEST; position += 1)
    for (const canary of planted.get(beginning(text, position)) ?? [])
      if (text.startsWith(canary, position)) found.push(canary);
  return found.filter((canary) => !ownWords.includes(canary));
}

function beginning(text: string, position: number): number {
  const code = (offset: number) => text.charCodeAt(position + offset);
  return (code(0) * 65_536 + code(1)) * 65_536 + code(2);
}

/** A JSON text without some texts in it, such as ids that were sent: a part of one may look like a name. */
export function without(texts: readonly string[], json: string): string {
  return texts
    .filter((text) => text.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, text) => rest.replaceAll(JSON.stringify(text).slice(1, -1), " "), json);
}

/** The texts in a row or a body, of which some are nobody else's business. */
export interface Texts {
  personal: string[];
  /** Ids, for the most part, which refusals may name. */
  other: string[];
}

export function textsIn(
  value: unknown,
  isPersonal = false,
  texts: Texts = { personal: [], other: [] },
): Texts {
  if (typeof value === "string") texts[isPersonal ? "personal" : "other"].push(value);
  if (typeof value === "object" && value !== null)
    for (const [name, part] of Object.entries(value))
      textsIn(part, isPersonal || PERSONAL_FIELDS.has(name), texts);
  return texts;
}

/** The personal texts that a caller has put into a query. */
export function personalParameters(path: string): string[] {
  const start = path.indexOf("?");
  if (start === -1) return [];
  const parameters = new URLSearchParams(path.slice(start));
  return PERSONAL_PARAMETERS.flatMap((name) => parameters.getAll(name));
}
