import type { Session } from "../../lib/base/wire.ts";
import { StaffField } from "../base/staff-field.tsx";

interface Staff {
  clinicianId: string | null;
  technicianId: string | null;
}

/** Fields for the clinician of a session, if it is billable, and for its technician. */
export function SessionStaff(
  properties: Staff & Pick<Session, "isBillable"> & { onChange: (change: Partial<Staff>) => void },
) {
  const { isBillable, clinicianId, technicianId, onChange } = properties;
  return (
    <>
      {isBillable && (
        <StaffField
          kind="clinician"
          id={clinicianId}
          onPick={(id) => onChange({ clinicianId: id })}
        />
      )}
      <StaffField
        kind="technician"
        id={technicianId}
        onPick={(id) => onChange({ technicianId: id })}
      />
    </>
  );
}
