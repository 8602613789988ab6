import { useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import type { Session, SessionUtilization } from "../../lib/base/wire.ts";
import { FailureNotice } from "../../parts/base/notices.tsx";
import { useTogether } from "../../parts/session/together.tsx";
import { BilledIn } from "../billing/billed-in.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { SessionForm } from "./session-form.tsx";
import { SessionRepeat } from "./session-repeat.tsx";

/** What is in a session's dialog: what is said of it and what can be done, or one of its forms. */
export function SessionDetails(properties: {
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
  const [form, setForm] = useState<"change" | "repeat">();
  const close = (): void => setForm(undefined);
  const together = useTogether(session);
  if (form === "change")
    return (
      <SessionForm
        session={session}
        authorizationId={counted?.authorizationId ?? undefined}
        isDocumented={counted !== undefined && counted.encounters.length > 0}
        together={together}
        onDone={close}
      />
    );
  if (form === "repeat" && together !== undefined)
    return <SessionRepeat session={session} together={together} onDone={close} />;
  return (
    <>
      <SessionFacts session={session} counted={counted} />
      {counted && <BilledIn encounters={counted.encounters} />}
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
