import { presentAt } from "../../../lib/presence.ts";
import type { Session, User } from "./wire.ts";

/** The rows of a day of the whole clinic. */

export interface ScheduleRow<Item extends Session> {
  /** Null for the sessions without a provider. */
  id: string | null;
  name: string;
  role: "technician" | "clinician";
  sessions: Item[];
}

/** The field of a session that names somebody of the staff. */
export function roleFieldOf(staff: readonly User[], id: string) {
  const person = staff.find(({ publicId }) => publicId === id);
  if (person === undefined) return {};
  return person.role === "TECHNICIAN" ? { technicianId: id } : { clinicianId: id };
}

/** A clinician and the technicians whom they lead. */
export function teamOf(leader: string, clinicians: readonly User[]): Set<string> {
  const person = clinicians.find(({ publicId }) => publicId === leader);
  const hasTeam = person !== undefined && "careTeamTechnicianIds" in person;
  return new Set([leader, ...(hasTeam ? person.careTeamTechnicianIds : [])]);
}

/**
 * A row for each active provider and each one who is present at a session, by name; then the sessions without a
 * provider. A session with several people is in the row of each.
 *
 * @param around.name of somebody who is not among the active staff.
 * @param around.team whose rows are shown; everybody's without one.
 */
export function rowsOf<Item extends Session>(
  sessions: readonly Item[],
  around: {
    staff: readonly User[];
    name: (id: string) => string;
    team: ReadonlySet<string> | undefined;
  },
): ScheduleRow<Item>[] {
  const { staff, name, team } = around;
  const active = staff.map(({ publicId }) => publicId);
  const rows = [...new Set([...active, ...sessions.flatMap(presentAt)])]
    .filter((id) => team === undefined || team.has(id))
    .map((id): ScheduleRow<Item> => {
      const person = staff.find(({ publicId }) => publicId === id);
      const own = sessions.filter((session) => presentAt(session).includes(id));
      const isTechnician =
        person === undefined ? own[0]?.technicianId === id : person.role === "TECHNICIAN";
      return {
        id,
        name: person === undefined ? name(id) : `${person.firstName} ${person.lastName}`,
        role: isTechnician ? "technician" : "clinician",
        sessions: own,
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const nobodys = sessions.filter((session) => presentAt(session).length === 0);
  const last = { id: null, name: "Nobody yet", role: "technician", sessions: nobodys } as const;
  return nobodys.length === 0 ? rows : [...rows, last];
}
