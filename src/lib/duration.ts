const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration of the command line (`90s`, `30m`, `24h`, `7d`) to milliseconds. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const match = /^([0-9]{1,9})([smhd])$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
