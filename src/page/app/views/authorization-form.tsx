import { useState } from "preact/hooks";
import { useResponse } from "../lib/response.ts";
import { type Patient, poolName, termOf } from "../lib/authorizations.ts";
import { addDays, daysBetween } from "../lib/dates.ts";
import { unitsText, words } from "../lib/format.ts";
import type { Values } from "../lib/form-values.ts";
import { type Line, newId } from "../lib/lines.ts";
import { addressOf, goTo, openedDialog } from "../lib/place.ts";
import type { Path } from "../lib/mistakes.ts";
import { readPerson } from "../lib/people.ts";
import { fieldsOf, type RecordDescription } from "../lib/record-fields.ts";
import { mayWrite } from "../lib/rights.ts";
import { authorizationsIn, readSummary } from "../lib/summary.ts";
import type { SummarySeries, UtilizationSummary } from "../lib/wire.ts";
import { write } from "../lib/write.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ResponseView } from "../parts/notices.tsx";
import type { FormField } from "../parts/control.ts";
import { RecordForm, type Saving } from "../parts/record-form.tsx";

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

const authorization = picked([...OWN_FIELDS, "authorizationPoolId"]);
const pool: RecordDescription = {
  ...fieldsOf("authorizationPool"),
  members: { kind: "group", isList: true, fields: picked(MEMBER_FIELDS) },
};
const poolFieldsWith = (label: string) => [
  ...["payorId", "totalUnits", "unitFrequency", "isUnlimited"],
  { name: "members", label },
];

type Kind = "authorization" | "pool";

const NEW_AUTHORIZATION: Values = { authorizationStatus: "AUTHORIZED" };
const NEW_POOL: Values = { isUnlimited: false, members: [NEW_AUTHORIZATION] };

/** The dialog of an authorization or pool that is open, for those who may write them. */
export function AuthorizationDialogs({ patientId }: { patientId: string }) {
  const renewed = openedDialog("renew")?.id;
  const edited = openedDialog("edit-authorization")?.id;
  if (!mayWrite("authorization")) return null;
  if (openedDialog("new-authorization"))
    return <NewAuthorizationDialog patientId={patientId} kind="authorization" />;
  if (openedDialog("new-pool")) return <NewAuthorizationDialog patientId={patientId} kind="pool" />;
  if (renewed !== undefined) return <RenewDialog key={renewed} id={renewed} />;
  return edited === undefined ? null : <EditAuthorizationDialog key={edited} id={edited} />;
}

/** A dialog for a new authorization or pool of a patient. */
function NewAuthorizationDialog(properties: { patientId: string; kind: Kind }) {
  const { patientId, kind } = properties;
  return (
    <Dialog title={kind === "pool" ? "New pool" : "New authorization"}>
      <NewForm
        patientId={patientId}
        kind={kind}
        values={kind === "pool" ? NEW_POOL : NEW_AUTHORIZATION}
      />
    </Dialog>
  );
}

/** A dialog for the next authorization or pool: the same service, payor and quantity, with dates behind it. */
function RenewDialog({ id }: { id: string }) {
  const response = useResponse(`renew ${id}`, (signal) => readSummary(id, {}, signal));
  return (
    <Dialog title="Renew">
      <ResponseView response={response}>
        {(summary) => (
          <NewForm
            patientId={summary.patientId}
            kind={summary.subject === "POOL" ? "pool" : "authorization"}
            values={renewalOf(summary)}
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

function NewForm(properties: { patientId: string; kind: Kind; values: Values }) {
  const { patientId, kind, values } = properties;
  // The same ids each time that it is sent, so that a repeated request adds nothing twice.
  const [unique] = useState(newId);
  const id = (kind === "pool" ? "apool_" : "auth_") + unique;
  const save = async ({ values: typed }: Saving): Promise<void> => {
    const lines =
      kind === "pool"
        ? poolLines(id, unique, { patientId, ...typed })
        : [{ type: "authorization", publicId: id, patientId, ...typed }];
    await write({
      done: kind === "pool" ? "The pool was added." : "The authorization was added.",
      lines,
      undo: lines.map(({ type, publicId }) => ({ type, publicId, deleted: true })),
    });
    goTo(addressOf(["utilization", id]), "replace");
  };
  return (
    <RecordForm
      label={kind === "pool" ? "New pool" : "New authorization"}
      description={kind === "pool" ? pool : authorization}
      sections={[{ fields: kind === "pool" ? poolFieldsWith("Authorizations") : OWN_FIELDS }]}
      pathOf={pathInPool}
      stored={values}
      save="Add"
      onSave={save}
    />
  );
}

function poolLines(
  id: string,
  unique: string,
  { members, ...values }: Values & { members?: unknown },
): Line[] {
  const { patientId, totalUnits, isUnlimited } = values as Values;
  return [
    {
      type: "authorizationPool",
      publicId: id,
      ...values,
      totalUnits: totalUnits ?? (isUnlimited === true ? 0 : null),
    },
    ...memberLines(unique, { authorizationPoolId: id, patientId }, members),
  ];
}

function memberLines(unique: string, common: Values, members: unknown): Line[] {
  return ((members ?? []) as Values[]).map((member, index) => ({
    type: "authorization",
    publicId: `auth_${unique}${index}`,
    ...common,
    ...member,
  }));
}

/** The place in the form of a pool: its members are the records behind it. */
function pathInPool([line, ...path]: Path): Path {
  return Number(line) > 2 ? ["members", Number(line) - 3, ...path] : path;
}

/** The pool that an authorization of its own can be moved into, if its patient has any. */
function poolField({ authorizationPools }: Patient): FormField[] {
  if (authorizationPools.length === 0) return [];
  const choices = authorizationPools.map((one) => ({
    value: one.publicId,
    name: `${poolName(one)}, ${one.isUnlimited ? "no limit" : unitsText(one.totalUnits)} ${words(one.unitFrequency).toLowerCase()}`,
  }));
  return [{ name: "authorizationPoolId", label: "Pool", choices }];
}

/**
 * A dialog for changes of an authorization, or of a pool's own units, to which it adds authorizations. An authorization
 * can be moved into a pool of its patient.
 */
function EditAuthorizationDialog({ id }: { id: string }) {
  const [unique] = useState(newId);
  const response = useResponse(`edit ${id}`, async (signal) => {
    const summary = await readSummary(id, {}, signal);
    // The patient's record has the pools.
    const patient = (await readPerson(summary.patientId, signal)) as Patient;
    return { summary, patient };
  });
  return (
    <Dialog title="Edit">
      <ResponseView response={response}>
        {({ summary, patient }) => {
          const type = summary.subject === "POOL" ? "authorizationPool" : "authorization";
          const ownFields =
            summary.poolId === null ? [...OWN_FIELDS, ...poolField(patient)] : MEMBER_FIELDS;
          const save = ({ changed, before, since }: Saving): Promise<void> => {
            const { members, ...own } = changed;
            const { members: _, ...ownBefore } = before;
            const isMoved = (own.authorizationPoolId ?? null) !== null;
            // In a pool, the payor is the pool's.
            const payor = (payorId: string | null) => isMoved && { payorId };
            const common = { authorizationPoolId: id, patientId: summary.patientId };
            const added = memberLines(unique, common, members);
            const removal = added.map(({ publicId }) => ({
              ...{ type: "authorization", publicId, deleted: true },
            }));
            return write(
              {
                done: "The authorization was changed.",
                lines: [{ type, publicId: id, ...own, ...payor(null) }, ...added],
                undo: [{ type, publicId: id, ...ownBefore, ...payor(summary.payorId) }, ...removal],
              },
              since,
            );
          };
          return (
            <RecordForm
              label="Edit"
              description={summary.subject === "POOL" ? pool : authorization}
              sections={[
                {
                  fields:
                    summary.subject === "POOL" ? poolFieldsWith("New authorizations") : ownFields,
                },
              ]}
              pathOf={pathInPool}
              stored={{ publicId: id, ...valuesOf(summary), members: [] }}
              save="Save"
              onSave={save}
            />
          );
        }}
      </ResponseView>
    </Dialog>
  );
}
