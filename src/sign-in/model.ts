import { type Static, Type } from "@sinclair/typebox";
import { InstantField, NameField, Nullable } from "../schema/fields.ts";

/** Bodies of the operations with which the page signs people in. Binary values are in base64url. */

const MAX_BODY_BYTES = 32 * 1024;

const Base64Url = () => Type.String({ pattern: "^[A-Za-z0-9_-]+$" });

const Invitation = Type.Optional(Type.String());

const format = { maxBytes: MAX_BODY_BYTES };

export const OptionsBody = Type.Object({ invitation: Invitation }, format);

export const RegistrationBody = Type.Object(
  {
    invitation: Invitation,
    name: NameField(1),
    credential: Type.Object({
      id: Base64Url(),
      response: Type.Object({
        clientDataJSON: Base64Url(),
        attestationObject: Base64Url(),
      }),
    }),
  },
  format,
);

export const SignInBody = Type.Object(
  {
    credential: Type.Object({
      id: Base64Url(),
      response: Type.Object({
        clientDataJSON: Base64Url(),
        authenticatorData: Base64Url(),
        signature: Base64Url(),
        userHandle: Type.Optional(Base64Url()),
      }),
    }),
  },
  format,
);

/** The state of a browser's sign-in, and what `navigator.credentials` takes, as JSON. */
export interface SignInOptions {
  signIn: "NONE" | "LOCKED" | "ACTIVE";
  get: {
    challenge: string;
    timeout: number;
    rpId: string;
    allowCredentials: CredentialName[];
    userVerification: "required";
  };
  /** For who may register a passkey. */
  create?: {
    challenge: string;
    timeout: number;
    rp: { id: string; name: string };
    user: { id: string; name: string; displayName: string };
    pubKeyCredParams: { type: "public-key"; alg: number }[];
    excludeCredentials: CredentialName[];
    authenticatorSelection: {
      residentKey: "required";
      requireResidentKey: true;
      userVerification: "required";
    };
    attestation: "none";
  };
}

export interface CredentialName {
  type: "public-key";
  id: string;
}

export type RegistrationBody = Static<typeof RegistrationBody>;
export type SignInBody = Static<typeof SignInBody>;

export const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: "The device, as its person has named it." }),
    isSynced: Type.Boolean({
      description: "Whether its provider may copy it to the person's other devices.",
    }),
    createdAt: InstantField(),
    lastUsedAt: Nullable(InstantField()),
  },
  { $id: "Passkey" },
);

export type Passkey = Static<typeof Passkey>;
