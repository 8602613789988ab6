import type { PracticeRecord } from "./model.ts";

/** What will surprise whoever imports a file, and is no mistake: each with how many records it is true of. */
export class Surprises {
  #patientsWithoutZone = 0;
  #patientsMadeLeads = 0;
  #usersWithoutEmail = 0;
  #unboundSessions = 0;
  /** Authorizations of the file without any encounter, be it in the file or in the database. */
  authorizationsWithoutEncounter = 0;

  note(record: PracticeRecord): void {
    if (record.type === "session" && record.isBillable && record.authorizationId === undefined)
      this.#unboundSessions += 1;
    if (record.type !== "user") return;
    if (!record.email) this.#usersWithoutEmail += 1;
    if (record.role !== "PATIENT") return;
    if (record.timezone === undefined) this.#patientsWithoutZone += 1;
    if (record.userStatus === undefined) this.#patientsMadeLeads += 1;
  }

  /** One sentence for each that is true of any record. */
  sentences(): string[] {
    const all: [count: number, one: string, many: string][] = [
      [
        this.#patientsWithoutZone,
        "patient has no timezone: who asks for the utilization must name one",
        "patients have no timezone: who asks for the utilization must name one",
      ],
      [
        this.#patientsMadeLeads,
        "patient is a LEAD, for want of a userStatus",
        "patients are LEADs, for want of a userStatus",
      ],
      [
        this.#unboundSessions,
        "billable session has no authorizationId, and counts for no authorization",
        "billable sessions have no authorizationId, and count for no authorization",
      ],
      [
        this.authorizationsWithoutEncounter,
        "authorization has no encounter",
        "authorizations have no encounter",
      ],
      [this.#usersWithoutEmail, "user has no email", "users have no email"],
    ];
    return all.flatMap(([count, one, many]) =>
      count === 0 ? [] : [`${count} ${count === 1 ? one : many}.`],
    );
  }
}
