/** The introduction of the OpenAPI document. */
export const DESCRIPTION = `
The records of a clinical practice: its users, sessions, authorizations, intake leads and treatment goals.

## Authentication
Every request carries an API key: \`Authorization: Bearer <API key>\`. A key belongs to one organization and has a
role. It reads and writes the data of its organization only; a record of another organization is answered like one
that does not exist. What a role may do is said with each operation's 403.

## Requests
Bodies are JSON in UTF-8, up to 1 MiB. A parameter that an operation does not name is refused; a field of a body is
ignored. Every
\`GET\` can be asked as \`HEAD\`. Ids are opaque texts. Dates are \`YYYY-MM-DD\`; instants are ISO 8601 with \`Z\` or an
offset, and come back in UTC with milliseconds.

## Lists
Lists come in pages, by \`page\` and \`pageSize\`, in an order that does not change between pages. \`pagination\` says
how many items and pages there are. A page past the end is empty.

## Errors
A refusal is JSON with a status. Malformed input lists every offending field (\`validationErrors\`, on goals
\`details\`) by code, message and path; everything else is one sentence (\`error\`). When you report a problem, give the
\`X-Request-Id\` of the answer; you may also choose it.

## Retries
Give each \`POST\` an \`Idempotency-Key\` of your own making, and a retry is safe: the same key with the same body within
24 hours does nothing again and gets the first answer. Try again after a 429 or 503 when \`Retry-After\` seconds have passed.
`.trim();

export const tagDescriptions: Record<string, string> = {
  Me: "Whose key a request carries, and what it may do.",
  Users: "Patients, caregivers, providers and administrators of the practice.",
  Specializations: "The categories that providers specialize in.",
  Sessions: "Scheduled appointments, billable and not.",
  Encounters: "Units that were delivered, as they are counted for authorizations.",
  "Authorization utilization": "Units delivered and scheduled against what a payor has authorized.",
  Checks: "What needs somebody's attention.",
  Delivery: "What was delivered, for whoever pays.",
  "Intake leads": "Draft patients with a caregiver, from marketing forms and other systems.",
  "Treatment plans": "The plans of patients, which goals belong to.",
  "Reference data":
    "What an organization has set up, and other records name: locations, payors and the like.",
  Goals: "Treatment goals of four kinds, on a patient's treatment plan.",
  "Practice file": "Everything that an organization has, in and out as lines of JSON.",
};
