import { getAll, type Reading, readRecords } from "../../lib/base/api.ts";
import { authorizationsOf } from "../../lib/authorizations/authorizations.ts";
import { addDays, dateOf, rangeOf, type TimeZone } from "../../lib/base/dates.ts";
import { AROUND } from "../../lib/authorizations/endings.ts";
import { Failure } from "../../lib/base/failure.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { readPerson } from "../../lib/person/people.ts";
import { closeDialog, openDialog } from "../../lib/base/place.ts";
import {
  type Item,
  offersFor,
  putOn,
  remarkOn,
  serviceOf,
  type ToPut,
} from "../../lib/authorizations/putting-on.ts";
import { useResponse } from "../../lib/base/response.ts";
import { mayMoveEncounters, mayPlan, mayWrite } from "../../lib/base/rights.ts";
import type { Encounter, OverviewEntry } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** Puts sessions, and encounters without one, on an authorization that is in force on their days. */

export function PutOnDialog({ about }: { about: Record<string, string | undefined> }) {
  const idsOf = (list: string | undefined): string[] => list?.split(",").filter(Boolean) ?? [];
  return (
    <Dialog title="Put on authorization">
      <PutOn
        patientId={about.patientId ?? ""}
        sessionIds={idsOf(about.sessions)}
        encounterIds={idsOf(about.encounters)}
        onDone={closeDialog}
        instead={(service) =>
          openDialog("new-authorization", {
            ...{ patient: about.patientId, service, payor: about.payor },
          })
        }
      />
    </Dialog>
  );
}

/** The authorizations that are in force then, each of which takes what it covers, with its encounters. */
export function PutOn(properties: ToPut & Doing) {
  const { onDone, instead, ...what } = properties;
  const response = useResponse(`put on ${JSON.stringify(what)}`, (reading) =>
    readItems(what, practiceZone(), reading),
  );
  return (
    <ResponseView response={response}>
      {(read) => <Offers {...read} {...{ onDone, instead }} />}
    </ResponseView>
  );
}

interface Doing {
  onDone: () => void;
  /** Opens the form of a new authorization of their service, where none is in force. */
  instead?: ((service: string | undefined) => void) | undefined;
}

type Read = Awaited<ReturnType<typeof readItems>>;

/** Below what was read, whose sequence its writes are based on. */
function Offers(properties: Read & Doing) {
  const { items, authorizations, entries, first, onDone, instead } = properties;
  const { run, isWriting, notice } = useWriting(onDone);
  const offers = offersFor(items, authorizations, {
    ...{ zone: practiceZone(), otherServices: mayPlan(), documented: mayMoveEncounters() },
  });
  if (offers.length === 0)
    return (
      <>
        <p>No other authorization of this patient is in force then.</p>
        {instead && mayWrite("authorization") && (
          <div class="buttons">
            <Button class="primary" onClick={() => instead(serviceOf(items))}>
              New authorization…
            </Button>
          </div>
        )}
      </>
    );
  return (
    <>
      <ul class="candidates" aria-label="Authorizations">
        {offers.map((offer) => (
          <li key={offer.authorization.publicId}>
            <Button disabled={isWriting} onClick={() => run(putOn(offer))}>
              {offer.authorization.serviceLine.name}, {offer.authorization.number}
            </Button>
            <span class="hint">{remarkOn(offer, { items, entries, first })}</span>
          </li>
        ))}
      </ul>
      {notice}
    </>
  );
}

/** @throws Failure if nothing of it is there any more. */
async function readItems(what: ToPut, zone: TimeZone, reading?: Reading) {
  const sessions = await readRecords<Item["record"]>("session", what.sessionIds, reading);
  const alone = await readRecords<Item["record"]>("encounter", what.encounterIds, reading);
  const stored = [...sessions, ...alone];
  const days = rangeOf(stored.map(({ startTime }) => dateOf(startTime, zone)));
  if (days === undefined) throw new Failure("This was deleted meanwhile.");
  const { startDate: first, endDate: last } = days;
  const query = { patientId: what.patientId, timezone: zone };
  const around = { startDate: addDays(first, -AROUND), endDate: addDays(last, AROUND) };
  const [patient, encounters, entries] = await Promise.all([
    readPerson(what.patientId, reading),
    getAll<Encounter>("encounters", { ...query, ...around }, reading),
    getAll<OverviewEntry>("authorization-utilization", { ...query, date: first }, reading),
  ]);
  const naming = Map.groupBy(encounters, ({ sessionId }) => sessionId);
  const items = stored.map((record): Item => ({
    record,
    encounters: record.type === "session" ? (naming.get(record.publicId) ?? []) : [],
  }));
  const authorizations = patient.role === "PATIENT" ? authorizationsOf(patient) : [];
  return { items, authorizations, entries, first };
}
