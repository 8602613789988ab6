import type { ComponentChildren } from "preact";

/** A line of a record; omitted if it has no content. */
export type Fact = [name: string, content: Exclude<ComponentChildren, boolean>];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  const lines = facts.filter(([, content]) => content !== null && content !== "");
  return (
    <dl class="fields">
      {lines.map(([name, content], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}
