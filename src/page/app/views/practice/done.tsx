import { type Act, acts, undoAct } from "../../lib/base/acts.ts";
import { timeText } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { Button } from "../../parts/base/button.tsx";
import { Empty } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { useWork } from "../../parts/base/work.tsx";

/** What was done in this sign-in, the last first; each can be undone while nobody has changed it since. */
export function Done() {
  return (
    <main>
      <ViewHeader
        title="Done in this sign-in"
        lead="The last 50 changes of this page. They are forgotten with a reload, and when you sign out."
      />
      {acts.value.length === 0 ? (
        <Empty>Nothing yet.</Empty>
      ) : (
        <section class="panel" aria-label="Done">
          <ul class="record-list">
            {acts.value.map((act) => (
              <li key={act}>
                <Row act={act} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

function Row({ act }: { act: Act }) {
  const { isWorking, run, notice } = useWork("The change could not be undone.");
  return (
    <>
      <time dateTime={act.at}>{timeText(act.at, practiceZone())}</time> {act.said}{" "}
      {act.undo !== undefined && (
        <Button class="link" disabled={isWorking} onClick={() => run(() => undoAct(act))}>
          Undo
        </Button>
      )}
      {notice}
    </>
  );
}
