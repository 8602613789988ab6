import { shareText, unitsText } from "../lib/format.ts";

/** Units of a period against those that are authorized. */
export interface Units {
  /** Delivered. */
  used: number;
  /** Of sessions that are planned and not delivered yet. */
  open: number;
  /** Null where there is no limit. */
  authorized: number | null;
}

/** What remains of the authorized units, and what goes beyond them. */
export function balance({ used, open, authorized }: Units): { left: number; over: number } {
  if (authorized === null) return { left: 0, over: 0 };
  const rest = rounded(authorized - used - open);
  return { left: Math.max(rest, 0), over: Math.max(-rest, 0) };
}

/** Units have six decimals at most; sums of doubles may show more. */
export function rounded(units: number): number {
  return Math.round(units * 1e6) / 1e6;
}

/** The same in words: `52 used, 20 open, 8 left of 80`. */
export function balanceText(units: Units): string {
  const { left, over } = balance(units);
  const known = `${unitsText(units.used)} used, ${unitsText(units.open)} open`;
  if (units.authorized === null) return `${known}, no limit`;
  const rest = over > 0 ? `${unitsText(over)} over` : `${unitsText(left)} left of`;
  return `${known}, ${rest} ${unitsText(units.authorized)}`;
}

/** A bar as long as what is authorized, or, where that is less, as what is used and open. */
export function Bar({ units, elapsed }: { units: Units; elapsed?: number }) {
  const { used, open, authorized } = units;
  const length = Math.max(used + open, authorized ?? 0);
  const within = Math.min(authorized ?? Infinity, length);
  const width = (part: number) => ({ width: length === 0 ? "0" : `${(part / length) * 100}%` });
  const usedWithin = Math.min(used, within);
  const pace = elapsed === undefined || authorized === null ? undefined : elapsed * authorized;
  return (
    <span class="bar" role="img" aria-label={balanceText(units)}>
      <span class="bar-used" style={width(usedWithin)} />
      <span class="bar-open" style={width(Math.min(open, within - usedWithin))} />
      <span class="bar-over" style={width(length - within)} hidden={length === within} />
      {pace !== undefined && pace > 0 && pace < length && (
        <span class="bar-pace" style={{ left: `${(pace / length) * 100}%` }} />
      )}
    </span>
  );
}

export function ShareText({ share }: { share: number | null }) {
  const level = share === null ? "none" : share > 1 ? "over" : share >= 0.8 ? "near" : "fine";
  return <span class={`share share-${level}`}>{shareText(share)}</span>;
}
