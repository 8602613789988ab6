import { addDays, type CalendarDate, daysBetween } from "./dates.ts";

/** The axes of charts. */

/** From units to places on a vertical axis, whose ends are round numbers: at or above the highest units, and 0 or below the lowest. */
export interface UnitScale {
  (units: number): number;
  ticks: number[];
}

/** Steps between the labels of an axis, times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** How many steps an axis has, about. */
const STEPS_OF_AXIS = 5;

export function unitScale(highest: number, bottom: number, top: number, lowest = 0): UnitScale {
  const rough = (highest - lowest) / STEPS_OF_AXIS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(lowest / step);
  const count = Math.ceil(highest / step) - first;
  const scale = (units: number): number =>
    bottom - ((units - first * step) / (count * step)) * (bottom - top);
  const ticks = Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
  return Object.assign(scale, { ticks });
}

/** From days to places on a horizontal axis. */
export interface DayScale {
  (day: string): number;
  /** Round dates as labels, each at least so many pixels from the next. */
  ticks(room: number): CalendarDate[];
}

/** The first day of each of so many months: of years for 12. */
const MONTHS = [1, 2, 3, 6, 12];

export function dayScale(
  first: CalendarDate,
  end: CalendarDate,
  left: number,
  right: number,
): DayScale {
  const length = Math.max(1, daysBetween(first, end));
  const perDay = (right - left) / length;
  const scale = (day: string): number => left + daysBetween(first, day) * perDay;
  const days = Array.from({ length: length + 1 }, (_, index) => addDays(first, index));
  const isSunday = (day: string): boolean => new Date(day).getUTCDay() === 0;
  const startsMonth =
    (step: number) =>
    (day: string): boolean =>
      day.endsWith("-01") && (Number(day.slice(5, 7)) - 1) % step === 0;
  /** Kinds of round dates, with the least number of days between two. */
  const kinds: [isRound: (day: string) => boolean, least: number][] = [
    [() => true, 1],
    [isSunday, 7],
    ...MONTHS.map((step): [(day: string) => boolean, number] => [startsMonth(step), step * 28]),
  ];
  const ticks = (room: number): CalendarDate[] => {
    const [isRound] = kinds.find(([, least]) => least * perDay >= room) ?? [startsMonth(12)];
    return days.filter((day) => isRound(day) && scale(day) < right - room / 2);
  };
  return Object.assign(scale, { ticks });
}
