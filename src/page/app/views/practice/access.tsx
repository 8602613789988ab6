import { useState } from "preact/hooks";
import type { PersonAccess } from "../../../../access/model.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { getAll, postNothing, readPractice, remove } from "../../lib/base/api.ts";
import type { Instant } from "../../lib/base/dates.ts";
import { words } from "../../lib/base/format.ts";
import { instantDayText, me } from "../../lib/base/me.ts";
import { nameOf } from "../../lib/person/people.ts";
import { hasAccess, isLastAdministrator, means } from "../../lib/practice/access.ts";
import { seesOwnPatientsOnly } from "../../lib/base/rights.ts";
import { closeDialog, openDialog, openedDialog } from "../../lib/base/place.ts";
import { useWork } from "../../parts/base/work.tsx";
import { Button } from "../../parts/base/button.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { type Choice, Field } from "../../parts/base/field.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** Who may sign in, and with what; for administrators. */
export function Access() {
  const response = useRemembered("access", (reading) =>
    getAll<PersonAccess>("access", {}, reading),
  );
  // Any type brings the practice's own line with it.
  const practice = useRemembered("practice intakeLabel", (reading) =>
    readPractice(["intakeLabel"], reading),
  );
  const setting = practice.value?.[0]?.ownPatientsOnly as string | null | undefined;
  const mayChange = !me().key.isReadOnly;
  return (
    <main>
      <ViewHeader
        title="Access"
        lead="Who works for the practice, and what they sign in with. An invitation is a link that registers one passkey, within seven days."
      />
      <OwnPatients setting={setting} />
      <ResponseView response={response}>
        {(people) => (
          <ListTable
            label="Access"
            keyOf={({ userId }) => userId}
            rows={people}
            columns={[
              {
                name: "Name",
                cell: (person) => (
                  <>
                    <PersonLink class="subject" id={person.userId} name={nameOf(person)} />
                    {!person.isActive && <span class="badge">Inactive</span>}
                    <small>{words(person.role)}</small>
                    {seesOwnPatientsOnly(person.role, setting) && (
                      <span class="badge">Own patients only</span>
                    )}
                  </>
                ),
              },
              {
                name: "Signs in with",
                class: "words",
                cell: (person) => (
                  <>
                    {means(person).map((text) => (
                      <div key={text}>{text}</div>
                    ))}
                    <LastUse person={person} />
                  </>
                ),
              },
              {
                name: "",
                class: "actions",
                cell: (person) => mayChange && <Ways person={person} />,
              },
            ]}
          />
        )}
      </ResponseView>
      {/* Not within the list, which is pale while it is read again. */}
      {mayChange && <AccessDialogs people={response.value ?? []} />}
    </main>
  );
}

function Ways({ person }: { person: PersonAccess }) {
  const ways = [
    ...(person.isActive ? [["invite", "Invite"] as const] : []),
    ...(hasAccess(person) ? [["revoke", "Revoke"] as const] : []),
  ];
  return (
    <>
      {ways.map(([dialog, text]) => (
        <Button
          key={dialog}
          aria-label={`${text} ${nameOf(person)}`}
          onClick={() => openDialog(dialog, { id: person.userId })}
        >
          {text}
        </Button>
      ))}
    </>
  );
}

/** Whom the practice limits to their own patients. */
const OWN_PATIENTS_ONLY: readonly Choice[] = [
  { value: "", name: "Nobody: all staff see every patient" },
  { value: "TECHNICIANS", name: "Technicians" },
  { value: "TECHNICIANS_AND_CLINICIANS", name: "Technicians and clinicians" },
];

function OwnPatients({ setting }: { setting: string | null | undefined }) {
  const { run, isWriting, notice } = useWriting();
  const lineOf = (ownPatientsOnly: string | null) => ({
    ...{ type: "organization", publicId: me().organization.publicId, ownPatientsOnly },
  });
  const change = (value: string) =>
    run({
      done: "Who sees own patients only was changed.",
      lines: [lineOf(value || null)],
      undo: [lineOf(setting ?? null)],
    });
  return (
    <section class="panel setting" aria-label="Own patients only">
      <Field
        label="See own patients only"
        value={setting ?? ""}
        choices={OWN_PATIENTS_ONLY}
        isDisabled={me().key.isReadOnly || setting === undefined || isWriting}
        onChange={change}
        hint="They see the patients with whom they, or technicians whom they lead, have a session to come or had one in the last 90 days, and those who are theirs by name. To let a substitute see a patient, book the session."
      />
      {notice}
    </section>
  );
}

function AccessDialogs({ people }: { people: readonly PersonAccess[] }) {
  const personOf = (dialog: string): PersonAccess | undefined =>
    people.find(({ userId }) => userId === openedDialog(dialog)?.id);
  const invited = personOf("invite");
  const revoked = personOf("revoke");
  if (invited !== undefined) return <Invitation person={invited} />;
  if (revoked === undefined) return null;
  return <Revocation person={revoked} isLast={isLastAdministrator(revoked, people)} />;
}

function Invitation({ person }: { person: PersonAccess }) {
  const { isWorking, notice, run } = useWork();
  const [link, setLink] = useState<{ url: string; expiresAt: Instant }>();
  const [isCopied, setCopied] = useState(false);
  const path = `users/${encodeURIComponent(person.userId)}/invitation`;
  const invite = () => run(async () => setLink(await postNothing(path)));
  const copy = async (url: string): Promise<void> => {
    await navigator.clipboard.writeText(url);
    setCopied(true);
  };
  return (
    <Dialog title={`Invite ${nameOf(person)}`}>
      {link === undefined ? (
        <>
          <p>
            The link signs in whoever opens it first: give it to <bdi>{nameOf(person)}</bdi> alone.
            {person.invitation !== null && " The earlier link ends."}
          </p>
          <Button class="primary" disabled={isWorking} onClick={invite}>
            Make a link
          </Button>
        </>
      ) : (
        <>
          <p>{`It is shown only now, and can be used once until ${instantDayText(link.expiresAt)}.`}</p>
          <label class="field wide">
            <span>Link</span>
            <input type="text" readOnly value={link.url} onFocus={selectAll} />
          </label>
          <Button class="primary" onClick={() => copy(link.url)}>
            Copy
          </Button>
          <span role="status">{isCopied && " Copied."}</span>
        </>
      )}
      {notice}
    </Dialog>
  );
}

function selectAll({ currentTarget }: { currentTarget: HTMLInputElement }): void {
  currentTarget.select();
}

function Revocation({ person, isLast }: { person: PersonAccess; isLast: boolean }) {
  const { isWorking, notice, run } = useWork();
  const revoke = () =>
    run(async () => {
      await remove(`users/${encodeURIComponent(person.userId)}/access`);
      closeDialog();
    });
  return (
    <Dialog title={`Revoke the access of ${nameOf(person)}?`}>
      <p>{`This ends at once: ${means(person).join(", ")}.`}</p>
      {isLast && (
        <p class="notice failure">
          This is the last administrator with access. Afterwards only an operator at the server can
          let anybody in, with <code>caseload invite</code>.
        </p>
      )}
      {person.userId === me().key.userId && <p>You are signed out with it.</p>}
      <Button class="primary" disabled={isWorking} onClick={revoke}>
        Revoke
      </Button>
      {notice}
    </Dialog>
  );
}

function LastUse({ person: { passkeys, signIns, keys } }: { person: PersonAccess }) {
  const times = [...passkeys, ...signIns, ...keys].flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  const last = times.toSorted().at(-1);
  return last === undefined ? null : <small>last used {instantDayText(last)}</small>;
}
