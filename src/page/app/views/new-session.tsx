import { parseCalendarDate, today } from "../lib/dates.ts";
import type { Draft } from "../lib/new-sessions.ts";
import { practiceZone } from "../lib/me.ts";
import { openDialog, openedDialog } from "../lib/place.ts";
import { mayPlan } from "../lib/rights.ts";
import { Dialog } from "../parts/dialog.tsx";
import { later } from "../parts/later.tsx";

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
