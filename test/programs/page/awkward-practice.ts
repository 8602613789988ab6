import { importRecords, person, places, session } from "./imported-practices.ts";

/** An empty practice, and one with thousands of findings. */

export const EMPTY_ORGANIZATION = "org_empty";
export const AWKWARD_ORGANIZATION = "org_awkward";

/** Sessions without authorization, each of which is a finding. */
export const FINDINGS = 5000;

/** A name written from right to left. */
export const HEBREW_NAME = { firstName: "נועה", lastName: "בן־דוד" };

export async function importAwkwardPractices(folder: string): Promise<void> {
  const empty = { type: "organization", publicId: EMPTY_ORGANIZATION, name: "Empty" };
  await importRecords(folder, [empty]);
  await importRecords(folder, awkwardRecords());
}

function awkwardRecords(): object[] {
  const today = Temporal.Now.plainDateISO("UTC");
  return [
    { type: "organization", publicId: AWKWARD_ORGANIZATION, name: "עמק השלום", timezone: "UTC" },
    ...places,
    person("usr_patient", "PATIENT", HEBREW_NAME.firstName, HEBREW_NAME.lastName),
    person("usr_technician", "TECHNICIAN", "Ana", "Ruiz"),
    ...Array.from({ length: FINDINGS }, (_, index) => {
      // A hundred short sessions a day, on fifty days around today.
      const day = today.add({ days: Math.floor(index / 100) - 25 });
      const start = Date.parse(`${day}T06:00:00Z`) + (index % 100) * 8 * 60_000;
      return session({
        ...{ publicId: `apt_${index}`, title: "Therapy" },
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 8 * 60_000).toISOString(),
        ...{ technicianId: "usr_technician", clientId: "usr_patient" },
      });
    }),
  ];
}
