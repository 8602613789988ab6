import { addressWith, place } from "../lib/place.ts";

/** Links beside each other, of which one is where one is. */
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

/** Whether a view shows its plain table in place of its picture. */
export function isTable(): boolean {
  return place.value.query.get("as") === "table";
}

/** The choice between the picture of a view, by what it is called, and its table. */
export function ShowAs({ picture }: { picture: string }) {
  const choices = [
    { name: picture, address: addressWith({ as: undefined }), isChosen: !isTable() },
    { name: "Table", address: addressWith({ as: "table" }), isChosen: isTable() },
  ];
  return <Choices label="Show as" choices={choices} />;
}
