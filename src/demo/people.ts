import { foldForSearch } from "../lib/text.ts";
import data from "./people.json";
import type { Random } from "./random.ts";

/** Fictitious people and contact data: reserved domains and fictional phone numbers. */

const namesOf = (names: string): string[] => names.split(", ");

/** Names grouped by language, so that first and last names match; weighted by repetition for New York State. */
const cultures = data.cultures.flatMap(({ weight, female, male, last }) =>
  Array<Names>(weight).fill({
    female: namesOf(female),
    male: namesOf(male),
    last: namesOf(last),
  }),
);

const streets = namesOf(data.streets);

interface Names {
  female: readonly string[];
  male: readonly string[];
  last: readonly string[];
}

export type Sex = "FEMALE" | "MALE";

export interface Person {
  firstName: string;
  lastName: string;
  sex: Sex;
}

export function newPerson(random: Random): Person {
  return personOf(random.pick(cultures), random);
}

/** A parent and a child with the same background, mostly with the same last name. */
export function newRelatives(random: Random): { parent: Person; child: Person } {
  const culture = random.pick(cultures);
  const parent = personOf(culture, random);
  const child = personOf(culture, random);
  return { parent, child: random.chance(0.8) ? { ...child, lastName: parent.lastName } : child };
}

function personOf(names: Names, random: Random): Person {
  const sex = random.chance(0.5) ? "FEMALE" : "MALE";
  const firstName = random.pick(sex === "FEMALE" ? names.female : names.male);
  return { firstName, lastName: random.pick(names.last), sex };
}

export type Address = ReturnType<typeof newAddress>;

export function newAddress(random: Random) {
  const town = random.pick(data.towns);
  return {
    addressLine1: `${random.whole(2, 480)} ${random.pick(streets)}`,
    ...(random.chance(0.2) && { addressLine2: `Apt ${random.whole(1, 12)}` }),
    city: town.city,
    state: "NY",
    postalCode: town.postalCode,
  };
}

/** 555-0100 to 555-0199 are reserved for fiction in every area code. */
export function newPhoneNumber(random: Random): string {
  const areaCode = random.pick(["518", "838", "845"]);
  return `+1${areaCode}55501${String(random.whole(0, 99)).padStart(2, "0")}`;
}

/** Generates unique email addresses: the second `ana.ruiz` becomes `ana.ruiz2`. */
export class EmailAddresses {
  readonly #times = new Map<string, number>();

  constructor(private readonly domain: string) {}

  next({ firstName, lastName }: Person): string {
    const name = `${lettersOf(firstName)}.${lettersOf(lastName)}`;
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    return `${name}${times === 1 ? "" : times}@${this.domain}`;
  }
}

function lettersOf(name: string): string {
  return foldForSearch(name).replace(/[^a-z]/g, "");
}
