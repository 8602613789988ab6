import { describe, expect, test } from "bun:test";
import { newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { base } from "../support/users/practice.ts";
import {
  type LeadIds,
  newIntakePractice,
  newLead,
  patientFields,
  storedLeads,
} from "../support/intake-leads/practice.ts";

/** POST /v1/intake-leads: fields that are ignored, and values that mean absent. */

const service = await newService();
const { database } = service;
const newPractice = () => newIntakePractice(service);

describe("fields that a client may not set", () => {
  test("are ignored: columns, other organizations, roles, and properties of Object.prototype", async () => {
    const { organization, key, listed } = await newPractice();
    const other = await newOrganization(database);
    const raw = `{
      "organizationId": "${other}", "publicId": "lead_mine", "role": "ADMIN", "__proto__": { "client": {} },
      "source": "x", "channel": "x", "stageId": "stage_wait", "\\u0000": "\\ud800",
      "client": {
        "firstName": "Leo", "lastName": "Park", "birthdate": "2019-04-02",
        "publicId": "usr_mine", "role": "ADMIN", "isActive": false, "userStatus": "ACTIVE", "email": "x@example.com",
        "organizationId": "${other}", "caregiverId": "usr_x", "__proto__": { "sex": "MALE" }, "constructor": 1
      },
      "caregiver": {
        "firstName": "Mina", "lastName": "Park", "relationship": "OTHER", "email": "strip@example.com",
        "phone": "+14155552671", "role": "ADMIN", "publicId": "usr_mine", "isActive": false, "sex": "FEMALE"
      }
    }`;
    const headers = { "Content-Type": "application/json" };
    const { status, body } = await service.call("POST /api/v1/intake-leads", { key, raw, headers });
    const ids = body as LeadIds;
    expect([status, body]).toEqual([
      201,
      {
        client: { publicId: expect.stringMatching(/^usr_[0-9a-z]{26}$/) },
        caregiver: { publicId: expect.stringMatching(/^usr_[0-9a-z]{26}$/) },
      },
    ]);
    expect(await listed()).toEqual([
      {
        ...base(ids.client.publicId, "PATIENT"),
        ...patientFields,
        firstName: "Leo",
        lastName: "Park",
        birthDate: "2019-04-02",
        caregiverId: ids.caregiver.publicId,
      },
      {
        ...base(ids.caregiver.publicId, "CAREGIVER"),
        firstName: "Mina",
        lastName: "Park",
        email: "strip@example.com",
        phoneNumber: "+14155552671",
      },
    ]);
    const { leads } = await storedLeads(service, organization);
    expect(leads).toMatchObject([{ stage_id: "stage_new", source: "(direct)", channel: "Direct" }]);
  });

  test("null in an optional field means absent", async () => {
    const { organization, create, listed } = await newPractice();
    const nulls = {
      sex: null,
      address: null,
      city: null,
      state: null,
      zip: null,
      country: null,
      timezone: null,
      selectedLocations: null,
      intakeStatusPublicId: null,
      intakeStatusKey: null,
      labelPublicIds: null,
    };
    const { ids } = await create({ ...newLead(nulls), attribution: null });
    expect((await listed())[0]).toEqual({
      ...base(ids.client.publicId, "PATIENT"),
      ...patientFields,
      firstName: "Leo",
      lastName: "Park",
      birthDate: "2019-04-02",
      caregiverId: ids.caregiver.publicId,
    });
    const { leads } = await storedLeads(service, organization);
    expect(leads).toMatchObject([{ stage_id: "stage_new", attribution: null, channel: "Direct" }]);
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
});
