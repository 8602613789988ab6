import type { Db } from "../../db/database.ts";
import { CommandError } from "../lib/command-error.ts";
import { DomainError } from "../lib/errors.ts";
import { listOrganizationIds, requireOrganization } from "../organizations/repository.ts";

/**
 * The organization of a command: the given one, or the only one that exists.
 *
 * @throws CommandError if it does not exist, or if there are several and none is given.
 */
export async function organizationOf(db: Db, option: string | undefined): Promise<string> {
  if (option !== undefined) {
    await requireOrganization(db, option);
    return option;
  }
  const [only, ...others] = await listOrganizationIds(db);
  if (only === undefined)
    throw new CommandError('There is no organization yet; create one with "caseload import".');
  if (others.length > 0)
    throw new CommandError(
      'There are several organizations; name one with --organization. "caseload organizations list" shows them.',
    );
  return only;
}

/** Rethrows what is wrong with the user of a command as `CommandError`; other errors unchanged. */
export function unknownUserAsCommandError(user: { organizationId: string; userId: string }) {
  return (error: unknown): never => {
    if (!(error instanceof DomainError)) throw error;
    const { organizationId, userId } = user;
    if (error.kind === "notFound")
      throw new CommandError(`The organization ${organizationId} has no user ${userId}.`);
    if (error.kind === "notStaff")
      throw new CommandError(`${error.message}, and ${userId} is none.`);
    throw new CommandError(error.message);
  };
}
