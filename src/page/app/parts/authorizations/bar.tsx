import { shareText } from "../../lib/base/format.ts";
import { balanceText, type Units } from "../../lib/authorizations/units.ts";

/** A bar as long as the authorized units, or the delivered and booked units if these are more. */
export function Bar(properties: { units: Units; elapsed?: number; label?: string }) {
  const { units, elapsed, label = balanceText(units) } = properties;
  const { delivered, booked, authorized } = units;
  const length = Math.max(delivered + booked, authorized ?? 0);
  const within = Math.min(authorized ?? Infinity, length);
  const width = (part: number) => ({ width: length === 0 ? "0" : `${(part / length) * 100}%` });
  const deliveredWithin = Math.min(delivered, within);
  const pace = elapsed === undefined || authorized === null ? undefined : elapsed * authorized;
  return (
    <span class="bar" role="img" aria-label={label}>
      <span class="bar-delivered" style={width(deliveredWithin)} />
      <span class="bar-booked" style={width(Math.min(booked, within - deliveredWithin))} />
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
