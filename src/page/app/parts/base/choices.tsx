import { addressWith, place } from "../../lib/base/place.ts";

/** A row of links, one of which is the current place. */
export function Choices(properties: {
  label: string;
  choices: { name: string; address: string; isChosen: boolean }[];
}) {
  return (
    <div class="choices" role="group" aria-label={properties.label}>
      {properties.choices.map(({ name, address, isChosen }) => (
        <a key={address} href={address} aria-current={isChosen ? "true" : undefined}>
          {name}
        </a>
      ))}
    </div>
  );
}

/** Whether a view shows a table instead of its chart. */
export function isTable(): boolean {
  return place.value.query.get("as") === "table";
}

/** The choice between the chart of a view, by name, and its table. */
export function ShowAs({ picture }: { picture: string }) {
  const choices = [
    { name: picture, address: addressWith({ as: undefined }), isChosen: !isTable() },
    { name: "Table", address: addressWith({ as: "table" }), isChosen: isTable() },
  ];
  return <Choices label="Show as" choices={choices} />;
}
