import { foldForSearch } from "../lib/text.ts";
import type { Random } from "./random.ts";

/**
 * Fictitious people and contact data: reserved domains and fictional phone numbers. Names are grouped by language, so
 * that first and last names match.
 */

interface Names {
  female: readonly string[];
  male: readonly string[];
  last: readonly string[];
}

const ENGLISH: Names = {
  female: [
    "Abigail",
    "Chloe",
    "Emma",
    "Grace",
    "Hannah",
    "Lucy",
    "Megan",
    "Nora",
    "Ruth",
    "Violet",
  ],
  male: ["Caleb", "Daniel", "Ethan", "Henry", "Jack", "Leo", "Miles", "Owen", "Samuel", "Theo"],
  last: [
    "Ashdown",
    "Bennett",
    "Carver",
    "Dawson",
    "Ellery",
    "Fairbank",
    "Hollis",
    "Kendrick",
    "Mercer",
    "Prescott",
    "Thornbury",
    "Whitlock",
  ],
};

const SPANISH: Names = {
  female: ["Ana", "Camila", "Elena", "Inés", "Lucía", "Marisol", "Sofía", "Valentina", "Ximena"],
  male: ["Andrés", "Diego", "Emilio", "Joaquín", "Mateo", "Rafael", "Santiago", "Tomás", "Íñigo"],
  last: [
    "Castañeda",
    "Domínguez",
    "Fuentes",
    "Ibáñez",
    "Muñoz",
    "Núñez",
    "Peña",
    "Quiñones",
    "Rentería",
    "Ruiz",
    "Zamora",
  ],
};

const POLISH: Names = {
  female: ["Agnieszka", "Bożena", "Hanna", "Kinga", "Małgorzata", "Zofia", "Żaneta"],
  male: ["Grzegorz", "Jędrzej", "Kacper", "Łukasz", "Michał", "Paweł", "Stanisław"],
  last: ["Dąbek", "Gołąb", "Krawiec", "Łoza", "Pająk", "Sikora", "Wąsik", "Źrebiec", "Żurek"],
};

const VIETNAMESE: Names = {
  female: ["Diệu", "Hạnh", "Hương", "Lan", "Mai", "Ngọc", "Thảo", "Yến"],
  male: ["An", "Bảo", "Đức", "Hiếu", "Khang", "Minh", "Phúc", "Tuấn"],
  last: ["Bùi", "Đặng", "Hoàng", "Lê", "Nguyễn", "Phạm", "Trần", "Vũ"],
};

const ARABIC: Names = {
  female: ["Amal", "Dana", "Huda", "Layla", "Mariam", "Noor", "Rania", "Salma"],
  male: ["Adam", "Bilal", "Faris", "Hamza", "Karim", "Nabil", "Sami", "Yusuf"],
  last: ["Abboud", "Darwish", "Haddad", "Khalil", "Mansour", "Nasser", "Qasim", "Sabbagh"],
};

const INDIAN: Names = {
  female: ["Aditi", "Diya", "Ishani", "Kavya", "Meera", "Nandini", "Priya", "Tara"],
  male: ["Arjun", "Dev", "Ishaan", "Kiran", "Nikhil", "Rohan", "Varun", "Vihaan"],
  last: ["Bhatt", "Chaudhary", "Deshpande", "Iyer", "Kulkarni", "Menon", "Rao", "Subramanian"],
};

const WEST_AFRICAN: Names = {
  female: ["Abena", "Adaeze", "Amara", "Chioma", "Efua", "Folake", "Ngozi", "Zainab"],
  male: ["Babatunde", "Chidi", "Emeka", "Kofi", "Kwame", "Obinna", "Sekou", "Tunde"],
  last: ["Adeyemi", "Asante", "Boateng", "Diallo", "Eze", "Mensah", "Okafor", "Owusu"],
};

const FRENCH: Names = {
  female: ["Adèle", "Anaïs", "Chloé", "Éloïse", "Hélène", "Maëlle", "Noémie", "Zoé"],
  male: ["André", "Benoît", "Étienne", "François", "Gaël", "Jérôme", "Loïc", "Rémi"],
  last: ["Bélanger", "Côté", "D’Aubigny", "Fournier", "Gagné", "Lefèvre", "Pelletier", "Thériault"],
};

const NORTHERN: Names = {
  female: ["Åsa", "Freja", "Greta", "Ingrid", "Käthe", "Linnea", "Solvejg", "Þóra"],
  male: ["Anders", "Björn", "Håkon", "Jürgen", "Lars", "Øyvind", "Søren", "Torbjörn"],
  last: ["Kjær", "Bergström", "Groß", "Håkansson", "Köhler", "Lindqvist", "Møller", "Sæther"],
};

const KOREAN: Names = {
  female: ["Eun-ji", "Ha-eun", "Ji-woo", "Min-seo", "Seo-yeon", "Soo-ah", "Yuna"],
  male: ["Do-yun", "Hyun-woo", "Ji-ho", "Jun-seo", "Min-jun", "Seung", "Tae-min"],
  last: ["Bae", "Choi", "Han", "Jung", "Kang", "Lim", "Park", "Seo", "Yoon"],
};

const IRISH: Names = {
  female: ["Aoife", "Bríd", "Ciara", "Maeve", "Niamh", "Orla", "Róisín", "Síle"],
  male: ["Cian", "Declan", "Eoin", "Finn", "Niall", "Oisín", "Rory", "Tadhg"],
  last: ["Byrne", "Gallagher", "Mac Giolla", "McKenna", "Ó Briain", "O’Dowd", "Quigley", "Tierney"],
};

// Some are repeated as weights for New York State.
const CULTURES = [
  ENGLISH,
  ENGLISH,
  ENGLISH,
  SPANISH,
  SPANISH,
  ARABIC,
  FRENCH,
  INDIAN,
  IRISH,
  KOREAN,
  NORTHERN,
  POLISH,
  VIETNAMESE,
  WEST_AFRICAN,
] as const;

export type Sex = "FEMALE" | "MALE";

export interface Person {
  firstName: string;
  lastName: string;
  sex: Sex;
}

/** A random person. */
export function newPerson(random: Random): Person {
  return personOf(random.pick(CULTURES), random);
}

/** A parent and a child with the same background, mostly with the same last name. */
export function newRelatives(random: Random): { parent: Person; child: Person } {
  const culture = random.pick(CULTURES);
  const parent = personOf(culture, random);
  const child = personOf(culture, random);
  return { parent, child: random.chance(0.8) ? { ...child, lastName: parent.lastName } : child };
}

function personOf(names: Names, random: Random): Person {
  const sex = random.chance(0.5) ? "FEMALE" : "MALE";
  const firstName = random.pick(sex === "FEMALE" ? names.female : names.male);
  return { firstName, lastName: random.pick(names.last), sex };
}

export interface Address {
  addressLine1: string;
  addressLine2?: string;
  city: string;
  state: string;
  postalCode: string;
}

const STREETS = [
  "Alder Lane",
  "Birchwood Road",
  "Canal Street",
  "Foundry Street",
  "Heron Way",
  "Juniper Court",
  "Lock Street",
  "Maple Street",
  "Millrace Road",
  "Orchard Avenue",
  "Quarry Road",
  "Station Road",
];

const TOWNS = [
  { city: "Mapleton Falls", postalCode: "12590" },
  { city: "Alder Creek", postalCode: "12591" },
  { city: "Brookmere", postalCode: "12593" },
  { city: "Quarry Hill", postalCode: "12595" },
  { city: "East Larkspur", postalCode: "12597" },
];

export function newAddress(random: Random): Address {
  const town = random.pick(TOWNS);
  return {
    addressLine1: `${random.whole(2, 480)} ${random.pick(STREETS)}`,
    ...(random.chance(0.2) && { addressLine2: `Apt ${random.whole(1, 12)}` }),
    city: town.city,
    state: "NY",
    postalCode: town.postalCode,
  };
}

const AREA_CODES = ["518", "838", "845"];

/** 555-0100 to 555-0199 are reserved for fiction in every area code. */
export function newPhoneNumber(random: Random): string {
  return `+1${random.pick(AREA_CODES)}55501${String(random.whole(0, 99)).padStart(2, "0")}`;
}

/** Generates unique email addresses: the second `ana.ruiz` becomes `ana.ruiz2`. */
export class EmailAddresses {
  readonly #given = new Map<string, number>();

  constructor(private readonly domain: string) {}

  next({ firstName, lastName }: Person): string {
    const name = `${lettersOf(firstName)}.${lettersOf(lastName)}`;
    const times = (this.#given.get(name) ?? 0) + 1;
    this.#given.set(name, times);
    return `${name}${times === 1 ? "" : times}@${this.domain}`;
  }
}

function lettersOf(name: string): string {
  return foldForSearch(name).replace(/[^a-z]/g, "");
}
