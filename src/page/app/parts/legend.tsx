const PARTS = ["Delivered", "Booked", "Left", "Over"];

/** The legend of bars and charts. */
export function Legend({ isChart = false }: { isChart?: boolean }) {
  return (
    <ul class="legend" aria-hidden="true">
      {PARTS.map((name) => (
        <li key={name}>
          <i class={`key-${name.toLowerCase()}`} /> {name}
        </li>
      ))}
      <li>
        <i class={isChart ? "key-cut" : "key-pace"} />{" "}
        {isChart ? "Cut short" : "Pace of the period"}
      </li>
    </ul>
  );
}
