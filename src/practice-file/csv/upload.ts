import type { CalendarDate } from "../../lib/calendar-date.ts";
import { InvalidInput, type Issue, type IssueReason } from "../../lib/errors.ts";
import type { TimeZone } from "../../lib/time-zone.ts";
import type { RecordType } from "../../schema/record-types.ts";
import type { Line } from "../lines.ts";
import type { Path } from "../kinds/problem.ts";
import { MAX_TOLD, type Placed, shortened } from "../mistakes.ts";
import {
  fileOfType,
  hasOfficeTimes,
  type UnfitColumn,
  unfitColumns,
  unknownColumns,
} from "./columns.ts";
import { officeColumn, RowReader } from "./rows.ts";
import { NotATable, type OpenFile, readHeader, readTable } from "./table.ts";

/** Limit of rows. Each is an object in memory, and a few bytes are enough for one. */
const MAX_ROWS = 300_000;

/** Characters of a heading that are told: it may be a whole file. */
const MAX_HEADING = 200;

/** Where a file of CSV belongs. */
interface Upload {
  type: RecordType;
  organizationId: string;
  zone: TimeZone | undefined;
  /** For dates of birth whose year has two digits. */
  today: CalendarDate;
}

/** In bytes: the rows of a chunk are in memory at once. */
const CHUNK = 64 * 1024;

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK)
    yield bytes.subarray(start, start + CHUNK);
}

/** Reads one file of CSV, of a request. Each row is passed on as a line of the import, with its number in a spreadsheet. */
export class CsvUpload {
  readonly #reader: RowReader;
  readonly #open: OpenFile;
  #hasOfficeTimes = false;

  constructor(
    bytes: Uint8Array,
    private readonly upload: Upload,
    private readonly maxRows = MAX_ROWS,
  ) {
    this.#reader = new RowReader(upload.zone, upload.today);
    this.#open = () => chunksOf(bytes);
  }

  /** How cells were understood that were read. */
  get notes(): string[] {
    return this.#reader.notes;
  }

  /**
   * The organization's line, then the rows.
   *
   * @throws InvalidInput if the file is not CSV, or has columns that are no fields.
   */
  async *lines(): AsyncGenerator<Line> {
    const { type, organizationId: publicId } = this.upload;
    try {
      await this.#checkHeader();
      if (type !== "organization")
        yield { number: 1, input: { type: "organization", publicId }, problems: [] };
      let rows = 0;
      for await (const row of readTable(this.#open)) {
        const { number } = row;
        if (++rows > this.maxRows)
          throw new NotATable(
            `is beyond ${this.maxRows.toLocaleString("en-US")} rows: send the rest in another file`,
            number,
          );
        if ("problem" in row) yield row;
        else {
          const { input, problems } = this.#reader.recordOf(type, row.cells, { number });
          yield { number, input, problems };
        }
      }
    } catch (error) {
      if (!(error instanceof NotATable)) throw error;
      const { message, row } = error;
      const path = row === undefined ? [] : [row];
      throw new InvalidInput([{ code: "custom", message, path, reason: "invalid_value" }]);
    }
  }

  /** Locates a mistake by its row and column. */
  readonly place = (line: number, path: Path = []): Placed => ({
    at: `line ${line}`,
    path: this.#hasOfficeTimes ? officeColumn(path) : path,
  });

  async #checkHeader(): Promise<void> {
    const file = fileOfType(this.upload.type);
    const { number, headings } = await readHeader(this.#open);
    this.#hasOfficeTimes = hasOfficeTimes(file, headings);
    const message = `is no field of a record of type ${this.upload.type}`;
    const unknown = unknownColumns(file, headings).map((heading) => ({ heading, message }));
    const issueOf = (column: UnfitColumn, reason: IssueReason): Issue => ({
      ...{ code: "custom", message: column.message },
      path: [number, shortened(column.heading, MAX_HEADING)],
      reason,
    });
    const issues = [
      ...unknown.map((column) => issueOf(column, "unknown_field")),
      ...unfitColumns(file, headings).map((column) => issueOf(column, "invalid_value")),
    ];
    if (issues.length > 0) throw new InvalidInput(issues.slice(0, MAX_TOLD));
  }
}
