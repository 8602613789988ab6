import {
  authorization,
  clinician,
  encounter,
  fullPractice,
  pool,
  pooledAuthorization,
  session,
  technician,
  users,
} from "../support/practice-file/full-practice.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** What is known only after the last line: exchanged email addresses, and changes of records on which others depend. */

const practice = (await transcripts())(fullPractice);

/** Lines, in the order of an export, that are what is stored afterwards. */
const written = (...lines: Fields[]): Step[] => [
  ["POST practice-file", lines, 200],
  [
    `GET practice-file?ids=${lines.map(({ publicId }) => String(publicId)).join()}`,
    200,
    [{}, ...lines.map((line) => whole(line))],
  ],
];

practice("users may name users of later lines, and swap their email addresses", [
  ...written({ ...clinician, email: technician.email }, { ...technician, email: clinician.email }),
]);

const [admin, , caregiver] = users as [Fields, Fields, Fields];
practice("users may pass their email addresses on in a circle", [
  ...written(
    { ...admin, email: clinician.email },
    { ...clinician, email: caregiver.email },
    { ...caregiver, email: null },
  ),
]);

const patientId = "usr_kid2";
const visit = { ...session, services: "svc_visit", clientId: patientId };
practice("a record changes on which others depend, if the file changes them accordingly", [
  ...written(
    { ...pool, patientId },
    { ...authorization, patientId, serviceLineId: "svc_visit" },
    { ...pooledAuthorization, patientId },
    visit,
    { ...visit, publicId: "apt_2", authorizationId: "auth_2" },
  ),
]);

practice("a session moves to another authorization together with its encounter", [
  ...written(
    { ...session, services: "svc_visit", authorizationId: "auth_2" },
    { ...encounter, authorizationId: "auth_2" },
  ),
]);
