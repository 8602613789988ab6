import { useState } from "preact/hooks";
import type { Passkey } from "../../../../sign-in/model.ts";
import { useGet } from "../../lib/base/response.ts";
import { remove } from "../../lib/base/api.ts";
import { instantDayText } from "../../lib/base/me.ts";
import {
  askOptions,
  isUseDue,
  registerPasskey,
  useOwnPasskey,
} from "../../lib/sign-in/passkeys.ts";
import { Failure } from "../../lib/base/failure.ts";
import { openedDialog } from "../../lib/base/place.ts";
import { passkeyPerson } from "../../lib/sign-in/signed-in.ts";
import { useWork } from "../../parts/base/work.tsx";
import { Button } from "../../parts/base/button.tsx";
import { DeviceForm } from "../../parts/sign-in/device-form.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";

/** One's own passkeys; for people who have signed in with one. */
export function PasskeysDialog() {
  if (openedDialog("passkeys") === undefined || passkeyPerson() === undefined) return null;
  return (
    <Dialog title="Your passkeys">
      <Passkeys />
    </Dialog>
  );
}

function Passkeys() {
  const response = useGet<{ data: Passkey[] }>("passkeys");
  const { isWorking, notice, run } = useWork();
  const [removing, setRemoving] = useState<string>();

  const removeOne = (id: string) =>
    run(async () => {
      await remove(`passkeys/${encodeURIComponent(id)}`);
      setRemoving(undefined);
    });

  return (
    <>
      <ResponseView response={response}>
        {({ data }) => (
          <ul class="passkeys">
            {data.map(({ id, name, isSynced, createdAt, lastUsedAt }) => (
              <li key={id}>
                <p>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                  <small>
                    {`Registered ${instantDayText(createdAt)}`}
                    {lastUsedAt !== null && `, last used ${instantDayText(lastUsedAt)}`}
                    {isSynced ? "; on your other devices, too" : "; on this device alone"}
                  </small>
                </p>
                {removing === id ? (
                  <p class="question">
                    Whoever signed in with it is signed out.{" "}
                    <Button disabled={isWorking} onClick={() => removeOne(id)}>
                      Remove it
                    </Button>
                    <Button onClick={() => setRemoving(undefined)}>Keep it</Button>
                  </p>
                ) : (
                  <Button onClick={() => setRemoving(id)}>Remove</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ResponseView>
      {notice}
      <DeviceForm
        class="add-passkey"
        label="Name of the device"
        button="Add a passkey"
        onSubmit={async (added) => {
          await addPasskey(added);
          response.again();
        }}
      />
    </>
  );
}

/** Registers another passkey. Unless the person has just used theirs, that is asked for first. */
async function addPasskey(name: string): Promise<void> {
  const person = passkeyPerson();
  let options = await askOptions({ person });
  if (isUseDue()) {
    // Only one of their own: another person's would sign them out.
    const allowCredentials = options.create?.excludeCredentials ?? [];
    await useOwnPasskey({ ...options.get, allowCredentials });
    options = await askOptions({ person });
  }
  if (options.create === undefined) throw new Failure("Use your passkey again first");
  await registerPasskey(options.create, { name, person });
}
