import { describe, expect, test } from "bun:test";
import {
  authorization,
  clinician,
  encounter,
  fullPractice,
  organization,
  patient,
  pool,
  pooledAuthorization,
  session,
  technician,
  users,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  importFile,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { databaseOfFullPractice } from "../support/practice-file/refusals.ts";

/**
 * Checks that are possible only after the last line: exchanged email addresses, and changes of
 * records on which others depend.
 */

describe("users of one file", () => {
  test("may name users of later lines, and swap their email addresses", async () => {
    const database = await databaseOfFullPractice();
    const swapped = [
      { ...clinician, email: technician.email },
      { ...technician, email: clinician.email },
    ];
    await mustImport(database, [organization, ...swapped]);
    expect(await recordOf(database, "usr_bcba")).toEqual(swapped[0] as Fields);
    expect(await recordOf(database, "usr_tech")).toEqual(swapped[1] as Fields);
  });

  test("may pass their email addresses on in a circle", async () => {
    const database = await databaseOfFullPractice();
    const [admin, , caregiver] = users as [Fields, Fields, Fields];
    const round = [
      { ...admin, email: clinician.email },
      { ...clinician, email: caregiver.email },
      { ...caregiver, email: null } as Fields,
    ];
    await mustImport(database, [organization, ...round]);
    for (const user of round) expect(await recordOf(database, user.publicId)).toEqual(user);
  });

  test("must not have the same email address", async () => {
    const database = await databaseOfFullPractice();
    const one = { email: "one@maple.example" };
    expect(
      await importFile(database, [
        organization,
        { ...technician, ...one },
        { ...clinician, email: "ONE@maple.example" },
      ]),
    ).toEqual({
      report: [
        'f:3: user usr_bcba: email: "ONE@maple.example" is also the email of usr_tech on line 2',
      ],
    });
  });

  test("must not take the address of a user whose line keeps it", async () => {
    const database = await databaseOfFullPractice();
    expect(
      await importFile(database, [
        organization,
        { ...technician, email: clinician.email },
        clinician,
      ]),
    ).toEqual({
      report: [
        'f:3: user usr_bcba: email: "Noor.Haddad@maple.example" is also the email of usr_tech on line 2',
      ],
    });
  });
});

describe("a change of a record on which others depend", () => {
  test("is accepted if the file changes the others accordingly", async () => {
    const database = await databaseOfFullPractice();
    const moved = { patientId: "usr_kid2" };
    const visit = { services: "svc_visit" };
    const file = [
      organization,
      { ...pool, ...moved },
      { ...authorization, ...moved, serviceLineId: "svc_visit" },
      { ...pooledAuthorization, ...moved },
      { ...session, ...visit, clientId: "usr_kid2" },
      { ...session, ...visit, publicId: "apt_2", authorizationId: "auth_2", clientId: "usr_kid2" },
    ];
    await mustImport(database, file);
    for (const record of file.slice(1))
      expect(await recordOf(database, record.publicId)).toEqual(record as Fields);
  });

  test("may move a session to another authorization together with its encounter", async () => {
    const database = await databaseOfFullPractice();
    const file = [
      organization,
      { ...session, services: "svc_visit", authorizationId: "auth_2" },
      { ...encounter, authorizationId: "auth_2" },
    ];
    await mustImport(database, file);
    expect(await recordOf(database, "enc_1")).toEqual(file[2] as Fields);
  });

  const late: [what: string, records: Fields[], ...report: string[]][] = [
    [
      "a technician becomes a caregiver",
      [{ type: "user", publicId: "usr_tech", role: "CAREGIVER", firstName: "A", lastName: "B" }],
      "f:2: user usr_tech: role: must be CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN where this user is the clinicianIds of user usr_kid",
      "f:2: user usr_tech: role: must be TECHNICIAN where this user is the careTeamTechnicianIds of user usr_bcba",
      "f:2: user usr_tech: role: must be TECHNICIAN where this user is the technicianId of session apt_1",
    ],
    [
      "a clinician becomes an administrator",
      [{ type: "user", publicId: "usr_bcba", role: "ADMIN", firstName: "A", lastName: "B" }],
      "f:2: user usr_bcba: role: must be CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN where this user is the primaryClinicianId of user usr_kid",
      "f:2: user usr_bcba: role: must be CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN where this user is the clinicianIds of user usr_kid",
      "f:2: user usr_bcba: role: must be CLINICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN where this user is the clinicianId of session apt_1",
    ],
    [
      "a patient becomes a caregiver",
      [{ type: "user", publicId: "usr_kid", role: "CAREGIVER", firstName: "A", lastName: "B" }],
      "f:2: user usr_kid: role: must be PATIENT where this user is the patientId of authorizationPool apool_1",
      "f:2: user usr_kid: role: must be PATIENT where this user is the patientId of authorization auth_1",
      "f:2: user usr_kid: role: must be PATIENT where this user is the clientId of session apt_1",
      "f:2: user usr_kid: role: must be PATIENT where this user is the clientId of intakeLead lead_1",
      "f:2: user usr_kid: role: must be PATIENT where this user is the patientId of treatmentPlan tp_1",
    ],
    [
      "a caregiver becomes a patient, and the file has the child's line",
      [
        { type: "user", publicId: "usr_care", role: "PATIENT", firstName: "A", lastName: "B" },
        patient,
      ],
      "f:2: user usr_care: role: must be CAREGIVER where this user is the caregiverId of intakeLead lead_1",
      'f:3: user usr_kid: caregiverId: "usr_care" has the role PATIENT, and must have CAREGIVER',
    ],
    [
      "an authorization gets another patient",
      [{ ...authorization, patientId: "usr_kid2" }],
      "f:2: authorization auth_1: has another patient or service line than a session that is bound to it: apt_1",
    ],
    [
      "an authorization gets another service line",
      [{ ...authorization, serviceLineId: "svc_visit" }],
      "f:2: authorization auth_1: has another patient or service line than a session that is bound to it: apt_1",
    ],
    [
      "a pool gets another patient than its members",
      [{ ...pool, patientId: "usr_kid2" }],
      "f:2: authorizationPool apool_1: has another patient or payor than a member: auth_2",
    ],
    [
      "a session leaves the authorization of its encounter",
      [{ ...session, authorizationId: null }],
      "f:2: session apt_1: authorizationId: is not the authorization of an encounter of this session: enc_1",
    ],
  ];

  test.each(late)("is refused if %s", async (_, records, ...report) => {
    const database = await databaseOfFullPractice();
    expect(await importFile(database, [organization, ...records])).toEqual({ report });
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });
});
