/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are their vowels. */
const ACCENTS = /[\u0300-\u036F]/g;

/**
 * Letters and digits of a text, of every script, without case and accents: `Birth date` and `birthDate` are the same,
 * 王伟 and 李娜 are not.
 */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}]/gu, "");
}
