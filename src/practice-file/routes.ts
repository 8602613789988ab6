import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Database } from "../../db/database.ts";
import type { Caller } from "../callers/api-keys.ts";
import { mayExport, permissions } from "../callers/permissions.ts";
import { acceptsGzip } from "../http/compression.ts";
import { mediaTypeOf } from "../http/body.ts";
import { DomainError, InvalidInput, invalid } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import {
  CalendarDateField,
  EnumField,
  EnumListField,
  falseUnlessSaid,
  idsOfList,
  PublicIdListField,
  valuesOfList,
} from "../schema/fields.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { parse } from "../schema/validation.ts";
import { authorized } from "../http/authorized.ts";
import type { Written } from "./import.ts";
import { ImportResult } from "./import-result.ts";
import {
  creationErrors,
  commonErrors,
  errorResponse,
  PreconditionFailure,
  STREAMED,
} from "../http/responses.ts";
import { SEQUENCE, unchangedSince } from "../schema/unchanged-since.ts";

/**
 * Export and import of practice files by the API. The modules are loaded on first use, so that a server starts quickly.
 */

const MEDIA_TYPE = "application/x-ndjson";
const CSV = "text/csv";
// A connection that was let wait would stay open behind the file for as long as its client likes.
const HEADERS = {
  "content-type": MEDIA_TYPE,
  connection: "close",
  vary: "Accept-Encoding, Origin",
};

/** Files with more lines or bytes are imported by a worker. */
const FEW_LINES = 200;
const FEW_BYTES = 64 * 1024;
/** As are those with more records of these types, which may have long lists. */
const FEW_RECORDS: { readonly [Type in RecordType]?: number } = { user: 4, intakeLead: 4, goal: 0 };

function isLongFile({ body, query }: { body: Uint8Array; query: Static<typeof ImportQuery> }) {
  const lines = new TextDecoder().decode(body).trimEnd().split("\n");
  if (lines.length > FEW_LINES) return true;
  const types = Map.groupBy(lines, (line) => query.type ?? typeOf(line));
  return Object.entries(FEW_RECORDS).some(([type, few]) => (types.get(type)?.length ?? 0) > few);
}

function typeOf(line: string): unknown {
  try {
    return (parseJson(line) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The body is a text for every client. Each of its lines is one of some components, which are named as the schema of the
 * content; without its media type, which the body has, and for which Swagger UI would take the text for a file.
 */
function practiceFileOf(lines: readonly string[], description: string) {
  const anyOf = lines.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const contentSchema = anyOf.length === 1 ? anyOf[0] : { anyOf };
  return Type.Unsafe<Uint8Array>(
    Type.Uint8Array({ mediaType: MEDIA_TYPE, maxBytes: MAX_BYTES, description, contentSchema }),
  );
}

const PracticeFileLines = Type.Unsafe<Uint8Array>({
  shortBytes: FEW_BYTES,
  ...practiceFileOf(
    ["PracticeFileRecord", "PracticeFileChange"],
    'One JSON record per line, the organization of the key first. At most 8 MiB; send larger files in parts. A line with a new id creates a record; a line with an existing id changes the given fields; `"deleted": true` deletes the record. The records have the same form as in `GET /v1/practice-file`: each is one of the schemas `PracticeFileOrganization`, `PracticeFileSession` and so on, of which a line that changes a record may leave out fields, or `PracticeFileDeletion`: a `PracticeFileRecord` or a `PracticeFileChange`.',
  ),
  otherMediaTypes: [CSV],
});

const WholeFile = practiceFileOf(
  ["PracticeFileRecord"],
  "One JSON record per line, the organization first: each is one of the schemas `PracticeFileOrganization`, `PracticeFileSession` and so on, with all fields; after the records `PracticeFileDeletion`. `PracticeFileRecord` is any of them.",
);

/** Example files for the documentation. They are valid in the demo practice. */
const practiceFileExamples = {
  location: {
    summary: "Add a location",
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

const csvExamples = {
  location: {
    summary: "Add a location, with the type location",
    value: "publicId,name\nloc_pavilion,Pavilion\n",
  },
};

const IMPORT_DESCRIPTION = `
Creates, changes and deletes records in one transaction: if a line is invalid, nothing is written. Each mistake is an issue
whose path begins with the line number; at most 100 are listed. With \`unchangedSince\`, a record of the file that has
been created, changed or deleted since refuses the file with a 412; a line with \`type\` and \`publicId\` alone is such
a condition and changes nothing. During an import, reads continue and other writes wait.

| Role | May send |
|---|---|
| ADMIN | all types |
| SCHEDULING_MANAGER | \`session\`, \`user\` * |
| BILLING_MANAGER | \`payor\`, \`serviceLine\`, \`authorizationPool\`, \`authorization\`, \`encounter\`, \`user\` * |
| | a \`session\` with \`authorizationId\` alone: an authorization of its client, or null |
| | a stored \`user\` with \`npiNumber\` alone |
| CLINICAL_SUPERADMIN, CLINICAL_ADMIN | \`session\`, \`encounter\`, \`treatmentPlan\`, \`goal\`, \`user\` * |
| CLINICIAN, TECHNICIAN, with a key that is tied to them | \`status\`, \`startTime\` and \`endTime\` of a \`session\` at which they are present, on the same day, within 14 days of its start |
| | an \`encounter\` of such a session, within 14 days of its start |

\* whose stored and new role they may create by \`POST /v1/users\`, but no deletion of one.

Only ADMIN and BILLING_MANAGER change \`billed\` of an encounter. For all but ADMIN, the organization's line must not
change anything.
`.trim();

const ExportQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description:
        "The `Caseload-Sequence` of an earlier export, for the changes since then; 0 for everything.",
    }),
  ),
  since: Type.Optional(
    CalendarDateField({
      description:
        "Instead of `after`: the changes since this day began, in the time zone of the organization, else in UTC.",
      examples: ["2026-10-01"],
    }),
  ),
  ids: Type.Optional(
    PublicIdListField({
      description:
        "Only the records with these ids, whatever their type, without deletions; not beside `after` and `since`.",
      examples: ["usr_1,usr_2"],
    }),
  ),
  changes: falseUnlessSaid(
    "`true`, for ADMIN alone, adds to each record `change` (`CREATED`, `CHANGED` or `DELETED`), `changedAt` and `changedBy`: the time of its last write, and the name of the person, API key or operator who made it; null if they are not known. Such a file is for reading, and cannot be imported.",
  ),
  types: Type.Optional(
    EnumListField(EnumField(recordTypes, { $id: "RecordType" }), {
      description:
        "Types of records to be exported, besides the organization. Without it all types, for ADMIN alone.",
      examples: ["session,encounter"],
      // Of everything, the documentation page could not show the answer.
      example: "location,payor",
    }),
  ),
});

/** The type of the records in a file of CSV. */
const CsvType = EnumField(recordTypes, {
  description:
    "The type of the records of a file of CSV, which needs it; a practice file has none.",
});

const ImportQuery = Type.Object({
  dryRun: falseUnlessSaid("`true` checks and reports everything, but writes nothing."),
  changes: falseUnlessSaid("`true` lists what was done with each record, as `records`."),
  findings: falseUnlessSaid(
    "`true` says as `findings` what `GET /v1/checks` finds with the file and not without it, and the other way round: about the people whom its lines name, on the days that they touch. At most 500 records may change, of the types `user`, `authorizationPool`, `authorization`, `session`, `encounter` and `goal`.",
  ),
  type: Type.Optional(CsvType),
  unchangedSince,
});

/** @throws InvalidInput if a file of CSV has no type, or a practice file has one. */
function requireTypeOfCsv(isCsv: boolean, type: RecordType | undefined): void {
  if (!isCsv && type !== undefined) throw invalid(["type"], `Belongs to ${CSV} alone`);
  if (!isCsv || type !== undefined) return;
  const parsed = parse(Type.Object({ type: CsvType }), { type: "" });
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
}

interface ExportContext {
  caller: Caller;
  query: Static<typeof ExportQuery>;
}

/** @throws InvalidInput for parameters that exclude each other, DomainError if the caller may not export this. */
function exportOptions({ caller, query }: ExportContext) {
  const { after = 0, since } = query;
  if (since !== undefined && after > 0) throw invalid(["since"], "Stands instead of after");
  const ids = query.ids === undefined ? undefined : idsOfList(query.ids);
  if (ids !== undefined && (since !== undefined || after > 0))
    throw invalid(["ids"], "Stands instead of after and since");
  const types = query.types && valuesOfList(query.types);
  const listsChanges = query.changes === "true";
  // Own patients come and go without a change of their records, so that a follower's copy would be wrong.
  const isFollowing = types === undefined || ids === undefined;
  const mayNot = caller.ownPatientsOnly && isFollowing;
  if (mayNot || !mayExport(caller, listsChanges ? undefined : types))
    throw new DomainError("notAllowed", permissions.readPracticeFile.message);
  return { after, since, types, ids, listsChanges };
}

function areShort(ids: readonly string[], types: readonly RecordType[] = recordTypes): boolean {
  return types.every((type) => ids.length <= (FEW_RECORDS[type] ?? ids.length));
}

/**
 * Whether an export takes long. Of some records it is an expensive read, which does not wait for the exports of others.
 *
 * @throws what `exportOptions` throws, before the request waits.
 */
async function isLongExport(context: ExportContext & { request: Request; read: Database["read"] }) {
  const { types, ids, after } = exportOptions(context);
  if (context.request.method === "HEAD") return false;
  if (ids !== undefined) return !areShort(ids, types);
  if (after === 0) return "export" as const;
  // Those who follow changes ask again and again.
  const { sequenceOf } = await import("./export.ts");
  const { organizationId } = context.caller;
  const sequence = await context.read((db) => sequenceOf(db, organizationId, after));
  return sequence !== after && ("export" as const);
}

export const practiceFile = new Elysia({ prefix: "/practice-file", tags: ["Practice file"] })
  .use(authorized)
  .get(
    "",
    async ({ request, caller, exchange: { row }, query, set, now, buffer, read, shows }) => {
      const options = exportOptions({ caller, query });
      const { organizationId } = caller;
      const { types, after } = options;
      row.concernsAll = types === undefined;
      const { exportedFile, sequenceOf } = await import("./exported-file.ts");
      Object.assign(set.headers, HEADERS);
      return read(async (db) => {
        if (request.method === "HEAD") {
          await sequenceOf(db, organizationId, after);
          Object.assign(set.headers, STREAMED);
          return new Uint8Array();
        }
        const isCompressed = acceptsGzip(request.headers.get("accept-encoding"));
        if (isCompressed) set.headers["content-encoding"] = "gzip";
        const { bytes, patientIds } = await exportedFile(db, {
          ...{ organizationId, now, ...options, isCompressed },
        });
        const body = await buffer(bytes);
        shows([...patientIds]);
        // The declared type, for clients.
        return body as unknown as Uint8Array;
      });
    },
    {
      permission: "readPracticeFile",
      expensive: isLongExport,
      query: ExportQuery,
      response: {
        200: WholeFile,
        ...commonErrors,
        403: errorResponse(
          "Other roles than ADMIN must name `types`, may export those whose lists they may read, and have no `changes`.",
        ),
        410: errorResponse(
          "The changes since `after` are no longer known: they are older than 400 days, or a backup was restored.",
          "Changes since 12 are no longer known; export everything",
        ),
      },
      detail: {
        operationId: "exportPracticeFile",
        summary: "Export a practice file, or its changes",
        description:
          "All records of the organization in one snapshot, as `caseload export` writes them. With `after`, the records that were created or changed since, then a line for each deleted record. With `types`, any key of staff may export the types whose lists it may read, even a read-only key. The header `Caseload-Sequence` is the sequence of the snapshot. Compressed for clients that accept gzip. The connection is closed after a minute without progress, and after 15 minutes in any case. At most two exports of an organization, and four of the server, run at a time; further ones get a 429.",
        headers: [SEQUENCE],
      },
    },
  )
  .post(
    "",
    async ({ body, exchange, query, dependencies, set, shows, handOverIf, ...rest }) => {
      const { caller, now, writeAlone } = rest;
      const { DryRun, responseOf } = await import("./import.ts");
      const { isLongComparison, readRequest, writeRequest } = await import("./import-request.ts");
      const isCsv = mediaTypeOf(exchange.request) === CSV;
      requireTypeOfCsv(isCsv, query.type);
      const request = {
        sender: caller,
        file: body,
        type: query.type,
        now,
        dryRun: query.dryRun === "true",
        listsChanges: query.changes === "true",
        comparesFindings: query.findings === "true",
        unchangedSince: query.unchangedSince,
      };
      const respond = (written: Written) => {
        shows([...written.patientIds]);
        return responseOf(written, request);
      };
      try {
        return await writeAlone(
          200,
          async () => {
            const { database } = dependencies;
            const file = await readRequest(database, request);
            handOverIf(await database.read((db) => isLongComparison(db, file, request)));
            return file;
          },
          async (trx, file) => respond(await writeRequest(trx, file, request)),
        );
      } catch (error) {
        if (error instanceof DryRun) {
          set.headers[SEQUENCE.toLowerCase()] = String(error.written.sequenceBefore);
          return respond(error.written);
        }
        // What is said of lines discloses something about the records in the file.
        if (error instanceof InvalidInput && typeof error.issues[0]?.path[0] === "number")
          exchange.row.concernsAll = true;
        throw error;
      }
    },
    {
      permission: "writePracticeFile",
      expensive: isLongFile,
      query: ImportQuery,
      body: PracticeFileLines,
      response: {
        200: ImportResult,
        ...creationErrors,
        403: errorResponse(
          "The role must also be allowed to send each line; the response names the first line that is refused, and its type. The response to a file of another organization is `Access denied`.",
        ),
        410: errorResponse(
          "The changes since `unchangedSince` are no longer known: they are older than 400 days, or a backup was restored.",
          "Changes since 12 are no longer known; export everything",
        ),
        412: PreconditionFailure,
        413: errorResponse(
          "The file is larger than 8 MiB, or others would have to wait for its import for more than 10 seconds.",
          "Request body must not be larger than 8 MiB",
          "Send it in parts",
        ),
        415: errorResponse(
          `The \`Content-Type\` is neither \`${MEDIA_TYPE}\` nor \`${CSV}\`, or the body has a \`Content-Encoding\`.`,
          `Content-Type must be ${MEDIA_TYPE} or ${CSV}`,
        ),
      },
      detail: {
        operationId: "importPracticeFile",
        summary: "Import a practice file",
        description: IMPORT_DESCRIPTION,
        examples: practiceFileExamples,
        otherExamples: { [CSV]: csvExamples },
        headers: [SEQUENCE],
      },
    },
  );
