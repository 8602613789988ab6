import { invitation } from "../../lib/sign-in/invitation.ts";
import { registerPasskey, type SignInOptions } from "../../lib/sign-in/passkeys.ts";
import { enter, tellSignIn } from "../../lib/sign-in/start.ts";
import { DeviceForm } from "../../parts/sign-in/device-form.tsx";

/** Registers the first passkey of an invited person, which signs them in. */
export function AcceptInvitation({ create }: { create: NonNullable<SignInOptions["create"]> }) {
  const register = async (name: string): Promise<void> => {
    await registerPasskey(create, { name, invitation: invitation.value });
    await enter();
    tellSignIn();
  };
  return (
    <DeviceForm
      class="box"
      label="Name of this device"
      button="Register a passkey"
      onSubmit={register}
    >
      <p>
        Welcome, <bdi>{create.user.displayName}</bdi>. From now on you sign in with a passkey: by
        the fingerprint, face or PIN with which you unlock this device.
      </p>
    </DeviceForm>
  );
}
