import { expect } from "bun:test";
import {
  assignableRoles,
  isClinician,
  isProvider,
  type Role,
  roles,
} from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import { NOW } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { base, user } from "../support/users/bodies.ts";

/** POST /v1/users: the stored user, the response, and what is refused (specification, section 4.6). */

const practice = await transcripts();

const specialization = (publicId: string, name = "Speech", isActive = true) => ({
  ...{ type: "specialization", publicId, name, isActive },
});
const payor = (publicId: string) => ({ type: "payor", publicId, name: publicId });
const school = practice(
  [
    specialization("spec_b", "Feeding"),
    specialization("spec_a", "Toilet training"),
    specialization("spec_old", "Old", false),
    ...[payor("pay_b"), payor("pay_a")],
    ...roles.map((role) => user(`usr_${role}`, role)),
    user("usr_former", "TECHNICIAN", { isActive: false, email: "Former@Maple.example" }),
  ],
  {
    elsewhere: [
      ...[specialization("spec_theirs"), payor("pay_theirs")],
      ...roles.map((role) => user(`usr_their_${role}`, role)),
      user("usr_theirs", "ADMIN", { email: "elsewhere@maple.example" }),
    ],
  },
);

const ana = { firstName: "Ana", lastName: "Ruiz" };
const post = (more: object, status: number, body: object): Step => [
  "POST users",
  { ...ana, ...more },
  status,
  body,
];
const created = { user: { publicId: "$id" } };
const everyone = [
  ...roles.flatMap((role) => [`usr_${role}`, `usr_their_${role}`, `usr_${role}`]),
  ...["usr_former", "usr_none", ""],
];
const nobodyNew: Step = [
  ...(["GET users?search=Ana+Ruiz&pageSize=1", 200] as const),
  { pagination: { totalCount: roles.length + 1 } },
];

school("the smallest body makes a TECHNICIAN without further data", [
  [
    ...(["POST users", { firstName: "A", lastName: "B" }, 200] as const),
    whole({
      message: "User created successfully",
      user: {
        ...{ publicId: expect.stringMatching(/^usr_[0-9a-z]{26}$/), role: "TECHNICIAN" },
        ...{ firstName: "A", lastName: "B", email: "", phoneNumber: "", npiNumber: null },
        ...{ shouldSendSMS: false, createdAt: NOW, specializations: [] },
        organization: { name: "Maple Street ABA", publicId: "$organization" },
      },
    }),
  ],
]);

const specializations = [
  { publicId: "spec_a", name: "Toilet training" },
  { publicId: "spec_b", name: "Feeding" },
];
const administrator = { locationIds: [], primaryLocationId: null };
const provider = {
  ...{ ...administrator, credentials: [], complianceCredentials: [], specializations },
};
const leads = ["usr_CLINICAL_ADMIN", "usr_CLINICAL_SUPERADMIN", "usr_CLINICIAN"];
const clinician = { ...provider, careTeamTechnicianIds: ["usr_TECHNICIAN", "usr_former"] };
const additions: Partial<Record<Role, object>> = {
  PATIENT: {
    ...{ userStatus: "LEAD", internalRecordId: null, payors: [], authorizations: [] },
    ...{ authorizationPools: [], locationIds: [], clinicianIds: [], primaryClinicianId: null },
  },
  CAREGIVER: {},
  CLINICIAN: clinician,
  CLINICAL_ADMIN: clinician,
  TECHNICIAN: { ...provider, careTeamLeadIds: leads },
};

for (const role of assignableRoles) {
  const known = {
    ...{ role, firstName: "Zoë", lastName: "O’Neil-Muñoz", email: "Zoe@Maple.example" },
    ...{ phoneNumber: "(802) 658-4000 ext. 7" },
  };
  const rest = { npiNumber: "not a number", shouldSendSMS: true };
  const payors = isProvider(role) && { providerPayorIds: ["pay_a", "pay_b"] };
  school(`a ${role} with every field; those of other roles are ignored`, [
    [
      "POST users",
      {
        ...{ ...known, ...rest, firstName: "  Zoë ", lastName: "\tO’Neil-Muñoz\n" },
        recertificationDate: "2027-01-31T19:00:00-05:00",
        providerPayors: ["pay_b", "pay_none", "pay_theirs", "pay_a", "pay_b", ""],
        // Unknown ones are refused for providers alone.
        specializations: ["spec_b", "spec_a", "spec_b", ...(isProvider(role) ? [] : ["spec_none"])],
        ...{ careTeamTechnicianIds: everyone, careTeamLeadIds: everyone },
      },
      200,
      whole({
        message: "User created successfully",
        user: {
          ...{ publicId: "$id", ...known, ...rest, createdAt: NOW },
          specializations: isProvider(role) ? specializations : [],
          organization: { name: "Maple Street ABA", publicId: "$organization" },
        },
      }),
    ],
    [
      ...(["GET users/$id", 200] as const),
      whole({ ...base("$id", role), ...known, ...(additions[role] ?? administrator) }),
    ],
    [
      ...(["GET practice-file?types=user&ids=$id", 200] as const),
      [{}, { recertificationDate: "2027-02-01T00:00:00.000Z", ...payors }],
    ],
    // Both users of a link show it.
    ["GET users/usr_former", 200, { careTeamLeadIds: isClinician(role) ? ["$id"] : [] }],
    [
      ...(["GET users/usr_CLINICIAN", 200] as const),
      { careTeamTechnicianIds: role === "TECHNICIAN" ? ["$id"] : [] },
    ],
  ]);
}

school("a user is found by name, phone number and email, in any letter case", [
  post(
    {
      ...{ firstName: "Ångström", lastName: "Łukasz" },
      ...{ email: "Find.Me@Maple.example", phoneNumber: "+18025550042" },
    },
    200,
    created,
  ),
  ...["search=angstrom+lukasz", "search=%2B18025550042", "email=FIND.ME@maple.EXAMPLE"].map(
    (query): Step => [
      `GET users?${query}`,
      200,
      { data: [{ publicId: "$id" }], pagination: { totalCount: 1 } },
    ],
  ),
]);

school("unknown and inactive specializations are refused, each named once, and no user is made", [
  ...(
    [
      [["spec_none"], "'spec_none'"],
      [["spec_old"], "'spec_old'"],
      [["spec_theirs"], "'spec_theirs'"],
      [["SPEC_A"], "'SPEC_A'"],
      [[""], "''"],
      [["a', 'b\" %_"], "'a', 'b\" %_'"],
      [["spec_b", "spec_z", "spec_a", "spec_old", "spec_z"], "'spec_z', 'spec_old'"],
    ] as const
  ).map(([specializations, named]) =>
    post(
      { role: "CLINICIAN", specializations },
      400,
      plainBody(400, `Unknown or inactive specializations: ${named}`),
    ),
  ),
  nobodyNew,
  post({ specializations: [] }, 200, { user: { specializations: [] } }),
]);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 100);
const many = numbers(51).map((number) => `spec_${number}`);
const technicians = numbers(500).map((number) => `usr_${number}`);
practice([
  ...many.map((id) => specialization(id)),
  ...technicians.map((id) => user(id, "TECHNICIAN")),
])("a provider has at most 50 specializations, and 500 links", [
  post(
    { role: "CLINICIAN", specializations: many },
    400,
    validationBody({
      ...{ code: "custom", message: "A provider has at most 50 specializations" },
      path: ["specializations"],
    }),
  ),
  post(
    { role: "CLINICIAN", specializations: many.slice(1), careTeamTechnicianIds: technicians },
    200,
    { user: { publicId: "$id", specializations: numbers(50).map(() => ({})) } },
  ),
  ["GET users/$id", 200, { careTeamTechnicianIds: technicians }],
]);

const taken = validationBody({
  ...{ code: "custom", message: "A user with this email already exists", path: ["email"] },
});
for (const [whose, more] of [
  ["of the same role", {}],
  ["of another role", { role: "PATIENT" }],
  ["who is inactive", { isActive: false }],
] as const)
  practice([user("usr_1", "TECHNICIAN", { email: "Ana@Maple.example", ...more })])(
    `an email address that is taken by a user ${whose} is refused in any letter case`,
    [
      ...["Ana@Maple.example", "ana@maple.example", "ANA@MAPLE.EXAMPLE"].map((email) =>
        post({ email }, 400, taken),
      ),
      ["GET users", 200, { data: [{ publicId: "usr_1" }] }],
    ],
  );

school("errors come in order: the caller's role, an email that is taken, specializations", [
  post({ email: "elsewhere@maple.example" }, 200, created),
  [
    "SCHEDULING_MANAGER: POST users",
    { ...ana, role: "CLINICAL_ADMIN", email: "former@maple.example", specializations: ["none"] },
    403,
    plainBody(403, "Insufficient role hierarchy permissions to create this user role"),
  ],
  post({ email: "former@maple.example", specializations: ["spec_old"] }, 400, taken),
]);

const mayCreate = ["ADMIN", "SCHEDULING_MANAGER", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];
school(
  "a user without a role is a TECHNICIAN, whom not everybody may create",
  roles.map((role): Step => [`${role}: POST users`, ana, mayCreate.includes(role) ? 200 : 403]),
);
