/** The legend of bars and charts. */
export function Legend({ isChart = false }: { isChart?: boolean }) {
  return (
    <ul class="legend" aria-hidden="true">
      <li>
        <i class="key-delivered" /> Delivered
      </li>
      <li>
        <i class="key-booked" /> Booked
      </li>
      <li>
        <i class="key-left" /> Left
      </li>
      <li>
        <i class="key-over" /> Over
      </li>
      {isChart ? (
        <li>
          <i class="key-cut" /> Cut short
        </li>
      ) : (
        <li>
          <i class="key-pace" /> Pace of the period
        </li>
      )}
    </ul>
  );
}
