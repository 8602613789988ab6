/** A command that cannot be carried out. The message tells the operator why, and what to do. */
export class Refused extends Error {}

/** The error for an unknown organization. */
export function noSuchOrganization(id: string): Refused {
  return new Refused(`There is no organization ${id}; "caseload organizations list" shows them.`);
}
