import { words } from "../lib/format.ts";
import { fieldsOf } from "../lib/record-fields.ts";
import type { Session } from "../lib/wire.ts";
import { Field } from "./field.tsx";
import { useNamedList } from "./named.ts";

const places = fieldsOf("session").placeOfService?.values ?? [];

type Place = Pick<Session, "placeOfService" | "locationId">;

/** Fields for where a session takes place. */
export function PlaceFields(properties: Place & { onChange: (change: Partial<Place>) => void }) {
  const { placeOfService, locationId, onChange } = properties;
  const locations = useNamedList("locations");
  return (
    <>
      <Field
        label="Place"
        value={placeOfService}
        choices={places.map((place) => ({ value: place, name: words(place) }))}
        onType={(place) => onChange({ placeOfService: place as Session["placeOfService"] })}
      />
      <Field
        label="Location"
        value={locationId}
        choices={locations.map(({ publicId, name }) => ({ value: publicId, name }))}
        onType={(id) => onChange({ locationId: id })}
      />
    </>
  );
}
