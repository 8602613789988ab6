import type { TSchema } from "@sinclair/typebox";
import type { Database } from "../../db/database.ts";
import { remembered } from "../../src/lib/remembered.ts";
import { variantsOf } from "../../src/practice-file/model.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { document, endpoints } from "./endpoints.ts";

/**
 * Every name, address, phone number, clinical text and key that tests store or send is a canary. If one appears in a
 * log entry, an error response or the metrics, data has leaked. The factories plant canaries and the harness searches
 * for them, so every test checks for leaks.
 */

/** Texts that name no person: the practice's own words, and ids in requests. */
const OTHER_TEXTS = [
  ...["name", "timezone", "country", "state", "userStatus", "status", "authorizationStatus"],
  ...["credentialType", "credentialStatus", "practiceArea", "complianceCredentials"],
  ...["source", "channel", "campaign"],
  ...["publicId", "treatmentPlanId", "intakeStatusPublicId", "labelPublicIds", "cancel"],
  ...["selectedLocations", "providerPayors", "specializations"],
  ...["careTeamTechnicianIds", "careTeamLeadIds"],
];
const OTHER_FORMATS = ["date", "date-time", "time-zone", "public-id"];

/** The names of the texts in a schema that are no ids of records, times or enumerations. */
function textNames(schema: TSchema, name = ""): string[] {
  const parts: TSchema[] = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  const properties = Object.entries<TSchema>(schema.properties ?? {});
  const isText =
    schema.type === "string" && !("const" in schema) && !OTHER_FORMATS.includes(schema.format);
  return [
    ...(isText ? [name] : []),
    ...parts.flatMap((part) => textNames(part, name)),
    ...properties.flatMap(([key, part]) => textNames(part, key)),
  ];
}

/** Fields with such texts: all others of records and requests, a new one included, and objects of them. */
const personalFields = new Set([
  ...["attribution", "insuredAddress"],
  ...[
    ...recordTypes.flatMap((type) => variantsOf(type).variants),
    ...endpoints.flatMap(({ body }) => body ?? []),
  ]
    .flatMap((schema) => textNames(schema))
    .filter((name) => !OTHER_TEXTS.includes(name)),
]);
/** Columns have the same names in snake case. */
const PERSONAL_FIELDS = new Set(
  [...personalFields].flatMap((name) => [
    name,
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/** Query parameters with such texts. */
const PERSONAL_PARAMETERS = ["search", "email"];

/**
 * The example in the error message for phone numbers, and a word that begins other messages: fast-check's texts contain
 * parts of `toString`.
 */
const SHOWN = ["+14155552671", "String"];

/** The service's own texts (the OpenAPI document), without the examples in it. */
const documentation = JSON.stringify(document, (name, value) =>
  name === "example" || name === "examples" ? undefined : value,
);
const ownWords = [documentation, ...SHOWN].join(" ");

/** Ids are lower-case and may contain any short text by chance; so may times and durations. */
const LIKE_PART_OF_AN_ID = /^[0-9a-z_.:-]{0,11}$/;

/** Shorter texts occur by chance. Length counts before escaping: "\0" is six characters of JSON. */
const SHORTEST = 3;

/** The JSON form of a text, if it is a canary. */
function asCanary(text: string): string[] {
  return text.length < SHORTEST || LIKE_PART_OF_AN_ID.test(text)
    ? []
    : [JSON.stringify(text).slice(1, -1)];
}

/**
 * The canaries in open databases, each with the databases that have it, by prefix, so that searching takes the same time
 * for few and many.
 */
const planted = new Map<number, Map<string, Set<Database>>>();

/** Adds canaries of a database, to be searched for until it is forgotten. */
export function plant(database: Database, texts: readonly string[]): void {
  for (const canary of texts.flatMap(asCanary)) {
    const alike = remembered(planted, beginning(canary, 0), () => new Map());
    remembered(alike, canary, () => new Set()).add(database);
  }
}

/** Removes a database that is closed: texts of one test file are no leak in another's, which shares the process. */
export function forget(database: Database): void {
  for (const alike of planted.values())
    for (const [canary, databases] of alike)
      if (databases.delete(database) && databases.size === 0) alike.delete(canary);
}

/** The canaries in a JSON text: planted ones and some more. */
export function canariesIn(text: string, more: readonly string[] = []): string[] {
  const found = more.flatMap(asCanary).filter((canary) => text.includes(canary));
  for (let position = 0; position <= text.length - SHORTEST; position += 1)
    for (const canary of planted.get(beginning(text, position))?.keys() ?? [])
      if (text.startsWith(canary, position)) found.push(canary);
  return found.filter((canary) => !ownWords.includes(canary));
}

function beginning(text: string, position: number): number {
  const code = (offset: number) => text.charCodeAt(position + offset);
  return (code(0) * 65_536 + code(1)) * 65_536 + code(2);
}

/** Removes texts from a JSON text, such as ids that were sent, since a part of one may look like a name. */
export function without(texts: readonly string[], json: string): string {
  return texts
    .filter((text) => text.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, text) => rest.replaceAll(JSON.stringify(text).slice(1, -1), " "), json);
}

/** The texts of a row or body. */
export interface Texts {
  personal: string[];
  /** Mostly ids, which error messages may contain. */
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

/** The names of the parameters in a query. A refusal names those that an operation does not have. */
export function parameterNames(path: string): string[] {
  return [...new URLSearchParams(path.split("?", 2)[1] ?? "").keys()];
}

/** The personal texts in a query string. */
export function personalParameters(path: string): string[] {
  const start = path.indexOf("?");
  if (start === -1) return [];
  const parameters = new URLSearchParams(path.slice(start));
  return PERSONAL_PARAMETERS.flatMap((name) => parameters.getAll(name));
}
