import { Command } from "@commander-js/extra-typings";
import { api } from "../app.ts";
import { openApiDocument } from "../http/document/openapi.ts";
import { recordModels } from "../practice-file/components.ts";
import type { CommandContext } from "./context.ts";
import { writePieces } from "./standard-output.ts";

export function command({ stdout }: CommandContext): Command {
  return new Command("openapi").description("print the OpenAPI document").action(async () => {
    const document = openApiDocument(api, recordModels());
    await writePieces([`${JSON.stringify(document, null, 2)}\n`], stdout);
  });
}
