/** Hands the reader a text as a file to save. */
export function saveText(name: string, mediaType: string, text: string): void {
  // Spreadsheets take a file without this mark for one in an encoding of their own.
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
