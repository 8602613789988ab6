import { expect, test } from "bun:test";
import fc from "fast-check";
import { seal, sealingKey, unseal } from "../../src/http/sealing.ts";

/** Encryption of the responses that are stored for retries. */

const key = (body: string) => sealingKey(new TextEncoder().encode(body));

test("a sealed text is decrypted with the key of the same body", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, body) => {
      expect(unseal(seal(text, key(body)), key(body))).toBe(text);
    }),
  );
});

test("another body cannot decrypt it, and a changed byte is detected", () => {
  const sealed = seal('{"publicId":"goal_1"}', key("a body"));
  expect(() => unseal(sealed, key("a body "))).toThrow();
  const bytes = Buffer.from(sealed, "base64");
  for (const position of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    expect(() => unseal(changed.toString("base64"), key("a body"))).toThrow();
  }
});

test("the same text and body are encrypted differently each time", () => {
  expect(seal("same", key("same"))).not.toBe(seal("same", key("same")));
});
