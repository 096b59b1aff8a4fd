const modals: HTMLDialogElement[] = [];
let toasts: HTMLElement | undefined;

/**
 * The element that toasts are rendered into. It moves into the topmost modal dialog and back, because a modal dialog covers everything
 * outside it and makes it inert.
 */
export function toastRoot(): HTMLElement {
  if (!toasts) {
    toasts = document.createElement('div');
    // No box of its own: in a dialog's grid it would take a row.
    toasts.style.display = 'contents';
    moveToasts();
  }
  return toasts;
}

/** Opens a dialog over all others; the returned function closes it. The browser returns the focus to where it was. */
export function openModal(dialog: HTMLDialogElement): () => void {
  // The browser closes a dialog by itself at a second Escape. Whether it is open is up to the component that renders it.
  const reopen = () => {
    if (!dialog.open) dialog.showModal();
  };
  dialog.addEventListener('close', reopen);
  dialog.showModal();
  modals.push(dialog);
  moveToasts();
  return () => {
    dialog.removeEventListener('close', reopen);
    modals.splice(modals.indexOf(dialog), 1);
    moveToasts();
    dialog.close();
  };
}

function moveToasts(): void {
  if (toasts) (modals.at(-1) ?? document.body).append(toasts);
}
