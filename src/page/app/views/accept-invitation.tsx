import { useState } from "preact/hooks";
import { invitation } from "../lib/invitation.ts";
import { deviceName, registerPasskey, type SignInOptions } from "../lib/passkeys.ts";
import { enter } from "../lib/start.ts";
import { tellTabs } from "../lib/tabs.ts";
import { signedIn } from "../lib/signed-in.ts";
import { useWork } from "../lib/work.ts";
import { Field } from "../parts/field.tsx";
import { Alert } from "../parts/notices.tsx";

/** Registers the first passkey of an invited person, which signs them in. */
export function AcceptInvitation({ create }: { create: NonNullable<SignInOptions["create"]> }) {
  const [name, setName] = useState(deviceName);
  const { isWorking, failure, run } = useWork();

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await registerPasskey(create, { name, invitation: invitation.value });
      await enter();
      tellTabs({ type: "in", userId: signedIn.value?.me.key.userId ?? "" });
    });
  };

  return (
    <form class="box" onSubmit={submit}>
      <p>
        Welcome, <bdi>{create.user.displayName}</bdi>. From now on you sign in with a passkey: by
        the fingerprint, face or PIN with which you unlock this device.
      </p>
      <Field label="Name of this device" value={name} onType={setName} isRequired maxLength={200} />
      <button type="submit" class="primary" disabled={isWorking}>
        Register a passkey
      </button>
      {failure && <Alert failure={failure} />}
    </form>
  );
}
