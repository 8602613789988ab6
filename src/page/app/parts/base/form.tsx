import type { ComponentProps } from "preact";

/** A form that the page does something with: browsers would send it, and load the page again. */
export function Form(
  properties: Omit<ComponentProps<"form">, "onSubmit" | "ref"> & { onSubmit?: () => unknown },
) {
  const { onSubmit, ...form } = properties;
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    />
  );
}
