import type { Rows } from "../../lib/base/spreadsheet.ts";
import { saveCsv } from "../../lib/base/download.ts";
import { Button } from "./button.tsx";
import { useWork } from "./work.tsx";

/** Saves a list as a CSV, with all of its pages. */
export function SaveAsCsv(properties: { read: () => Promise<{ name: string; rows: Rows }> }) {
  const { isWorking, failure, run } = useWork();
  const save = async (): Promise<void> => {
    const { name, rows } = await properties.read();
    saveCsv(`${name}.csv`, rows);
  };
  return (
    <>
      {failure && (
        <p class="mistake" role="alert">
          The list could not be read. Try again.
        </p>
      )}
      <Button
        class="quiet"
        title="Save as CSV"
        aria-label="Save as CSV"
        disabled={isWorking}
        onClick={() => run(save)}
      >
        CSV
      </Button>
    </>
  );
}
