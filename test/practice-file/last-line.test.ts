import { describe, expect, test } from "bun:test";
import {
  authorization,
  clinician,
  databaseOfFullPractice,
  encounter,
  organization,
  pool,
  pooledAuthorization,
  session,
  technician,
  users,
} from "../support/practice-file/full-practice.ts";
import { type Fields, mustImport, recordOf } from "../support/practice-file/practice-file.ts";

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
});
