import type {
  IntakeLabelRecord,
  IntakeStageRecord,
  LocationRecord,
  OrganizationRecord,
  SpecializationRecord,
} from "../practice-file/model.ts";
import { DEMO_TIME_ZONE } from "./calendar.ts";
import { numbered } from "./ids.ts";

/** What the practice has set up: itself, its places, what it is good at, and its intake board. */

/** The practice of another seed is another organization, so that several fit into one database. */
export function organization(seed: number): OrganizationRecord {
  return {
    type: "organization",
    publicId: organizationId(seed),
    name: seed === 1 ? "Maple Street ABA" : `Maple Street ABA, practice ${seed}`,
    timezone: DEMO_TIME_ZONE,
    weekStartsOn: "SUNDAY",
  };
}

export function organizationId(seed: number): string {
  return seed === 1 ? "org_maple" : `org_maple_${seed}`;
}

const LOCATION_NAMES = [
  "Maple Street clinic",
  "Alder Creek clinic",
  "Brookmere clinic",
  "Quarry Hill clinic",
  "Larkspur Road clinic",
  "Station Square clinic",
  "Orchard Park clinic",
  "Old Mill clinic",
];

export function locationId(number: number): string {
  return numbered("loc_", number, 4);
}

/** The first so many. When the names are used up they come again, with a number. */
export function* locations(count: number): Generator<LocationRecord> {
  for (let number = 1; number <= count; number += 1) {
    const name = LOCATION_NAMES[(number - 1) % LOCATION_NAMES.length] ?? "";
    const round = Math.ceil(number / LOCATION_NAMES.length);
    yield {
      type: "location",
      publicId: locationId(number),
      name: round === 1 ? name : `${name} ${round}`,
    };
  }
}

/** In the order of their ids, as all lists here. */
export const specializations = [
  specialization("spec_early_intervention", "Early intervention"),
  specialization("spec_feeding", "Feeding therapy"),
  specialization("spec_play_groups", "Facilitated play groups", false),
  specialization("spec_school", "School consultation"),
  specialization("spec_severe_behavior", "Severe behavior"),
  specialization("spec_social_skills", "Social skills"),
  specialization("spec_speech", "Speech and language"),
  specialization("spec_summer_camp", "Summer camp", false),
  specialization("spec_verbal_behavior", "Verbal behavior"),
];

function specialization(publicId: string, name: string, isActive = true): SpecializationRecord {
  return { type: "specialization", publicId, name, isActive };
}

type StageKey = NonNullable<IntakeStageRecord["key"]>;

/** The intake board. One stage is the practice's own, one is not used any more, and `INACTIVE` was never set up. */
export const stages = [
  stage("stage_active", 9, "In therapy", "ACTIVE"),
  stage("stage_approved", 6, "Authorization approved", "AUTH_APPROVED"),
  { ...stage("stage_archived", 12, "Archived", "ARCHIVED"), isActive: false },
  stage("stage_assessment", 7, "Assessment scheduled", "ASSESSMENT_SCHEDULED"),
  stage("stage_benefits", 4, "Benefits verified", "VERIFIED_BENEFITS"),
  stage("stage_discharged", 11, "Discharged", "DISCHARGED"),
  stage("stage_new", 1, "New inquiry", "LEAD"),
  stage("stage_paused", 10, "Services paused", "SERVICES_PAUSED"),
  stage("stage_requested", 5, "Authorization requested", "AUTH_REQUESTED"),
  stage("stage_therapy", 8, "Therapy scheduled", "THERAPY_SCHEDULED"),
  stage("stage_tour", 2, "Clinic tour booked"),
  stage("stage_waitlist", 3, "Waitlist", "WAITLIST"),
];

function stage(
  publicId: string,
  position: number,
  name: string,
  key?: StageKey,
): IntakeStageRecord {
  return { type: "intakeStage", publicId, ...(key && { key }), name, position, isActive: true };
}

export const labels = [
  label("lbl_bilingual", "Family prefers Spanish"),
  label("lbl_evenings", "Evenings only"),
  label("lbl_pediatrician", "Pediatrician referral"),
  label("lbl_school", "School district referral"),
  label("lbl_sibling", "Sibling already with us"),
  label("lbl_urgent", "Safety concern"),
];

function label(publicId: string, name: string): IntakeLabelRecord {
  return { type: "intakeLabel", publicId, name };
}
