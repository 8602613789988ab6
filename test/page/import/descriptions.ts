import { recordDescriptions } from "../../../src/page/record-fields.ts";

/** What the bundle of the page has of the fields of records. Imported first. */
Object.assign(globalThis, { RECORD_DESCRIPTIONS: recordDescriptions() });
