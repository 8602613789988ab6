import { expect, test } from "bun:test";
import { writablePracticeFileTypes } from "../../src/access/permissions.ts";
import { roles } from "../../src/access/roles.ts";
import { WRITERS, type Written } from "../../src/page/app/lib/writers.ts";

test.each(["session", "encounter"] as Written[])(
  "the page offers writing a %s only to roles that may write it in the API",
  (type) => {
    const allowed = roles.filter((role) => writablePracticeFileTypes[role].includes(type));
    expect(WRITERS[type].toSorted()).toEqual(allowed.toSorted());
  },
);
