import { csvOf } from "../lib/csv.ts";
import { saveText } from "../lib/download.ts";
import { Button } from "./button.tsx";
import { useWork } from "./work.tsx";

/** Saves a list as a CSV, with all of its pages. */
export function SaveAsCsv(properties: {
  read: () => Promise<{ name: string; rows: readonly (readonly (string | number)[])[] }>;
}) {
  const { isWorking, failure, run } = useWork();
  const save = async (): Promise<void> => {
    const { name, rows } = await properties.read();
    saveText(`${name}.csv`, "text/csv", csvOf(rows));
  };
  return (
    <>
      {failure && (
        <p class="mistake" role="alert">
          The list could not be read. Try again.
        </p>
      )}
      <Button disabled={isWorking} onClick={() => run(save)}>
        Save as CSV
      </Button>
    </>
  );
}
