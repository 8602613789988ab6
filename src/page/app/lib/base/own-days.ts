import { addDays, type CalendarDate } from "./dates.ts";

/** How long clinicians and technicians may document their own sessions, in days before today. */
const OWN_DAYS = 14;

/** Whether a day is one of those: none to come, and none that is longer ago. */
export function isDocumentable(day: CalendarDate, today: CalendarDate): boolean {
  return addDays(today, -OWN_DAYS) <= day && day <= today;
}
