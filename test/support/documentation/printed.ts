/** The block of a page of the documentation that is of a language and begins with some words. */
export function blockOf(page: string, language: string, words: string): string {
  const begin = page.indexOf(`\`\`\`${language}\n${words}`);
  if (begin === -1) throw new Error(`The page has no block that begins with ${words}`);
  const source = page.slice(page.indexOf("\n", begin) + 1);
  return source.slice(0, source.indexOf("```\n"));
}
