import { words } from "../../lib/base/format.ts";
import { isTelehealthAt } from "../../lib/session/new-sessions.ts";
import { fieldsOf } from "../../lib/base/record-fields.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Field } from "../base/field.tsx";
import { choicesOf, useNamedList } from "../base/named.ts";

const places = fieldsOf("session").placeOfService?.values ?? [];

type Place = Pick<Session, "placeOfService" | "locationId">;

/** Fields for where a session takes place; another place says whether it is telehealth. */
export function PlaceFields(
  properties: Place & { onChange: (change: Partial<Place & { isTelehealth: boolean }>) => void },
) {
  const { placeOfService, locationId, onChange } = properties;
  const locations = useNamedList("locations");
  return (
    <>
      <Field
        label="Place"
        value={placeOfService}
        choices={places.map((place) => ({ value: place, name: words(place) }))}
        onType={(picked) => {
          const place = picked as Session["placeOfService"];
          onChange({ placeOfService: place, isTelehealth: isTelehealthAt(place) });
        }}
      />
      <Field
        label="Location"
        value={locationId}
        choices={choicesOf(locations)}
        onType={(id) => onChange({ locationId: id })}
      />
    </>
  );
}
