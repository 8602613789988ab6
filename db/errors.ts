import { Refused } from "../src/lib/refused.ts";

export { isLocked, isTemporary, isUniqueViolation, remedy } from "./sqlite/errors.ts";

/** A database that cannot be used as asked. */
export class DatabaseRefused extends Refused {}
