/** Who made a request, for the audit trail: a key, a sign-in, or a passkey whose use is refused. */
export interface Actor {
  organizationId: string;
  keyId: string;
  userId: string | null;
  role: string;
}
