import type { PlaceOfService } from "../sessions/model.ts";
import type { Service } from "./organization.ts";
import type { Random } from "./random.ts";

/**
 * The weekly schedule of a care team. No one has two visits at the same time:
 *
 *     08:00  Monday: technicians' supervision; Friday: team meeting
 *     08:30  morning clients, until 12:15; once a week the clinician joins for the last hour
 *     12:15  the clinician with a family; technicians have lunch
 *     13:00  afternoon clients, until 18:30; once a week the clinician joins for the last hour
 *     15:15  speech visits of morning clients
 *
 * The clinician joins each technician on a different day. On the fifth day clients are reassessed, each at a different
 * hour, in the half of the day without therapy.
 */
export interface Visit {
  /** 1 is Monday. */
  weekday: number;
  /** Minutes after local midnight. */
  startMinute: number;
  minutes: number;
  /** For biweekly visits: only in weeks of this parity. */
  parityOfWeek?: number;
  /** Only at the end of a coverage. */
  isReassessment?: boolean;
  title: string;
  placeOfService: PlaceOfService;
  isSupervision: boolean;
  isClientPresent: boolean;
  locationId: string;
  technicianId?: string;
  bills: Billing | { nonBillableCode: string };
}

interface Billing {
  service: Service;
  isTelehealth: boolean;
  clinicianId?: string;
  providerLocationId?: string;
}

/** Half of a technician's days, for one client at a time. */
export interface Seat {
  /** From 0 within the team; even indexes are mornings. */
  index: number;
  isMorning: boolean;
  locationId: string;
  clinicianId: string;
  technicianId: string;
  speechTherapistId?: string;
}

/** The weekdays of a seat's weekly visits. */
interface SeatDays {
  supervisionDay: number;
  assessmentDay: number;
  speechDay: number;
}

export const WEEKDAYS = [1, 2, 3, 4, 5];
const MONDAY = 1;
const FRIDAY = 5;
const HOUR = 60;

/** A time of day in minutes after midnight. */
function at(hour: number, minute = 0): number {
  return hour * HOUR + minute;
}

const MORNING_STARTS = [at(8, 30), at(8, 45), at(9), at(9, 15)];
const MORNING_LENGTHS = [120, 135, 150, 165, 180];
const AFTERNOON_STARTS = [at(13), at(13, 30), at(14), at(14, 30), at(15), at(15, 30)];
const AFTERNOON_LENGTHS = [120, 150, 180, 210, 240];
const LATEST_END = at(18, 30);

/** The seat whose clients have two sessions at once, the technician's and the clinician's. */
const SEAT_WITH_TWO = 3;

export const MEETING = "nbc_meeting";

/** The weekly visits of a seat's clients. */
export function seatVisits(random: Random, seat: Seat, days: SeatDays): Visit[] {
  const startMinute = random.pick(seat.isMorning ? MORNING_STARTS : AFTERNOON_STARTS);
  const length = random.pick(seat.isMorning ? MORNING_LENGTHS : AFTERNOON_LENGTHS);
  const minutes = Math.min(length, LATEST_END - startMinute);
  const placeOfService = therapyPlace(random, seat);
  const therapyDays = daysWith(random, days.supervisionDay);

  const visits = therapyDays.map((weekday) => {
    const isShortened = weekday === days.supervisionDay && seat.index !== SEAT_WITH_TWO;
    return directTherapy(seat, placeOfService, {
      weekday,
      startMinute,
      minutes: isShortened ? minutes - HOUR : minutes,
    });
  });
  visits.push(
    supervision(random, seat, placeOfService, {
      weekday: days.supervisionDay,
      startMinute: startMinute + minutes - HOUR,
      minutes: HOUR,
    }),
  );
  visits.push(familyGuidance(random, seat));
  visits.push(reassessment(seat, days.assessmentDay));
  if (seat.speechTherapistId !== undefined)
    visits.push(speechVisit(seat, seat.speechTherapistId, days.speechDay));
  return visits;
}

/** Young children come in the mornings; afternoon clients attend school before. */
function therapyPlace(random: Random, seat: Seat): PlaceOfService {
  return seat.isMorning
    ? random.pick(["OFFICE", "OFFICE", "OFFICE", "HOME"])
    : random.pick(["OFFICE", "OFFICE", "HOME", "HOME", "HOME", "SCHOOL"]);
}

/** Three to five weekdays, including the given one. */
function daysWith(random: Random, weekday: number): number[] {
  const others = random.shuffled(WEEKDAYS.filter((other) => other !== weekday));
  return [weekday, ...others.slice(0, random.whole(2, 4))];
}

type Time = Pick<Visit, "weekday" | "startMinute" | "minutes">;

/** What most visits have in common: the child comes to the clinic. */
function atClinic({ locationId }: Pick<Seat, "locationId">) {
  return {
    placeOfService: "OFFICE",
    isSupervision: false,
    isClientPresent: true,
    locationId,
  } as const;
}

/** A service of a clinician. */
function clinicianBills(
  { locationId, clinicianId }: Pick<Seat, "locationId" | "clinicianId">,
  service: Service,
  isTelehealth = false,
): Billing {
  return { service, isTelehealth, clinicianId, providerLocationId: locationId };
}

function directTherapy(seat: Seat, placeOfService: PlaceOfService, time: Time): Visit {
  const { locationId, technicianId } = seat;
  const providerLocation = placeOfService === "OFFICE" && { providerLocationId: locationId };
  return {
    ...atClinic(seat),
    ...time,
    title: "Direct therapy",
    placeOfService,
    technicianId,
    bills: { service: "direct", isTelehealth: false, ...providerLocation },
  };
}

/**
 * The clinician joins the technician; for visits at home mostly by video from the clinic. For the clients of one seat,
 * it is a session of the clinician alone beside that of the technician.
 */
function supervision(random: Random, seat: Seat, therapyPlace: PlaceOfService, time: Time): Visit {
  const isBeside = seat.index === SEAT_WITH_TWO;
  const isTelehealth = therapyPlace === "HOME" && random.chance(0.6);
  return {
    ...atClinic(seat),
    ...time,
    title: "Direct therapy with clinician",
    placeOfService: isTelehealth ? "TELEHEALTH_PROVIDED_IN_PATIENT_HOME" : therapyPlace,
    isSupervision: true,
    ...(!isBeside && { technicianId: seat.technicianId }),
    bills: clinicianBills(seat, "supervision", isTelehealth),
  };
}

/** The clinician advises the family every other week, while the child is elsewhere. */
function familyGuidance(random: Random, seat: Seat): Visit {
  const isTelehealth = random.chance(0.75);
  return {
    ...atClinic(seat),
    // Four families a week, on four days.
    weekday: MONDAY + (seat.index % 4),
    parityOfWeek: seat.index < 4 ? 0 : 1,
    startMinute: at(12, 15),
    minutes: 45,
    title: "Family guidance",
    placeOfService: isTelehealth ? "TELEHEALTH_PROVIDED_IN_PATIENT_HOME" : "OFFICE",
    isClientPresent: false,
    bills: clinicianBills(seat, "guidance", isTelehealth),
  };
}

function reassessment(seat: Seat, weekday: number): Visit {
  const firstHour = seat.isMorning ? at(13) : at(8);
  return {
    ...atClinic(seat),
    weekday,
    isReassessment: true,
    startMinute: firstHour + Math.floor(seat.index / 2) * HOUR,
    minutes: HOUR,
    title: "Reassessment",
    bills: clinicianBills(seat, "assessment"),
  };
}

function speechVisit(seat: Seat, clinicianId: string, weekday: number): Visit {
  return {
    ...atClinic(seat),
    weekday,
    startMinute: at(15, 15) + Math.floor(seat.index / 2) * HOUR,
    minutes: 45,
    title: "Speech therapy",
    bills: clinicianBills({ ...seat, clinicianId }, "speech"),
  };
}

/** Visits without clients: the team meeting, and the clinician's biweekly talk with each technician. */
export function technicianVisits(team: { locationId: string; technicianIds: string[] }): Visit[] {
  return team.technicianIds.flatMap((technicianId, index): Visit[] => {
    const talk = {
      ...atClinic(team),
      startMinute: at(8),
      minutes: 30,
      isClientPresent: false,
      technicianId,
    };
    return [
      { ...talk, weekday: FRIDAY, title: "Team meeting", bills: { nonBillableCode: MEETING } },
      {
        ...talk,
        weekday: MONDAY,
        parityOfWeek: index % 2,
        title: "Technician supervision",
        isSupervision: true,
        bills: { nonBillableCode: "nbc_supervision" },
      },
    ];
  });
}
