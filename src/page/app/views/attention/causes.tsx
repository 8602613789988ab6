import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { today } from "../../lib/base/dates.ts";
import { type Cause, causesOf, CHECK_NAMES } from "../../lib/attention/findings.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { openDialog, openedDialog } from "../../lib/base/place.ts";
import { toPutOf } from "../../lib/authorizations/putting-on.ts";
import { mayPutOnAuthorization } from "../../lib/base/rights.ts";
import type { Finding } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { later } from "../../parts/base/later.tsx";
import { FindingText } from "./findings-panel.tsx";

const PutOnDialog = later(async () => (await import("../forms.ts")).PutOnDialog);

/** One row for each cause of findings, what has happened apart from what is to come. */
export function Causes({ findings }: { findings: Finding[] }) {
  const now = today(practiceZone());
  const put = openedDialog("put-on");
  return (
    <>
      {put && mayPutOnAuthorization() && <PutOnDialog about={put} />}
      <Section heading="Until yesterday" findings={findings.filter(({ date }) => date < now)} />
      <Section heading="From today on" findings={findings.filter(({ date }) => date >= now)} />
    </>
  );
}

function Section({ heading, findings }: { heading: string; findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section class="panel causes">
      <h2>{heading}</h2>
      {[...Map.groupBy(causesOf(findings), ({ check }) => check)].map(([check, causes]) => (
        <Fragment key={check}>
          <h3>{CHECK_NAMES[check]}</h3>
          <ul>
            {causes.map((cause) => (
              <li key={cause.key}>
                <Row cause={cause} />
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </section>
  );
}

/** A cause of one finding is a row, and one of several opens. */
function Row({ cause }: { cause: Cause }) {
  const [isOpen, setOpen] = useState(false);
  const { person, patients, findings, sentence } = cause;
  const [first] = findings as [Finding];
  const by = first.providerId === person?.id ? "provider" : "patient";
  const text = (
    <>
      {person !== null && (
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
      )}{" "}
      {sentence} {patients.length > 0 && <small>{patients.join(", ")}</small>}
    </>
  );
  return (
    <>
      {findings.length === 1 ? (
        <FindingText finding={first} by={by}>
          {text}
        </FindingText>
      ) : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{text}</summary>
          {isOpen && (
            <ul>
              {findings.map((finding, index) => (
                <li key={index}>
                  <FindingText finding={finding} by={by} />
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
      <PutOnButton findings={findings} />
    </>
  );
}

/** Mends all findings of a cause at once, if another authorization does. */
function PutOnButton({ findings }: { findings: readonly Finding[] }) {
  const what = toPutOf(findings);
  if (what === undefined || !mayPutOnAuthorization()) return null;
  const { patientId, sessionIds, encounterIds } = what;
  const about = { patientId, sessions: sessionIds.join(), encounters: encounterIds.join() };
  return (
    <p class="mend">
      <Button onClick={() => openDialog("put-on", about)}>Put on authorization…</Button>
    </p>
  );
}
