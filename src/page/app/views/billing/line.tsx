import { useContext, useState } from "preact/hooks";
import { problems } from "../../../../billing/problems.ts";
import { get, type Reading, readRecord, withQuery } from "../../lib/base/api.ts";
import { say } from "../../lib/base/acts.ts";
import { today } from "../../lib/base/dates.ts";
import { countText, dateText, timeText, unitsText } from "../../lib/base/format.ts";
import { choiceText, labelOf } from "../../lib/base/labels.ts";
import type { Change } from "../../lib/base/lines.ts";
import { instantDayText, practiceZone } from "../../lib/base/me.ts";
import { addressOf, addressOfSession, openedDialog } from "../../lib/base/place.ts";
import { Since } from "../../lib/base/response.ts";
import { mayBill, mayWrite } from "../../lib/base/rights.ts";
import type {
  BillingLine,
  BillingSupport,
  BillingSupportReport,
  Session,
} from "../../lib/base/wire.ts";
import { isFilled, isoWeekOf, offeredBatch, timesOf } from "../../lib/billing/billing.ts";
import { type HandOver, lastCounting } from "../../lib/billing/hand-overs.ts";
import { handOver, leaveAsBilled, takeBack } from "../../lib/billing/handing-over.ts";
import { correctionOf, removalOf } from "../../lib/billing/removal.ts";
import { ownerOf, sessionsOf, type Way, wayOf } from "../../lib/billing/ways.ts";
import { patientName, rowName } from "../../lib/person/people.ts";
import { Button } from "../../parts/base/button.tsx";
import { Facts } from "../../parts/base/facts.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";
import { Empty } from "../../parts/base/notices.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { useWork } from "../../parts/base/work.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { Proofs } from "./support.tsx";
import { isUnits, UnitsField } from "../../parts/session/units-field.tsx";

/** The dialog of a line: all of it, its problems with their ways, what changed, its hand-overs, and what supports it. */
export const LINE_DIALOG = "billing-line";

/** @param known the names of batches that there are. */
export function LineDialog({ known }: { known: readonly string[] }) {
  const id = openedDialog(LINE_DIALOG)?.id;
  if (id === undefined) return null;
  const read = (reading: Reading) =>
    get<BillingSupportReport>(withQuery("billing-support", { encounterId: id }), reading);
  return (
    <ReadingDialog
      isAside
      title={(report) => titleOf(report?.data[0]?.line)}
      question={`support of ${id}`}
      read={read}
    >
      {({ data: [support] }) =>
        support === undefined ? (
          <Empty>This was deleted meanwhile.</Empty>
        ) : (
          <Line key={id} support={support} known={known} />
        )
      }
    </ReadingDialog>
  );
}

function titleOf(line: BillingLine | undefined): string {
  if (line === undefined) return "Billing line";
  return `${patientName(line)} · ${line.code ?? line.serviceLineName}, ${dateText(line.date)}`;
}

function Line({ support, known }: { support: BillingSupport; known: readonly string[] }) {
  const { line, session } = support;
  const [act, setAct] = useState<"correct" | "npi">();
  const { run, isWriting, notice } = useWriting(() => setAct(undefined));
  const remove = () => run(() => removal(line));
  const start = (way: "correct" | "remove" | "npi") => (way === "remove" ? remove() : setAct(way));
  const isOurs = mayWrite("encounter");
  const isBilled = lastCounting(line.billed) !== undefined;
  return (
    <div class="line">
      <LineFacts line={line} />
      {line.problems.length > 0 && (
        <ul aria-label="Problems">
          {line.problems.map((problem) => (
            <li key={problem}>
              {problems[problem]}:{" "}
              <WayOut
                way={wayOf(problem, line, session?.sessionId ?? null)}
                owner={ownerOf(problem, line, session?.sessionId ?? null)}
                onAct={start}
              />
            </li>
          ))}
        </ul>
      )}
      {wasAndIs(line).map(([name, text]) => (
        <p key={name}>{text}</p>
      ))}
      <HandOvers line={line} />
      {act === "correct" && <Correct line={line} run={run} isBusy={isWriting} />}
      {act === "npi" && <Npi line={line} run={run} isBusy={isWriting} />}
      {mayBill() && <HandingOver line={line} known={known} />}
      <div class="buttons">
        {isOurs && <Button onClick={() => setAct("correct")}>Correct</Button>}
        {isOurs && (line.units > 0 || !isBilled) && (
          <Button disabled={isWriting} onClick={remove}>
            {isBilled ? "Remove: 0 units" : "Remove"}
          </Button>
        )}
        {session !== null && (
          <a class="button" href={addressOfSession(session.sessionId)}>
            Session
          </a>
        )}
        <a
          class="button"
          href={addressOf(["billing", line.patientId], { month: line.date.slice(0, 7) })}
        >
          Month of this patient
        </a>
      </div>
      {notice}
      <h3>Support</h3>
      <Proofs support={support} />
    </div>
  );
}

/** Takes a delivery out. While it is billed, it stays with 0 units, so that the claim can be voided. */
async function removal({ encounterId }: BillingLine): Promise<Change> {
  return removalOf(await readRecord("encounter", encounterId));
}

function LineFacts({ line }: { line: BillingLine }) {
  const person = (who: "renderedBy" | "supervisedBy") => {
    const id = line[`${who}Id`];
    return id && <PersonLink id={id} name={rowName(line, who)} />;
  };
  return (
    <Facts
      facts={[
        ["Patient", <PersonLink key="" id={line.patientId} name={patientName(line)} />],
        ["Delivered", `${dateText(line.date)}, ${timesOf(line)}`],
        ["Service", [line.code ?? "no code", ...line.modifiers, line.serviceLineName].join(" ")],
        ["Units", unitsText(line.units)],
        ["Place", line.placeOfService && choiceText(line.placeOfService)],
        ["Delivered by", person("renderedBy")],
        ["Supervised by", person("supervisedBy")],
        ["Payor", [line.payorName, line.memberId].filter(Boolean).join(", ")],
        ["Authorization", line.authorizationNumber],
      ]}
    />
  );
}

/** A problem's way, or whose it is and a link for them. */
function WayOut(properties: {
  way: Way | undefined;
  owner: { ask: string; address: string };
  onAct: (act: "correct" | "remove" | "npi") => void;
}) {
  const { way, owner, onAct } = properties;
  if (way === undefined)
    return (
      <>
        {owner.ask}{" "}
        <Button class="link" onClick={() => copyLink(owner.address)}>
          Copy link
        </Button>
      </>
    );
  if ("address" in way) return <a href={way.address}>{way.words}</a>;
  return (
    <Button class="link" onClick={() => onAct(way.act)}>
      {way.words}
    </Button>
  );
}

async function copyLink(address: string): Promise<void> {
  await navigator.clipboard.writeText(new URL(address, location.href).href);
  say("The link is copied.");
}

type Fields = Readonly<Record<string, unknown>>;

/** What has changed since a line was handed over, by field: by names, unless these are the same. */
export function wasAndIs(line: BillingLine) {
  const before = (lastCounting(line.billed)?.line ?? {}) as Fields;
  const now = line as unknown as Fields;
  return line.changedFields.map((name) => {
    const isNamed = nameBeside(name, before) !== nameBeside(name, now);
    const textOf = (one: Fields) =>
      valueText((isNamed && nameBeside(name, one)) || one[name], line.timezone);
    const text = (
      <>
        {labelOf(name)}: <del>{textOf(before)}</del> → {textOf(now)}
      </>
    );
    return [name, text] as const;
  });
}

const NAMES = ["Name", "FirstName", "LastName", "Number"];

/** The name or number that stands in a line beside an id; empty beside other fields. */
function nameBeside(field: string, line: Fields): string {
  const stem = field.slice(0, -"Id".length);
  return NAMES.flatMap((name) => line[stem + name] || []).join(" ");
}

function valueText(value: unknown, zone: BillingLine["timezone"]): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.join(" ") || "–";
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d/.test(text))
    return text.endsWith("Z") ? timeText(text, zone) : dateText(text);
  return /^[A-Z]+(_[A-Z]+)+$/.test(text) ? choiceText(text) : text;
}

function HandOvers({ line: { billed } }: { line: BillingLine }) {
  if (billed.length === 0) return null;
  return (
    <ul aria-label="Hand-overs">
      {billed.map((one, place) => (
        <li key={place}>
          <HandedOver one={one} />
        </li>
      ))}
    </ul>
  );
}

/** In which batch, when, and when that was taken back. */
export function HandedOver({ one: { batch, at, takenBackAt } }: { one: HandOver }) {
  return (
    <>
      {batch === null ? "Left as billed" : <bdi>{batch}</bdi>}, {instantDayText(at)}
      {takenBackAt !== null && `; taken back ${instantDayText(takenBackAt)}`}
    </>
  );
}

/** The name of a batch as it is typed, at first one that is none yet, and the properties of its field. */
export function useBatch(...offered: Parameters<typeof offeredBatch>) {
  const [value = offeredBatch(...offered), onType] = useState<string>();
  return { batch: value.trim(), field: { label: "Batch", value, maxLength: 100, onType } };
}

const HANDING_OVER: Record<string, string> = { 1: "Hand over", 7: "Replace", 8: "Void" };

/** What becomes of the line alone: handed over in a batch, left as it was billed, taken back. */
function HandingOver({ line, known }: { line: BillingLine; known: readonly string[] }) {
  const since = useContext(Since);
  const { run, isWorking, notice } = useWork("The line could not be handed over.");
  const names = [...known, ...line.billed.flatMap((each) => each.batch ?? [])];
  const { batch, field } = useBatch([isoWeekOf(today(practiceZone())), line.payorName], names);
  const read = { lines: [line], since };
  const words = HANDING_OVER[line.claimFrequencyCode ?? ""];
  return (
    <Form
      class="buttons"
      aria-label="Hand over"
      onSubmit={() => batch !== "" && run(() => handOver(read, batch))}
    >
      {words !== undefined && (
        <>
          <Field class="inline" {...field} />
          <button
            type="submit"
            class={isFilled(line.state) ? "primary" : undefined}
            disabled={isWorking || batch === ""}
          >
            {words}
          </button>
        </>
      )}
      {line.state === "CHANGED" && (
        <Button disabled={isWorking} onClick={() => run(() => leaveAsBilled(read))}>
          Leave as billed
        </Button>
      )}
      {lastCounting(line.billed) !== undefined && (
        <Button disabled={isWorking} onClick={() => run(() => takeBack(read, "taken back"))}>
          Take back
        </Button>
      )}
      {notice}
    </Form>
  );
}

interface Acting {
  line: BillingLine;
  run: (change: Change | (() => Promise<Change>)) => Promise<void>;
  isBusy: boolean;
}

/** Another number of units, with those of the time offered, and a session of this patient and day. */
function Correct({ line, run, isBusy }: Acting) {
  const [typed, setTyped] = useState<string>();
  const [sessions, setSessions] = useState<readonly Session[]>();
  const [sessionId, setSessionId] = useState<string>();
  const { minutes, billingUnitMinutes } = line;
  const byTime =
    minutes === null || billingUnitMinutes === null
      ? line.units
      : Math.floor(minutes / billingUnitMinutes + 0.5);
  const text = typed ?? unitsText(byTime);
  const units = Number(text);
  const session = sessions?.find(({ publicId }) => publicId === sessionId);
  return (
    <Form
      class="buttons"
      aria-label="Correct"
      onSubmit={() => isUnits(text) && run(() => correction(line, units, session))}
    >
      <UnitsField value={text} onType={setTyped} />
      {line.startTime === null &&
        (sessions === undefined ? (
          <Button onClick={async () => setSessions(await sessionsOf(line))}>
            Sessions of the day
          </Button>
        ) : (
          <Field
            class="inline"
            label="Session"
            value={sessionId ?? ""}
            choices={[
              { value: "", name: "None" },
              ...sessions.map((one) => ({
                value: one.publicId,
                name: `${timeText(one.startTime, line.timezone)}, ${one.title}`,
              })),
            ]}
            onType={setSessionId}
          />
        ))}
      <button type="submit" disabled={isBusy || !isUnits(text)}>
        Save {countText(units, "unit")}
      </button>
    </Form>
  );
}

/** On a session, the encounter is of that session's authorization. */
async function correction(
  { encounterId }: BillingLine,
  units: number,
  session: Session | undefined,
): Promise<Change> {
  const record = await readRecord("encounter", encounterId);
  return correctionOf(record, units, session && (await readRecord("session", session.publicId)));
}

/** The NPI of who rendered it. */
function Npi({ line: { renderedById }, run, isBusy }: Acting) {
  const [npiNumber, setNpi] = useState("");
  const isNpi = /^\d{10}$/.test(npiNumber.trim());
  if (renderedById === null) return null;
  const user = { type: "user", publicId: renderedById } as const;
  const change: Change = {
    done: "The NPI is written.",
    lines: [{ ...user, npiNumber: npiNumber.trim() }],
    undo: [{ ...user, npiNumber: null }],
  };
  return (
    <Form class="buttons" aria-label="NPI" onSubmit={() => isNpi && run(change)}>
      <Field class="inline" label="NPI" value={npiNumber} maxLength={10} onType={setNpi} />
      <button type="submit" disabled={isBusy || !isNpi}>
        Save
      </button>
    </Form>
  );
}
