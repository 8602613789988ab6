import { demoFile } from "../../../src/demo/practice.ts";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import type { PracticeRecord, RecordOf } from "../../../src/practice-file/model.ts";
import type { RecordType } from "../../../src/schema/record-types.ts";

/** The current day: a Wednesday, three days after clocks in New York were set forward. */
export const TODAY = "2026-03-11" as CalendarDate;

export interface DemoChoice {
  sessions?: number;
  today?: CalendarDate;
}

/** The text of a demo practice file. */
export function demoText({ sessions = 0, today = TODAY }: DemoChoice = {}): string {
  return [...demoFile(today, sessions)].join("");
}

export function recordsOf(text: string): PracticeRecord[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as PracticeRecord);
}

/** The records of a type. */
export function ofType<Type extends RecordType>(
  records: readonly PracticeRecord[],
  type: Type,
): RecordOf[Type][] {
  return records.filter((record): record is RecordOf[Type] => record.type === type);
}
