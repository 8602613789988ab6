import { useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import { postOnce, remove } from "../../lib/base/api.ts";
import { instantDayText, me } from "../../lib/base/me.ts";
import { kindOf } from "../../lib/base/roles.ts";
import type { CalendarList, IssuedCalendar, User } from "../../lib/base/wire.ts";
import { useWork } from "../../parts/base/work.tsx";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";

/** The calendars of somebody's sessions, for a phone: one's own, or for an administrator those of all staff. */
export function Calendars({ person: { publicId, role } }: { person: User }) {
  const { key } = me();
  const isStaff = kindOf(role) !== "patient" && role !== "CAREGIVER";
  if (!isStaff || (key.role !== "ADMIN" && key.userId !== publicId)) return null;
  return <List userId={publicId} />;
}

function List({ userId }: { userId: string }) {
  const { isReadOnly } = me().key;
  const response = useGet<CalendarList>("calendars");
  const { isWorking, notice, run } = useWork();
  const [name, setName] = useState("");
  const [issued, setIssued] = useState<IssuedCalendar>();
  const own = response.value?.data.filter((calendar) => calendar.userId === userId) ?? [];
  const create = (): Promise<void> =>
    run(async () => {
      const body = { userId, ...(name.trim() !== "" && { name }) };
      setIssued(await postOnce<IssuedCalendar>("calendars", JSON.stringify(body)));
      setName("");
    });
  const revoke = (id: string): Promise<void> =>
    run(async () => {
      await remove(`calendars/${encodeURIComponent(id)}`);
      if (issued?.id === id) setIssued(undefined);
    });
  return (
    <section class="panel calendars">
      <h2>Calendar on a phone</h2>
      <ul class="record-list">
        {own.map(({ id, name: device, createdAt, lastUsedAt }) => (
          <li key={id}>
            {device}{" "}
            <small>
              since {instantDayText(createdAt)}
              {lastUsedAt !== null && `, last used ${instantDayText(lastUsedAt)}`}
            </small>{" "}
            {!isReadOnly && (
              <Button
                class="link"
                disabled={isWorking}
                aria-label={`Revoke ${device}`}
                onClick={() => revoke(id)}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {issued && <Address path={issued.path} />}
      {!isReadOnly && (
        <Form class="buttons" aria-label="New calendar" onSubmit={create}>
          <Field class="inline" label="Device" value={name} placeholder="Phone" onType={setName} />
          <button type="submit" disabled={isWorking}>
            New calendar
          </button>
        </Form>
      )}
      {notice}
    </section>
  );
}

/** The address of a new calendar, which cannot be shown again. */
function Address({ path }: { path: string }) {
  const address = new URL(path, location.href).href;
  const copy = async (): Promise<void> => navigator.clipboard.writeText(address);
  return (
    <div class="notice" role="status">
      <p>
        Open this address on the device. It is shown only now; whoever has it sees these sessions.
      </p>
      <p>
        <code>{address}</code>
      </p>
      <div class="buttons">
        <a class="button" href={address.replace(/^https?:/, "webcal:")}>
          Subscribe
        </a>
        <Button onClick={copy}>Copy</Button>
      </div>
    </div>
  );
}
