import type { Fields } from "../practice-file.ts";

/** The organization and its reference data, as an export writes them. */

export const organization: Fields = {
  type: "organization",
  publicId: "org_maple",
  name: "Maple Street ABA",
  timezone: "America/New_York",
  weekStartsOn: "MONDAY",
  ownPatientsOnly: null,
  goalDaysInARow: 5,
};

export const referenceData: Fields[] = [
  { type: "location", publicId: "loc_main", name: "Main clinic" },
  { type: "location", publicId: "loc_north", name: "North clinic" },
  { type: "payor", publicId: "pay_acme", name: "Acme Health" },
  { type: "payor", publicId: "pay_birch", name: "Birch Mutual" },
  {
    type: "serviceLine",
    publicId: "svc_97153",
    name: "Therapy",
    billingUnitMinutes: 15,
    code: "97153",
    modifiers: ["HO", "95"],
    recordsData: true,
    isGroup: true,
    kind: "FAMILY",
  },
  { type: "serviceLine", publicId: "svc_visit", name: "Visit", billingUnitMinutes: null },
  { type: "nonBillableCode", publicId: "nbc_meeting", name: "Staff meeting" },
  { type: "specialization", publicId: "spec_early", name: "Early intervention", isActive: true },
  { type: "specialization", publicId: "spec_feeding", name: "Feeding", isActive: false },
  {
    type: "intakeStage",
    publicId: "stage_custom",
    name: "Called back",
    position: -1,
    isActive: false,
  },
  {
    type: "intakeStage",
    publicId: "stage_lead",
    key: "LEAD",
    name: "New lead",
    position: 0,
    isActive: true,
  },
  { type: "intakeLabel", publicId: "lbl_urgent", name: "Urgent" },
  { type: "intakeLabel", publicId: "lbl_web", name: "Web site" },
];
