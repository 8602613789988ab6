import type { ComponentChildren } from "preact";

/** What the colors and lines of a picture mean: the class of each, and its name. */
export function Legend({ keys }: { keys: readonly [key: string, name: ComponentChildren][] }) {
  return (
    <ul class="legend" aria-hidden="true">
      {keys.map(([key, name]) => (
        <li key={key}>
          <i class={key} /> {name}
        </li>
      ))}
    </ul>
  );
}

/** Those of the units of a period. */
export const UNIT_KEYS: [string, string][] = [
  ["key-delivered", "Delivered"],
  ["key-booked", "Booked"],
  ["key-left", "Left"],
  ["key-over", "Over"],
];
