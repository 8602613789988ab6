import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Database, OpenDatabase } from "../../db/database.ts";
import type { ConnectionSafety } from "../../db/postgresql/url.ts";
import type { Environment } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Output, Stream } from "./output.ts";

/** Who runs a command and when, and where its results go. */
export interface Invocation {
  clock: Clock;
  /** The operating system user who runs the command. */
  operator: string;
  output: Output;
}

export interface CommandContext extends Invocation {
  /** The command's database: a file, or a `postgres:` URL. */
  url: string;
  safety?: ConnectionSafety;
  environment: Environment;
  stdin: { stream(): AsyncIterable<Uint8Array> };
  stdout: Stream;
  /** Standard error, which shows progress if it is a terminal. */
  terminal: Stream;
}

/** A command on the database of a URL, which it opens itself. */
export type UrlContext = Invocation & Pick<CommandContext, "url" | "safety">;

export interface DatabaseContext extends Invocation {
  database: Database;
}

export interface WholeDatabaseContext extends Invocation {
  database: OpenDatabase;
}

/** The flags of a command, as it declares them. */
export type FlagsOf<Declared extends () => CommandUnknownOpts> = ReturnType<
  ReturnType<Declared>["opts"]
>;
