/** Times of a day as the fields of a form have them. */

/** Minutes from midnight as a field of time has them: `09:30`. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Minutes from midnight of a time such as `09:30`. */
export function minutesOf(clock: string): number {
  const [hours = 0, rest = 0] = clock.split(":").map(Number);
  return hours * 60 + rest;
}
