import { useState } from "preact/hooks";
import { useResponse } from "../lib/response.ts";
import { get } from "../lib/api.ts";
import { addDays, daysBetween } from "../lib/dates.ts";
import { type Line, newId } from "../lib/lines.ts";
import { addressOf, goTo } from "../lib/place.ts";
import { fieldsOf, type RecordDescription } from "../lib/record-fields.ts";
import { authorizationsIn, readSummary, termOf } from "../lib/subject.ts";
import type { SummarySeries, UtilizationSummary } from "../lib/wire.ts";
import { write } from "../lib/write.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ResponseView } from "../parts/notices.tsx";
import type { Values } from "../parts/record-field.tsx";
import { type FormSection, RecordForm, type Saving } from "../parts/record-form.tsx";

/** The forms of authorizations and pools: new ones, the next ones of those that end, and changes. */

const fields = fieldsOf("authorization");

const MEMBER_FIELDS = [
  "serviceLineId",
  "authorizationNumber",
  "authorizationStatus",
  "authorizationDate",
  "authorizationExpirationDate",
];
const OWN_FIELDS = [
  "serviceLineId",
  "payorId",
  "authorizationNumber",
  "authorizationStatus",
  "authorizedUnitsQuantity",
  "authorizedUnitFrequency",
  "authorizationDate",
  "authorizationExpirationDate",
];

function picked(names: readonly string[]): RecordDescription {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

const authorization = picked(OWN_FIELDS);
const pool: RecordDescription = {
  ...fieldsOf("authorizationPool"),
  members: { kind: "group", isList: true, fields: picked(MEMBER_FIELDS) },
};
const poolSections: FormSection[] = [
  {
    fields: [
      "payorId",
      "totalUnits",
      "unitFrequency",
      "isUnlimited",
      { name: "members", label: "Authorizations" },
    ],
  },
];

type Kind = "authorization" | "pool";

const NEW_AUTHORIZATION: Values = { authorizationStatus: "AUTHORIZED" };
const NEW_POOL: Values = { isUnlimited: false, members: [NEW_AUTHORIZATION] };

/** A dialog for a new authorization or pool of a patient. */
export function NewAuthorizationDialog(properties: {
  patientId: string;
  kind: Kind;
  onClose: () => void;
}) {
  const { patientId, kind, onClose } = properties;
  return (
    <Dialog title={kind === "pool" ? "New pool" : "New authorization"} onClose={onClose}>
      <NewForm
        patientId={patientId}
        kind={kind}
        values={kind === "pool" ? NEW_POOL : NEW_AUTHORIZATION}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** A dialog for the next authorization or pool: the same service, payor and quantity, with dates behind it. */
export function RenewDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const response = useResponse(`renew ${id}`, (signal) => readSummary(id, {}, signal));
  return (
    <Dialog title="Renew" onClose={onClose}>
      <ResponseView response={response}>
        {(summary) => (
          <NewForm
            patientId={summary.patientId}
            kind={summary.subject === "POOL" ? "pool" : "authorization"}
            values={renewalOf(summary)}
            onClose={onClose}
          />
        )}
      </ResponseView>
    </Dialog>
  );
}

/** The values of a form for what is stored. */
function valuesOf(summary: UtilizationSummary): Values {
  const { payorId, unitFrequency, unitsAuthorized, series, subject } = summary;
  if (subject === "POOL")
    return {
      payorId,
      unitFrequency,
      totalUnits: unitsAuthorized,
      isUnlimited: unitsAuthorized === null,
      members: authorizationsIn(summary).map((each) => memberValues(each.series)),
    };
  const [own] = series;
  return {
    ...(own && memberValues(own)),
    payorId,
    authorizedUnitsQuantity: unitsAuthorized,
    authorizedUnitFrequency: unitFrequency,
  };
}

function memberValues(series: SummarySeries): Values {
  return {
    serviceLineId: series.serviceLinePublicId,
    authorizationNumber: series.authorizationNumber,
    authorizationStatus: series.authorizationStatus,
    authorizationDate: series.startDate,
    authorizationExpirationDate: series.endDate,
  };
}

/** As long as before, from the day after the end; the payor gives it another number. */
function renewalOf(summary: UtilizationSummary): Values {
  const term = termOf(summary);
  const days = term ? daysBetween(term.startDate, term.endDate) : 0;
  const dates = term && {
    authorizationDate: addDays(term.endDate, 1),
    authorizationExpirationDate: addDays(term.endDate, 1 + days),
  };
  const next = (values: Values): Values => ({
    ...values,
    ...dates,
    ...NEW_AUTHORIZATION,
    authorizationNumber: null,
  });
  const values = valuesOf(summary);
  if (summary.subject !== "POOL") return next(values);
  return { ...values, members: (values.members as Values[]).map(next) };
}

function NewForm(properties: {
  patientId: string;
  kind: Kind;
  values: Values;
  onClose: () => void;
}) {
  const { patientId, kind, values, onClose } = properties;
  const [id] = useState(() => newId(kind === "pool" ? "apool_" : "auth_"));
  const save = async ({ values: typed }: Saving): Promise<void> => {
    const lines =
      kind === "pool"
        ? poolLines(id, { patientId, ...typed })
        : [{ type: "authorization", publicId: id, patientId, ...typed }];
    await write({
      done: kind === "pool" ? "The pool was added." : "The authorization was added.",
      lines,
      undo: lines.map(({ type, publicId }) => ({ type, publicId, deleted: true })),
      since: undefined,
    });
    goTo(addressOf(["utilization", id]));
  };
  return (
    <RecordForm
      label={kind === "pool" ? "New pool" : "New authorization"}
      description={kind === "pool" ? pool : authorization}
      sections={kind === "pool" ? poolSections : [{ fields: OWN_FIELDS }]}
      // The members of a pool are the records behind it.
      pathOf={([line, ...path]) =>
        Number(line) > 2 ? ["members", Number(line) - 3, ...path] : path
      }
      stored={{ values, since: undefined }}
      save="Add"
      onSave={save}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

function poolLines(id: string, { members, ...values }: Values & { members?: unknown }): Line[] {
  const { patientId, totalUnits, isUnlimited } = values as Values;
  return [
    {
      type: "authorizationPool",
      publicId: id,
      ...values,
      totalUnits: totalUnits ?? (isUnlimited === true ? 0 : null),
    },
    ...((members ?? []) as Values[]).map((member) => ({
      type: "authorization",
      publicId: newId("auth_"),
      patientId,
      authorizationPoolId: id,
      ...member,
    })),
  ];
}

/** A dialog for changes of an authorization, or of a pool's own units. */
export function EditAuthorizationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  // The summary tells no sequence, so it is asked for before.
  const response = useResponse(`edit ${id}`, async (signal) => {
    await get("me", signal);
    return readSummary(id, {}, signal);
  });
  return (
    <Dialog title="Edit" onClose={onClose}>
      <ResponseView response={response}>
        {(summary) => {
          const type = summary.subject === "POOL" ? "authorizationPool" : "authorization";
          const own = summary.poolId === null ? OWN_FIELDS : MEMBER_FIELDS;
          const poolOwn = ["payorId", "totalUnits", "unitFrequency", "isUnlimited"];
          const lineOf = (changed: Values): Line[] => [{ type, publicId: id, ...changed }];
          return (
            <RecordForm
              label="Edit"
              description={summary.subject === "POOL" ? pool : authorization}
              sections={[{ fields: summary.subject === "POOL" ? poolOwn : own }]}
              stored={{ values: valuesOf(summary), since: response.sequence }}
              save="Save"
              onSave={({ changed, before, since }) =>
                write({
                  done: "The authorization was changed.",
                  lines: lineOf(changed),
                  undo: lineOf(before),
                  since,
                })
              }
              onDone={onClose}
              onCancel={onClose}
            />
          );
        }}
      </ResponseView>
    </Dialog>
  );
}
