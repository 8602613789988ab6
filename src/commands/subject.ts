import type { Db } from "../../db/database.ts";
import { requireOrganization } from "../organizations/repository.ts";
import { CommandError } from "../lib/command-error.ts";
import { listAuthorizationsByNumber, organizationsWith } from "../utilization/repository.ts";

/**
 * Finds the authorization or pool with an id, or else the only authorization with that number.
 *
 * @throws CommandError if there is none, or if there are several.
 */
export async function findSubject(
  db: Db,
  id: string,
  organization: string | undefined,
): Promise<{ organizationId: string; publicId: string }> {
  const organizations = await organizationsWith(db, id);
  const byId = organizations.map((organizationId) => ({ organizationId, publicId: id }));
  const matches = byId.length > 0 ? byId : await listAuthorizationsByNumber(db, id);
  const subjects = matches.filter(
    (one) => organization === undefined || one.organizationId === organization,
  );
  const [only, ...others] = subjects;
  if (only === undefined) {
    if (organization === undefined)
      throw new CommandError(
        `There is no authorization or pool ${id}; "caseload utilization --overview" lists the current ones.`,
      );
    await requireOrganization(db, organization);
    throw new CommandError(`The organization ${organization} has no authorization or pool ${id}.`);
  }
  if (others.length === 0) return only;
  if (byId.length > 0)
    throw new CommandError(
      `Several organizations have ${id}: ${organizations.join(", ")}. Name one with --organization.`,
    );
  const ids = subjects.map(({ organizationId, publicId }) => `${publicId} of ${organizationId}`);
  throw new CommandError(
    `Several authorizations have the number ${id}: ${ids.join(", ")}. Give the id of one.`,
  );
}
