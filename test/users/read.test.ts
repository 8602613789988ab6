import { adminRoles, clinicianRoles, type Role } from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import { found, pages, shown } from "../support/pages.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { base, user } from "../support/users/bodies.ts";

/** GET /v1/users and /v1/users/{userId}: whole users of each role, order and pages (specification, section 4.5). */

const practice = await transcripts();

/** The users of a role in the list, and each of them alone. */
const shownAs = (role: Role, ...users: Fields[]): Step[] => [
  shown(`GET users?role=${role}`, users),
  ...users.map((one): Step => [`GET users/${String(one.publicId)}`, 200, whole(one)]),
];

// Ids in lists are sorted, whatever their order in the file.
const named = (type: string, ...names: [publicId: string, name: string][]) =>
  names.map(([publicId, name]) => ({ type, publicId, name }));
const reference = [
  ...named("location", ["loc_b", "B"], ["loc_a", "A"]),
  ...named("payor", ["pay_acme", "Acme Health"], ["pay_blue", "Blue River"]),
  ...named("serviceLine", ["svc_1", "Direct therapy"], ["svc_2", "Supervision"]).map((line) => ({
    ...{ ...line, billingUnitMinutes: 15 },
  })),
  { type: "specialization", publicId: "spec_b", name: "Feeding", isActive: true },
  { type: "specialization", publicId: "spec_a", name: "Speech", isActive: false },
];
const locations = { locationIds: ["loc_b", "loc_a"], primaryLocationId: "loc_b" };
const shownLocations = { locationIds: ["loc_a", "loc_b"], primaryLocationId: "loc_b" };
const noLocations = { locationIds: [], primaryLocationId: null };

for (const role of adminRoles)
  practice([
    ...reference,
    user("usr_1", role),
    user("usr_2", role, { ...locations, isActive: false }),
  ])(`a ${role} has locations`, [
    ...shownAs(
      role,
      { ...base("usr_1", role), ...noLocations },
      { ...base("usr_2", role), ...shownLocations, isActive: false },
    ),
  ]);

const phone = { email: "Ana@Maple.example", phoneNumber: "+12025550123", isActive: false };
practice([user("usr_1", "CAREGIVER"), user("usr_2", "CAREGIVER", phone)], {
  elsewhere: [user("usr_theirs", "CAREGIVER")],
})("a caregiver has the base fields only; unknown users are 404", [
  ...shownAs("CAREGIVER", base("usr_1", "CAREGIVER"), { ...base("usr_2", "CAREGIVER"), ...phone }),
  ...["usr_none", "USR_1", "usr_theirs", "$organization"].map((id): Step => [
    `GET users/${id}`,
    404,
    plainBody(404, "User not found"),
  ]),
]);

const credential = (type: string) => ({
  ...{ credentialType: type, practiceArea: "ABA", credentialNumber: `${type}-1` },
  ...{ expiresAt: "2027-01-31T23:59:59.000Z", credentialStatus: "active" },
});
const renewed = {
  ...{ publicId: "pcpay_1", status: "APPROVED" },
  ...{ startDate: "2026-01-01", endDate: "2026-12-31", notes: "Renewed" },
};
const open = { publicId: "pcpay_0", status: "APPROVED", startDate: "2026-02-01" };
const everything = {
  ...locations,
  credentials: [
    credential("RBT"),
    {
      ...credential("BCBA"),
      payorCredentialing: [
        { ...renewed, payorId: "pay_blue" },
        { ...open, payorId: "pay_acme" },
      ],
    },
  ],
  complianceCredentials: ["HIPAA", "BLS", "CPR"],
  specializationIds: ["spec_b", "spec_a"],
};
const shownEverything = {
  ...shownLocations,
  credentials: [
    { ...credential("RBT"), payorCredentialing: [] },
    {
      ...credential("BCBA"),
      payorCredentialing: [
        { ...renewed, payor: { publicId: "pay_blue", name: "Blue River" } },
        {
          ...{ ...open, payor: { publicId: "pay_acme", name: "Acme Health" } },
          ...{ endDate: null, notes: null },
        },
      ],
    },
  ],
  complianceCredentials: ["BLS", "CPR", "HIPAA"],
  specializations: [
    { publicId: "spec_a", name: "Speech" },
    { publicId: "spec_b", name: "Feeding" },
  ],
};
const nothing = {
  ...{ ...noLocations, credentials: [], complianceCredentials: [], specializations: [] },
};
const careTeamLeadIds = clinicianRoles.map((role) => `usr_${role}_2`).toSorted();

practice([
  ...reference,
  user("usr_tech", "TECHNICIAN"),
  user("usr_tech_2", "TECHNICIAN", everything),
  ...clinicianRoles.flatMap((role) => [
    user(`usr_${role}`, role),
    user(`usr_${role}_2`, role, {
      ...everything,
      careTeamTechnicianIds: ["usr_tech_2", "usr_tech"],
    }),
  ]),
])("clinicians have technicians, and technicians who leads them", [
  ...clinicianRoles.flatMap((role) =>
    shownAs(
      role,
      { ...base(`usr_${role}`, role), ...nothing, careTeamTechnicianIds: [] },
      {
        ...{ ...base(`usr_${role}_2`, role), ...shownEverything },
        careTeamTechnicianIds: ["usr_tech", "usr_tech_2"],
      },
    ),
  ),
  ...shownAs(
    "TECHNICIAN",
    { ...base("usr_tech", "TECHNICIAN"), ...nothing, careTeamLeadIds },
    { ...base("usr_tech_2", "TECHNICIAN"), ...shownEverything, careTeamLeadIds },
  ),
]);

const address = {
  ...{ addressLine1: "1 Elm Street", addressLine2: "Apt 2" },
  ...{ city: "Springfield", state: "IL", postalCode: "62701" },
};
const noAddress = {
  ...{ addressLine1: null, addressLine2: null, city: null, state: null, postalCode: null },
};
const ofMia = {
  ...{ lastName: "Park", email: "mia@maple.example", phoneNumber: "+12025550142" },
  ...{ userStatus: "LEAD", sex: "FEMALE", birthDate: "2019-04-02", caregiverId: "usr_dad" },
  ...{ ...address, internalRecordId: "MRN-7", primaryClinicianId: "usr_b" },
};
const insured = {
  ...{ relationshipToPatient: "PARENT", insuredBirthDate: "1985-05-06", memberId: "M-1" },
  ...{ planHolder: "Pat Park", effectiveStartDate: "2026-01-01" },
};
const { addressLine2: _, ...insuredAddress } = address;
const authorization = (publicId: string, more: Fields): Fields => ({
  ...{ type: "authorization", publicId, patientId: "usr_mia", authorizationNumber: "A-100" },
  ...{ authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1" },
  ...{ authorizationDate: "2026-01-07", authorizationExpirationDate: "2026-07-06", ...more },
});
const alone = { authorizedUnitsQuantity: 80, authorizedUnitFrequency: "WEEKLY" };
const expired = {
  ...{ authorizationStatus: "EXPIRED", authorizationDate: "2026-01-01" },
  ...{ authorizedUnitsQuantity: 0.5, authorizedUnitFrequency: "DAILY" },
};
const monthly = { totalUnits: 160, unitFrequency: "MONTHLY", isUnlimited: false };
const unlimited = { totalUnits: 12.5, unitFrequency: "WEEKLY", isUnlimited: true };
const pool = { type: "authorizationPool", patientId: "usr_mia" };
const scope = {
  ...{ authorizationNumber: "A-100", authorizationStatus: "AUTHORIZED" },
  ...{ serviceLine: { publicId: "svc_1", name: "Direct therapy" } },
  ...{ authorizationDate: "2026-01-07", authorizationExpirationDate: "2026-07-06" },
};

practice([
  ...reference,
  user("usr_leo", "PATIENT", { userStatus: "ACTIVE" }),
  user("usr_dad", "CAREGIVER", { isActive: false }),
  user("usr_b", "CLINICIAN", { isActive: false }),
  user("usr_a", "CLINICIAN", { isActive: false }),
  user("usr_mia", "PATIENT", {
    ...{ ...ofMia, country: "US", timezone: "America/Chicago" },
    ...{ locationIds: ["loc_b", "loc_a"], clinicianIds: ["usr_b", "usr_a"] },
    payors: [
      { ...insured, payorId: "pay_blue", priority: "PRIMARY", groupId: "G-1", insuredAddress },
      {
        ...{ ...insured, payorId: "pay_acme", priority: "SECONDARY", insuredAddress: {} },
        effectiveEndDate: "2026-12-31",
      },
    ],
  }),
  { ...pool, publicId: "apool_b", payorId: "pay_acme", ...unlimited },
  { ...pool, publicId: "apool_a", payorId: "pay_blue", ...monthly },
  // Those of their own and in pools come by date, then by id.
  authorization("auth_1", alone),
  authorization("auth_9", expired),
  authorization("auth_0", alone),
  authorization("auth_4", { authorizationPoolId: "apool_a" }),
  authorization("auth_5", {
    ...{ authorizationPoolId: "apool_a", serviceLineId: "svc_2" },
    authorizationDate: "2026-01-01",
  }),
])("patients have all their fields, with and without data", [
  ...shownAs(
    "PATIENT",
    {
      ...{ ...base("usr_leo", "PATIENT"), userStatus: "ACTIVE", internalRecordId: null },
      ...{ payors: [], authorizations: [], authorizationPools: [], locationIds: [] },
      ...{ clinicianIds: [], primaryClinicianId: null },
    },
    {
      ...{ ...base("usr_mia", "PATIENT"), ...ofMia },
      payors: [
        {
          ...{ ...insured, payorName: "Blue River", priority: "PRIMARY", groupId: "G-1" },
          ...{ insuredAddress: { ...noAddress, ...insuredAddress }, effectiveEndDate: null },
        },
        {
          ...{ ...insured, payorName: "Acme Health", priority: "SECONDARY", groupId: "" },
          ...{ insuredAddress: noAddress, effectiveEndDate: "2026-12-31" },
        },
      ],
      authorizations: [
        { ...scope, publicId: "auth_9", ...expired },
        { ...scope, publicId: "auth_0", ...alone },
        { ...scope, publicId: "auth_1", ...alone },
      ],
      authorizationPools: [
        {
          ...{ publicId: "apool_a", ...monthly },
          payor: { publicId: "pay_blue", name: "Blue River" },
          authorizations: [
            {
              ...{ ...scope, publicId: "auth_5", authorizationDate: "2026-01-01" },
              serviceLine: { publicId: "svc_2", name: "Supervision" },
            },
            { ...scope, publicId: "auth_4" },
          ],
        },
        {
          ...{ publicId: "apool_b", ...unlimited, authorizations: [] },
          payor: { publicId: "pay_acme", name: "Acme Health" },
        },
      ],
      ...{ locationIds: ["loc_a", "loc_b"], clinicianIds: ["usr_a", "usr_b"] },
    },
  ),
]);

/** A list by a query, whole and in pages of two. */
const sorted = (query: string, ids: readonly string[]): Step[] => [
  found(`GET users?${query}`, ids),
  ...[1, 2, 3, 4].map((page) =>
    found(
      `GET users?${query}&page=${page}&pageSize=2`,
      ids.slice(page * 2 - 2, page * 2),
      ids.length,
    ),
  ),
];

const times = [
  ["usr_e", "01", "20"],
  ["usr_a", "02", "18"],
  ["usr_b", "02", "19"],
  ["usr_c", "02", "19"],
  ["usr_d", "03", "18"],
] as const;
const byTime = practice(
  times.toReversed().map(([publicId, created, updated]) =>
    user(publicId, "TECHNICIAN", {
      createdAt: `2026-03-${created}T09:00:00.000Z`,
      updatedAt: `2026-03-${updated}T09:00:00.000Z`,
    }),
  ),
  { elsewhere: [] },
);
byTime("users come in pages, by creation and id, or as sorted", [
  // The specification states no maximum page; the largest safe integer is the limit.
  ...pages(
    "GET users",
    times.map(([id]) => id),
    Number.MAX_SAFE_INTEGER,
  ),
  ...Object.entries({
    createdAt_asc: "eabcd",
    createdAt_desc: "dabce",
    updatedAt_asc: "adbce",
    updatedAt_desc: "ebcad",
    "createdAt_desc,updatedAt_asc": "dabce",
    "createdAt_asc,updatedAt_desc": "ebcad",
    "updatedAt_asc,createdAt_desc": "dabce",
    "updatedAt_asc%2CcreatedAt_asc": "adbce",
  }).flatMap(([sort, ids]) =>
    sorted(
      `sort=${sort}`,
      [...ids].map((id) => `usr_${id}`),
    ),
  ),
]);

practice(
  [
    ["usr_7", "Ana", "Álvarez"],
    ["usr_6", "ana", "ALVAREZ"],
    ["usr_5", "Bo", "Alvarez"],
    ["usr_4", "Zoë", "de la Cruz"],
    ["usr_3", "Aaron", "Delacruz"],
    ["usr_2", "Ida", "Łucka"],
    ["usr_1", "Ida", "Lund"],
    ["usr_0", "Nina", "Й"],
  ].map(([publicId = "", firstName, lastName], index) =>
    user(publicId, "TECHNICIAN", {
      ...{ firstName, lastName, isActive: index % 2 === 0 },
      createdAt: `2026-03-0${(index % 3) + 1}T09:00:00.000Z`,
    }),
  ),
)(
  "sort=lastName is by the folded last name, then by first name and id",
  Object.entries({
    "sort=lastName_asc": "67543210",
    "sort=lastName_desc": "01234567",
    "sort=lastName_asc&isActive=true": "7531",
    "sort=lastName_desc&role=TECHNICIAN": "01234567",
    "sort=lastName_asc&search=alvarez": "675",
    "sort=createdAt_desc,lastName_asc": "52630741",
    "sort=lastName_desc,createdAt_desc": "01234567",
  }).flatMap(([query, ids]) =>
    sorted(
      query,
      [...ids].map((id) => `usr_${id}`),
    ),
  ),
);
