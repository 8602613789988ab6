import { addressOf } from "../lib/place.ts";

/** A name that leads to the person's record. */
export function PersonLink(properties: {
  id: string;
  name: string;
  class?: string;
  onClick?: () => void;
}) {
  const { id, name, ...link } = properties;
  return (
    <a {...link} href={addressOf(["people", id])}>
      <bdi>{name}</bdi>
    </a>
  );
}
