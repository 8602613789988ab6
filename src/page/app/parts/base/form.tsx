import type { ComponentProps, Ref } from "preact";
import { isUnsaid } from "./unsaid.ts";

/**
 * A form that the page does something with: browsers would send it, and load the page again. Nothing is done while a
 * field holds what is no value, or lacks one that it requires; with `noValidate`, the API says what is required.
 */
export function Form(
  properties: Omit<ComponentProps<"form">, "onSubmit" | "ref"> & {
    of?: Ref<HTMLFormElement>;
    onSubmit?: () => unknown;
  },
) {
  const { of: ref, onSubmit, noValidate = false, ...form } = properties;
  return (
    <form
      {...form}
      {...(ref && { ref })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isUnsaid(event.currentTarget, !noValidate)) onSubmit?.();
      }}
    />
  );
}
