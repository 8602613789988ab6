/** A command that cannot be carried out. The message tells the operator why, and what to do. */
export class CommandError extends Error {}

/** The error for an unknown organization. */
export function noSuchOrganization(id: string): CommandError {
  return new CommandError(
    `There is no organization ${id}; "caseload organizations list" shows them.`,
  );
}
