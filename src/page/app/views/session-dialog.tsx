import { useState } from "preact/hooks";
import { useResponse, useGet } from "../lib/response.ts";
import { closeSession, parameter } from "../lib/place.ts";
import { getSession } from "../lib/sessions.ts";
import type { Session, SessionUtilization } from "../lib/wire.ts";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNotice, ResponseView } from "../parts/notices.tsx";
import { useTogether } from "../parts/together.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { SessionForm } from "./session-form.tsx";
import { SessionRepeat } from "./session-repeat.tsx";

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
        {(session) => <Details session={session} isLoading={response.isLoading} />}
      </ResponseView>
    </Dialog>
  );
}

function Details(properties: {
  session: Session;
  /** Whether the session is being loaded again, after a write. */
  isLoading: boolean;
}) {
  const { session, isLoading } = properties;
  // Until it is loaded, actions that depend on it are not offered.
  const response = useGet<SessionUtilization>(
    `sessions/${encodeURIComponent(session.publicId)}/utilization`,
  );
  const counted = response.value;
  const authorizationId = counted?.authorizationId ?? undefined;
  const [form, setForm] = useState<"change" | "repeat">();
  const close = (): void => setForm(undefined);
  const together = useTogether(session);
  if (form === "change")
    return (
      <SessionForm
        session={session}
        authorizationId={authorizationId}
        together={together}
        onDone={close}
      />
    );
  if (form === "repeat" && together !== undefined)
    return <SessionRepeat session={session} together={together} onDone={close} />;
  return (
    <>
      <SessionFacts
        session={session}
        authorizationId={authorizationId}
        reason={counted?.reason ?? null}
      />
      {response.failure && <FailureNotice failure={response.failure} again={response.again} />}
      <SessionActions
        session={session}
        counted={counted}
        together={together}
        isLoading={isLoading}
        onEdit={() => setForm("change")}
        onRepeat={() => setForm("repeat")}
      />
    </>
  );
}
