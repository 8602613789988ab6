import type { ComponentChildren } from "preact";
import type { Failure } from "../lib/failure.ts";
import { RequestId } from "./notices.tsx";

/** A failure, with what one can do. */
export function Alert(properties: {
  failure: Failure;
  about?: string;
  children?: ComponentChildren;
}) {
  const { failure, about, children } = properties;
  return (
    <div class="notice failure" role="alert">
      <p>
        {about}
        {failure.message}
      </p>
      <RequestId failure={failure} />
      {children}
    </div>
  );
}
