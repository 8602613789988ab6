import { join } from "node:path";
import { runProgram } from "../../support/commands/program.ts";

/** An empty practice, and one with thousands of findings. */

export const EMPTY_ORGANIZATION = "org_empty";
export const AWKWARD_ORGANIZATION = "org_awkward";

/** Sessions without authorization, each of which is a finding. */
export const FINDINGS = 5000;

/** A name written from right to left. */
export const HEBREW_NAME = { firstName: "נועה", lastName: "בן־דוד" };

export async function importAwkwardPractices(folder: string): Promise<void> {
  for (const [name, records] of [
    ["empty", [{ type: "organization", publicId: EMPTY_ORGANIZATION, name: "Empty" }]],
    ["awkward", awkwardRecords()],
  ] as const) {
    const file = join(folder, `${name}.ndjson`);
    await Bun.write(file, records.map((record) => JSON.stringify(record)).join("\n"));
    const { status, stderr } = await runProgram(["import", file], { cwd: folder });
    if (status !== 0) throw new Error(stderr);
  }
}

function awkwardRecords(): object[] {
  const today = Temporal.Now.plainDateISO("UTC");
  return [
    { type: "organization", publicId: AWKWARD_ORGANIZATION, name: "עמק השלום", timezone: "UTC" },
    { type: "location", publicId: "loc_1", name: "Clinic" },
    { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
    { type: "user", publicId: "usr_patient", role: "PATIENT", ...HEBREW_NAME },
    {
      type: "user",
      publicId: "usr_technician",
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: "Ruiz",
    },
    ...Array.from({ length: FINDINGS }, (_, index) => {
      // A hundred short sessions a day, on fifty days around today.
      const day = today.add({ days: Math.floor(index / 100) - 25 });
      const start = Date.parse(`${day}T06:00:00Z`) + (index % 100) * 8 * 60_000;
      return {
        type: "session",
        publicId: `apt_${index}`,
        title: "Therapy",
        status: "CONFIRMED",
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 8 * 60_000).toISOString(),
        isSupervision: false,
        isClientPresent: true,
        placeOfService: "OFFICE",
        locationId: "loc_1",
        technicianId: "usr_technician",
        clientId: "usr_patient",
        isBillable: true,
        isTelehealth: false,
        services: "svc_1",
      };
    }),
  ];
}
