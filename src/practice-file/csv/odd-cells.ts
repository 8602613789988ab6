import { type CellMeaning, hasInvisible, oddityOf, visibleText } from "../../lib/cells/oddities.ts";
import { remembered } from "../../lib/remembered.ts";
import type { SchemaNode } from "../../schema/cleaning.ts";
import { isNullable, valueSchema } from "../../schema/cleaning.ts";
import type { Column } from "./columns.ts";
import type { Cells } from "./table.ts";

/** Notes on cells that a spreadsheet has probably spoilt: nothing is changed, since a program may mean them. */

/** Where a row is: its number, and its file in a folder. */
export interface RowPlace {
  number: number;
  file?: string;
}

/** What the texts of some fields are about; others are any text. */
const KINDS: Partial<Record<string, CellMeaning["kind"]>> = {
  firstName: "name",
  lastName: "name",
  planHolder: "name",
  email: "email",
  phoneNumber: "phone",
  postalCode: "zip",
  memberId: "digits",
  groupId: "digits",
  internalRecordId: "digits",
  authorizationNumber: "digits",
  credentialNumber: "digits",
  npiNumber: "digits",
};

/** Most cells are nothing of the kind; to see that must be fast. */
const MAY_BE_ODD = /[^ -~]|^.{0,8}$|^[='#]|E[+-]?\d|\.0+$|\?|@/i;

/** How many rows are named. */
const NAMED = 3;

export class OddCells {
  readonly #rows = new Map<string, number[]>();

  note({ path, schema }: Column, cell: string, cells: Cells, { number, file }: RowPlace): void {
    if (!MAY_BE_ODD.test(cell) || !isText(schema)) return;
    const field = path.at(-1) ?? "";
    if (/Ids?$/.test(field) && KINDS[field] === undefined) return;
    const state = cells.get([...path.slice(0, -1), "state"].join(".")) ?? undefined;
    const meaning: CellMeaning = { kind: KINDS[field] ?? "text", state };
    const odd = oddityOf(visibleText(cell, meaning), meaning);
    const found = [
      ...(hasInvisible(cell) ? ["invisible characters"] : []),
      ...(odd ? [odd.note] : []),
    ];
    const column = file === undefined ? path.join(".") : `${file}, ${path.join(".")}`;
    for (const what of found) remembered(this.#rows, `${column}: ${what}`, () => []).push(number);
  }

  /** `postalCode: ZIP code that lost its zero (rows 2, 5, 9 and 4 more)` */
  sentences(): string[] {
    return [...this.#rows].map(([what, rows]) => {
      const rest = rows.length - NAMED;
      const named = rows.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
      return `${what} (${rows.length === 1 ? "row" : "rows"} ${named})`;
    });
  }
}

/** Whether a field is any text: ids, words of enumerations, days and times are read by rules of their own. */
function isText(schema: Column["schema"]): boolean {
  const node: SchemaNode = isNullable(schema) ? valueSchema(schema) : schema;
  return (
    node.type === "string" &&
    node.format === undefined &&
    node.enum === undefined &&
    node.const === undefined
  );
}
