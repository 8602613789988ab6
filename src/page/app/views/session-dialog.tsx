import { useResponse } from "../lib/response.ts";
import { closeSession, parameter } from "../lib/place.ts";
import { getSession } from "../lib/sessions.ts";
import { Dialog } from "../parts/dialog.tsx";
import { later } from "../parts/later.tsx";
import { ResponseView } from "../parts/notices.tsx";

const SessionDetails = later(async () => (await import("./session-details.tsx")).SessionDetails);

/** A dialog with one session and its actions. */
export function SessionDialog() {
  const id = parameter("session");
  if (id === undefined) return null;
  return <Opened key={id} id={id} />;
}

function Opened({ id }: { id: string }) {
  const response = useResponse(id, (signal) => getSession(id, signal));
  return (
    <Dialog title={response.value?.title ?? "Session"} onClose={closeSession}>
      <ResponseView response={response}>
        {(session) => <SessionDetails session={session} isLoading={response.isLoading} />}
      </ResponseView>
    </Dialog>
  );
}
