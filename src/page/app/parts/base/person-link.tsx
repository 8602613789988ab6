import { addressOf } from "../../lib/base/place.ts";

/** A name that leads to the person's record. */
export function PersonLink(properties: { id: string; name: string; class?: string }) {
  const { id, name, class: own } = properties;
  return (
    <a class={own} href={addressOf(["people", id])}>
      <bdi>{name}</bdi>
    </a>
  );
}
