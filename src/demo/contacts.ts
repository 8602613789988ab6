import { foldForSearch } from "../lib/text.ts";
import type { Person } from "./names.ts";
import type { Random } from "./random.ts";

/** Where people can be reached, all of it invented: domains that nobody can own, and numbers kept for films. */

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

/** 555-0100 to 555-0199 are given to nobody, in any area. */
export function newPhoneNumber(random: Random): string {
  return `+1${random.pick(AREA_CODES)}55501${String(random.whole(0, 99)).padStart(2, "0")}`;
}

/** Gives out addresses, none twice: the second `ana.ruiz` becomes `ana.ruiz2`. */
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
