/** The introduction of the OpenAPI document. */
export const DESCRIPTION = `
The records of a clinical practice: its users, sessions, authorizations, intake leads and treatment goals.

## Authentication
Every request carries an API key: \`Authorization: Bearer <API key>\`. A key belongs to one organization and has a
role. It reads and writes the data of its organization only; requests for records of other organizations get the
same responses as if these did not exist. The 403 of each operation lists the roles that may use it.

## Requests
Bodies are JSON in UTF-8, up to 1 MiB. Unknown query parameters are refused; unknown fields of a body are ignored.
\`HEAD\` works wherever \`GET\` does. Ids are opaque strings. Dates are \`YYYY-MM-DD\`. Instants are ISO 8601 with \`Z\` or an
offset; responses have them in UTC with milliseconds.

## Lists
Lists are paginated with \`page\` and \`pageSize\`, in a stable order. \`pagination\` has the number of items and pages. A page
past the end is empty.

## Errors
Errors are JSON. A 400 for malformed input lists the invalid fields (\`validationErrors\`; on goals \`details\`), each with
code, message and path. All other errors are one sentence (\`error\`). When you report a problem, include the response's
\`X-Request-Id\`; a request may also set it.

## Changes by others
Responses to reads and writes of records, and to \`/v1/me\`, have the header \`Caseload-Sequence\`: the number of the
organization's last write. A write with that number as \`unchangedSince\` is a 412 if what it changes has been changed
meanwhile, so that nobody undoes what another person did without knowing. Of several responses, use the smallest number.

## Retries
Send an \`Idempotency-Key\` with each \`POST\` to make retries safe: within 24 hours, a request with the same key and body
writes nothing and gets the first response again. After a 429 or 503, retry after \`Retry-After\` seconds.
`.trim();

export const tagDescriptions: Record<string, string> = {
  Me: "The API key of the request: its organization, role and rights.",
  Access: "Who may sign in, and with what: invitations, passkeys, sign-ins and keys.",
  Users: "Patients, caregivers, providers and administrators of the practice.",
  Specializations: "Categories that providers specialize in.",
  Sessions: "Scheduled appointments, billable and not.",
  Encounters: "Delivered units, which count towards authorizations.",
  "Authorization utilization":
    "Delivered and scheduled units, compared with the units that a payor has authorized.",
  Calendars: "Feeds of one's own sessions for calendar programs, by secret addresses.",
  Checks: "Problems that need attention, such as sessions outside their authorization.",
  Delivery: "Delivered units by authorization, for billing.",
  Billing: "What is handed over for billing, one line for each encounter.",
  Supervision: "How much technicians are supervised in a month.",
  "Intake leads": "Draft patients with a caregiver, from marketing forms and other systems.",
  "Treatment plans": "Plans of patients, to which goals belong.",
  "Reference data":
    "What an organization has set up for other records to refer to: locations, payors and so on.",
  Goals: "Treatment goals of four kinds, on a patient's treatment plan.",
  "Practice file":
    "Export and import of all records of an organization, as newline-delimited JSON.",
};
