/** Ids of the places in the selected patient's pane that keys lead to. */
export const visitNameId = 'visit-name';
export const messageBoxId = 'message-to-patient';
export const formsCardId = 'visit-forms';

/** How long a key waits for a place that is still loading. */
const patienceMs = 2_000;

/**
 * Moves the focus to a place in the pane as soon as it is there; not if the person has moved on meanwhile. What is typed until then is for
 * that place, so it must not run as shortcuts.
 */
export function focusWhenThere(selector: string): void {
  const from = document.activeElement;
  const giveUpAt = performance.now() + patienceMs;
  const look = () => {
    const place = document.querySelector<HTMLElement>(selector);
    const hasMovedOn = document.activeElement !== from && document.activeElement !== document.body;
    if (!place && !hasMovedOn && performance.now() < giveUpAt) return void requestAnimationFrame(look);
    window.removeEventListener('keydown', holdLetter, { capture: true });
    if (!hasMovedOn) place?.focus({ preventScroll: true });
  };
  window.addEventListener('keydown', holdLetter, { capture: true });
  look();
}

function holdLetter(event: KeyboardEvent): void {
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
}
