import { isProvider, roles } from "../../src/callers/roles.ts";
import { validationBody } from "../support/list-rules.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/** `GET /v1/names`: who the people of other records are, without their personal data. */

const practice = await transcripts();

const yuna = {
  ...{ publicId: "usr_tech", firstName: "Yuna", lastName: "Park" },
  ...{ role: "TECHNICIAN", isActive: true },
};
const ana = {
  ...{ publicId: "usr_kid", firstName: "Ana", lastName: "Muñoz" },
  ...{ role: "PATIENT", isActive: false },
};
const ids = Array.from({ length: 100 }, (_, index) => `usr_${index}`);

practice(
  [
    { type: "user", ...yuna, email: "yuna@maple.example", phoneNumber: "+14155552671" },
    {
      ...{ type: "user", ...ana, birthDate: "2019-05-04", addressLine1: "1 Elm Street" },
      internalRecordId: "R-1",
    },
  ],
  { elsewhere: [user("usr_theirs", "PATIENT")] },
)("names come in the order of the query, each once, without unknown ids and those of others", [
  [
    ...(["GET names?ids=usr_tech,usr_none,usr_kid,usr_theirs,usr_tech", 200] as const),
    whole({ data: [yuna, ana] }),
  ],
  ["audit", 200, { patient_ids: '["usr_kid"]' }],
  ["GET names?ids=usr_kid,usr_tech", 200, whole({ data: [ana, yuna] })],
  ["GET names?ids=usr_none", 200, whole({ data: [] })],
  ["GET names?ids=usr_tech,usr_theirs", 200, whole({ data: [yuna] })],
  ["audit", 200, { patient_ids: "[]" }],
  // At most 100 different ones.
  [`GET names?ids=${[...ids, ...ids.slice(0, 20), "usr_1"].join()}`, 200],
  [
    ...([`GET names?ids=${[...ids, "usr_x"].join()}`, 400] as const),
    validationBody({
      ...{ code: "too_big", message: "Must have at most 100 different ids", path: ["ids"] },
    }),
  ],
  ...["", "ids=", "ids", "ids=&providers=true", "providers=false"].map((query): Step => [
    ...([`GET names?${query}`, 400] as const),
    validationBody({ code: "invalid_type", message: "Required", path: ["ids"] }),
  ]),
]);

const found = (query: string, ids: readonly string[]): Step => [
  ...([`GET names?${query}`, 200] as const),
  { data: ids.map((publicId) => ({ publicId })) },
];
const named = (firstName: string, lastName: string): Fields => ({ firstName, lastName });

practice(
  [
    user("usr_zoe", "CLINICIAN", named("Zoe", "Adair")),
    user("usr_b", "TECHNICIAN", named("Ben", "Ödman")),
    user("usr_a", "CLINICAL_ADMIN", named("Ben", "Odman")),
    user("usr_c", "CLINICAL_SUPERADMIN", named("Al", "odman")),
    user("usr_left", "TECHNICIAN", { lastName: "Aaron", isActive: false }),
    ...roles
      .filter((role) => !isProvider(role))
      .map((role) => user(`usr_${role.toLowerCase()}`, role, { lastName: "Aaron" })),
  ],
  { elsewhere: [user("usr_theirs", "TECHNICIAN")] },
)(
  "with providers=true, active providers come behind those of ids, by last name, first name and id",
  [
    found("ids=usr_none&providers=true", ["usr_zoe", "usr_c", "usr_a", "usr_b"]),
    found("ids=usr_patient,usr_b,usr_left&providers=true", [
      ...["usr_patient", "usr_b", "usr_left", "usr_zoe", "usr_c", "usr_a"],
    ]),
    found("ids=usr_b&providers=false", ["usr_b"]),
  ],
);

const thousand = Array.from({ length: 1_001 }, (_, index) => `usr_${index + 1000}`);
practice(thousand.map((id) => user(id, "TECHNICIAN", { lastName: `Lee ${id}` })))(
  "there are at most 1,000 of them",
  [
    found("ids=usr_none&providers=true", thousand.slice(0, 1_000)),
    found("ids=usr_2000&providers=true", ["usr_2000", ...thousand.slice(0, 1_000)]),
  ],
);
