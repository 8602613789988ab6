import { roles } from "../../src/callers/roles.ts";
import { intakeStageKeys } from "../../src/intake-leads/model.ts";
import { type Step, transcripts } from "../support/transcript.ts";

/** Intake leads (specification, section 4.2). Today is Wednesday, 2026-03-11, 15:00 UTC. */

const practice = await transcripts();

const named = (type: string, ...ids: string[]) =>
  ids.map((publicId) => ({ type, publicId, name: publicId }));
const stage = (publicId: string, position: number, key?: string, isActive = true) => ({
  ...{ type: "intakeStage", publicId, name: publicId, position, isActive, ...(key && { key }) },
});
const board = [
  stage("stage_z_off", 0, "ARCHIVED", false),
  stage("stage_own", 1),
  stage("stage_wait_off", 2, "WAITLIST", false),
  stage("stage_wait_b", 3, "WAITLIST"),
  stage("stage_wait_a", 3, "WAITLIST"),
  stage("stage_active", 4, "ACTIVE"),
];
const lists = [...named("location", "loc_a", "loc_b"), ...named("intakeLabel", "lbl_b", "lbl_a")];
const onBoard = practice([...lists, ...board]);
const withoutBoard = practice(lists);

const caregiver = {
  ...{ firstName: "Mina", lastName: "Park", relationship: "MOTHER" },
  ...{ email: "mina.park@example.com", phone: "+14155552671" },
};
const lead = (client: object = {}, more: object = {}) => ({
  client: { firstName: "Leo", lastName: "Park", birthdate: "2019-04-02", ...client },
  caregiver,
  ...more,
});
const made = { client: { publicId: "$patient" }, caregiver: { publicId: "$caregiver" } };
const post = (client: object, status: number, body: object): Step => [
  ...(["POST intake-leads", lead(client), status, body] as const),
];
const error = (statusCode: number, text: string) => ({ error: text, statusCode });
const issue = (path: string[], message: string) => ({
  ...{ message: "Validation Error", statusCode: 400 },
  validationErrors: [{ code: "custom", message, path }],
});
const nobody: Step = ["GET users", 200, { data: [] }];

onBoard("a lead with every field is a patient, a caregiver and a lead", [
  [
    "POST intake-leads",
    {
      client: {
        ...{
          firstName: "  Léo ",
          lastName: " Muñoz-Park\n",
          birthdate: "2019-04-02",
          sex: "OTHER",
        },
        ...{ address: "12 Maple Street", city: "Burlington", state: "VT", zip: "05401" },
        ...{ country: "US", timezone: "America/Chicago", intakeStatusKey: "WAITLIST" },
        selectedLocations: ["loc_b", "loc_a", "loc_b"],
        labelPublicIds: ["lbl_b", "lbl_a", "lbl_b"],
      },
      caregiver: {
        ...{ firstName: " Mina ", lastName: "Park", relationship: "STEPMOTHER" },
        ...{ email: "Mina.Park@Example.com", phone: "+18026584000" },
      },
      attribution: {
        ...{ utm_source: "Google", utm_medium: "cpc", utm_campaign: "Spring", utm_content: "" },
        ...{ gclid: null, organizationId: "org_other", role: "ADMIN" },
      },
    },
    201,
    made,
  ],
  [
    "GET users",
    200,
    {
      data: [
        {
          ...{ publicId: "$patient", role: "PATIENT", firstName: "Léo", lastName: "Muñoz-Park" },
          ...{ userStatus: "WAITLIST", sex: "OTHER", birthDate: "2019-04-02" },
          ...{ caregiverId: "$caregiver", addressLine1: "12 Maple Street", city: "Burlington" },
          ...{ state: "VT", postalCode: "05401", locationIds: ["loc_a", "loc_b"] },
        },
        {
          ...{ publicId: "$caregiver", role: "CAREGIVER", firstName: "Mina", lastName: "Park" },
          ...{ email: "Mina.Park@Example.com", phoneNumber: "+18026584000", isActive: true },
        },
      ],
    },
  ],
  ["GET users?search=munoz+leo", 200, { data: [{ publicId: "$patient" }] }],
  ["GET users?email=MINA.PARK@example.COM", 200, { data: [{ publicId: "$caregiver" }] }],
  ["GET users?search=8026584000", 200, { data: [{ publicId: "$caregiver" }] }],
  [
    "GET intake-leads?clientId=$patient",
    200,
    {
      data: [
        {
          ...{ publicId: "$lead", clientId: "$patient", caregiverId: "$caregiver" },
          ...{ relationship: "STEPMOTHER", stageId: "stage_wait_a", stageKey: "WAITLIST" },
          ...{ labelIds: ["lbl_a", "lbl_b"], source: "google", channel: "Paid Search" },
          ...{ campaign: "Spring", createdAt: "2026-03-11T15:00:00.000Z" },
          attribution: {
            utm_source: "Google",
            utm_medium: "cpc",
            utm_campaign: "Spring",
            utm_content: "",
          },
        },
      ],
    },
  ],
  ["GET intake-leads/$lead", 200, { publicId: "$lead", labelIds: ["lbl_a", "lbl_b"] }],
  // What no list shows.
  [
    ...(["GET practice-file?types=user&ids=$patient", 200] as const),
    [{}, { country: "US", timezone: "America/Chicago" }],
  ],
]);

onBoard("a lead with the required fields only is Direct, on the first active stage", [
  post({ address: "", city: "", state: "", zip: "", country: "" }, 201, made),
  [
    "GET users",
    200,
    {
      data: [
        {
          ...{ publicId: "$patient", firstName: "Leo", lastName: "Park", birthDate: "2019-04-02" },
          ...{ userStatus: "LEAD", sex: null, caregiverId: "$caregiver", addressLine1: null },
          ...{ city: null, state: null, postalCode: null, locationIds: [] },
        },
        { publicId: "$caregiver", email: "mina.park@example.com" },
      ],
    },
  ],
  ["GET practice-file?types=user&ids=$patient", 200, [{}, { country: null }]],
  [
    "GET intake-leads",
    200,
    {
      data: [
        {
          ...{ stageId: "stage_own", stageKey: null, labelIds: [], attribution: null },
          ...{ source: "(direct)", channel: "Direct", campaign: null },
        },
      ],
    },
  ],
]);

for (const [attribution, source, channel] of [
  [{}, "(direct)", "Direct"],
  [{ fbclid: "x" }, "facebook", "Organic Social"],
  [{ referrer: "https://www.bing.com/search" }, "bing", "Organic Search"],
] as const)
  withoutBoard(`attribution is stored as submitted: ${JSON.stringify(attribution)}`, [
    ["POST intake-leads", lead({}, { attribution }), 201, made],
    ["GET intake-leads", 200, { data: [{ attribution, source, channel, stageId: null }] }],
    ["GET users?role=PATIENT", 200, { data: [{ userStatus: "LEAD" }] }],
  ]);

const onStage = (client: object, stageId: string, userStatus: string) =>
  onBoard(`on ${JSON.stringify(client)}: ${stageId}`, [
    post(client, 201, made),
    ["GET intake-leads", 200, { data: [{ stageId }] }],
    ["GET users?role=PATIENT", 200, { data: [{ userStatus }] }],
  ]);
onStage({ intakeStatusPublicId: "stage_own" }, "stage_own", "LEAD");
onStage({ intakeStatusPublicId: "stage_active" }, "stage_active", "ACTIVE");
onStage({ intakeStatusPublicId: "stage_wait_b" }, "stage_wait_b", "WAITLIST");
onStage({ intakeStatusKey: "WAITLIST" }, "stage_wait_a", "WAITLIST");
for (const key of intakeStageKeys)
  practice([stage("stage_own", 0), stage("stage_key", 9, key)])(`the status of ${key}`, [
    post({ intakeStatusKey: key }, 201, made),
    ["GET users?role=PATIENT", 200, { data: [{ userStatus: key }] }],
  ]);
practice([stage("stage_off", 1, undefined, false)])("a board without active stages", [
  post({}, 201, made),
  ["GET intake-leads", 200, { data: [{ stageId: null }] }],
]);

const unknownStage = (id: string) => `Unknown or inactive intakeStatusPublicId: '${id}'`;
for (const [client, text] of [
  ...["stage_wait_off", "stage_none", "STAGE_OWN", "", "WAITLIST"].map(
    (id) => [{ intakeStatusPublicId: id }, unknownStage(id)] as const,
  ),
  [{ intakeStatusKey: "ARCHIVED" }, "No active intake stage has the intakeStatusKey 'ARCHIVED'"],
  [
    { intakeStatusPublicId: "stage_active", intakeStatusKey: "ACTIVE" },
    "Give intakeStatusPublicId ('stage_active') or intakeStatusKey ('ACTIVE'), not both",
  ],
  [{ selectedLocations: [""] }, "Unknown selectedLocations: ''"],
  [
    { selectedLocations: ["loc_a", "loc_y", "LOC_B", "loc_b", "loc_y"] },
    "Unknown selectedLocations: 'loc_y', 'LOC_B'",
  ],
  // The id of a location is not the id of a label.
  [{ labelPublicIds: ["lbl_a", "loc_a"] }, "Unknown labelPublicIds: 'loc_a'"],
  [
    { selectedLocations: ["loc_none"], intakeStatusKey: "LEAD", labelPublicIds: ["lbl_none"] },
    "Unknown selectedLocations: 'loc_none'. No active intake stage has the intakeStatusKey 'LEAD'. Unknown labelPublicIds: 'lbl_none'",
  ],
] as const)
  onBoard(`${JSON.stringify(client)} is refused, and nothing is written`, [
    post(client, 400, error(400, text)),
    nobody,
  ]);

const future = issue(["client", "birthdate"], "Must not be in the future");
for (const [birthdate, timezone, time_zone, now, status] of [
  ["2026-03-11", "America/New_York", null, "2026-03-11T15:00:00.000Z", 201],
  ["2026-03-12", "America/New_York", null, "2026-03-11T15:00:00.000Z", 400],
  ["2026-03-12", "Pacific/Auckland", null, "2026-03-11T15:00:00.000Z", 201],
  ["2026-03-11", undefined, "Pacific/Honolulu", "2026-03-11T09:59:59.999Z", 400],
  ["2026-03-11", undefined, "Pacific/Honolulu", "2026-03-11T10:00:00.000Z", 201],
  ["2026-03-12", undefined, null, "2026-03-11T23:59:59.999Z", 400],
  ["2026-03-12", undefined, null, "2026-03-12T00:00:00.000Z", 201],
  // An unsupported time zone from an old system counts as UTC.
  ["2026-03-12", undefined, "EST5EDT4", "2026-03-11T23:59:59.999Z", 400],
] as const)
  practice([])(
    `born on ${birthdate}, in ${timezone ?? time_zone} at ${now}: ${status}`,
    [post({ birthdate, timezone }, status, status === 201 ? made : future)],
    { organization: { time_zone }, now },
  );

const taken = error(409, "A record with this email already exists");
for (const role of roles)
  for (const isActive of [true, false])
    practice([
      {
        ...{ type: "user", publicId: "usr_1", role, isActive, firstName: "A", lastName: "B" },
        email: "Mina.Park@Example.com",
      },
    ])(`the email of a user with role ${role}, active: ${isActive}`, [
      ...["Mina.Park@Example.com", "mina.park@example.com", "MINA.PARK@EXAMPLE.COM"].map(
        (email): Step => [
          "POST intake-leads",
          lead({}, { caregiver: { ...caregiver, email } }),
          409,
          taken,
        ],
      ),
      ["GET users", 200, { data: [{ publicId: "usr_1" }] }],
      ["GET intake-leads", 200, { data: [] }],
    ]);

withoutBoard("errors come in order: shape, birthdate, unknown ids, email", [
  ["POST intake-leads", lead(), 201, made],
  post({ sex: "x", birthdate: "2026-03-13", selectedLocations: ["loc_none"] }, 400, {
    validationErrors: [{ path: ["client", "sex"] }],
  }),
  post({ birthdate: "2026-03-13", selectedLocations: ["loc_none"] }, 400, future),
  post(
    { selectedLocations: ["loc_none"] },
    400,
    error(400, "Unknown selectedLocations: 'loc_none'"),
  ),
  post({}, 409, taken),
  ["GET users", 200, { data: [{}, {}] }],
]);

const at = (publicId: string, createdAt: string, more: object = {}) => ({
  ...{ type: "intakeLead", publicId, clientId: "usr_leo", caregiverId: "usr_dad" },
  ...{ relationship: "MOTHER", createdAt, ...more },
});
const user = (publicId: string, role: string) => ({
  ...{ type: "user", publicId, role, firstName: "Leo", lastName: "Park" },
});
const filed = practice([
  ...lists,
  ...board,
  ...[user("usr_leo", "PATIENT"), user("usr_mia", "PATIENT"), user("usr_dad", "CAREGIVER")],
  at("lead_5", "2026-03-12T00:00:00.000Z", { clientId: "usr_mia", labelIds: ["lbl_a"] }),
  at("lead_3", "2026-03-11T23:59:59.999Z", { stageId: "stage_own" }),
  at("lead_2", "2026-03-11T00:00:00.000Z", { channel: "Paid Search" }),
  at("lead_4", "2026-03-11T00:00:00.000Z", { attribution: {} }),
  at("lead_1", "2026-03-10T23:59:59.999Z", {
    ...{ relationship: "FATHER", source: "google", channel: "Organic Search", campaign: "Spring" },
    ...{ stageId: "stage_wait_b", labelIds: ["lbl_b", "lbl_a"] },
    attribution: { utm_source: "google" },
  }),
]);
const one = {
  ...{ publicId: "lead_1", clientId: "usr_leo", caregiverId: "usr_dad", relationship: "FATHER" },
  ...{ stageId: "stage_wait_b", stageKey: "WAITLIST", labelIds: ["lbl_a", "lbl_b"] },
  ...{ source: "google", channel: "Organic Search", campaign: "Spring" },
  ...{ createdAt: "2026-03-10T23:59:59.999Z", attribution: { utm_source: "google" } },
};
const order = ["lead_5", "lead_3", "lead_2", "lead_4", "lead_1"];
const get = (query: string, ids: readonly string[], total = ids.length): Step => [
  ...([`GET intake-leads?${query}`, 200] as const),
  { data: ids.map((publicId) => ({ publicId })), pagination: { totalCount: total } },
];
filed("leads are read in pages, latest first, by filters, and one by one", [
  get("", order),
  get("page=2&pageSize=2", ["lead_2", "lead_4"], 5),
  get("page=4&pageSize=2", [], 5),
  get("sort=createdAt_asc", ["lead_1", "lead_2", "lead_4", "lead_3", "lead_5"]),
  get("stageId=stage_wait_b", ["lead_1"]),
  get("stageId=stage_none", []),
  get("labelId=lbl_a", ["lead_5", "lead_1"]),
  get("labelId=lbl_b&sort=createdAt_asc", ["lead_1"]),
  get("channel=Paid%20Search", ["lead_2"]),
  get("channel=paid%20search", []),
  get("source=google", ["lead_1"]),
  get("source=", []),
  get("clientId=usr_mia", ["lead_5"]),
  get("createdFrom=2026-03-11", order.slice(0, 4)),
  get("createdTo=2026-03-11", order.slice(1)),
  get("createdFrom=2026-03-11&labelId=lbl_a&clientId=usr_mia", ["lead_5"]),
  [
    "GET intake-leads?createdFrom=2026-03-12&createdTo=2026-03-11",
    ...([400, issue(["createdFrom"], "createdFrom must be on or before createdTo")] as const),
  ],
  ["GET intake-leads/lead_1", 200, one],
  ["GET intake-leads?pageSize=1&page=5", 200, { data: [one] }],
  [
    "GET intake-leads/lead_4",
    ...([
      200,
      { attribution: {}, stageId: null, stageKey: null, labelIds: [], source: null },
    ] as const),
  ],
  ...["lead_none", "LEAD_1", "usr_leo"].map((id): Step => [
    `GET intake-leads/${id}`,
    404,
    error(404, "Intake lead not found"),
  ]),
]);
