import { useState } from "preact/hooks";
import { hasBegun } from "../../lib/base/dates.ts";
import { countText } from "../../lib/base/format.ts";
import type { Change } from "../../lib/base/lines.ts";
import { holdsSlot } from "../../lib/session/overlaps.ts";
import { correction, delivery, undelivery } from "../../lib/session/session-changes.ts";
import type { Encounter, Session, SessionUtilization } from "../../lib/base/wire.ts";
import { readRecord } from "../../lib/base/api.ts";
import { Button } from "../../parts/base/button.tsx";
import { Form } from "../../parts/base/form.tsx";
import { isUnits, UnitsField } from "../../parts/session/units-field.tsx";

interface Acting {
  session: Session;
  isBusy: boolean;
  run: (change: Change | (() => Promise<Change>)) => Promise<void>;
}

/** What documents a session, each of which can be corrected and removed, or a form to document it. */
export function Encounters(
  properties: Acting & { counted: SessionUtilization; mayWrite: boolean },
) {
  const { counted, mayWrite, ...acting } = properties;
  const { encounters, authorizationId, units } = counted;
  if (encounters.length > 0)
    return (
      <ul aria-label="Encounters">
        {encounters.map((encounter) => (
          <li key={encounter.publicId}>
            <Delivered encounter={encounter} mayWrite={mayWrite} {...acting} />
          </li>
        ))}
      </ul>
    );
  const { session } = acting;
  if (!mayWrite || authorizationId === null) return null;
  if (!holdsSlot(session) || !hasBegun(session.startTime)) return null;
  return (
    <UnitsForm
      label="Delivered"
      units={units ?? 0}
      isBusy={acting.isBusy}
      save={(typed) => `Delivered: ${typed}`}
      onSave={(typed) => acting.run(delivery(session, authorizationId, typed))}
    />
  );
}

function Delivered(properties: Acting & { encounter: Encounter; mayWrite: boolean }) {
  const { encounter, mayWrite, session, isBusy, run } = properties;
  const [isCorrecting, setCorrecting] = useState(false);
  return (
    <>
      <p class="delivered-units">✓ Delivered: {countText(encounter.units, "unit")}</p>
      {mayWrite && !isCorrecting && (
        <div class="buttons">
          <Button disabled={isBusy} onClick={() => setCorrecting(true)}>
            Correct
          </Button>
          <Button
            disabled={isBusy}
            onClick={() =>
              run(async () =>
                undelivery(session, await readRecord("encounter", encounter.publicId)),
              )
            }
          >
            Remove
          </Button>
        </div>
      )}
      {isCorrecting && (
        <UnitsForm
          label="Correct"
          units={encounter.units}
          isBusy={isBusy}
          save={(typed) => `Save: ${typed}`}
          onSave={async (typed) => {
            await run(correction(session, encounter, typed));
            setCorrecting(false);
          }}
        />
      )}
    </>
  );
}

/** A form for units, which suggests some. */
function UnitsForm(properties: {
  label: string;
  units: number;
  isBusy: boolean;
  /** The text of its button, for `8 units`. */
  save: (units: string) => string;
  onSave: (units: number) => Promise<void>;
}) {
  const { label, units, isBusy, save, onSave } = properties;
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(units);
  const isReady = isUnits(text);
  return (
    <Form class="buttons" aria-label={label} onSubmit={() => isReady && onSave(Number(text))}>
      <UnitsField value={text} onType={setTyped} />
      <button type="submit" class="primary" disabled={isBusy || !isReady}>
        {save(isReady ? countText(Number(text), "unit") : "? units")}
      </button>
    </Form>
  );
}
