import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../db/database.ts";
import { EnumField } from "../schema/fields.ts";
import { practice } from "../http/practice.ts";
import { creationRefusals, refusals, refused } from "../http/responses.ts";

/** A practice file, in and out. What reads and writes one is loaded when it is asked for, so that a server starts soon. */

const MEDIA_TYPE = "application/x-ndjson";
// A connection that was let wait would stay open behind the file for as long as its client likes.
const HEADERS = { "Content-Type": MEDIA_TYPE, Connection: "close" };
const MAX_BYTES = 8 * 1024 * 1024;

function practiceFileOf(description: string) {
  return Type.Unsafe<Uint8Array>(
    Type.Uint8Array({ mediaType: MEDIA_TYPE, maxBytes: MAX_BYTES, description }),
  );
}

const GivenFile = practiceFileOf(
  "One record a line as JSON, the organization of the key first; up to 8 MiB. A record whose id exists is replaced, so larger files go in parts. `GET /v1/practice-file` shows what records look like.",
);

const WholeFile = practiceFileOf("One record a line as JSON, the organization first.");

/** A file that the documentation shows. The demo practice takes it as it stands. */
export const practiceFileExamples = {
  location: {
    summary: "One location more",
    value: `${[
      {
        type: "organization",
        publicId: "org_maple",
        name: "Maple Street ABA",
        timezone: "America/New_York",
      },
      { type: "location", publicId: "loc_annex", name: "Annex" },
    ]
      .map((record) => JSON.stringify(record))
      .join("\n")}\n`,
  },
};

const ImportQuery = Type.Object({
  dryRun: Type.Optional(
    EnumField(["true", "false"], {
      default: "false",
      description: "`true` does everything but keep it.",
    }),
  ),
});

const ImportResult = Type.Object(
  {
    organizationId: Type.String(),
    dryRun: Type.Boolean(),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: "How many records of each type there were, for the types that occurred.",
    }),
  },
  { $id: "ImportResult" },
);

export const practiceFile = new Elysia({ prefix: "/practice-file", tags: ["Practice file"] })
  .use(practice)
  .get(
    "",
    async ({ request, caller, exchange, service }) => {
      exchange.concernsAll = true;
      if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
      const { exportStream } = await import("./export.ts");
      const file = await exportStream(service.database, caller.organizationId);
      service.letWait(request);
      return new Response(file, { headers: HEADERS });
    },
    {
      permission: "readPracticeFile",
      response: { 200: WholeFile, ...refusals },
      detail: {
        operationId: "exportPracticeFile",
        summary: "Read everything as a practice file",
        description:
          "The whole organization as one snapshot, as `caseload export` writes it. A reader that takes nothing for 60 seconds is cut off.",
      },
    },
  )
  .post(
    "",
    async ({ body, caller, exchange, now, query, service, write }) => {
      const { importRequest } = await import("./service.ts");
      const request = {
        organizationId: caller.organizationId,
        file: body,
        now,
        isDryRun: query.dryRun === "true",
      };
      const answer = await importRequest(service.database, request, (work, prepare) => {
        const writing = async (trx: Db) => {
          const result = await work(trx);
          exchange.concernsAll = true;
          return result;
        };
        return write(200, writing, undefined, prepare);
      });
      exchange.concernsAll = true;
      return answer;
    },
    {
      permission: "writePracticeFile",
      dear: true,
      query: ImportQuery,
      body: GivenFile,
      response: {
        200: ImportResult,
        ...creationRefusals,
        403: refused("A file of another organization is answered `Access denied`."),
        413: refused(
          "The file is larger than 8 MiB.",
          "Request body must not be larger than 8 MiB",
        ),
        415: refused(
          `The body is not announced as \`${MEDIA_TYPE}\`.`,
          `Content-Type must be ${MEDIA_TYPE}`,
        ),
        409: refused("Other imports into the organization were faster again and again."),
      },
      detail: {
        operationId: "importPracticeFile",
        summary: "Import a practice file",
        description:
          "Makes or replaces every record of the file, or none where a line is bad. Each mistake is an issue whose path begins with the number of the line, at most 100. Others read and write meanwhile.",
        examples: practiceFileExamples,
      },
    },
  );
