import { parseCalendarDate, today } from "../../lib/base/dates.ts";
import type { Draft } from "../../lib/session/new-sessions.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { openDialog, openedDialog } from "../../lib/base/place.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { Dialog } from "../../parts/base/dialog.tsx";
import { later } from "../../parts/base/later.tsx";

/** A dialog for a new session, or for one of every week. */

const NewSessionForm = later(async () => (await import("./new-session-form.tsx")).NewSessionForm);

export function openNewSession(draft: Draft): void {
  openDialog("new-session", { ...draft });
}

export function NewSessionDialog() {
  const draft = openedDialog("new-session");
  if (draft === undefined || !mayPlan()) return null;
  const { from, to, ...people } = draft;
  return (
    <Dialog title="New session">
      <NewSessionForm
        draft={{
          ...people,
          date: parseCalendarDate(draft.date ?? "") ?? today(practiceZone()),
          ...(from && { from: Number(from) }),
          ...(to && { to: Number(to) }),
        }}
      />
    </Dialog>
  );
}
