import type { PlaceOfService } from "../sessions/model.ts";

/** The codes of CMS for places of service. */
const codes: Record<PlaceOfService, string> = {
  TELEHEALTH_PROVIDED_ELSEWHERE: "02",
  SCHOOL: "03",
  TELEHEALTH_PROVIDED_IN_PATIENT_HOME: "10",
  OFFICE: "11",
  HOME: "12",
  TEMPORARY_LODGING: "16",
  PLACE_OF_EMPLOYMENT: "18",
  COMMUNITY_MENTAL_HEALTH_CENTER: "53",
  OTHER: "99",
};

export function codeOfPlace(place: string): string {
  return codes[place as PlaceOfService];
}
