import { presentAt } from "../../../../lib/presence.ts";
import { STAFF_ROLES } from "../base/roles.ts";
import type { Named, Session, User } from "../base/wire.ts";

/** The rows of a day of the whole clinic. */

export interface ScheduleRow<Item extends Session> {
  /** Null for the sessions without a provider. */
  id: string | null;
  name: string;
  role: "technician" | "clinician";
  sessions: Item[];
}

/** The field of a session that names somebody of the staff. */
export function roleFieldOf(person: Named | undefined) {
  if (person === undefined) return {};
  const { publicId, role } = person;
  return role === "TECHNICIAN" ? { technicianId: publicId } : { clinicianId: publicId };
}

/** A clinician and the technicians whom they lead, if their record is loaded. */
export function teamOf(leader: string, record: User | undefined): Set<string> {
  const hasTeam = record !== undefined && "careTeamTechnicianIds" in record;
  return new Set([leader, ...(hasTeam ? record.careTeamTechnicianIds : [])]);
}

/** The sessions at a location, and at which somebody of a team is present; all where none is chosen. */
export function shownOf(
  sessions: readonly Session[],
  { location, team }: { location: string | undefined; team: ReadonlySet<string> | undefined },
): Session[] {
  return sessions
    .filter(({ locationId }) => location === undefined || locationId === location)
    .filter((session) => team === undefined || presentAt(session).some((id) => team.has(id)));
}

/**
 * A row for each active provider and each one who is present at a session, by name; then the sessions without a
 * provider. A session with several people is in the row of each.
 *
 * @param around.people all active providers, and whoever else is present.
 * @param around.team whose rows are shown; everybody's without one.
 */
export function rowsOf<Item extends Session>(
  sessions: readonly Item[],
  around: {
    people: ReadonlyMap<string, Named> | undefined;
    name: (id: string) => string;
    team: ReadonlySet<string> | undefined;
  },
): ScheduleRow<Item>[] {
  const { people, name, team } = around;
  const active = [...(people?.values() ?? [])]
    .filter(({ role, isActive }) => isActive && STAFF_ROLES.provider.includes(role))
    .map(({ publicId }) => publicId);
  const rows = [...new Set([...active, ...sessions.flatMap(presentAt)])]
    .filter((id) => team === undefined || team.has(id))
    .map((id): ScheduleRow<Item> => {
      const own = sessions.filter((session) => presentAt(session).includes(id));
      const role = people?.get(id)?.role;
      const isTechnician = role === undefined ? own[0]?.technicianId === id : role === "TECHNICIAN";
      return {
        ...{ id, name: name(id), sessions: own },
        role: isTechnician ? "technician" : "clinician",
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const nobodys = sessions.filter((session) => presentAt(session).length === 0);
  const last = { id: null, name: "Nobody yet", role: "technician", sessions: nobodys } as const;
  return nobodys.length === 0 ? rows : [...rows, last];
}
