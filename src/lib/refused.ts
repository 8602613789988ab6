/** Something that an operator asked for cannot be done: the message says why, and what to do instead. */
export class Refused extends Error {}

/** The refusal of an organization that the database does not have. */
export function noSuchOrganization(id: string): Refused {
  return new Refused(`There is no organization ${id}; "caseload organizations list" shows them.`);
}
