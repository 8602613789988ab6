import { foldForSearch } from "../../../../lib/text.ts";

/** Marks that are vowels of their script: without them, राम and रमा would be one name. Accents are none of them. */
const VOWELS = /((?:(?![\u0300-\u036F])\p{Mark})+)/u;

/** A text without case and accents, as searching folds it, with the vowels of every script. */
export function folded(text: string): string {
  const parts = text.normalize("NFD").split(VOWELS);
  return parts.map((part, at) => (at % 2 === 1 ? part : foldForSearch(part))).join("");
}

/**
 * Letters and digits of a text, of every script, without case and accents: `Birth date` and `birthDate` are the same,
 * 王伟 and 李娜 are not.
 */
export function plain(text: string): string {
  return folded(text).replaceAll(/[^\p{Letter}\p{Mark}\p{Number}]/gu, "");
}
