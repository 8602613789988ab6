import type { Role } from "../../../src/callers/roles.ts";
import type { Fields } from "../practice-file/practice-file.ts";

/** A user of a practice file. */
export const user = (publicId: string, role: Role, more: Fields = {}): Fields => ({
  ...{ type: "user", publicId, role, firstName: "Ana", lastName: "Ruiz", ...more },
});

/** The fields in responses of a user with nothing but a name. */
export const base = (publicId: string, role: Role) => ({
  ...{ publicId, firstName: "Ana", lastName: "Ruiz", email: "", phoneNumber: "" },
  ...{ userStatus: null, isActive: true, role, sex: null, birthDate: null, caregiverId: null },
  ...{ addressLine1: null, addressLine2: null, city: null, state: null, postalCode: null },
});
