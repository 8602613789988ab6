/** A row of a patient's data, a user, or a patient's id. Null and undefined are about nobody. */
type Whose =
  | string
  | null
  | undefined
  | { readonly patientId: string | null }
  | { readonly patient_id: string }
  | { readonly client_id: string | null }
  | { readonly public_id: string; readonly role: string };

/**
 * The ids of the patients whose data some rows contain, for the audit trail. Of users, only patients are named.
 *
 *     patientsOf(sessions, query.clientId)
 */
export function patientsOf(...shown: (Whose | readonly Whose[])[]): string[] {
  const ids = new Set<string>();
  for (const whose of shown.flat()) {
    const id = patientOf(whose);
    if (id != null) ids.add(id);
  }
  return [...ids];
}

function patientOf(whose: Whose): string | null | undefined {
  if (typeof whose !== "object" || whose === null) return whose;
  if ("patientId" in whose) return whose.patientId;
  if ("patient_id" in whose) return whose.patient_id;
  if ("client_id" in whose) return whose.client_id;
  return whose.role === "PATIENT" ? whose.public_id : null;
}
