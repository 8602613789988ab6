import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { requireClient } from "../http/client-presence.ts";
import { InvalidInput } from "../lib/errors.ts";
import { EnumField, Nullable } from "../schema/fields.ts";
import { authorized } from "../http/authorized.ts";
import { creationErrors, commonErrors, errorResponse } from "../http/responses.ts";

/**
 * Export and import of practice files by the API. The modules are loaded on first use, so that a server starts quickly.
 */

const MEDIA_TYPE = "application/x-ndjson";
// A connection that was let wait would stay open behind the file for as long as its client likes.
const HEADERS = { "Content-Type": MEDIA_TYPE, Connection: "close", Vary: "Accept-Encoding" };
/** Response header: the sequence up to which an export goes. */
const SEQUENCE = "Caseload-Sequence";
/** Limit of patients named in the audit row of an import. With more, the row names all patients. */
const MOST_PATIENTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

function practiceFileOf(description: string) {
  return Type.Unsafe<Uint8Array>(
    Type.Uint8Array({ mediaType: MEDIA_TYPE, maxBytes: MAX_BYTES, description }),
  );
}

const GivenFile = practiceFileOf(
  'One record a line as JSON, the organization of the key first; up to 8 MiB, so larger files go in parts. A line for an id that exists changes the fields that it gives; `"deleted": true` deletes the record. `GET /v1/practice-file` shows what records look like.',
);

const WholeFile = practiceFileOf("One record a line as JSON, the organization first.");

/** An example file for the documentation. It is valid in the demo practice. */
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

const ExportQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description:
        "The sequence of the copy to bring up to date, as `Caseload-Sequence` said it; 0 for everything.",
    }),
  ),
});

const ImportQuery = Type.Object({
  dryRun: Type.Optional(
    EnumField(["true", "false"], {
      default: "false",
      description: "`true` does everything but keep it.",
    }),
  ),
});

const Count = Type.Integer({ minimum: 0 });

const ImportedRecords = Type.Object(
  {
    created: Count,
    changed: Count,
    unchanged: Count,
    deleted: Count,
    missing: Type.Integer({
      minimum: 0,
      description: "How many the organization has that the file does not.",
    }),
  },
  { $id: "ImportedRecords", description: "What came of the records of a type." },
);

const ImportResult = Type.Object(
  {
    organizationId: Type.String(),
    dryRun: Type.Boolean(),
    sequence: Nullable(
      Type.Integer({
        description: "The organization's sequence after the import; null for a dry run.",
      }),
    ),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: "How many lines there were of each type, for the types that occurred.",
    }),
    changes: Type.Record(Type.String(), ImportedRecords, {
      description: "What came of them, for the same types.",
    }),
    notes: Type.Array(Type.String(), {
      description: "What is no mistake, and may not be meant.",
    }),
  },
  { $id: "ImportResult" },
);

/** Whether a client accepts gzip (RFC 9110, 12.5.3). */
function acceptsGzip(header: string | null): boolean {
  const codings = (header ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  return codings.some((coding) => /^gzip(\s*;\s*q=(0\.\d*[1-9]\d*|1(\.0*)?))?$/.test(coding));
}

export const practiceFile = new Elysia({ prefix: "/practice-file", tags: ["Practice file"] })
  .use(authorized)
  .get(
    "",
    async ({ request, caller, exchange, query, service }) => {
      exchange.concernsAll = true;
      const { organizationId } = caller;
      const { after } = query;
      const { exportedFile, sequenceOf } = await import("./exported-file.ts");
      const headersAt = (sequence: number) => ({ ...HEADERS, [SEQUENCE]: String(sequence) });
      if (request.method === "HEAD") {
        const at = await service.database.read((db) => sequenceOf(db, organizationId, after));
        return new Response(null, { headers: headersAt(at) });
      }
      const releaseSlot = service.shares.exportSlot(organizationId);
      const isCompressed = acceptsGzip(request.headers.get("accept-encoding"));
      try {
        const { sequence, body } = await exportedFile(service.database, {
          organizationId,
          after,
          isCompressed,
          pause: () => requireClient(request),
        });
        service.letWait(request);
        return new Response(body.stream(releaseSlot), {
          headers: { ...headersAt(sequence), ...(isCompressed && { "Content-Encoding": "gzip" }) },
        });
      } catch (error) {
        releaseSlot();
        throw error;
      }
    },
    {
      permission: "readPracticeFile",
      query: ExportQuery,
      response: {
        200: WholeFile,
        ...commonErrors,
        410: errorResponse(
          "The changes since are no longer known: they are older than 400 days, or a backup was restored.",
          "Changes since 12 are no longer known; export everything",
        ),
      },
      detail: {
        operationId: "exportPracticeFile",
        summary: "Read everything, or what changed, as a practice file",
        description:
          "One snapshot of the organization, as `caseload export` writes it; with `after`, every record that was made or changed since, then a line for each that was deleted. The header `Caseload-Sequence` says how far it goes. It is compressed for clients that accept gzip. A reader that takes nothing for a minute is cut off, and any after 15 minutes. Two of an organization run at a time, and four of all; another is a 429.",
      },
    },
  )
  .post(
    "",
    async ({ body, caller, exchange, now, query, service, writeLong }) => {
      const { readRequest, settled, writeRequest } = await import("./service.ts");
      const request = {
        organizationId: caller.organizationId,
        role: caller.role,
        file: body,
        now,
        isDryRun: query.dryRun === "true",
        pause: () => requireClient(exchange.request),
      };
      const namePatients = (patientIds: Iterable<string>) => {
        for (const id of patientIds) exchange.patientIds.add(id);
        exchange.concernsAll = exchange.patientIds.size > MOST_PATIENTS;
      };
      try {
        const answer = await settled(
          writeLong(
            200,
            () => readRequest(service.database, request),
            async (trx, file) => {
              const { result, patientIds } = await writeRequest(trx, file, request);
              namePatients(patientIds);
              return result;
            },
          ),
        );
        namePatients("patientIds" in answer ? answer.patientIds : []);
        return "result" in answer ? answer.result : answer;
      } catch (error) {
        // Mistakes disclose something about the records in the file.
        if (error instanceof InvalidInput) exchange.concernsAll = true;
        throw error;
      }
    },
    {
      permission: "writePracticeFile",
      expensive: true,
      query: ImportQuery,
      body: GivenFile,
      response: {
        200: ImportResult,
        ...creationErrors,
        403: errorResponse(
          "The role may not write one of the types, or the organization itself. A file of another organization is answered `Access denied`.",
        ),
        413: errorResponse(
          "The file is larger than 8 MiB.",
          "Request body must not be larger than 8 MiB",
        ),
        415: errorResponse(
          `The body is not announced as \`${MEDIA_TYPE}\`.`,
          `Content-Type must be ${MEDIA_TYPE}`,
        ),
      },
      detail: {
        operationId: "importPracticeFile",
        summary: "Import a practice file",
        description:
          "Makes, changes and deletes the records of the file, or none where a line is bad. Each mistake is an issue whose path begins with the number of the line, at most 100. ADMIN may send all types; SCHEDULING_MANAGER `session`; BILLING_MANAGER `payor`, `authorizationPool`, `authorization` and `encounter`; CLINICAL_SUPERADMIN and CLINICAL_ADMIN `session`, `encounter`, `treatmentPlan` and `goal`; each of them an organization's line that changes nothing. Others read meanwhile, and wait to write.",
        examples: practiceFileExamples,
      },
    },
  );
