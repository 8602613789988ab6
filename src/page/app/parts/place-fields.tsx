import { words } from "../lib/format.ts";
import { isTelehealthAt } from "../lib/new-sessions.ts";
import { fieldsOf } from "../lib/record-fields.ts";
import type { Session } from "../lib/wire.ts";
import { Field } from "./field.tsx";
import { choicesOf, useNamedList } from "./named.ts";

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
