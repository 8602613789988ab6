/** The most elements of the lists of a user (docs/decisions.md, limits). A page of 100 users has all of them. */
export const mostOfUser = {
  specializationIds: 50,
  locationIds: 50,
  complianceCredentials: 50,
  clinicianIds: 50,
  credentials: 50,
  payors: 50,
  providerPayorIds: 200,
  careTeamTechnicianIds: 500,
  careTeamLeadIds: 500,
} as const;
