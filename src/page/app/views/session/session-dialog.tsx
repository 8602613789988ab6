import { useRemembered } from "../../lib/base/response.ts";
import { useNames } from "../../lib/person/people.ts";
import { closeSession, parameter } from "../../lib/base/place.ts";
import { getSession } from "../../lib/session/sessions.ts";
import { Dialog } from "../../parts/base/dialog.tsx";
import { later } from "../../parts/base/later.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";

const SessionDetails = later(async () => (await import("./session-details.tsx")).SessionDetails);

/** A dialog with one session and its actions. */
export function SessionDialog() {
  const id = parameter("session");
  if (id === undefined) return null;
  return <Opened key={id} id={id} />;
}

function Opened({ id }: { id: string }) {
  const response = useRemembered(`session ${id}`, (reading) => getSession(id, reading));
  const { value } = response;
  const name = useNames(value?.clientId ? [value.clientId] : []);
  // Whose session it is, is what one looks for.
  const title =
    value === undefined
      ? "Session"
      : [value.clientId && name(value.clientId), value.title].filter(Boolean).join(" · ");
  return (
    <Dialog title={title} onClose={closeSession}>
      <ResponseView response={response}>
        {(session) => <SessionDetails session={session} isLoading={response.isLoading} />}
      </ResponseView>
    </Dialog>
  );
}
