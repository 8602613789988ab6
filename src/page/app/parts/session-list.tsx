import { whenText } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import type { Session } from "../lib/wire.ts";
import { SessionLink } from "./session-link.tsx";

/** How many sessions are shown. */
const SHOWN = 80;

/** Sessions, as links to each, and how many there are besides. */
export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const count = sessions.length;
  const shown = sessions.slice(0, SHOWN);
  return (
    <>
      <ul class="record-list">
        {shown.map((session) => (
          <li key={session.publicId}>
            <SessionLink id={session.publicId}>
              {whenText(session, practiceZone())}: {session.title}
            </SessionLink>
          </li>
        ))}
      </ul>
      {count > shown.length && <p class="hint">And {count - shown.length} more.</p>}
    </>
  );
}
