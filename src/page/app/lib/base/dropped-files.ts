/**
 * A file that is dropped beside the field for it would be opened by the browser in place of the page, and the sign-in
 * would be gone with it. What takes files says so itself.
 */
export function watchDroppedFiles(): void {
  const refuse = (event: DragEvent): void => {
    const isOnField = event.target instanceof Element && event.target.closest("input[type=file]");
    if (event.defaultPrevented || isOnField) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}
