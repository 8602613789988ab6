import { useMemo, useRef, useState } from "preact/hooks";
import { today, toInstant } from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { useResponse } from "../../lib/base/response.ts";
import { useShown } from "../../lib/base/unread.ts";
import type { ImportResult } from "../../lib/base/wire.ts";
import { systemClock } from "../../../../lib/clock.ts";
import { buildImport } from "../../lib/import/build.ts";
import { forgetChoices, keepChoices, withEarlierChoices } from "../../lib/import/choices.ts";
import { notesOf, mistakesOf } from "../../lib/import/results.ts";
import { NewIds } from "../../lib/import/practice.ts";
import { readStored } from "../../lib/import/sending.ts";
import { bytesOf, MOST_BYTES } from "../../lib/import/size.ts";
import { fileOf, tryFile } from "../../lib/base/write.ts";
import { askedBy } from "../../lib/import/asked.ts";
import {
  guessedChoices,
  type RefusedFile,
  type Sheet,
  sheetsOfFile,
  textSheet,
} from "../../lib/import/sheet.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Alert, FailureNotice, Loading } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { Imported, type ImportOutcome } from "./imported.tsx";
import { Preview } from "./preview.tsx";
import { SheetPart } from "./sheet-part.tsx";

/**
 * An office's own sheets into the practice, all together: each is a type of record, its headings are fields, its words
 * values or records. What would change is shown before anything is written.
 */

interface Chosen {
  sheets: Sheet[];
  refused: RefusedFile[];
  /** What was made of them; undefined until they are imported. */
  outcome?: ImportOutcome;
}

const PASTED = "Pasted rows";

export function Import() {
  // What is imported is stored.
  const [chosen, setChosen] = useDraft<Chosen>(
    "Import",
    { sheets: [], refused: [] },
    ({ sheets }) => sheets.length > 0,
  );
  // Files are read meanwhile.
  const latest = useRef(chosen);
  latest.current = chosen;
  const { organization } = me();
  const put = (file: string, read: Sheet[] | RefusedFile): void => {
    const { sheets, refused } = latest.current;
    const sheetsOf = (each: { file: string }): boolean => each.file !== file;
    const replaced = sheets.filter((each) => !sheetsOf(each));
    const added = Array.isArray(read)
      ? read.map((sheet) => withEarlierChoices(organization.publicId, sheet, replaced))
      : [];
    latest.current = {
      sheets: [...sheets.filter(sheetsOf), ...added],
      refused: [...refused.filter(sheetsOf), ...(Array.isArray(read) ? [] : [read])],
    };
    setChosen(latest.current);
  };
  const add = async (files: readonly File[]): Promise<void> => {
    for (const file of files)
      put(file.name, await sheetsOfFile(file.name, new Uint8Array(await file.arrayBuffer())));
  };
  const change = (sheet: Sheet, changed: Sheet | undefined): void => {
    const sheets = chosen.sheets.flatMap((each) => (each === sheet ? (changed ?? []) : each));
    setChosen({ ...chosen, sheets });
  };
  const choose = (sheet: Sheet, changed: Partial<Sheet>): void => {
    const next = { ...sheet, ...changed };
    keepChoices(organization.publicId, next);
    change(sheet, next);
  };
  const guessAgain = (sheet: Sheet): void => {
    forgetChoices(organization.publicId, sheet.grid);
    change(sheet, { ...sheet, ...guessedChoices(sheet.name, sheet.grid) });
  };
  return (
    <main
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <ViewHeader
        title="Import"
        lead="Your own sheets of clients, staff, authorizations and appointments, as their programs save them."
      />
      <label class="drop">
        <span>Drop files here, or choose them: workbooks (.xlsx), CSV, text</span>
        <input
          type="file"
          multiple
          accept=".csv,.txt,.tsv,.xlsx,text/csv"
          onChange={(event) => {
            void add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <Paste onTake={(text) => put(PASTED, sheetOfPaste(text))} />
      {chosen.outcome && <Imported outcome={chosen.outcome} />}
      {chosen.refused.map((each) => (
        <section key={each.file} class="panel" aria-label={each.file}>
          <h2>{each.file}</h2>
          <div class="notice failure" role="alert">
            <p>{each.refusal}</p>
            <Button
              onClick={() =>
                setChosen({ ...chosen, refused: chosen.refused.filter((other) => other !== each) })
              }
            >
              Take away
            </Button>
          </div>
        </section>
      ))}
      {chosen.sheets.length > 0 && (
        <Sheets
          sheets={chosen.sheets}
          {...{ choose, guessAgain }}
          onTakeAway={(sheet) => change(sheet, undefined)}
          onDone={(outcome) => setChosen({ sheets: [], refused: [], outcome })}
        />
      )}
    </main>
  );
}

function sheetOfPaste(text: string): Sheet[] | RefusedFile {
  const sheet = textSheet(PASTED, text);
  return sheet === undefined ? { file: PASTED, refusal: "Has no rows." } : [sheet];
}

function Paste({ onTake }: { onTake: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <div class="paste">
      <Field label="Or paste rows" type="prose" value={text} onType={setText} />
      <Button
        disabled={text.trim() === ""}
        onClick={() => {
          onTake(text);
          setText("");
        }}
      >
        Take rows
      </Button>
    </div>
  );
}

/** The sheets of one import, and what would come of them. */
function Sheets(properties: {
  sheets: readonly Sheet[];
  choose: (sheet: Sheet, changed: Partial<Sheet>) => void;
  guessAgain: (sheet: Sheet) => void;
  onTakeAway: (sheet: Sheet) => void;
  onDone: (outcome: ImportOutcome) => void;
}) {
  const { sheets, choose, guessAgain, onTakeAway, onDone } = properties;
  const zone = practiceZone();
  const { organization } = me();
  const [ids] = useState(() => new NewIds());
  const when = () => ({ zone, today: today(zone), now: toInstant(systemClock.now()) });
  const asked = useMemo(() => askedBy(sheets, when()), [sheets, zone]);
  // Two requests where there are appointments: what the list of sessions does not say is in their records.
  const stored = useResponse(`import ${JSON.stringify(asked)}`, (reading) =>
    readStored(asked, reading),
  );
  const built = useMemo(() => {
    if (stored.value === undefined) return undefined;
    return buildImport(sheets, { stored: stored.value, ids, ...when() });
  }, [sheets, stored.value, zone]);
  const file = useMemo(
    () => built && fileOf(built.lines.map(({ line }) => line)),
    [built, organization.publicId],
  );
  const isTooLarge = file !== undefined && bytesOf(file) > MOST_BYTES;
  const hasLines = built !== undefined && built.lines.length > 0;
  const tried = useResponse(hasLines && !isTooLarge ? file : undefined, (reading, question) =>
    tryFile<ImportResult>(question, { changes: "true" }, reading),
  );
  // What is wrong with the lines stands at their sheets; all else below them.
  useShown(tried.failure);
  if (stored.failure) return <FailureNotice failure={stored.failure} again={stored.again} />;
  if (built === undefined || file === undefined) return <Loading />;
  const issues = tried.failure?.issues ?? [];
  const mistakes = mistakesOf(built, issues);
  const notes = notesOf(built, tried.value?.notes ?? []);
  const hasMistakes = [...mistakes.values()].some(({ length }) => length > 0);
  return (
    <>
      {sheets.map((sheet) => {
        const of = built.sheets.get(sheet);
        return (
          of && (
            <SheetPart
              key={sheet.name}
              {...{ sheet, built, zone, ...of }}
              notes={[...of.reader.said, ...(notes.get(of.reader) ?? [])]}
              mistakes={mistakes.get(of.reader) ?? []}
              onChoose={(changed) => choose(sheet, changed)}
              onGuessAgain={() => guessAgain(sheet)}
              onTakeAway={() => onTakeAway(sheet)}
            />
          )
        );
      })}
      {tried.failure && (issues.length === 0 || !hasMistakes) && (
        <Alert failure={tried.failure}>
          <Button onClick={tried.again}>Try again</Button>
        </Alert>
      )}
      {!tried.failure && (tried.value !== undefined || isTooLarge || !hasLines) && (
        <Preview
          {...{ built, file, hasMistakes, isTooLarge, onDone, zone }}
          result={tried.value}
          since={stored.sequence}
          isLoading={tried.isLoading || stored.isLoading}
        />
      )}
      {tried.isLoading && <Loading />}
    </>
  );
}
