import { describe, expect, test } from "bun:test";
import { CHANNELS } from "../../src/intake-leads/attribution.ts";
import { newService, NOW } from "../support/harness.ts";
import { base } from "../support/users/practice.ts";
import {
  newCaregiver,
  newIntakePractice,
  newLead,
  patientFields,
  storedLeads,
} from "../support/intake-leads/practice.ts";

/** POST /v1/intake-leads: stored records and the response (specification, section 4.2). */

const service = await newService();
const { database } = service;

const newPractice = () => newIntakePractice(service);

const everything = {
  client: {
    firstName: "  Léo ",
    lastName: " Muñoz-Park\n",
    birthdate: "2019-04-02",
    sex: "OTHER",
    address: "12 Maple Street",
    city: "Burlington",
    state: "VT",
    zip: "05401",
    country: "US",
    timezone: "America/Chicago",
    selectedLocations: ["loc_main", "loc_a", "loc_main"],
    intakeStatusKey: "WAITLIST",
    labelPublicIds: ["lbl_website", "lbl_a", "lbl_website"],
  },
  caregiver: {
    firstName: " Mina ",
    lastName: "Park",
    relationship: "STEPMOTHER",
    email: "Mina.Park@Example.com",
    phone: "+18026584000",
  },
  attribution: {
    utm_source: "Google",
    utm_medium: "cpc",
    utm_campaign: "Spring",
    utm_term: "aba therapy",
    utm_content: "",
    gclid: null,
    referrer: "https://www.google.com/",
    landingPage: "https://maple.example/intake",
    organizationId: "org_other",
    role: "ADMIN",
    ["__proto__"]: { source: "x" },
  },
};

describe("a lead with every field", async () => {
  const { organization, key, create, listed } = await newPractice();
  const { answer, ids } = await create(everything);
  const [patient, caregiver] = [ids.client.publicId, ids.caregiver.publicId];

  test("responds with two new ids, byte for byte", () => {
    expect(patient).toMatch(/^usr_[0-9a-z]{26}$/);
    expect(caregiver).toMatch(/^usr_[0-9a-z]{26}$/);
    expect(answer.text).toBe(
      `{"client":{"publicId":"${patient}"},"caregiver":{"publicId":"${caregiver}"}}`,
    );
  });

  test("appears in GET /v1/users as a patient and a caregiver", async () => {
    expect(await listed()).toEqual([
      {
        ...base(patient, "PATIENT"),
        ...patientFields,
        firstName: "Léo",
        lastName: "Muñoz-Park",
        userStatus: "WAITLIST",
        sex: "OTHER",
        birthDate: "2019-04-02",
        caregiverId: caregiver,
        addressLine1: "12 Maple Street",
        city: "Burlington",
        state: "VT",
        postalCode: "05401",
        locationIds: ["loc_a", "loc_main"],
      },
      {
        ...base(caregiver, "CAREGIVER"),
        firstName: "Mina",
        lastName: "Park",
        email: "Mina.Park@Example.com",
        phoneNumber: "+18026584000",
      },
    ]);
  });

  test("stores the country and the time zone, which no list shows", async () => {
    const stored = await database.read((db) =>
      db
        .selectFrom("users")
        .select(["country", "time_zone", "created_at", "updated_at", "should_send_sms"])
        .where("public_id", "=", patient)
        .executeTakeFirstOrThrow(),
    );
    expect(stored as object).toEqual({
      country: "US",
      time_zone: "America/Chicago",
      created_at: NOW,
      updated_at: NOW,
      should_send_sms: 0,
    });
  });

  test("stores the relationship, stage, labels, the submitted attribution, and the computed source and channel", async () => {
    const { leads, labels } = await storedLeads(service, organization);
    const lead_id = leads[0]?.public_id ?? "";
    expect(lead_id).toMatch(/^lead_[0-9a-z]{26}$/);
    expect({ leads: leads as unknown, labels }).toEqual({
      leads: [
        {
          organization_id: organization,
          public_id: lead_id,
          client_id: patient,
          caregiver_id: caregiver,
          relationship: "STEPMOTHER",
          stage_id: "stage_wait",
          attribution: JSON.stringify({
            utm_source: "Google",
            utm_medium: "cpc",
            utm_campaign: "Spring",
            utm_term: "aba therapy",
            utm_content: "",
            referrer: "https://www.google.com/",
            landingPage: "https://maple.example/intake",
          }),
          source: "google",
          channel: "Paid Search",
          campaign: "Spring",
          created_at: NOW,
          sequence: 1,
          first_sequence: 1,
        },
      ],
      labels: ["lbl_a", "lbl_website"].map((label_id) => ({
        organization_id: organization,
        lead_id,
        label_id,
      })),
    });
  });

  test("is found by name without diacritics, and its caregiver by email in any letter case", async () => {
    for (const [query, id] of [
      ["search=munoz+leo", patient],
      ["email=MINA.PARK@example.COM", caregiver],
      ["search=8026584000", caregiver],
    ]) {
      const { body } = await service.call(`GET /api/v1/users?${query}`, { key });
      expect(body).toMatchObject({ data: [{ publicId: id }], pagination: { totalCount: 1 } });
    }
  });
});

describe("a lead with the required fields only", async () => {
  const { organization, create, listed } = await newPractice();
  const { ids } = await create(newLead());
  const [patient, caregiver] = [ids.client.publicId, ids.caregiver.publicId];

  test("appears in GET /v1/users with null in absent fields", async () => {
    expect(await listed()).toEqual([
      {
        ...base(patient, "PATIENT"),
        ...patientFields,
        firstName: "Leo",
        lastName: "Park",
        birthDate: "2019-04-02",
        caregiverId: caregiver,
      },
      {
        ...base(caregiver, "CAREGIVER"),
        firstName: "Mina",
        lastName: "Park",
        email: expect.stringMatching(/^mina\.park\.\d+@example\.com$/),
        phoneNumber: "+14155552671",
      },
    ]);
  });

  test("is Direct, on the first stage", async () => {
    const { leads, labels } = await storedLeads(service, organization);
    expect([leads[0], labels]).toMatchObject([
      {
        stage_id: "stage_new",
        attribution: null,
        source: "(direct)",
        channel: "Direct",
        campaign: null,
      },
      [],
    ]);
  });
});

test("attribution is stored as submitted", async () => {
  const { organization, create } = await newPractice();
  const sent = [
    {},
    { fbclid: "x" },
    { referrer: "https://www.bing.com/search" },
    { utm_term: "a" },
  ];
  for (const attribution of sent) await create({ ...newLead(), attribution });
  const { leads } = await storedLeads(service, organization);
  expect(leads.map(({ attribution, source, channel }) => [attribution, source, channel])).toEqual([
    ["{}", "(direct)", "Direct"],
    ['{"fbclid":"x"}', "facebook", "Organic Social"],
    ['{"referrer":"https://www.bing.com/search"}', "bing", "Organic Search"],
    ['{"utm_term":"a"}', "(direct)", "Direct"],
  ]);
  for (const { channel } of leads) expect(CHANNELS as readonly unknown[]).toContain(channel);
});

test("leads of one organization do not affect another, not even with the same caregiver's email", async () => {
  const [ours, theirs] = [await newPractice(), await newPractice()];
  const caregiver = newCaregiver();
  for (const { create } of [ours, theirs]) await create({ ...newLead(), caregiver });
  for (const { listed } of [ours, theirs]) expect(await listed()).toHaveLength(2);
});

test("empty strings in the address mean absent", async () => {
  const { create, listed } = await newPractice();
  const address = { address: "", city: "", state: "", zip: "", country: "" };
  const { ids } = await create(newLead(address));
  expect((await listed())[0]).toMatchObject({
    publicId: ids.client.publicId,
    addressLine1: null,
    city: null,
    state: null,
    postalCode: null,
  });
  const stored = await database.read((db) =>
    db
      .selectFrom("users")
      .select("country")
      .where("public_id", "=", ids.client.publicId)
      .executeTakeFirstOrThrow(),
  );
  expect(stored.country).toBeNull();
});
